// What a proving key must be before anything is proved with it.
#pragma once

#include <cstdint>

#include "groth16/circuit.hpp"

namespace cuzk {

struct insecurity {
    std::string why;                             // empty for a sound key
    std::optional<uint64_t> uncontributed_at{};  // the byte of delta2 where it equals gamma2
};

// Refuses, whatever the options: "KeyPointIsIdentity" for alpha1, beta1, beta2, gamma2, delta1 or delta2 at infinity, with which proofs
// lose their zero knowledge or their soundness; and "KeyInsecure" for gamma2 = delta2, the mark of a key that no phase 2 contribution was made
// to: whoever knows so can forge proofs. With allow_insecure, the reason is returned instead; so is, always, that a key bears the
// mark of `cuzk setup`, whose user has asked for an insecure key.
insecurity check_key_points(const circuit& c, bool allow_insecure);

// The checks that take time: every point on its curve ("KeyPointOffCurve") and in the subgroup of order r ("KeyPointOutsideSubgroup"); no
// point of IC, and none of A, B1 and B2 whose signal the matrices use, at infinity ("KeyPointIsIdentity"); beta1 and beta2, and delta1 and
// delta2, the same multiple of their generators ("KeyPointsMismatch"). Errors name the section, the index and the offset.
void check_all_points(const circuit& c, thread_pool& pool, task& t);

}  // namespace cuzk
