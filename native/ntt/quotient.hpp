// The quotient step of Groth16's prover, in the form that snarkjs's keys want.
#pragma once

#include "device/cpu_features.hpp"
#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "field/curves.hpp"

namespace cuzk {

// A, B and C = A B are given by their values on the domain of n = 2^log_n points w^i; the result are the values of A B - C on the
// coset g w^i, where it is -2 times the quotient by X^n - 1 (g: the 2n-th root of unity with g^2 = w; for the largest domain of the
// field, whose g does not exist, 25 as in ffjavascript).
//
// a, b: n rows of four little-endian words in natural order, Montgomery form with R = 2^256, fully reduced. C's values are the
// products a[i] b[i]. h gets n plain integers below r, in natural order. a and b are used as working memory and hold nothing of use
// afterwards. h must not overlap them. Beside these, it needs about 2 KB * sqrt(n) for each thread. Advances t by n in total;
// throws `aborted` soon after an abort, and error DomainTooLarge when log_n exceeds the field's two-adicity (28 or 32).
void quotient(curve_id curve, thread_pool& pool, task& t, uint64_t* a, uint64_t* b, uint64_t* h, unsigned log_n,
              isa variant = chosen_isa());

// The memory that it needs besides its arguments.
uint64_t quotient_bytes(curve_id curve, unsigned log_n, size_t threads, isa variant = chosen_isa());

}  // namespace cuzk
