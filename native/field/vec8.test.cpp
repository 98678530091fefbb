#include "device/cpu_features.hpp"
#include "test/check.hpp"

#if defined(__x86_64__)

namespace cuzk {

// In vec8_ifma.test.cpp, which is compiled for the instruction set. The line of the first check that fails, or 0.
int check_eight_lanes();

}  // namespace cuzk

TEST("eight lanes compute what single elements do, on random values and at the ends of the range") {
    // On other processors the code cannot run; the product does not use it there either.
    if (cuzk::can_run(cuzk::isa::ifma)) CHECK_EQ(cuzk::check_eight_lanes(), 0);
}

#endif
