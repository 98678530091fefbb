// What the processor can do, asked once.
#pragma once

namespace cuzk {

enum class isa { portable, adx, ifma };

// The best variant that this CPU can run, or a lesser one named by CUZK_ISA=portable|adx|ifma in the environment.
isa chosen_isa();

// Whether this CPU and this build can run that variant.
bool can_run(isa variant);

const char* name_of(isa variant);

}  // namespace cuzk
