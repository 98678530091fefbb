// Points for tests: small multiples of a generator, and comparisons with a multiple, by the plainest arithmetic there is.
#pragma once

#include <vector>

#include "curve/generators.hpp"
#include "msm/complete.hpp"
#include "msm/reduce.hpp"

namespace cuzk::test {

template <class C, class F>
projective_t<F> generator() {
    const affine_t<F> g = cuzk::generator<C, F>();
    return {g.x, g.y, F::one()};
}

template <class C, class F>
F three_b() { return F::load(curve_constant<C, F>().b3); }

template <class C, class F>
projective_t<F> times_generator(const typename C::fr& k) {
    uint64_t bits[4];
    k.to_canonical(bits);
    const F b3 = three_b<C, F>();
    projective_t<F> sum = projective_t<F>::infinity();
    for (size_t i = 256; i-- > 0;) {
        sum = add_complete(sum, sum, b3);
        if (bits[i / 64] >> (i % 64) & 1) sum = add_complete(sum, generator<C, F>(), b3);
    }
    return sum;
}

// Affine words in file form of multiple[i] times the generator; multiples are small.
template <class C, class F>
std::vector<uint64_t> multiples(const std::vector<uint64_t>& multiple) {
    uint64_t highest = 0;
    for (const uint64_t m : multiple) highest = m > highest ? m : highest;
    std::vector<uint64_t> table((highest + 1) * 2 * F::N);
    projective_t<F> p = projective_t<F>::infinity();
    const F b3 = three_b<C, F>();
    for (uint64_t m = 1; m <= highest; m++) {
        p = add_complete(p, generator<C, F>(), b3);
        const F z = p.z.inverse();
        (p.x * z).store(table.data() + m * 2 * F::N);
        (p.y * z).store(table.data() + m * 2 * F::N + F::N);
    }
    std::vector<uint64_t> points;
    points.reserve(multiple.size() * 2 * F::N);
    for (const uint64_t m : multiple)
        points.insert(points.end(), table.begin() + static_cast<ptrdiff_t>(m * 2 * F::N), table.begin() + static_cast<ptrdiff_t>((m + 1) * 2 * F::N));
    return points;
}

// Whether an affine point in file form (all zeros: infinity) is k times the generator.
template <class C, class F>
bool same_affine(const uint64_t* words, const typename C::fr& k) {
    const projective_t<F> expected = times_generator<C, F>(k);
    const F x = F::load(words), y = F::load(words + F::N);
    if (expected.z.is_zero()) return x.is_zero() && y.is_zero();
    return x * expected.z == expected.x && y * expected.z == expected.y && !(x.is_zero() && y.is_zero());
}

// The same for Jacobian X, Y, Z.
template <class C, class F>
bool same_jacobian(const uint64_t* words, const typename C::fr& k) {
    const projective_t<F> expected = times_generator<C, F>(k);
    const F x = F::load(words), y = F::load(words + F::N), z = F::load(words + 2 * F::N);
    if (expected.z.is_zero() || z.is_zero()) return expected.z.is_zero() && z.is_zero();
    return x * expected.z == expected.x * z.sqr() && y * expected.z == expected.y * z.sqr() * z;
}

}  // namespace cuzk::test
