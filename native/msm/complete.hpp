// Complete addition on y^2 = x^3 + b in homogeneous coordinates: no exceptional cases, so lanes never diverge.
//
// Renes, Costello, Batina, "Complete addition formulas for prime order elliptic curves" (2015), algorithms 7 and 8 (a = 0). Complete on
// points of odd order; G1 and G2 have prime order.
#pragma once

#include "field/isa.hpp"

CUZK_ARITHMETIC_BEGIN

// x = X/Z, y = Y/Z; the point at infinity is (0 : 1 : 0).
template <class V>
struct projective_t {
    V x, y, z;
    static projective_t infinity() { return {V::zero(), V::one(), V::zero()}; }
};

// p + q; b3 is three times the curve's constant b.
template <class V>
projective_t<V> add_complete(const projective_t<V>& p, const projective_t<V>& q, const V& b3) {
    const V xx = p.x * q.x, yy = p.y * q.y, zz = p.z * q.z;
    const V xy = (p.x + p.y) * (q.x + q.y) - (xx + yy);
    const V yz = (p.y + p.z) * (q.y + q.z) - (yy + zz);
    const V xz = (p.x + p.z) * (q.x + q.z) - (xx + zz);
    const V xx3 = xx.dbl() + xx, bzz = b3 * zz, bxz = b3 * xz;
    const V minus = yy - bzz, plus = yy + bzz;
    return {xy * minus - yz * bxz, plus * minus + bxz * xx3, yz * plus + xy * xx3};
}

// p + (x, y), an affine point that is not at infinity.
template <class V>
projective_t<V> add_complete(const projective_t<V>& p, const V& x, const V& y, const V& b3) {
    const V xx = p.x * x, yy = p.y * y;
    const V xy = (p.x + p.y) * (x + y) - (xx + yy);
    const V yz = y * p.z + p.y, xz = x * p.z + p.x;
    const V xx3 = xx.dbl() + xx, bzz = b3 * p.z, bxz = b3 * xz;
    const V minus = yy - bzz, plus = yy + bzz;
    return {xy * minus - yz * bxz, plus * minus + bxz * xx3, yz * plus + xy * xx3};
}

CUZK_ARITHMETIC_END
