// The optimal ate pairing e: G1 x G2 -> GT, and products of pairings.
#pragma once

#include <cstdint>
#include <vector>

#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "field/curves.hpp"

namespace cuzk {

// One pair of affine points in file form (kernels.hpp). They must be on their curves and in their subgroups; at infinity they contribute 1.
struct pairing_input {
    const uint64_t* g1;
    const uint64_t* g2;
};

// Whether the product of the pairings is 1, with one final exponentiation for all.
bool pairing_product_is_one(curve_id curve, const std::vector<pairing_input>& pairs);
// The same with the pairs shared out among the pool's threads. Advances t by the number of pairs.
bool pairing_product_is_one(curve_id curve, const std::vector<pairing_input>& pairs, thread_pool& pool, task& t);

// e(P, Q) as twelve base-field elements in file form: Fp12 = Fp6[w], Fp6 = Fp2[v], in the order [w^0, w^1][v^0, v^1, v^2][1, u], raised to
// the same power of the final exponentiation as snarkjs's vk_alphabeta_12.
std::vector<uint64_t> pairing(curve_id curve, const uint64_t* g1, const uint64_t* g2);

}  // namespace cuzk
