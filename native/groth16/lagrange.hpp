// Lagrange polynomials over the domains of roots of unity, evaluated at one point.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "field/curves.hpp"

namespace cuzk {

// The 2^log_n-th root of unity that snarkjs uses: the smallest non-residue to the power (r - 1) / 2^log_n. log_n <= two_adicity.
template <class Curve>
typename Curve::fr root_of_unity(unsigned log_n) {
    using fr = typename Curve::fr;
    wide<fr::N> exponent = wide_minus(fr::modulus, 1);
    for (unsigned bit = 0; bit < log_n; bit++)
        for (size_t i = 0; i < fr::N; i++) exponent[i] = exponent[i] >> 1 | (i + 1 < fr::N ? exponent[i + 1] << 63 : 0);
    return fr::from_u64(Curve::fr_non_residue).pow(exponent.data(), fr::N);
}

// x^(2^k)
template <class F>
F power_of_two_power(F x, unsigned k) {
    while (k-- > 0) x = x.sqr();
    return x;
}

// out[i] = factor L_j(x) for i < count, where j = first + i stride and L_j is 1 at w^j and 0 at the other n-th roots of unity:
// L_j(x) = (x^n - 1) / n * w^j / (x - w^j), n = 2^log_n. x is not an n-th root of unity.
template <class Curve>
void lagrange_values(unsigned log_n, uint64_t first, uint64_t stride, size_t count, const typename Curve::fr& x,
                     const typename Curve::fr& factor, typename Curve::fr* out, thread_pool& pool, const task& t) {
    using fr = typename Curve::fr;
    const fr root = root_of_unity<Curve>(log_n);
    const fr step = root.pow(&stride, 1);
    const fr scale = (power_of_two_power(x, log_n) - fr::one()) * fr::from_u64(uint64_t{1} << log_n).inverse() * factor;
    pool.parallel_ranges(t, count, 4096, [&](size_t begin, size_t end, size_t) {
        const uint64_t exponent = first + begin * stride;
        fr power = root.pow(&exponent, 1), product = fr::one();
        std::vector<fr> powers(end - begin);
        // out holds the products of the denominators so far, until one inversion serves all.
        for (size_t i = begin; i < end; i++, power *= step) {
            powers[i - begin] = power;
            out[i] = product;
            product *= x - power;
        }
        fr inverse = product.inverse() * scale;
        for (size_t i = end; i-- > begin;) {
            const fr& p = powers[i - begin];
            out[i] = out[i] * inverse * p;
            inverse *= x - p;
        }
    });
}

}  // namespace cuzk
