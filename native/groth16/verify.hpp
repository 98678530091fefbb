// Groth16 verification: of one proof, and of many of one key at once.
#pragma once

#include <cstdint>
#include <vector>

#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "field/curves.hpp"

namespace cuzk {

// Affine words in file form (msm/kernels.hpp). ic: one point per public signal and one more, for the constant 1, first.
struct verification_key {
    curve_id curve{};
    std::vector<uint64_t> alpha1, beta2, gamma2, delta2, ic;
};

// Refuses a key whose points the pairing is not defined for: "VkeyPointOffCurve", "VkeyPointOutsideSubgroup", naming the first. Keys out of a
// .zkey are checked with it; this is for keys from elsewhere.
void check_verification_key(const verification_key& key, const task& t);

struct groth16_proof {
    curve_id curve{};
    std::vector<uint64_t> a, b, c;  // in G1, G2, G1
};

struct claim {
    std::vector<uint64_t> public_signals;  // plain integers, four words each
    groth16_proof proof;
};

// e(A, B) = e(alpha, beta) e(IC(public), gamma) e(C, delta): Groth, "On the size of pairing-based non-interactive arguments" (2016).
// Throws for what is not even a claim: "ProofOfOtherCurve", "PublicSignalCount", "PublicSignalNotReduced", "ProofPointOffCurve",
// "ProofPointOutsideSubgroup". Coordinates must be below the modulus. Runs on the caller's thread alone. Enters phase::verify of t.
bool verify(const verification_key& key, const std::vector<uint64_t>& public_signals, const groth16_proof& proof, task& t);

// The most memory that verify() takes besides its arguments.
uint64_t verify_bytes(curve_id curve, uint64_t n_public);

// Whether all claims hold, by one product of claims + 3 pairings: each equation is raised to a random 128-bit power before they are
// multiplied, so that wrong ones cancel with probability 2^-128 (Bellare, Garay, Rabin, "Fast batch verification for modular exponentiation
// and digital signatures", 1998). True for none. Throws as verify() does, for the first malformed claim,
// and says which one. Enters phase::verify of t.
bool verify_many(const verification_key& key, const std::vector<claim>& claims, thread_pool& pool, task& t);

}  // namespace cuzk
