// Signal names as circom writes them (.sym): a line `label,wire,component,name` per signal; wire -1 where the compiler removed it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "device/task.hpp"
#include "formats/file.hpp"

namespace cuzk {

struct sym_line {
    uint64_t label = 0;
    int64_t wire = -1;
    int64_t component = 0;
    std::string_view name;  // valid during the call
};

// Calls body for every line; body returns false to stop. Throws "SymLine" with the line's number and offset, "SymNotText" for
// binary data.
void for_each_symbol(const input_file& file, const std::function<bool(const sym_line&)>& body);

// Names of the given wires, an empty string where there is none. The file is read once, nothing else is kept; throws `aborted` soon after
// t is.
std::vector<std::string> wire_names(const input_file& file, const std::vector<uint32_t>& wires, const task& t = {});

}  // namespace cuzk
