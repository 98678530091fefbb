#include "ntt/ntt.hpp"

#include <algorithm>
#include <utility>

#include "ntt/choose.hpp"
#include "ntt/direct.hpp"
#include "ntt/plan.hpp"
#include "ntt/sheets.hpp"

namespace cuzk {

namespace {

template <class Curve>
void transform_directly(uint64_t* values, unsigned log_n, bool inverse) {
    using F = typename Curve::fr;
    std::vector<F> x(size_t{1} << log_n);
    for (size_t i = 0; i < x.size(); i++) x[i] = F::load(values + i * F::N);
    const F w = root_of_unity<Curve>(log_n);
    x = inverse ? interpolate_directly(x, w) : evaluate_directly(x, F::one(), w, x.size());
    for (size_t i = 0; i < x.size(); i++) x[i].store(values + i * F::N);
}

uint64_t reverse_bits(uint64_t i, unsigned bits) {
    uint64_t r = 0;
    for (unsigned b = 0; b < bits; b++, i >>= 1) r = r << 1 | (i & 1);
    return r;
}

// Element i to place rev(i). Each pair is exchanged by whoever meets its smaller index.
void reverse_order(thread_pool& pool, task& t, uint64_t* values, unsigned log_n) {
    pool.parallel_ranges(t, size_t{1} << log_n, 4096, [&](size_t begin, size_t end, size_t) {
        for (size_t i = begin; i < end; i++) {
            const size_t j = reverse_bits(i, log_n);
            if (i < j) std::swap_ranges(values + i * ntt_words, values + (i + 1) * ntt_words, values + j * ntt_words);
        }
    });
}

}  // namespace

void ntt(curve_id curve, thread_pool& pool, task& t, uint64_t* values, unsigned log_n, ntt_direction direction) {
    check_domain(curve, log_n);
    t.check();
    const bool inverse = direction == ntt_direction::inverse;
    const size_t n = size_t{1} << log_n;
    if (log_n < smallest_planned_log) {
        with_curve(curve, [&]<class Curve>() { transform_directly<Curve>(values, log_n, inverse); });
        t.advance(n);
        return;
    }
    const ntt_kernels& k = ntt_kernels_for(curve);
    const ntt_plan plan = plan_split(curve, k, log_n, inverse);
    const std::vector<uint64_t> factor = plan_scale(curve, k, log_n, inverse);
    const sheets memory(k, pool.size(), 2, std::max(plan.rows(), plan.columns()));
    pool.parallel_for(t, plan.columns() / ntt_lanes, [&](size_t i, size_t worker) {
        void* sheet = memory.at(worker, 0);
        uint64_t* at = values + i * ntt_lanes * ntt_words;
        k.load(sheet, at, plan.column_sheet());
        k.split(sheet, plan.split_levels.data(), plan.log_rows);
        k.store(sheet, at, plan.column_sheet());
        t.advance(plan.rows() * ntt_lanes / 2);
    });
    pool.parallel_for(t, plan.rows() / ntt_lanes, [&](size_t i, size_t worker) {
        void *sheet = memory.at(worker, 0), *twiddles = memory.at(worker, 1);
        const size_t row = i * ntt_lanes;
        uint64_t* at = values + row * plan.columns() * ntt_words;
        k.spread(twiddles, plan.split_levels.data(), plan.row_roots.data() + row * k.constant_words, plan.log_columns);
        k.load(sheet, at, plan.row_sheet());
        k.split_spread(sheet, twiddles, plan.log_columns);
        k.store(sheet, at, plan.row_sheet());
        k.scale(at, plan.columns() * ntt_lanes, factor.data());
        t.advance(plan.columns() * ntt_lanes / 2);
    });
    reverse_order(pool, t, values, log_n);
}

}  // namespace cuzk
