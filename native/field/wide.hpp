// Fixed-size multi-word integers, evaluated at compile time: everything a field needs is derived from its modulus.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "field/isa.hpp"

CUZK_ARITHMETIC_BEGIN

template <size_t N>
using wide = std::array<uint64_t, N>;  // little-endian words

// a >= b
template <size_t N>
constexpr bool wide_not_below(const wide<N>& a, const wide<N>& b) {
    for (size_t i = N; i-- > 0;)
        if (a[i] != b[i]) return a[i] > b[i];
    return true;
}

// a - b mod 2^(64 N)
template <size_t N>
constexpr wide<N> wide_sub(const wide<N>& a, const wide<N>& b) {
    wide<N> r{};
    uint64_t borrow = 0;
    for (size_t i = 0; i < N; i++) {
        const uint64_t d = a[i] - b[i];
        r[i] = d - borrow;
        borrow = (a[i] < b[i]) | (d < borrow);
    }
    return r;
}

// 2^exponent mod p, for an odd p with its top bit clear.
template <size_t N>
constexpr wide<N> wide_power_of_two_mod(size_t exponent, const wide<N>& p) {
    wide<N> r{1};
    for (size_t i = 0; i < exponent; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < N; j++) {
            const uint64_t next = r[j] >> 63;
            r[j] = (r[j] << 1) | carry;
            carry = next;
        }
        if (wide_not_below(r, p)) r = wide_sub(r, p);
    }
    return r;
}

// -1/p mod 2^64, by Newton's iteration.
constexpr uint64_t minus_inverse_64(uint64_t p) {
    uint64_t x = 1;
    for (int i = 0; i < 6; i++) x *= 2 - p * x;
    return 0 - x;
}

// p - k for a small k, the exponents of Fermat inversion and of square roots.
template <size_t N>
constexpr wide<N> wide_minus(wide<N> p, uint64_t k) {
    wide<N> small{k};
    return wide_sub(p, small);
}

template <size_t N>
constexpr size_t wide_bits(const wide<N>& a) {
    for (size_t i = N; i-- > 0;)
        for (size_t b = 64; b-- > 0;)
            if (a[i] >> b & 1) return 64 * i + b + 1;
    return 0;
}

CUZK_ARITHMETIC_END
