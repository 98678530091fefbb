#include "groth16/key_columns.hpp"

#include <algorithm>
#include <map>

namespace cuzk {

namespace {

template <class F, class Number>
uint64_t first_used(const circuit& c, const sparse_rows& m, const std::vector<bool>& absent, const task& t) {
    const uint32_t* ends = m.row_ends.as<uint32_t>();
    const uint32_t* signals = m.signals.as<uint32_t>();
    const Number* numbers = m.coefficients.as<Number>();
    const F* dictionary = c.rows.dictionary.as<F>();
    uint64_t first = c.key.n_vars;
    std::map<uint32_t, F> sums;  // of this row, for the signals in question: hardly ever any
    for (size_t row = 0; row < c.rows.rows; row++) {
        if (row % 16384 == 0) t.check();
        for (size_t i = ends[row]; i < ends[row + 1]; i++) {
            if (!absent[signals[i]] || signals[i] >= first) continue;
            const auto at = sums.try_emplace(signals[i], F::zero()).first;
            at->second += dictionary[numbers[i]];
        }
        for (const auto& [signal, sum] : sums)
            if (!sum.is_zero()) first = std::min<uint64_t>(first, signal);
        sums.clear();
    }
    return first;
}

}  // namespace

uint64_t first_used_but_absent(const circuit& c, const sparse_rows& m, const std::vector<bool>& absent, const task& t) {
    return with_curve(c.key.curve, [&]<class Curve>() {
        using fr = typename Curve::fr;
        return c.rows.wide_coefficients ? first_used<fr, uint32_t>(c, m, absent, t) : first_used<fr, uint16_t>(c, m, absent, t);
    });
}

}  // namespace cuzk
