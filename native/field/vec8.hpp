// Eight elements of a prime field side by side, in 52-bit limbs, for CPUs with AVX-512 IFMA.
//
// Each 512-bit register holds one limb of eight elements; vpmadd52luq/huq multiply eight pairs of 52-bit limbs at once. Montgomery form
// with R = 2^(52 L): L = 5 for moduli of four words, 8 for six. Method: Gueron and Krasnov, "Accelerating big integer arithmetic using
// Intel IFMA extensions" (2016). Include only from files compiled for that instruction set (*_ifma.cpp).
#pragma once

#include <immintrin.h>

#include "field/wide.hpp"

CUZK_ARITHMETIC_BEGIN

inline constexpr uint64_t mask52 = (uint64_t{1} << 52) - 1;

// The 52-bit limbs of an N-word integer.
template <size_t N, size_t L>
constexpr std::array<uint64_t, L> split52(const wide<N>& words) {
    std::array<uint64_t, L> limbs{};
    for (size_t i = 0; i < L; i++) {
        const size_t word = 52 * i / 64, shift = 52 * i % 64;
        uint64_t v = word < N ? words[word] >> shift : 0;
        if (shift > 12 && word + 1 < N) v |= words[word + 1] << (64 - shift);
        limbs[i] = v & mask52;
    }
    return limbs;
}

// Eight field elements. Limbs are always normalized (below 2^52); the value of a lane is kept below 2p by the operators, and canonical
// (below p) by canonical(). Products accept factors whose bounds multiply to at most 2^(52 L) / p: (8p)(8p) in all four fields but
// bls12-381's Fr, where (4p)(8p).
template <class P>
struct vec8_t {
    static constexpr size_t words = P::limbs;
    static constexpr size_t L = words == 4 ? 5 : 8;
    using params = P;
    using limbs_t = std::array<uint64_t, L>;

    static constexpr auto modulus = P::modulus;
    static constexpr uint64_t n0 = minus_inverse_64(modulus[0]) & mask52;
    static constexpr limbs_t multiple_of_p(uint64_t k) {
        limbs_t r = split52<words, L>(modulus);
        uint64_t carry = 0;
        for (size_t i = 0; i < L; i++) {
            const uint64_t v = r[i] * k + carry;  // k is small: no overflow of 64 bits
            r[i] = i + 1 < L ? v & mask52 : v;
            carry = v >> 52;
        }
        return r;
    }
    static constexpr limbs_t p1 = multiple_of_p(1), p2 = multiple_of_p(2);
    // Between Montgomery forms: R' = 2^(52 L) here, R = 2^(64 words) in files. x R -> x R' is a product with R'^2/R, the way back with R.
    static constexpr wide<words> from_file_words = wide_power_of_two_mod(104 * L - 64 * words, modulus);
    static constexpr limbs_t from_file_factor = split52<words, L>(from_file_words);
    static constexpr limbs_t to_file_factor = split52<words, L>(wide_power_of_two_mod(64 * words, modulus));
    static constexpr limbs_t one_limbs = split52<words, L>(wide_power_of_two_mod(52 * L, modulus));
    static constexpr limbs_t r2_limbs = split52<words, L>(wide_power_of_two_mod(104 * L, modulus));

    __m512i l[L];

    static vec8_t zero() {
        vec8_t r;
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_setzero_si512();
        return r;
    }
    static vec8_t broadcast(const limbs_t& limbs) {
        vec8_t r;
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_set1_epi64(static_cast<long long>(limbs[i]));
        return r;
    }
    static vec8_t one() { return broadcast(one_limbs); }

    // a b / R' mod p, below 2p, with limbs that may exceed 52 bits by a carry: normalized() or a further carried sum must follow.
    //
    // The whole product first, then the reduction: only the latter's L steps depend on each other. Each of the low columns starts at
    // 2^52 - 1, so that the carry out of its low 52 bits, which become zero by adding m p, is known without the product of m and p's low
    // limb. Reads only the low 52 bits of each limb.
    static CUZK_INLINE vec8_t product(const vec8_t& a, const vec8_t& b) {
        const __m512i inverse = _mm512_set1_epi64(static_cast<long long>(n0));
        __m512i t[2 * L];
        for (size_t i = 0; i < 2 * L; i++) t[i] = i < L ? _mm512_set1_epi64(static_cast<long long>(mask52)) : _mm512_setzero_si512();
#pragma GCC unroll 8
        for (size_t i = 0; i < L; i++) {
#pragma GCC unroll 8
            for (size_t j = 0; j < L; j++) t[i + j] = _mm512_madd52lo_epu64(t[i + j], a.l[i], b.l[j]);
#pragma GCC unroll 8
            for (size_t j = 0; j < L; j++) t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], a.l[i], b.l[j]);
        }
#pragma GCC unroll 8
        for (size_t i = 0; i < L; i++) {
            const __m512i m = _mm512_madd52lo_epu64(inverse, t[i], inverse);  // -(t - (2^52 - 1)) / p mod 2^52
            t[i + 1] = _mm512_add_epi64(t[i + 1], _mm512_srli_epi64(t[i], 52));
            t[i + 1] = _mm512_madd52hi_epu64(t[i + 1], m, p_limb(0));
#pragma GCC unroll 8
            for (size_t j = 1; j < L; j++) t[i + j] = _mm512_madd52lo_epu64(t[i + j], m, p_limb(j));
#pragma GCC unroll 8
            for (size_t j = 1; j < L; j++) t[i + j + 1] = _mm512_madd52hi_epu64(t[i + j + 1], m, p_limb(j));
        }
        vec8_t r;
        for (size_t i = 0; i < L; i++) r.l[i] = t[L + i];
        return r;
    }
    // a b / R' mod p, below 2p.
    friend CUZK_INLINE vec8_t operator*(const vec8_t& a, const vec8_t& b) {
        vec8_t r = product(a, b);
        r.normalize();
        return r;
    }
    CUZK_INLINE vec8_t sqr() const { return *this * *this; }

    // Below 4p, not reduced: a factor or an addend of further lazy sums only.
    friend CUZK_INLINE vec8_t add_lazy(const vec8_t& a, const vec8_t& b) {
        vec8_t r;
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_add_epi64(a.l[i], b.l[i]);
        r.normalize();
        return r;
    }
    // this - b + k p, for b <= k p: below (bound of this) + k p.
    template <uint64_t k>
    CUZK_INLINE vec8_t minus_lazy(const vec8_t& b) const {
        constexpr limbs_t kp = multiple_of_p(k);
        vec8_t r;
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_add_epi64(_mm512_sub_epi64(l[i], b.l[i]), limb_of(kp, i));
        r.normalize();
        return r;
    }
    // Operands and results below 2p.
    friend CUZK_INLINE vec8_t operator+(const vec8_t& a, const vec8_t& b) { return add_lazy_raw(a, b).minus_if_not_below(p2); }
    friend CUZK_INLINE vec8_t operator-(const vec8_t& a, const vec8_t& b) {
        vec8_t r;
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_sub_epi64(a.l[i], b.l[i]);
        r.normalize();
        const __mmask8 negative = _mm512_movepi64_mask(r.l[L - 1]);
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_mask_add_epi64(r.l[i], negative, r.l[i], limb_of(p2, i));
        r.normalize();
        return r;
    }
    CUZK_INLINE vec8_t operator-() const { return zero() - *this; }
    CUZK_INLINE vec8_t dbl() const { return *this + *this; }

    // From below 2p, or below 4p, to below p.
    CUZK_INLINE vec8_t canonical() const { return minus_unless_negative(p1); }
    CUZK_INLINE vec8_t canonical4() const { return minus_unless_negative(p2).minus_unless_negative(p1); }

    // p - this in the chosen lanes, for canonical values that are not zero.
    CUZK_INLINE vec8_t negate_canonical(__mmask8 lanes) const {
        vec8_t r;
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_mask_sub_epi64(l[i], lanes, limb_of(p1, i), l[i]);
        r.normalize();
        return r;
    }
    // this - a - b, canonical, for this below 2p and canonical a and b.
    CUZK_INLINE vec8_t minus_two_canonical(const vec8_t& a, const vec8_t& b) const {
        vec8_t r;
        for (size_t i = 0; i < L; i++)
            r.l[i] = _mm512_add_epi64(_mm512_sub_epi64(l[i], a.l[i]), _mm512_sub_epi64(limb_of(p2, i), b.l[i]));
        r.normalize();
        return r.canonical4();
    }

    CUZK_INLINE static vec8_t blend(__mmask8 lanes, const vec8_t& yes, const vec8_t& no) {
        vec8_t r;
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_mask_mov_epi64(no.l[i], lanes, yes.l[i]);
        return r;
    }
    // Lanes whose value is 0 as an integer (of a canonical value: the element 0).
    __mmask8 zero_lanes() const {
        __m512i any = l[0];
        for (size_t i = 1; i < L; i++) any = _mm512_or_si512(any, l[i]);
        return _mm512_testn_epi64_mask(any, any);
    }

    // Between limbs and words: w[i] holds word i of eight elements.
    CUZK_INLINE static vec8_t from_words(const __m512i* w) {
        const __m512i mask = _mm512_set1_epi64(static_cast<long long>(mask52));
        vec8_t r;
#pragma GCC unroll 8
        for (size_t i = 0; i < L; i++) {
            const size_t word = 52 * i / 64, shift = 52 * i % 64;
            if (word >= words)
                r.l[i] = _mm512_setzero_si512();
            else if (shift <= 12)
                r.l[i] = _mm512_and_si512(_mm512_srli_epi64(w[word], static_cast<unsigned>(shift)), mask);
            else if (word + 1 < words)
                r.l[i] = _mm512_and_si512(funnel(w[word], w[word + 1], static_cast<unsigned>(shift)), mask);
            else
                r.l[i] = _mm512_srli_epi64(w[word], static_cast<unsigned>(shift));
        }
        return r;
    }
    CUZK_INLINE void to_words(__m512i* w) const {
#pragma GCC unroll 8
        for (size_t i = 0; i < words; i++) {
            const size_t limb = 64 * i / 52, shift = 64 * i % 52;
            __m512i v = shift ? _mm512_srli_epi64(l[limb], static_cast<unsigned>(shift)) : l[limb];
            v = _mm512_or_si512(v, _mm512_slli_epi64(l[limb + 1], static_cast<unsigned>(52 - shift)));
            if (104 - shift < 64 && limb + 2 < L) v = _mm512_or_si512(v, _mm512_slli_epi64(l[limb + 2], static_cast<unsigned>(104 - shift)));
            w[i] = v;
        }
    }

private:
    static __m512i limb_of(const limbs_t& limbs, size_t i) { return _mm512_set1_epi64(static_cast<long long>(limbs[i])); }
    static __m512i p_limb(size_t i) { return limb_of(p1, i); }
    static __m512i funnel(__m512i low, __m512i high, unsigned shift) {
        return _mm512_or_si512(_mm512_srli_epi64(low, shift), _mm512_slli_epi64(high, 64 - shift));
    }
    CUZK_INLINE static vec8_t add_lazy_raw(const vec8_t& a, const vec8_t& b) {
        vec8_t r;
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_add_epi64(a.l[i], b.l[i]);
        return r;
    }
    // Carries (or borrows: the shift is arithmetic) to the next limb; the top limb keeps the sign.
    CUZK_INLINE void normalize() {
        const __m512i mask = _mm512_set1_epi64(static_cast<long long>(mask52));
#pragma GCC unroll 8
        for (size_t i = 0; i + 1 < L; i++) {
            l[i + 1] = _mm512_add_epi64(l[i + 1], _mm512_srai_epi64(l[i], 52));
            l[i] = _mm512_and_si512(l[i], mask);
        }
    }
    // this - m where that is not negative, else this.
    CUZK_INLINE vec8_t minus_unless_negative(const limbs_t& m) const {
        vec8_t r;
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_sub_epi64(l[i], limb_of(m, i));
        r.normalize();
        return blend(_mm512_movepi64_mask(r.l[L - 1]), *this, r);
    }
    // The same of limbs that need not be normalized.
    CUZK_INLINE vec8_t minus_if_not_below(const limbs_t& m) const {
        vec8_t r;
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_sub_epi64(l[i], limb_of(m, i));
        r.normalize();
        const __mmask8 negative = _mm512_movepi64_mask(r.l[L - 1]);
        for (size_t i = 0; i < L; i++) r.l[i] = _mm512_mask_add_epi64(r.l[i], negative, r.l[i], limb_of(m, i));
        r.normalize();
        return r;
    }
};

CUZK_ARITHMETIC_END
