// What a file of any of the formats says about itself.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "device/task.hpp"

namespace cuzk {

// Names are camelCase, as JavaScript shows them; sizes in bytes end in "Bytes".
struct fact {
    std::string name;
    std::variant<std::string, uint64_t, bool, std::vector<std::string>> value;
};

// The format is told by the content, not by the file's name. The first fact is "format": zkey, wtns, r1cs or sym. Throws the reader's errors
// for a damaged file, "FormatUnknown" for none of these, and `aborted` soon after t is.
std::vector<fact> inspect(const std::string& path, const task& t = {});

}  // namespace cuzk
