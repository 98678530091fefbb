// The standard generators of G1 and G2.
//
// bn254: EIP-197. bls12-381: the Zcash protocol specification, section 5.4.9.2 (draft-irtf-cfrg-pairing-friendly-curves, 4.2.1).
#pragma once

#include "field/curves.hpp"

CUZK_ARITHMETIC_BEGIN

// An affine point; the point at infinity has both coordinates zero.
template <class F>
struct affine_t {
    F x, y;
};

namespace generators {

// Plain integers, little-endian words: x, y in G1; x.c0, x.c1, y.c0, y.c1 in G2.
inline constexpr uint64_t bn254_g1[2][4] = {
    {0x0000000000000001, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000},
    {0x0000000000000002, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000},
};
inline constexpr uint64_t bn254_g2[4][4] = {
    {0x46debd5cd992f6ed, 0x674322d4f75edadd, 0x426a00665e5c4479, 0x1800deef121f1e76},
    {0x97e485b7aef312c2, 0xf1aa493335a9e712, 0x7260bfb731fb5d25, 0x198e9393920d483a},
    {0x4ce6cc0166fa7daa, 0xe3d1e7690c43d37b, 0x4aab71808dcb408f, 0x12c85ea5db8c6deb},
    {0x55acdadcd122975b, 0xbc4b313370b38ef3, 0xec9e99ad690c3395, 0x090689d0585ff075},
};
inline constexpr uint64_t bls12_381_g1[2][6] = {
    {0xfb3af00adb22c6bb, 0x6c55e83ff97a1aef, 0xa14e3a3f171bac58, 0xc3688c4f9774b905, 0x2695638c4fa9ac0f, 0x17f1d3a73197d794},
    {0x0caa232946c5e7e1, 0xd03cc744a2888ae4, 0x00db18cb2c04b3ed, 0xfcf5e095d5d00af6, 0xa09e30ed741d8ae4, 0x08b3f481e3aaa0f1},
};
inline constexpr uint64_t bls12_381_g2[4][6] = {
    {0xd48056c8c121bdb8, 0x0bac0326a805bbef, 0xb4510b647ae3d177, 0xc6e47ad4fa403b02, 0x260805272dc51051, 0x024aa2b2f08f0a91},
    {0xe5ac7d055d042b7e, 0x334cf11213945d57, 0xb5da61bbdc7f5049, 0x596bd0d09920b61a, 0x7dacd3a088274f65, 0x13e02b6052719f60},
    {0xe193548608b82801, 0x923ac9cc3baca289, 0x6d429a695160d12c, 0xadfd9baa8cbdd3a7, 0x8cc9cdc6da2e351a, 0x0ce5d527727d6e11},
    {0xaaa9075ff05f79be, 0x3f370d275cec1da1, 0x267492ab572e99ab, 0xcb3e287e85a763af, 0x32acd2b02bc28b99, 0x0606c4a02ea734cc},
};

}  // namespace generators

// The generator of G1 (F = C::fp) or of G2 (F = C::fp2).
template <class C, class F>
affine_t<F> generator() {
    using B = typename C::fp;
    if constexpr (F::N == B::N) {
        const auto& g = []() -> const auto& {
            if constexpr (C::id == curve_id::bn254) return generators::bn254_g1;
            else return generators::bls12_381_g1;
        }();
        return {B::from_canonical(g[0]), B::from_canonical(g[1])};
    } else {
        const auto& g = []() -> const auto& {
            if constexpr (C::id == curve_id::bn254) return generators::bn254_g2;
            else return generators::bls12_381_g2;
        }();
        return {{B::from_canonical(g[0]), B::from_canonical(g[1])}, {B::from_canonical(g[2]), B::from_canonical(g[3])}};
    }
}

CUZK_ARITHMETIC_END
