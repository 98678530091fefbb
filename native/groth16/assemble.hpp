// From the sums of a proof and its blinding values to its points.
#pragma once

#include <cstdint>

#include "groth16/secret.hpp"
#include "msm/complete.hpp"
#include "msm/reduce.hpp"

namespace cuzk {

// Sums in one group: homogeneous coordinates, complete formulas.
template <class Curve, class F>
class group_sum {
public:
    using point = projective_t<F>;
    group_sum() = default;
    // Affine words in file form, all zeros for infinity.
    static group_sum from_affine(const uint64_t* words) {
        group_sum r;
        const F x = F::load(words), y = F::load(words + F::N);
        if (!(x.is_zero() && y.is_zero())) r.p_ = {x, y, F::one()};
        return r;
    }
    // Jacobian X, Y, Z: x = X / Z^2, y = Y / Z^3.
    static group_sum from_jacobian(const uint64_t* words) {
        group_sum r;
        const F x = F::load(words), y = F::load(words + F::N), z = F::load(words + 2 * F::N);
        if (!z.is_zero()) r.p_ = {x * z, y, z.sqr() * z};
        return r;
    }
    void to_affine(uint64_t* words) const {
        const F inverse = p_.z.inverse();  // 0 at infinity
        (p_.x * inverse).store(words);
        (p_.y * inverse).store(words + F::N);
    }

    friend group_sum operator+(const group_sum& a, const group_sum& b) {
        group_sum r;
        r.p_ = add_complete(a.p_, b.p_, three_b());
        return r;
    }
    group_sum operator-() const {
        group_sum r;
        r.p_ = {p_.x, -p_.y, p_.z};
        return r;
    }
    // scalar times this, for public scalars only: the time depends on the scalar, and short ones are quick.
    group_sum times_public(const typename Curve::fr& scalar) const {
        uint64_t bits[4];
        scalar.to_canonical(bits);
        group_sum sum;
        bool any = false;
        for (size_t i = 256; i-- > 0;) {
            if (any) sum = sum + sum;
            if (!(bits[i / 64] >> (i % 64) & 1)) continue;
            sum = any ? sum + *this : *this;
            any = true;
        }
        return sum;
    }
    // scalar times this; the same steps for every scalar, which is a blinding value.
    group_sum times(const typename Curve::fr& scalar) const {
        wiped<uint64_t[4]> bits;
        scalar.to_canonical(bits.value);
        wiped<group_sum> sums[2];
        for (size_t i = 256; i-- > 0;) {
            group_sum& sum = sums[0].value;
            sum = sum + sum;
            sums[1].value = sum + *this;
            sum = chosen(sum, sums[1].value, 0 - (bits.value[i / 64] >> (i % 64) & 1));
        }
        return sums[0].value;
    }

private:
    static const F& three_b() {
        static const F value = F::load(curve_constant<Curve, F>().b3);
        return value;
    }
    // b where the mask is all ones, a where it is zero.
    static group_sum chosen(const group_sum& a, const group_sum& b, uint64_t mask) {
        uint64_t from[2][3 * F::N];
        a.store(from[0]);
        b.store(from[1]);
        for (size_t i = 0; i < 3 * F::N; i++) from[0][i] ^= (from[0][i] ^ from[1][i]) & mask;
        group_sum r;
        r.p_ = {F::load(from[0]), F::load(from[0] + F::N), F::load(from[0] + 2 * F::N)};
        wipe(from, sizeof from);
        return r;
    }
    void store(uint64_t* words) const {
        p_.x.store(words);
        p_.y.store(words + F::N);
        p_.z.store(words + 2 * F::N);
    }

    point p_ = point::infinity();
};

}  // namespace cuzk
