// Number-theoretic transforms over the scalar fields.
#pragma once

#include "device/cpu_features.hpp"
#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "field/curves.hpp"

namespace cuzk {

enum class ntt_direction { forward, inverse };

// forward: coefficients to values at w^i, w the 2^log_n-th root of unity as in snarkjs; inverse: back, with the factor 1/n.
// `values`: n = 2^log_n elements of four words in natural order, in place, Montgomery form with R = 2^256, fully reduced before and
// after. Needs another n elements of memory. Advances t by n in total; throws `aborted` soon after an abort (the values are then of
// no use), and error DomainTooLarge when log_n exceeds the field's two-adicity (28 or 32).
void ntt(curve_id curve, thread_pool& pool, task& t, uint64_t* values, unsigned log_n, ntt_direction direction,
         isa variant = chosen_isa());

}  // namespace cuzk
