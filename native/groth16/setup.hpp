// A trusted setup that nobody should trust: for development, in seconds instead of a ceremony.
#pragma once

#include <cstdint>
#include <string>

#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "field/curves.hpp"

namespace cuzk {

struct setup_summary {
    curve_id curve{};
    uint64_t n_vars = 0, n_public = 0, n_constraints = 0, domain_size = 0, n_coefs = 0;
};

// Reads the constraints of an .r1cs and writes a .zkey of the same layout as snarkjs's `groth16 setup` followed by one contribution, but
// with secrets that this process drew itself and forgot: the key is marked so. Throws the errors of formats/r1cs.hpp and file.hpp, and
// "SetupTooLarge" for more constraints than the curve's roots of unity or the file format allow.
setup_summary setup(const std::string& r1cs, const std::string& zkey, thread_pool& pool, task& t);

}  // namespace cuzk
