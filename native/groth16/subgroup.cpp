#include "groth16/subgroup.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "curve/subgroup.hpp"
#include "groth16/chacha.hpp"
#include "msm/kernels.hpp"

namespace cuzk {

namespace {

constexpr unsigned soundness_bits = 40, most_bits = 15;  // digits of bucket_sums end at 32768
// What the check of one point costs, in additions: measured 150 (bls12-381, G2) to 1000 (bn254, G2).
constexpr double check_cost = 400;

size_t words_of(curve_id curve, group g) { return (curve == curve_id::bn254 ? 4 : 6) * (g == group::g1 ? 2 : 4); }

bool whole_curve_is_the_subgroup(curve_id curve, group g) { return curve == curve_id::bn254 && g == group::g1; }

// Digits from 1 to 2^bits for all points.
void choose_digits(const chacha20& random, unsigned bits, std::vector<uint16_t>& digits, thread_pool& pool, const task& t) {
    constexpr size_t per_group = 2 * chacha20::words_at_once;
    const uint32_t mask = (uint32_t{1} << bits) - 1;
    const size_t groups = (digits.size() + per_group - 1) / per_group;
    pool.parallel_ranges(t, groups, 512, [&](size_t begin, size_t end, size_t) {
        uint32_t words[chacha20::words_at_once];
        for (size_t g = begin; g < end; g++) {
            random.group(g, words);
            const size_t first = g * per_group, count = std::min(per_group, digits.size() - first);
            for (size_t i = 0; i < count; i++) digits[first + i] = static_cast<uint16_t>((words[i / 2] >> (i % 2 * 16) & mask) + 1);
        }
    });
}

struct checker {
    curve_id curve;
    group g;
    const kernels& k;
    size_t words;  // per point
    thread_pool& pool;
    task& t;

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
    size_t first_outside(const uint64_t* points, size_t n) const {
        std::atomic<size_t> first{n};
        pool.parallel_ranges(t, n, 64, [&](size_t begin, size_t end, size_t) {
            for (size_t i = begin; i < end && i < first.load(std::memory_order_relaxed); i++) {
                if (inside(points + i * words)) continue;
                size_t known = first.load();
                while (i < known && !first.compare_exchange_weak(known, i)) {
                }
            }
            t.advance(end - begin);
        });
        return first.load();
    }

    size_t find_outside(const uint64_t* points, size_t n) const {
        const subgroup_plan plan = plan_subgroup_check(n);
        if (plan.passes == 0) return first_outside(points, n);
        std::vector<uint16_t> digits(n);
        std::vector<uint64_t> sums(plan.sums() * words);
        const std::vector<chacha20> choices(plan.passes);
        for (unsigned pass = 0; pass < plan.passes; pass++) {
            choose_digits(choices[pass], plan.bits, digits, pool, t);
            uint64_t* const out = sums.data() + (size_t{pass} << plan.bits) * words;
            (g == group::g1 ? k.bucket_sums_g1 : k.bucket_sums_g2)(pool, t, points, digits.data(), n, size_t{1} << plan.bits, out);
        }
        const size_t bad = find_outside(sums.data(), plan.sums());
        if (bad == plan.sums()) return n;
        // One of this sum's points is to blame.
        choose_digits(choices[bad >> plan.bits], plan.bits, digits, pool, t);
        const size_t digit = (bad & ((size_t{1} << plan.bits) - 1)) + 1;
        for (size_t i = 0; i < n; i++) {
            if (i % 1024 == 0) t.check();
            if (digits[i] == digit && !inside(points + i * words)) return i;
        }
        return n;
    }
};

}  // namespace

subgroup_plan plan_subgroup_check(size_t n) {
    subgroup_plan best;
    best.cost = static_cast<double>(n) * check_cost;
    for (unsigned bits = 1; bits <= most_bits; bits++) {
        subgroup_plan plan{bits, (soundness_bits + bits - 1) / bits, 0};
        if (plan.sums() * 2 > n) break;
        plan.cost = static_cast<double>(plan.passes) * static_cast<double>(n) + plan_subgroup_check(plan.sums()).cost;
        if (plan.cost < best.cost) best = plan;
    }
    return best;
}

uint64_t subgroup_check_work(curve_id curve, group g, size_t n) {
    if (whole_curve_is_the_subgroup(curve, g)) return 0;
    if (n > most_points_at_once)
        return subgroup_check_work(curve, g, most_points_at_once) + subgroup_check_work(curve, g, n - most_points_at_once);
    const subgroup_plan plan = plan_subgroup_check(n);
    return plan.passes ? uint64_t{plan.passes} * n + subgroup_check_work(curve, g, plan.sums()) : n;
}

uint64_t subgroup_check_bytes(curve_id curve, group g, size_t n, size_t threads) {
    n = std::min(n, most_points_at_once);
    const subgroup_plan plan = plan_subgroup_check(n);
    if (whole_curve_is_the_subgroup(curve, g) || plan.passes == 0) return 0;
    const kernels& k = kernels_for(curve);
    const size_t adding = (g == group::g1 ? k.bucket_sums_bytes_g1 : k.bucket_sums_bytes_g2)(n, size_t{1} << plan.bits, threads);
    const uint64_t held = n * sizeof(uint16_t) + plan.sums() * words_of(curve, g) * sizeof(uint64_t) + plan.passes * sizeof(chacha20);
    return held + std::max<uint64_t>(adding, subgroup_check_bytes(curve, g, plan.sums(), threads));
}

size_t find_outside_subgroup(curve_id curve, group g, const uint64_t* points, size_t n, thread_pool& pool, task& t,
                             size_t most_at_once) {
    if (whole_curve_is_the_subgroup(curve, g)) return n;
    const size_t words = words_of(curve, g);
    const checker check{curve, g, kernels_for(curve), words, pool, t};
    // The batch names any of the bad points, and what stands before it is searched again: of many bad ones, each turn halves on average
    // how many are left. So the same file gives the same refusal each time.
    for (size_t begin = 0; begin < n; begin += most_at_once) {
        const size_t count = std::min(most_at_once, n - begin);
        size_t first = count, searched = count;
        while ((searched = check.find_outside(points + begin * words, first)) < first) first = searched;
        if (first < count) return begin + first;
    }
    return n;
}

}  // namespace cuzk
