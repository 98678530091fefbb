// The tower Fp2 < Fp6 < Fp12 of bn254: Fp6 = Fp2[v] / (v^3 - xi), Fp12 = Fp6[w] / (w^2 - v), xi = 9 + u.
//
// Devegili, O hEigeartaigh, Scott, Dahab, "Multiplication and squaring on pairing-friendly fields" (2006).
#pragma once

#include "field/curves.hpp"

CUZK_ARITHMETIC_BEGIN

namespace tower {

using fp = bn254::fp;
using fp2 = bn254::fp2;

// (9 + u) a
inline fp2 times_xi(const fp2& a) {
    const auto nine = [](const fp& x) { return x.dbl().dbl().dbl() + x; };
    return {nine(a.c0) - a.c1, nine(a.c1) + a.c0};
}

struct fp6 {
    fp2 c0, c1, c2;
    static fp6 zero() { return {fp2::zero(), fp2::zero(), fp2::zero()}; }
    static fp6 one() { return {fp2::one(), fp2::zero(), fp2::zero()}; }
    friend fp6 operator+(const fp6& a, const fp6& b) { return {a.c0 + b.c0, a.c1 + b.c1, a.c2 + b.c2}; }
    friend fp6 operator-(const fp6& a, const fp6& b) { return {a.c0 - b.c0, a.c1 - b.c1, a.c2 - b.c2}; }
    fp6 operator-() const { return {-c0, -c1, -c2}; }
    friend bool operator==(const fp6& a, const fp6& b) { return a.c0 == b.c0 && a.c1 == b.c1 && a.c2 == b.c2; }
    // Karatsuba: six multiplications in Fp2.
    friend fp6 operator*(const fp6& a, const fp6& b) {
        const fp2 x = a.c0 * b.c0, y = a.c1 * b.c1, z = a.c2 * b.c2;
        return {x + times_xi((a.c1 + a.c2) * (b.c1 + b.c2) - y - z), (a.c0 + a.c1) * (b.c0 + b.c1) - x - y + times_xi(z),
                (a.c0 + a.c2) * (b.c0 + b.c2) - x - z + y};
    }
    fp6 times_v() const { return {times_xi(c2), c0, c1}; }
    // Times b0 + b1 v.
    fp6 times_sparse(const fp2& b0, const fp2& b1) const {
        const fp2 x = c0 * b0, y = c1 * b1;
        return {x + times_xi((c1 + c2) * b1 - y), (c0 + c1) * (b0 + b1) - x - y, c2 * b0 + y};
    }
    friend fp6 operator*(const fp6& a, const fp2& b) { return {a.c0 * b, a.c1 * b, a.c2 * b}; }
    fp6 inverse() const {
        const fp2 x = c0.sqr() - times_xi(c1 * c2), y = times_xi(c2.sqr()) - c0 * c1, z = c1.sqr() - c0 * c2;
        const fp2 n = (c0 * x + times_xi(c2 * y + c1 * z)).inverse();
        return {x * n, y * n, z * n};
    }
};

struct fp12 {
    fp6 c0, c1;
    static fp12 one() { return {fp6::one(), fp6::zero()}; }
    friend bool operator==(const fp12& a, const fp12& b) { return a.c0 == b.c0 && a.c1 == b.c1; }
    friend fp12 operator*(const fp12& a, const fp12& b) {
        const fp6 x = a.c0 * b.c0, y = a.c1 * b.c1;
        return {x + y.times_v(), (a.c0 + a.c1) * (b.c0 + b.c1) - x - y};
    }
    // Complex squaring: two multiplications in Fp6.
    fp12 sqr() const {
        const fp6 x = c0 * c1;
        return {(c0 + c1) * (c0 + c1.times_v()) - x - x.times_v(), x + x};
    }
    // The square, of elements of the cyclotomic subgroup: in Fp4 = Fp2[s] / (s^2 - xi), s = w^3, three times. Granger and Scott, "Faster
    // squaring in the cyclotomic subgroup of sixth degree extensions" (2010), section 3.
    fp12 sqr_cyclotomic() const {
        const auto a = sqr_fp4(c0.c0, c1.c1), b = sqr_fp4(c1.c0, c0.c2), c = sqr_fp4(c0.c1, c1.c2);
        const auto minus = [](const fp2& x, const fp2& z) { return (x - z).dbl() + x; };  // 3 x - 2 z
        const auto plus = [](const fp2& x, const fp2& z) { return (x + z).dbl() + x; };
        return {{minus(a[0], c0.c0), minus(b[0], c0.c1), minus(c[0], c0.c2)}, {plus(times_xi(c[1]), c1.c0), plus(a[1], c1.c1), plus(b[1], c1.c2)}};
    }
    // Times l0 + l1 w + l3 w^3, a line's value.
    fp12 times_line(const fp2& l0, const fp2& l1, const fp2& l3) const {
        const fp6 x = c0 * l0, y = c1.times_sparse(l1, l3);
        return {x + y.times_v(), (c0 + c1).times_sparse(l0 + l1, l3) - x - y};
    }
    // The inverse, of elements of the cyclotomic subgroup.
    fp12 conj() const { return {c0, -c1}; }
    fp12 inverse() const {
        const fp6 n = (c0 * c0 - (c1 * c1).times_v()).inverse();
        return {c0 * n, -(c1 * n)};
    }
    // this^p: coefficient k of w^k is conjugated and multiplied by xi^(k (p - 1) / 6).
    fp12 frobenius() const {
        const auto& g = powers_of_gamma();
        return {{c0.c0.conj(), c0.c1.conj() * g[2], c0.c2.conj() * g[4]}, {c1.c0.conj() * g[1], c1.c1.conj() * g[3], c1.c2.conj() * g[5]}};
    }

    // (a + b s)^2
    static std::array<fp2, 2> sqr_fp4(const fp2& a, const fp2& b) {
        const fp2 aa = a.sqr(), bb = b.sqr();
        return {aa + times_xi(bb), (a + b).sqr() - (aa + bb)};
    }

    // gamma^k for gamma = xi^((p - 1) / 6), k = 0 ... 5.
    static const std::array<fp2, 6>& powers_of_gamma() {
        static const std::array<fp2, 6> powers = [] {
            // (p - 1) / 6 by long division.
            wide<4> exponent = wide_minus(fp::modulus, 1);
            unsigned __int128 rest = 0;
            for (size_t i = 4; i-- > 0;) {
                rest = rest << 64 | exponent[i];
                exponent[i] = static_cast<uint64_t>(rest / 6);
                rest %= 6;
            }
            const fp2 xi{fp::from_u64(9), fp::one()};
            fp2 gamma = fp2::one();
            for (size_t bit = 256; bit-- > 0;) {
                gamma = gamma.sqr();
                if (exponent[bit / 64] >> (bit % 64) & 1) gamma = gamma * xi;
            }
            std::array<fp2, 6> p;
            p[0] = fp2::one();
            for (size_t k = 1; k < 6; k++) p[k] = p[k - 1] * gamma;
            return p;
        }();
        return powers;
    }
};

}  // namespace tower

CUZK_ARITHMETIC_END
