// Points of the whole curve or twist, which are (nearly certainly) outside the subgroup of order r: the first with a small x.
#pragma once

#include <vector>

#include "field/curves.hpp"
#include "msm/reduce.hpp"

namespace cuzk::test {

// Whether v is a square, and its root. Both base fields have p = 3 mod 4.
template <class F>
bool square_root(const F& v, F& root) {
    wide<F::N> exponent = F::modulus;  // (p + 1) / 4
    exponent[0] += 1;                  // both end in an odd word that is not all ones
    for (size_t i = 0; i < F::N; i++) exponent[i] = exponent[i] >> 2 | (i + 1 < F::N ? exponent[i + 1] << 62 : 0);
    root = v.pow(exponent.data(), F::N);
    return root.sqr() == v;
}
// By norms (Adj and Rodriguez-Henriquez 2013, algorithm 8, in its simplest form: it gives up on v in the base field).
template <class B>
bool square_root(const fp2_t<B>& v, fp2_t<B>& root) {
    const B half = B::from_u64(2).inverse();
    B norm_root, re;
    if (!square_root(v.norm(), norm_root)) return false;
    if (!square_root((v.c0 + norm_root) * half, re) && !square_root((v.c0 - norm_root) * half, re)) return false;
    root = {re, v.c1 * re.dbl().inverse()};
    return root.sqr() == v;
}

// Affine words in file form; F is C::fp (bn254's G1 is the whole curve, so not for it) or C::fp2.
template <class C, class F>
std::vector<uint64_t> point_outside_the_subgroup() {
    const F b = F::load(curve_constant<C, F>().b);
    std::vector<uint64_t> words(2 * F::N);
    for (F x = F::one();; x += F::one()) {
        F y;
        if (!square_root(x.sqr() * x + b, y)) continue;
        x.store(words.data());
        y.store(words.data() + F::N);
        return words;
    }
}

}  // namespace cuzk::test
