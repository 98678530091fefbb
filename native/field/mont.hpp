// One element of a prime field in Montgomery form, R = 2^(64 N): a mod p is held as a R mod p, always fully reduced.
//
// Montgomery, "Modular multiplication without trial division" (1985). The multiplication is blst's assembly, which chooses mulx/adx at
// run time; a file that defines CUZK_INLINE_ADX gets our inline assembly for four limbs instead (field/mul_adx.hpp), which
// `npm run bench -- --micro` measures at 0.86 of blst's time on Zen 5, and which only CPUs with BMI2 and ADX can run.
#pragma once

#include <cstring>

#include "field/wide.hpp"
#if defined(__x86_64__)
#include "field/add_x86.hpp"
#endif
#ifdef CUZK_INLINE_ADX
#include "field/mul_adx.hpp"
#endif

// blst's internal assembly routines (src/vect.h). They are hidden symbols of the static library that we link.
extern "C" {
void mul_mont_sparse_256(uint64_t* ret, const uint64_t* a, const uint64_t* b, const uint64_t* p, uint64_t n0);
void sqr_mont_sparse_256(uint64_t* ret, const uint64_t* a, const uint64_t* p, uint64_t n0);
void from_mont_256(uint64_t* ret, const uint64_t* a, const uint64_t* p, uint64_t n0);
void mul_mont_384(uint64_t* ret, const uint64_t* a, const uint64_t* b, const uint64_t* p, uint64_t n0);
void sqr_mont_384(uint64_t* ret, const uint64_t* a, const uint64_t* p, uint64_t n0);
void add_mod_384(uint64_t* ret, const uint64_t* a, const uint64_t* b, const uint64_t* p);
void sub_mod_384(uint64_t* ret, const uint64_t* a, const uint64_t* b, const uint64_t* p);
void add_mod_256(uint64_t* ret, const uint64_t* a, const uint64_t* b, const uint64_t* p);
void sub_mod_256(uint64_t* ret, const uint64_t* a, const uint64_t* b, const uint64_t* p);
void from_mont_384(uint64_t* ret, const uint64_t* a, const uint64_t* p, uint64_t n0);
}

CUZK_ARITHMETIC_BEGIN

// P: `static constexpr size_t limbs` (4 or 6) and `static constexpr wide<limbs> modulus`, an odd prime with its top bit clear.
template <class P>
struct mont_t {
    static constexpr size_t N = P::limbs;
    static_assert(N == 4 || N == 6);
    using params = P;
    static constexpr wide<N> modulus = P::modulus;
    static constexpr size_t bits = wide_bits(modulus);
    static constexpr uint64_t n0 = minus_inverse_64(modulus[0]);
    static constexpr wide<N> r1 = wide_power_of_two_mod(64 * N, modulus);   // R mod p: the element 1
    static constexpr wide<N> r2 = wide_power_of_two_mod(128 * N, modulus);  // R^2 mod p: brings an integer into Montgomery form
    static constexpr size_t bytes = 8 * N;

    uint64_t limb[N];

    static constexpr mont_t raw(const wide<N>& words) {
        mont_t r{};
        for (size_t i = 0; i < N; i++) r.limb[i] = words[i];
        return r;
    }
    // The element whose Montgomery limbs stand at `words` (the form in which .zkey files store points).
    static mont_t load(const uint64_t* words) {
        mont_t r;
        std::memcpy(r.limb, words, bytes);
        return r;
    }
    void store(uint64_t* words) const { std::memcpy(words, limb, bytes); }

    static constexpr mont_t zero() { return raw(wide<N>{}); }
    static constexpr mont_t one() { return raw(r1); }
    static mont_t from_u64(uint64_t x) {
        mont_t r = zero();
        r.limb[0] = x;
        return r * raw(r2);
    }
    // A plain integer below the modulus, little-endian words.
    static mont_t from_canonical(const uint64_t* words) { return load(words) * raw(r2); }
    void to_canonical(uint64_t* words) const {
        if constexpr (N == 4)
            from_mont_256(words, limb, modulus.data(), n0);
        else
            from_mont_384(words, limb, modulus.data(), n0);
    }
    // Whether N words are an integer below the modulus.
    static bool is_reduced(const uint64_t* words) {
        for (size_t i = N; i-- > 0;)
            if (words[i] != modulus[i]) return words[i] < modulus[i];
        return false;
    }

    bool is_zero() const {
        uint64_t any = 0;
        for (size_t i = 0; i < N; i++) any |= limb[i];
        return any == 0;
    }
    friend bool operator==(const mont_t& a, const mont_t& b) {
        uint64_t differ = 0;
        for (size_t i = 0; i < N; i++) differ |= a.limb[i] ^ b.limb[i];
        return differ == 0;
    }

    friend mont_t operator*(const mont_t& a, const mont_t& b) {
        mont_t r;
        if constexpr (N == 4) {
#ifdef CUZK_INLINE_ADX
            mul_mont_256_adx(r.limb, a.limb, b.limb, modulus.data(), n0);
#else
            mul_mont_sparse_256(r.limb, a.limb, b.limb, modulus.data(), n0);
#endif
        } else {
            mul_mont_384(r.limb, a.limb, b.limb, modulus.data(), n0);
        }
        return r;
    }
    mont_t sqr() const {
#ifdef CUZK_INLINE_ADX
        if constexpr (N == 4) return *this * *this;
#endif
        mont_t r;
        if constexpr (N == 4)
            sqr_mont_sparse_256(r.limb, limb, modulus.data(), n0);
        else
            sqr_mont_384(r.limb, limb, modulus.data(), n0);
        return r;
    }

    friend mont_t operator+(const mont_t& a, const mont_t& b) {
        mont_t r;
        if constexpr (N == 6)
            add_mod_384(r.limb, a.limb, b.limb, modulus.data());
        else
#if defined(__x86_64__)
            add_256_x86(r.limb, a.limb, b.limb, modulus.data());
#else
            add_mod_256(r.limb, a.limb, b.limb, modulus.data());
#endif
        return r;
    }
    friend mont_t operator-(const mont_t& a, const mont_t& b) {
        mont_t r;
        if constexpr (N == 6)
            sub_mod_384(r.limb, a.limb, b.limb, modulus.data());
        else
#if defined(__x86_64__)
            sub_256_x86(r.limb, a.limb, b.limb, modulus.data());
#else
            sub_mod_256(r.limb, a.limb, b.limb, modulus.data());
#endif
        return r;
    }
    mont_t operator-() const { return zero() - *this; }
    mont_t& operator+=(const mont_t& b) { return *this = *this + b; }
    mont_t& operator-=(const mont_t& b) { return *this = *this - b; }
    mont_t& operator*=(const mont_t& b) { return *this = *this * b; }
    mont_t dbl() const { return *this + *this; }

    // this^exponent, `words` little-endian words; the time depends on the exponent, not on the base.
    mont_t pow(const uint64_t* exponent, size_t words) const {
        mont_t r = one();
        for (size_t i = words * 64; i-- > 0;) {
            r = r.sqr();
            if (exponent[i / 64] >> (i % 64) & 1) r = r * *this;
        }
        return r;
    }
    // 1/a by Fermat's little theorem; 0 gives 0.
    mont_t inverse() const {
        constexpr wide<N> exponent = wide_minus(modulus, 2);
        return pow(exponent.data(), N);
    }
};

CUZK_ARITHMETIC_END
