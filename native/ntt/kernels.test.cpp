#include "ntt/kernels.hpp"

#include <algorithm>

#include "ntt/choose.hpp"
#include "ntt/plan.hpp"
#include "ntt/sheets.hpp"
#include "ntt/test_values.hpp"
#include "test/check.hpp"

namespace cuzk {

namespace {

using test::random_values;
using test::words_of;

// The passes of a domain of 2^(2 levels) points over one sheet of that many levels: columns' split, rows' split and join, columns'
// join.
template <class Curve>
std::vector<typename Curve::fr> run_passes(isa variant, unsigned levels, std::vector<typename Curve::fr> values) {
    const ntt_kernels& k = ntt_kernels_for(Curve::id, variant);
    const ntt_plan plan = plan_quotient(Curve::id, k, 2 * levels);
    const std::vector<uint64_t> one = plan_scale(Curve::id, k, 2 * levels, false);
    const sheet_layout layout{plan.rows(), ntt_lanes * ntt_words, ntt_words};
    const sheets memory(k, 1, 2, plan.rows());
    void *sheet = memory.at(0, 0), *twiddles = memory.at(0, 1);
    uint64_t* words = words_of(values);
    const size_t last_lanes = plan.rows() - ntt_lanes;

    k.load(sheet, words, layout);
    k.split(sheet, plan.split_levels.data(), levels);
    k.store(sheet, words, layout);
    k.load(sheet, words, layout);
    k.spread(twiddles, plan.split_levels.data(), plan.row_roots.data() + last_lanes * k.constant_words, levels);
    k.split_join(sheet, twiddles, plan.join_levels.data(), levels);
    k.store(sheet, words, layout);
    k.load(sheet, words, layout);
    k.spread(twiddles, plan.column_levels.data(), plan.column_roots.data() + last_lanes * k.constant_words, levels);
    k.join_spread(sheet, twiddles, levels);
    k.store_reversed(sheet, one.data(), words, layout);
    return values;
}

}  // namespace

TEST("all instruction sets compute the same passes up to the most levels that a field has, on random and on extreme values") {
    const auto check = []<class Curve>() {
        using F = typename Curve::fr;
        for (const unsigned levels : {3u, 6u, 7u, 8u, Curve::two_adicity / 2}) {
            const size_t count = ntt_lanes << levels;
            std::vector<F> random = random_values<F>(count, levels), extreme(count, F::raw(wide_minus(F::modulus, 1)));
            for (size_t i = count / 2; i < count; i++) extreme[i] = F::zero();
            for (const auto& values : {random, extreme}) {
                const auto expected = run_passes<Curve>(isa::portable, levels, values);
                for (const isa variant : {isa::adx, isa::ifma})
                    if (can_run(variant)) CHECK(run_passes<Curve>(variant, levels, values) == expected);
            }
        }
    };
    check.operator()<bn254>();
    check.operator()<bls12_381>();
}

}  // namespace cuzk
