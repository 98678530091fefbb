#include "curve/subgroup.hpp"

#include <blst.h>

#include <cstring>

#include "curve/tower.hpp"
#include "msm/reduce.hpp"

namespace cuzk {

namespace {

template <class C, class F>
bool on_curve(const uint64_t* point) {
    static const F b = F::load(curve_constant<C, F>().b);
    const F x = F::load(point), y = F::load(point + F::N);
    return (x.is_zero() && y.is_zero()) || y.sqr() == x.sqr() * x + b;
}

using tower::fp2;
using g2_point = projective_t<fp2>;

// The untwist-Frobenius-twist endomorphism of bn254's twist: multiplies a point of G2 by p.
g2_point psi(const g2_point& p) {
    const auto& gamma = tower::fp12::powers_of_gamma();
    return {p.x.conj() * gamma[2], p.y.conj() * gamma[3], p.z.conj()};
}

bool same(const g2_point& a, const g2_point& b) { return a.x * b.z == b.x * a.z && a.y * b.z == b.y * a.z; }

}  // namespace

template <>
bool on_curve_g1<bn254>(const uint64_t* point) { return on_curve<bn254, bn254::fp>(point); }
template <>
bool on_curve_g2<bn254>(const uint64_t* point) { return on_curve<bn254, bn254::fp2>(point); }
template <>
bool on_curve_g1<bls12_381>(const uint64_t* point) { return on_curve<bls12_381, bls12_381::fp>(point); }
template <>
bool on_curve_g2<bls12_381>(const uint64_t* point) { return on_curve<bls12_381, bls12_381::fp2>(point); }

// The cofactor is 1.
template <>
bool in_subgroup_g1<bn254>(const uint64_t*) { return true; }

// (z + 1) Q + psi(z Q) + psi^2(z Q) = psi^3(2 z Q) if and only if Q is in G2: Dai, Lin, Zhao, Zhou, "Fast subgroup membership testings for
// G1, G2 and GT on pairing-friendly curves" (2022), section 5.
template <>
bool in_subgroup_g2<bn254>(const uint64_t* point) {
    static const fp2 b3 = fp2::load(curve_constant<bn254, fp2>().b3);
    constexpr uint64_t z = 0x44e992b44a6909f1;
    const fp2 x = fp2::load(point), y = fp2::load(point + fp2::N);
    if (x.is_zero() && y.is_zero()) return true;
    // The addition formulas are complete on points of odd order; the twist's order is odd.
    const g2_point q{x, y, fp2::one()};
    g2_point zq = q;
    for (int bit = 61; bit >= 0; bit--) {
        zq = add_complete(zq, zq, b3);
        if (z >> bit & 1) zq = add_complete(zq, x, y, b3);
    }
    const g2_point psi1 = psi(zq), psi2 = psi(psi1);
    const g2_point left = add_complete(add_complete(add_complete(zq, q, b3), psi1, b3), psi2, b3);
    const g2_point right = psi(add_complete(psi2, psi2, b3));
    return same(left, right);
}

template <>
bool in_subgroup_g1<bls12_381>(const uint64_t* point) {
    blst_p1_affine p;
    static_assert(sizeof p == 96);
    std::memcpy(&p, point, sizeof p);
    return blst_p1_affine_is_inf(&p) || blst_p1_affine_in_g1(&p);
}

template <>
bool in_subgroup_g2<bls12_381>(const uint64_t* point) {
    blst_p2_affine p;
    static_assert(sizeof p == 192);
    std::memcpy(&p, point, sizeof p);
    return blst_p2_affine_is_inf(&p) || blst_p2_affine_in_g2(&p);
}

}  // namespace cuzk
