// From bucket sums to the sum of a window, and from windows to the result.
#pragma once

#include "msm/complete.hpp"
#include "msm/lanes.hpp"

CUZK_ARITHMETIC_BEGIN

// b and 3 b of y^2 = x^3 + b, in file form: C::b in G1; in G2 4 (1 + u) for bls12-381's twist (M type) and 3 / (9 + u) for bn254's (D type).
template <class C, class F>
struct curve_constant {
    uint64_t b[F::N], b3[F::N];
    curve_constant() {
        F value;
        if constexpr (F::N == C::fp::N) {
            value = F::from_u64(C::b);
        } else {
            const auto small = [](uint64_t re, uint64_t im) { return F{C::fp::from_u64(re), C::fp::from_u64(im)}; };
            value = C::id == curve_id::bn254 ? small(9, 1).inverse() * small(3, 0) : small(4, 4);
        }
        value.store(b);
        (value.dbl() + value).store(b3);
    }
};

// Sum of (first + 1 + j) * buckets[j]: every lane takes a run of neighbouring buckets, from its highest down, with the usual two running
// sums (the sum of the sums weighs each bucket by its place), then adds its run's offset times the run's plain sum.
template <class G>
void reduce_buckets(const uint64_t* buckets, size_t first, size_t count, const uint64_t* b3_file, projective_t<typename G::value>& out) {
    using V = typename G::value;
    constexpr size_t W = G::lanes, P = 2 * G::words;
    const V b3 = G::broadcast_file(b3_file);
    const size_t run = (count + W - 1) / W;
    alignas(64) static const uint64_t infinity[64] = {};
    static_assert(P <= 64);

    projective_t<V> sum = projective_t<V>::infinity(), total = sum;
    for (size_t j = run; j-- > 0;) {
        const uint64_t* at[W];
        for (size_t lane = 0; lane < W; lane++) {
            const size_t bucket = lane * run + j;
            at[lane] = bucket < count ? buckets + bucket * P : infinity;
        }
        V x, y;
        G::load_xy(at, x, y);
        const lane_mask empty = G::zero(x) & G::zero(y);
        const projective_t<V> next = add_complete(sum, x, y, b3);
        if (empty)
            sum = {G::select(empty, sum.x, next.x), G::select(empty, sum.y, next.y), G::select(empty, sum.z, next.z)};
        else
            sum = next;
        total = add_complete(total, sum, b3);
    }
    // (first + lane * run) * sum, by double and add over the bits of the largest offset.
    const size_t highest = first + (W - 1) * run;
    projective_t<V> offset = projective_t<V>::infinity();
    for (size_t bit = 64 - static_cast<size_t>(__builtin_clzll(highest | 1)); bit-- > 0;) {
        offset = add_complete(offset, offset, b3);
        lane_mask set = 0;
        for (size_t lane = 0; lane < W; lane++) set |= static_cast<lane_mask>((first + lane * run) >> bit & 1) << lane;
        const projective_t<V> more = add_complete(offset, sum, b3);
        offset = {G::select(set, more.x, offset.x), G::select(set, more.y, offset.y), G::select(set, more.z, offset.z)};
    }
    out = add_complete(total, offset, b3);
}

// Single points in file form, F = fp or fp2.
template <class F>
projective_t<F> load_projective(const uint64_t* words) {
    return {F::load(words), F::load(words + F::N), F::load(words + 2 * F::N)};
}
template <class F>
void store_projective(const projective_t<F>& p, uint64_t* words) {
    p.x.store(words);
    p.y.store(words + F::N);
    p.z.store(words + 2 * F::N);
}

CUZK_ARITHMETIC_END
