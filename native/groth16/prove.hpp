// A Groth16 proof in two steps: the device's (transforms and multi-scalar multiplications), then the finalizer's.
//
// Groth, "On the size of pairing-based non-interactive arguments" (2016), in the form of snarkjs: the quotient enters through its
// numerator's values on the odd coset (ntt/quotient.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device/buffer.hpp"
#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "groth16/circuit.hpp"
#include "groth16/synthesis.hpp"
#include "groth16/verify.hpp"

namespace cuzk {

// Milliseconds by phase, in the order in which they were run.
using timings_t = std::vector<std::pair<std::string, double>>;

// What is left to do once the device is free. Holds the key, so that it cannot go while a proof needs it.
struct pending_proof {
    std::shared_ptr<const circuit> of;
    std::string witness_name;
    buffer sums;  // secret: A, B1, C, H in G1, then B2 in G2, Jacobian, before blinding; gone once the proof is assembled
    std::vector<uint64_t> public_signals;  // plain integers, four words each
    timings_t timings;
    std::optional<groth16_proof> assembled;  // blinded, not verified yet: not for anybody but prove_finish()
};

struct proof_result {
    groth16_proof proof;
    std::vector<uint64_t> public_signals;
    timings_t timings;
};

// The device phase. Uses up `s`; its buffers are wiped and freed as soon as nothing needs them.
pending_proof prove_start(synthesis s, thread_pool& pool, task& t);

// Blinds and assembles, and keeps the proof inside. Nothing to do when that was done before.
void assemble_proof(pending_proof& pending, task& t);

// Assembles unless that was done, and verifies. Throws error "ProofInvalid" when the proof does not verify: then the witness does not satisfy the
// circuit, or is of another one.
proof_result prove_finish(pending_proof pending, task& t);

// Synthesis, device phase and finish in one.
proof_result prove(std::shared_ptr<const circuit> c, std::shared_ptr<const input_file> witness, thread_pool& pool, task& t);

}  // namespace cuzk
