// Which variant of the transforms' steps runs.
#pragma once

#include "device/cpu_features.hpp"
#include "field/curves.hpp"
#include "ntt/kernels.hpp"

namespace cuzk {

// The steps in that variant; the CPU and the build must have it (can_run).
const ntt_kernels& ntt_kernels_for(curve_id curve, isa variant);

}  // namespace cuzk
