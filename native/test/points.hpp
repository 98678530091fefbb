// Points for tests: small multiples of a generator, and comparisons with a multiple, by the plainest arithmetic there is.
#pragma once

#include <vector>

#include "msm/complete.hpp"
#include "msm/reduce.hpp"

namespace cuzk::test {

template <class C, class F>
F decimal_element(const char* digits) {
    F r = F::zero();
    const F ten = F::from_u64(10);
    for (; *digits; digits++) r = r * ten + F::from_u64(static_cast<uint64_t>(*digits - '0'));
    return r;
}

// The generator of G1 (F = fp) or G2 (F = fp2), as the curves' specifications give it.
template <class C, class F>
projective_t<F> generator() {
    using B = typename C::fp;
    const auto d = [](const char* digits) { return decimal_element<C, B>(digits); };
    if constexpr (F::N == B::N) {
        if constexpr (C::id == curve_id::bn254) return {B::one(), B::from_u64(2), B::one()};
        else
            return {d("3685416753713387016781088315183077757961620795782546409894578378688607592378376318836054947676345821548104185464507"),
                    d("1339506544944476473020471379941921221584933875938349620426543736416511423956333506472724655353366534992391756441569"),
                    B::one()};
    } else {
        if constexpr (C::id == curve_id::bn254)
            return {{d("10857046999023057135944570762232829481370756359578518086990519993285655852781"),
                     d("11559732032986387107991004021392285783925812861821192530917403151452391805634")},
                    {d("8495653923123431417604973247489272438418190587263600148770280649306958101930"),
                     d("4082367875863433681332203403145435568316851327593401208105741076214120093531")},
                    F::one()};
        else
            return {{d("352701069587466618187139116011060144890029952792775240219908644239793785735715026873347600343865175952761926303160"),
                     d("3059144344244213709971259814753781636986470325476647558659373206291635324768958432433509563104347017837885763365758")},
                    {d("1985150602287291935568054521177171638300868978215655730859378665066344726373823718423869104263333984641494340347905"),
                     d("927553665492332455747201965776037880757740193453592970025027978793976877002675564980949289727957565575433344219582")},
                    F::one()};
    }
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
