// Eight elements in vectors of 52-bit limbs, lazily reduced. For *_ifma.cpp files only.
//
// A row's limbs are signed 64-bit accumulators: sums and differences add them without carrying, and only a factor is carried into
// 52-bit limbs, when it is multiplied. Bounds are on the value: 2^260 is more than 35 times either scalar field's modulus p, so
// with a value below 35p and a twiddle below 1.03p (a product of two fully reduced ones) a product stays below p (1 + 35 * 1.03 /
// 35.3) < 2.03p, and below 2p for values up to 34p.
#pragma once

#include "field/vec8.hpp"
#include "ntt/kernels.hpp"

CUZK_ARITHMETIC_BEGIN

template <class P>
struct vector_rows {
    using row = vec8_t<P>;
    static constexpr size_t L = row::L;
    static_assert(L == 5);
    static constexpr size_t constant_words = L;
    static constexpr unsigned radix_bits = 52 * L;
    // From below 8p after the first two levels of `split`, with 2p for each further one, to below 34p.
    static constexpr unsigned unreduced_levels = 15;

    static __m512i wide_constant(uint64_t x) { return _mm512_set1_epi64(static_cast<long long>(x)); }

    static row constant(const uint64_t* limbs) {
        row r;
        for (size_t i = 0; i < L; i++) r.l[i] = wide_constant(limbs[i]);
        return r;
    }
    static row lane_constants(const uint64_t* limbs) {
        const __m512i at = _mm512_setr_epi64(0, L, 2 * L, 3 * L, 4 * L, 5 * L, 6 * L, 7 * L);
        row r;
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_i64gather_epi64(at, limbs + i, 8);
        return r;
    }

    static CUZK_INLINE row load(const uint64_t* from, size_t lane_step) {
        __m512i w[4];
        for (size_t i = 0; i < 4; i++) {
            const auto* low = reinterpret_cast<const __m256i*>(from + i * lane_step);
            const auto* high = reinterpret_cast<const __m256i*>(from + (i + 4) * lane_step);
            w[i] = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(low)), _mm256_loadu_si256(high), 1);
        }
        transpose(w);
        return row::from_words(w);
    }
    // x normal and below 2^256.
    static CUZK_INLINE void store(uint64_t* to, size_t lane_step, const row& x) {
        __m512i w[4];
        x.to_words(w);
        transpose(w);
        for (size_t i = 0; i < 4; i++) {
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i * lane_step), _mm512_castsi512_si256(w[i]));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + (i + 4) * lane_step), _mm512_extracti64x4_epi64(w[i], 1));
        }
    }

    // x y / R' mod p, its limbs not carried; y normal.
    static CUZK_INLINE row times(const row& x, const row& y) { return row::product(carried(x), y); }

    static CUZK_INLINE row add(const row& x, const row& y) {
        row r;
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_add_epi64(x.l[i], y.l[i]);
        return r;
    }
    // x - y + 2p, for y below 2p.
    static CUZK_INLINE row sub(const row& x, const row& y) { return sub_from(x, y, row::p2); }
    static CUZK_INLINE row sub_below_4p(const row& x, const row& y) { return sub_from(x, y, p4); }

    // The same value with limbs whose low 52 bits count: those that a multiplication reads.
    static CUZK_INLINE row carried(const row& x) {
        row r = x;
        for (size_t i = 0; i + 1 < L; i++) r.l[i + 1] = _mm512_add_epi64(r.l[i + 1], _mm512_srai_epi64(r.l[i], 52));
        return r;
    }
    // The same value with limbs of 52 bits.
    static CUZK_INLINE row normal(const row& x) {
        row r = x;
        for (size_t i = 0; i + 1 < L; i++) {
            r.l[i + 1] = _mm512_add_epi64(r.l[i + 1], _mm512_srai_epi64(r.l[i], 52));
            r.l[i] = _mm512_and_si512(r.l[i], wide_constant(mask52));
        }
        return r;
    }
    // Normal, below p + p / 2^38, from below 2^260. Barrett's quotient from the top limb, exact or one too small; minus p is added
    // modulo 2^260.
    static CUZK_INLINE row reduce(const row& x) {
        row r = normal(x);
        const __m512i q = _mm512_srli_epi64(_mm512_madd52hi_epu64(_mm512_setzero_si512(), r.l[L - 1], wide_constant(barrett)), 45);
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_madd52lo_epu64(r.l[i], q, wide_constant(minus_p[i]));
        for (size_t i = 0; i + 1 < L; i++) r.l[i + 1] = _mm512_madd52hi_epu64(r.l[i + 1], q, wide_constant(minus_p[i]));
        r = normal(r);
        r.l[L - 1] = _mm512_and_si512(r.l[L - 1], wide_constant(mask52));
        return r;
    }
    // Below p, from below 2p.
    static CUZK_INLINE row canonical(const row& x) { return normal(x).canonical(); }

private:
    static constexpr typename row::limbs_t p4 = row::multiple_of_p(4);
    // floor(2^97 / (floor(p / 2^208) + 1)): below 2^52, as the top limb of p has 46 or 47 bits.
    static constexpr uint64_t barrett = static_cast<uint64_t>((static_cast<unsigned __int128>(1) << 97) / (row::p1[L - 1] + 1));
    static constexpr typename row::limbs_t minus_p = [] {
        typename row::limbs_t r{};
        uint64_t borrow = 0;
        for (size_t i = 0; i < L; i++) {
            const uint64_t v = 0 - row::p1[i] - borrow;
            r[i] = v & mask52;
            borrow = 1;  // the lowest limb of p is not zero
        }
        return r;
    }();

    static CUZK_INLINE row sub_from(const row& x, const row& y, const typename row::limbs_t& offset) {
        row r;
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_add_epi64(_mm512_sub_epi64(x.l[i], y.l[i]), wide_constant(offset[i]));
        return r;
    }
    // Four registers of [lane i | lane i + 4], four words each, to four words of eight lanes; its own inverse.
    static CUZK_INLINE void transpose(__m512i* w) {
        const __m512i t0 = _mm512_unpacklo_epi64(w[0], w[1]), t1 = _mm512_unpackhi_epi64(w[0], w[1]);
        const __m512i t2 = _mm512_unpacklo_epi64(w[2], w[3]), t3 = _mm512_unpackhi_epi64(w[2], w[3]);
        const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        w[0] = _mm512_permutex2var_epi64(t0, low, t2), w[2] = _mm512_permutex2var_epi64(t0, high, t2);
        w[1] = _mm512_permutex2var_epi64(t1, low, t3), w[3] = _mm512_permutex2var_epi64(t1, high, t3);
    }
};

CUZK_ARITHMETIC_END
