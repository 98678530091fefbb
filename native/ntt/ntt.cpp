#include "ntt/ntt.hpp"

#include <algorithm>

#include "device/buffer.hpp"
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

}  // namespace

void ntt(curve_id curve, thread_pool& pool, task& t, uint64_t* values, unsigned log_n, ntt_direction direction,
         isa variant) {
    check_domain(curve, log_n);
    t.check();
    const bool inverse = direction == ntt_direction::inverse;
    const size_t n = size_t{1} << log_n;
    if (log_n < smallest_planned_log) {
        with_curve(curve, [&]<class Curve>() { transform_directly<Curve>(values, log_n, inverse); });
        t.advance(n);
        return;
    }
    const ntt_kernels& k = ntt_kernels_for(curve, variant);
    const ntt_plan plan = plan_split(curve, k, log_n, inverse);
    const std::vector<uint64_t> one = plan_scale(curve, k, log_n, false), last = plan_scale(curve, k, log_n, inverse);
    const sheets memory(k, pool.size(), 2, std::max(plan.rows(), plan.columns()));
    // Class r of coefficients modulo R comes out of row rev(r) and goes to row r of this buffer, whose eight consecutive rows are
    // then eight consecutive columns of the result.
    const buffer between(n * ntt_words * sizeof(uint64_t));
    pool.parallel_for(t, plan.columns() / ntt_lanes, [&](size_t i, size_t worker) {
        void* sheet = memory.at(worker, 0);
        const size_t at = i * ntt_lanes * ntt_words;
        k.load(sheet, values + at, plan.column_sheet());
        k.split(sheet, plan.split_levels.data(), plan.log_rows);
        k.store_reversed(sheet, one.data(), between.as<uint64_t>() + at, plan.column_sheet());
        t.advance(plan.rows() * ntt_lanes / 2);
    });
    pool.parallel_for(t, plan.rows() / ntt_lanes, [&](size_t i, size_t worker) {
        void *sheet = memory.at(worker, 0), *twiddles = memory.at(worker, 1);
        const size_t row = i * ntt_lanes;
        k.spread(twiddles, plan.split_levels.data(), plan.row_roots.data() + row * k.constant_words, plan.log_columns);
        k.load(sheet, between.as<uint64_t>() + row * plan.columns() * ntt_words, plan.row_sheet());
        k.split_spread(sheet, twiddles, plan.log_columns);
        k.store_reversed(sheet, last.data(), values + row * ntt_words, {plan.columns(), plan.rows() * ntt_words, ntt_words});
        t.advance(plan.columns() * ntt_lanes / 2);
    });
}

}  // namespace cuzk
