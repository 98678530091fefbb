// The quadratic extension F[u] / (u^2 + 1), which both curves use for G2.
#pragma once

#include "field/isa.hpp"

#include <cstddef>
#include <cstdint>

CUZK_ARITHMETIC_BEGIN

// c0 + c1 u over F, where F has + - * sqr dbl, unary -, inverse, zero, one (a single element or eight in a vector).
template <class F>
struct fp2_t {
    using base = F;
    F c0, c1;

    static fp2_t zero() { return {F::zero(), F::zero()}; }
    static fp2_t one() { return {F::one(), F::zero()}; }

    friend fp2_t operator+(const fp2_t& a, const fp2_t& b) { return {a.c0 + b.c0, a.c1 + b.c1}; }
    friend fp2_t operator-(const fp2_t& a, const fp2_t& b) { return {a.c0 - b.c0, a.c1 - b.c1}; }
    fp2_t operator-() const { return {-c0, -c1}; }
    // Karatsuba: three multiplications in F.
    friend fp2_t operator*(const fp2_t& a, const fp2_t& b) {
        const F low = a.c0 * b.c0, high = a.c1 * b.c1;
        return {low - high, (a.c0 + a.c1) * (b.c0 + b.c1) - (low + high)};
    }
    friend fp2_t operator*(const fp2_t& a, const F& b) { return {a.c0 * b, a.c1 * b}; }
    fp2_t sqr() const { return {(c0 + c1) * (c0 - c1), (c0 * c1).dbl()}; }
    fp2_t dbl() const { return {c0.dbl(), c1.dbl()}; }
    fp2_t conj() const { return {c0, -c1}; }
    F norm() const { return c0.sqr() + c1.sqr(); }
    // 1/a; 0 gives 0.
    fp2_t inverse() const {
        const F n = norm().inverse();
        return {c0 * n, -(c1 * n)};
    }

    fp2_t& operator+=(const fp2_t& b) { return *this = *this + b; }
    fp2_t& operator-=(const fp2_t& b) { return *this = *this - b; }
    fp2_t& operator*=(const fp2_t& b) { return *this = *this * b; }

    // Of single elements only.
    bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
    friend bool operator==(const fp2_t& a, const fp2_t& b) { return a.c0 == b.c0 && a.c1 == b.c1; }
    static fp2_t load(const uint64_t* words) { return {F::load(words), F::load(words + F::N)}; }
    void store(uint64_t* words) const {
        c0.store(words);
        c1.store(words + F::N);
    }
    static constexpr size_t N = 2 * F::N;  // words
};

CUZK_ARITHMETIC_END
