// How many bytes buffers hold, in the whole process: against what groth16/sizes.hpp says.
#pragma once

#include <cstddef>

namespace cuzk::allocated {

// Called for every allocation and release; from any thread.
void add(size_t bytes);
void remove(size_t bytes);

size_t now();
// The most at any moment since restart_peak().
size_t peak();
void restart_peak();

}  // namespace cuzk::allocated
