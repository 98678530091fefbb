// Reading a witness into memory that is wiped.
#pragma once

#include <cstdint>

#include "device/buffer.hpp"
#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "field/curves.hpp"
#include "formats/file.hpp"

namespace cuzk {

// The `count` values of a circuit's witness: plain integers below r, four words each, the first of them 1. Throws the errors of
// formats/wtns.hpp, "WitnessNotReduced" among them (a value not below r: which, and where), and "WitnessOfOtherCurve", "WitnessOfOtherCircuit"
// (another number of values) and "WitnessFirstNotOne".
buffer load_witness(const input_file& file, curve_id curve, uint64_t count, thread_pool& pool, const task& t);

}  // namespace cuzk
