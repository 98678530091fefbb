// What the processor can do, asked once.
#pragma once

#include <span>

namespace cuzk {

enum class isa { portable, adx, ifma };

// The best variant that this CPU can run, or a lesser one named by CUZK_ISA=portable|adx|ifma in the environment. Throws
// `IsaUnavailable` when that names no variant, or one that this CPU cannot run: whoever asks for one measures or tests it.
isa chosen_isa();

// The same with the wish (null or empty: none) and the variants that can run, the best last.
isa choose_isa(const char* wish, std::span<const isa> possible);

// Whether this CPU and this build can run that variant.
bool can_run(isa variant);

const char* name_of(isa variant);

}  // namespace cuzk
