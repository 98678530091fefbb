#include "groth16/subgroup.hpp"

#include <atomic>
#include <cstring>
#include <limits>
#include <vector>

#include "curve/subgroup.hpp"
#include "groth16/random.hpp"
#include "msm/kernels.hpp"

namespace cuzk {

namespace {

constexpr unsigned soundness_bits = 64;
// What one check costs, in additions of a point to a sum.
constexpr double check_cost = 300;

bool whole_curve_is_the_subgroup(curve_id curve, group g) { return curve == curve_id::bn254 && g == group::g1; }

struct checker {
    curve_id curve;
    group g;
    const kernels& k;
    size_t words;  // per point

    // Of one point in imported form.
    bool inside(const uint64_t* point) const {
        uint64_t copy[24];
        std::memcpy(copy, point, words * sizeof *copy);
        (g == group::g1 ? k.export_g1 : k.export_g2)(copy, 1);
        return with_curve(curve, [&]<class Curve>() {
            return g == group::g1 ? in_subgroup_g1<Curve>(copy) : in_subgroup_g2<Curve>(copy);
        });
    }

    // The first of n points, each checked by itself, that is outside; n when there is none.
    size_t first_outside(const uint64_t* points, size_t n, thread_pool& pool, const task& t) const {
        std::atomic<size_t> first{n};
        pool.parallel_ranges(t, n, 64, [&](size_t begin, size_t end, size_t) {
            for (size_t i = begin; i < end && i < first.load(std::memory_order_relaxed); i++) {
                if (inside(points + i * words)) continue;
                size_t known = first.load();
                while (i < known && !first.compare_exchange_weak(known, i)) {
                }
            }
        });
        return first.load();
    }
};

}  // namespace

subgroup_plan plan_subgroup_check(size_t n) {
    subgroup_plan best;
    double best_cost = static_cast<double>(n) * check_cost;
    for (unsigned bits = 1; bits <= 15; bits++) {
        const unsigned passes = (soundness_bits + bits - 1) / bits;
        const double cost = passes * (static_cast<double>(n) + static_cast<double>(1u << bits) * check_cost);
        if (cost < best_cost) best_cost = cost, best = {bits, passes};
    }
    return best;
}

uint64_t subgroup_check_work(curve_id curve, group g, size_t n) {
    if (whole_curve_is_the_subgroup(curve, g)) return 0;
    const subgroup_plan plan = plan_subgroup_check(n);
    return plan.passes ? uint64_t{plan.passes} * n : n;
}

size_t find_outside_subgroup(curve_id curve, group g, const uint64_t* points, size_t n, thread_pool& pool, task& t) {
    if (whole_curve_is_the_subgroup(curve, g)) return n;
    const size_t words = (curve == curve_id::bn254 ? 4 : 6) * (g == group::g1 ? 2 : 4);
    const checker c{curve, g, kernels_for(curve), words};
    const subgroup_plan plan = plan_subgroup_check(n);
    if (plan.passes == 0) {
        const size_t found = c.first_outside(points, n, pool, t);
        t.advance(n);
        return found;
    }
    const size_t sums = size_t{1} << plan.bits;
    std::vector<uint16_t> digits(n);
    std::vector<uint64_t> out(sums * words);
    fast_random random;
    for (unsigned pass = 0; pass < plan.passes; pass++) {
        for (size_t i = 0; i < n;) {
            uint64_t bits = random.next();
            for (size_t j = 0; j < 4 && i < n; j++, bits >>= 16) digits[i++] = static_cast<uint16_t>((bits & (sums - 1)) + 1);
        }
        (g == group::g1 ? c.k.bucket_sums_g1 : c.k.bucket_sums_g2)(pool, t, points, digits.data(), n, sums, out.data());
        const size_t bad = c.first_outside(out.data(), sums, pool, t);
        if (bad == sums) continue;
        // One of this sum's points is to blame.
        for (size_t i = 0; i < n; i++) {
            if (i % 1024 == 0) t.check();
            if (digits[i] == bad + 1 && !c.inside(points + i * words)) return i;
        }
    }
    return n;
}

}  // namespace cuzk
