// Eight elements in lanes, over vec8_t. For *_ifma.cpp files only.
#pragma once

#include "field/mont.hpp"
#include "field/vec8.hpp"
#include "msm/lanes.hpp"

CUZK_ARITHMETIC_BEGIN

// The 8 x 8 transpose of 64-bit words: row i of eight registers becomes word i of each.
CUZK_INLINE void transpose8(__m512i* r) {
    const __m512i t0 = _mm512_unpacklo_epi64(r[0], r[1]), t1 = _mm512_unpackhi_epi64(r[0], r[1]);
    const __m512i t2 = _mm512_unpacklo_epi64(r[2], r[3]), t3 = _mm512_unpackhi_epi64(r[2], r[3]);
    const __m512i t4 = _mm512_unpacklo_epi64(r[4], r[5]), t5 = _mm512_unpackhi_epi64(r[4], r[5]);
    const __m512i t6 = _mm512_unpacklo_epi64(r[6], r[7]), t7 = _mm512_unpackhi_epi64(r[6], r[7]);
    const __m512i a0 = _mm512_shuffle_i64x2(t0, t2, 0x88), a1 = _mm512_shuffle_i64x2(t4, t6, 0x88);
    const __m512i a2 = _mm512_shuffle_i64x2(t0, t2, 0xdd), a3 = _mm512_shuffle_i64x2(t4, t6, 0xdd);
    const __m512i b0 = _mm512_shuffle_i64x2(t1, t3, 0x88), b1 = _mm512_shuffle_i64x2(t5, t7, 0x88);
    const __m512i b2 = _mm512_shuffle_i64x2(t1, t3, 0xdd), b3 = _mm512_shuffle_i64x2(t5, t7, 0xdd);
    r[0] = _mm512_shuffle_i64x2(a0, a1, 0x88), r[4] = _mm512_shuffle_i64x2(a0, a1, 0xdd);
    r[2] = _mm512_shuffle_i64x2(a2, a3, 0x88), r[6] = _mm512_shuffle_i64x2(a2, a3, 0xdd);
    r[1] = _mm512_shuffle_i64x2(b0, b1, 0x88), r[5] = _mm512_shuffle_i64x2(b0, b1, 0xdd);
    r[3] = _mm512_shuffle_i64x2(b2, b3, 0x88), r[7] = _mm512_shuffle_i64x2(b2, b3, 0xdd);
}

// Four rows of [lane i | lane i + 4], four words each, to four words of eight lanes, and back.
CUZK_INLINE void transpose4(__m512i* r) {
    const __m512i t0 = _mm512_unpacklo_epi64(r[0], r[1]), t1 = _mm512_unpackhi_epi64(r[0], r[1]);
    const __m512i t2 = _mm512_unpacklo_epi64(r[2], r[3]), t3 = _mm512_unpackhi_epi64(r[2], r[3]);
    const __m512i low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    r[0] = _mm512_permutex2var_epi64(t0, low, t2), r[2] = _mm512_permutex2var_epi64(t0, high, t2);
    r[1] = _mm512_permutex2var_epi64(t1, low, t3), r[3] = _mm512_permutex2var_epi64(t1, high, t3);
}

// K words from each of eight addresses; w[i] gets word i of all. K = 6 reads eight words.
template <size_t K>
CUZK_INLINE void gather_words(const uint64_t* const* at, __m512i* w) {
    constexpr size_t whole = K % 8 == 6 ? K + 2 : K / 8 * 8;
    for (size_t block = 0; block < whole; block += 8) {
        __m512i r[8];
        for (size_t i = 0; i < 8; i++) r[i] = _mm512_loadu_si512(at[i] + block);
        transpose8(r);
        for (size_t i = 0; i < 8 && block + i < K; i++) w[block + i] = r[i];
    }
    if constexpr (K % 8 == 4) {
        __m512i r[4];
        for (size_t i = 0; i < 4; i++)
            r[i] = _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at[i] + whole))),
                                      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at[i + 4] + whole)), 1);
        transpose4(r);
        for (size_t i = 0; i < 4; i++) w[whole + i] = r[i];
    }
}

// The way back, for K a multiple of four.
template <size_t K>
CUZK_INLINE void scatter_words(uint64_t* const* at, const __m512i* w) {
    constexpr size_t whole = K / 8 * 8;
    for (size_t block = 0; block < whole; block += 8) {
        __m512i r[8];
        for (size_t i = 0; i < 8; i++) r[i] = w[block + i];
        transpose8(r);
        for (size_t i = 0; i < 8; i++) _mm512_storeu_si512(at[i] + block, r[i]);
    }
    if constexpr (K % 8 == 4) {
        __m512i r[4];
        for (size_t i = 0; i < 4; i++) r[i] = w[whole + i];
        transpose4(r);
        for (size_t i = 0; i < 4; i++) {
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(at[i] + whole), _mm512_castsi512_si256(r[i]));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(at[i + 4] + whole), _mm512_extracti64x4_epi64(r[i], 1));
        }
    }
}

// The parts of the lane operations that differ between Fp and Fp2: how an element is made of words.
template <class P>
struct vector_element {
    using value = vec8_t<P>;
    static constexpr size_t words = P::limbs;
    static value from_words(const __m512i* w) { return value::from_words(w); }
    static void to_words(const value& a, __m512i* w) { a.to_words(w); }
    template <class Op>
    static value map(Op&& op, const value& a) { return op(a); }
    template <class Op>
    static value map(Op&& op, const value& a, const value& b) { return op(a, b); }
    template <class Op>
    static value map(Op&& op, const value& a, const value& b, const value& c) { return op(a, b, c); }
    template <class Op>
    static lane_mask test(Op&& op, const value& a, const value& b) { return op(a, b); }

    // 1/a in every lane, at the price of one scalar inversion (Montgomery's trick over the eight lanes).
    static value invert(const value& a) {
        using F = mont_t<P>;
        __m512i w[P::limbs];
        a.canonical4().to_words(w);
        alignas(64) uint64_t by_word[P::limbs][8];
        for (size_t i = 0; i < P::limbs; i++) _mm512_store_si512(by_word[i], w[i]);
        F x[8], before[8];
        F product = F::one();
        for (size_t lane = 0; lane < 8; lane++) {
            for (size_t i = 0; i < P::limbs; i++) x[lane].limb[i] = by_word[i][lane];
            before[lane] = product;
            product *= x[lane];
        }
        // Read as mont_t, the words a R' stand for a R'/R; its inverse R/(a R') R times R'^2/R /R is R'/a. Every result has one factor of it.
        F inverse = product.inverse() * F::raw(value::from_file_words);
        for (size_t lane = 8; lane-- > 0;) {
            const F result = inverse * before[lane];
            inverse *= x[lane];
            for (size_t i = 0; i < P::limbs; i++) by_word[i][lane] = result.limb[i];
        }
        for (size_t i = 0; i < P::limbs; i++) w[i] = _mm512_load_si512(by_word[i]);
        return value::from_words(w);
    }
    static value broadcast_file(const uint64_t* word) {
        __m512i w[P::limbs];
        for (size_t i = 0; i < P::limbs; i++) w[i] = _mm512_set1_epi64(static_cast<long long>(word[i]));
        return value::from_words(w) * value::broadcast(value::from_file_factor);
    }
};

template <class P>
struct vector_element2 {
    using base = vector_element<P>;
    using value = fp2_t<vec8_t<P>>;
    static constexpr size_t words = 2 * P::limbs;
    static value from_words(const __m512i* w) { return {base::from_words(w), base::from_words(w + P::limbs)}; }
    static void to_words(const value& a, __m512i* w) {
        base::to_words(a.c0, w);
        base::to_words(a.c1, w + P::limbs);
    }
    template <class Op>
    static value map(Op&& op, const value& a) { return {op(a.c0), op(a.c1)}; }
    template <class Op>
    static value map(Op&& op, const value& a, const value& b) { return {op(a.c0, b.c0), op(a.c1, b.c1)}; }
    template <class Op>
    static value map(Op&& op, const value& a, const value& b, const value& c) { return {op(a.c0, b.c0, c.c0), op(a.c1, b.c1, c.c1)}; }
    template <class Op>
    static lane_mask test(Op&& op, const value& a, const value& b) { return op(a.c0, b.c0) & op(a.c1, b.c1); }
    static value invert(const value& a) {
        const auto n = base::invert(a.norm());
        return {a.c0 * n, -(a.c1 * n)};
    }
    static value broadcast_file(const uint64_t* word) { return {base::broadcast_file(word), base::broadcast_file(word + P::limbs)}; }
};

// Eight lanes over E = vector_element (G1) or vector_element2 (G2).
template <class P, class E>
struct vector_lanes {
    using value = typename E::value;
    using lane = vec8_t<P>;
    static constexpr size_t lanes = 8;
    static constexpr size_t words = E::words;

    static void load_x(const uint64_t* const* at, value& x) {
        __m512i w[words];
        gather_words<words>(at, w);
        x = E::from_words(w);
    }
    static void load_xy(const uint64_t* const* at, value& x, value& y) {
        __m512i w[2 * words];
        gather_words<2 * words>(at, w);
        x = E::from_words(w);
        y = E::from_words(w + words);
    }
    static void store_xy(uint64_t* const* at, const value& x, const value& y) {
        __m512i w[2 * words];
        E::to_words(x, w);
        E::to_words(y, w + words);
        scatter_words<2 * words>(at, w);
    }
    static value broadcast_file(const uint64_t* word) { return E::broadcast_file(word); }
    // Each lane's element, brought to file form, to its own address.
    static void store_file(uint64_t* const* at, const value& v) {
        __m512i w[words];
        E::to_words(canonical(to_file(v)), w);
        alignas(64) uint64_t by_word[words][8];
        for (size_t i = 0; i < words; i++) _mm512_store_si512(by_word[i], w[i]);
        for (size_t l = 0; l < 8; l++)
            for (size_t i = 0; i < words; i++) at[l][i] = by_word[i][l];
    }

    static lane_mask equal(const value& a, const value& b) {
        return E::test(
            [](const lane& x, const lane& y) -> lane_mask {
                __mmask8 same = 0xff;
                for (size_t i = 0; i < lane::L; i++) same = _mm512_mask_cmpeq_epi64_mask(same, x.l[i], y.l[i]);
                return same;
            },
            a, b);
    }
    static lane_mask zero(const value& a) {
        return E::test([](const lane& x, const lane&) -> lane_mask { return x.zero_lanes(); }, a, a);
    }
    static value select(lane_mask mask, const value& yes, const value& no) {
        return E::map([mask](const lane& y, const lane& n) { return lane::blend(static_cast<__mmask8>(mask), y, n); }, yes, no);
    }
    // -a in the lanes of the mask, a elsewhere; a canonical and not zero, so the result is canonical too.
    static value negate(lane_mask mask, const value& a) {
        return E::map([mask](const lane& x) { return x.negate_canonical(static_cast<__mmask8>(mask)); }, a);
    }
    // Of canonical values: below 2p, as products need it.
    static value difference(const value& a, const value& b) {
        return E::map([](const lane& x, const lane& y) { return x.template minus_lazy<1>(y); }, a, b);
    }
    // square - a - b, canonical, of a product and canonical values; product - a likewise.
    static value minus_two(const value& square, const value& a, const value& b) {
        return E::map([](const lane& s, const lane& x, const lane& y) { return s.minus_two_canonical(x, y); }, square, a, b);
    }
    static value minus_one(const value& product, const value& a) {
        return E::map([](const lane& s, const lane& x) { return s.template minus_lazy<1>(x).canonical4(); }, product, a);
    }
    static value canonical(const value& a) {
        return E::map([](const lane& x) { return x.canonical(); }, a);
    }
    static value invert(const value& a) { return E::invert(a); }
    static value to_imported(const value& file) {
        return E::map([](const lane& x) { return (x * lane::broadcast(lane::from_file_factor)).canonical(); }, file);
    }
    static value to_file(const value& imported) {
        return E::map([](const lane& x) { return x * lane::broadcast(lane::to_file_factor); }, imported);
    }
};

CUZK_ARITHMETIC_END
