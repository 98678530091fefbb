// Which signals the matrices use, for the check that their points are there.
#pragma once

#include <cstdint>
#include <vector>

#include "groth16/circuit.hpp"

namespace cuzk {

// The first signal that has a nonzero entry in m (A or B of c) although `absent` says that its point is at infinity; n_vars when there is
// none. Entries of one row that cancel each other are no use of a signal.
uint64_t first_used_but_absent(const circuit& c, const sparse_rows& m, const std::vector<bool>& absent, const task& t);

}  // namespace cuzk
