// The two curves' fields. A curve is a type: algorithms are templates over it.
#pragma once

#include "field/fp2.hpp"
#include "field/mont.hpp"

namespace cuzk {

enum class curve_id : uint32_t { bn254, bls12_381 };

}  // namespace cuzk

CUZK_ARITHMETIC_BEGIN

struct bn254_fp_params {
    static constexpr size_t limbs = 4;
    static constexpr wide<4> modulus{0x3c208c16d87cfd47, 0x97816a916871ca8d, 0xb85045b68181585d, 0x30644e72e131a029};
};
struct bn254_fr_params {
    static constexpr size_t limbs = 4;
    static constexpr wide<4> modulus{0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029};
};
struct bls12_381_fp_params {
    static constexpr size_t limbs = 6;
    static constexpr wide<6> modulus{0xb9feffffffffaaab, 0x1eabfffeb153ffff, 0x6730d2a0f6b0f624,
                                     0x64774b84f38512bf, 0x4b1ba7b6434bacd7, 0x1a0111ea397fe69a};
};
struct bls12_381_fr_params {
    static constexpr size_t limbs = 4;
    static constexpr wide<4> modulus{0xffffffff00000001, 0x53bda402fffe5bfe, 0x3339d80809a1d805, 0x73eda753299d7d48};
};

// y^2 = x^3 + 3; snarkjs calls it bn128. r - 1 is divisible by 2^28.
struct bn254 {
    static constexpr curve_id id = curve_id::bn254;
    static constexpr const char* name = "bn254";
    using fr = mont_t<bn254_fr_params>;
    using fp = mont_t<bn254_fp_params>;
    using fp2 = fp2_t<fp>;
    static constexpr unsigned two_adicity = 28;
    static constexpr uint64_t fr_non_residue = 5;  // the smallest
    static constexpr uint64_t b = 3;               // of the curve equation in G1
};

// y^2 = x^3 + 4. r - 1 is divisible by 2^32.
struct bls12_381 {
    static constexpr curve_id id = curve_id::bls12_381;
    static constexpr const char* name = "bls12-381";
    using fr = mont_t<bls12_381_fr_params>;
    using fp = mont_t<bls12_381_fp_params>;
    using fp2 = fp2_t<fp>;
    static constexpr unsigned two_adicity = 32;
    static constexpr uint64_t fr_non_residue = 5;  // the smallest
    static constexpr uint64_t b = 4;
};

// Calls body.template operator()<Curve>() for the curve of that id.
template <class Body>
decltype(auto) with_curve(curve_id id, Body&& body) {
    return id == curve_id::bn254 ? body.template operator()<bn254>() : body.template operator()<bls12_381>();
}

CUZK_ARITHMETIC_END
