#include "ntt/quotient.hpp"

#include <algorithm>
#include <utility>

#include "ntt/choose.hpp"
#include "ntt/direct.hpp"
#include "ntt/plan.hpp"
#include "ntt/sheets.hpp"

namespace cuzk {

namespace {

constexpr size_t sheets_per_worker = 3;

template <class F>
void quotient_directly(uint64_t* a, uint64_t* b, uint64_t* h, size_t n, const F& w, const F& shift) {
    std::vector<F> values[3] = {std::vector<F>(n), std::vector<F>(n), std::vector<F>(n)};
    for (size_t i = 0; i < n; i++) {
        values[0][i] = F::load(a + i * F::N), values[1][i] = F::load(b + i * F::N);
        values[2][i] = values[0][i] * values[1][i];
    }
    for (auto& v : values) v = evaluate_directly(interpolate_directly(v, w), shift, w, n);
    for (size_t i = 0; i < n; i++) (values[0][i] * values[1][i] - values[2][i]).to_canonical(h + i * F::N);
}

// Three passes over memory, each over the three polynomials, with c's values in h.
class quotient_passes {
public:
    quotient_passes(const ntt_kernels& k, const ntt_plan& plan, thread_pool& pool, task& t, uint64_t* a, uint64_t* b, uint64_t* h)
        : k_(k), plan_(plan), pool_(pool), task_(t), a_(a), b_(b), h_(h),
          sheets_(k, pool.size(), sheets_per_worker, std::max(plan.rows(), plan.columns())) {}

    void run() {
        const size_t column_sheets = plan_.columns() / ntt_lanes, row_sheets = plan_.rows() / ntt_lanes;
        pool_.parallel_for(task_, column_sheets, [&](size_t i, size_t worker) { split_columns(i * ntt_lanes, worker); });
        pool_.parallel_for(task_, row_sheets, [&](size_t i, size_t worker) { cross_rows(i * ntt_lanes, worker); });
        pool_.parallel_for(task_, column_sheets, [&](size_t i, size_t worker) { join_columns(i * ntt_lanes, worker); });
    }

private:
    // First half of the inverse transforms: eight columns from `column` on.
    void split_columns(size_t column, size_t worker) {
        const sheet_layout layout = plan_.column_sheet();
        const size_t at = column * ntt_words;
        void *a = sheets_.at(worker, 0), *b = sheets_.at(worker, 1), *c = sheets_.at(worker, 2);
        k_.load(a, a_ + at, layout);
        k_.load(b, b_ + at, layout);
        k_.multiply(c, a, b, layout.rows);
        const std::pair<void*, uint64_t*> ways[] = {{c, h_}, {a, a_}, {b, b_}};
        for (const auto& [sheet, values] : ways) {
            k_.split(sheet, plan_.split_levels.data(), plan_.log_rows);
            k_.store(sheet, values + at, layout);
            task_.check();
        }
        task_.advance(layout.rows * ntt_lanes / 4);
    }

    // Second half of the inverse transforms and first half of those on the coset: eight rows from `row` on.
    void cross_rows(size_t row, size_t worker) {
        const sheet_layout layout = plan_.row_sheet();
        void *sheet = sheets_.at(worker, 0), *twiddles = sheets_.at(worker, 1);
        k_.spread(twiddles, plan_.split_levels.data(), plan_.row_roots.data() + row * k_.constant_words, plan_.log_columns);
        for (uint64_t* values : {a_, b_, h_}) {
            uint64_t* at = values + row * layout.lane_step;
            k_.load(sheet, at, layout);
            k_.split_join(sheet, twiddles, plan_.join_levels.data(), plan_.log_columns);
            k_.store(sheet, at, layout);
            task_.check();
        }
        task_.advance(layout.rows * ntt_lanes / 2);
    }

    // Second half of the transforms on the coset, and the quotient's values.
    void join_columns(size_t column, size_t worker) {
        const sheet_layout layout = plan_.column_sheet();
        const size_t at = column * ntt_words;
        void *product = sheets_.at(worker, 0), *factor = sheets_.at(worker, 1), *twiddles = sheets_.at(worker, 2);
        k_.spread(twiddles, plan_.column_levels.data(), plan_.column_roots.data() + column * k_.constant_words, plan_.log_rows);
        const auto join_from = [&](void* sheet, const uint64_t* values) {
            k_.load(sheet, values + at, layout);
            k_.join_spread(sheet, twiddles, plan_.log_rows);
            task_.check();
        };
        join_from(product, a_);
        join_from(factor, b_);
        k_.multiply(product, product, factor, layout.rows);
        join_from(factor, h_);
        k_.store_quotient(product, factor, plan_.last.data(), h_ + at, layout);
        task_.advance(layout.rows * ntt_lanes / 4);
    }

    const ntt_kernels& k_;
    const ntt_plan& plan_;
    thread_pool& pool_;
    task& task_;
    uint64_t *a_, *b_, *h_;
    sheets sheets_;
};

}  // namespace

void quotient(curve_id curve, thread_pool& pool, task& t, uint64_t* a, uint64_t* b, uint64_t* h, unsigned log_n,
              isa variant) {
    check_domain(curve, log_n);
    t.check();
    if (log_n < smallest_planned_log) {
        with_curve(curve, [&]<class Curve>() {
            quotient_directly(a, b, h, size_t{1} << log_n, root_of_unity<Curve>(log_n), coset_shift<Curve>(log_n));
        });
        t.advance(uint64_t{1} << log_n);
        return;
    }
    const ntt_kernels& k = ntt_kernels_for(curve, variant);
    const ntt_plan plan = plan_quotient(curve, k, log_n);
    quotient_passes(k, plan, pool, t, a, b, h).run();
}

uint64_t quotient_bytes(curve_id curve, unsigned log_n, size_t threads, isa variant) {
    // Three polynomials and what one is computed from, twice.
    if (log_n < smallest_planned_log) return (3 + 2) * (uint64_t{ntt_words * sizeof(uint64_t)} << log_n);
    const ntt_kernels& k = ntt_kernels_for(curve, variant);
    const uint64_t rows = uint64_t{1} << log_n / 2, columns = uint64_t{1} << (log_n - log_n / 2);
    const uint64_t constants = 3 * columns + 2 * rows + 2;  // ntt_plan: three tables over the columns, two over the rows
    return constants * k.constant_words * sizeof(uint64_t) + threads * sheets_per_worker * std::max(rows, columns) * k.row_bytes;
}

}  // namespace cuzk
