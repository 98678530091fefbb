// Reading points: every coordinate must be below the field's modulus before anything computes with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats/zkey.hpp"

namespace cuzk {

// `count` words that stand at `offset` in the file. Throws "ZkeyPointNotReduced" with the section's name and the offset.
void check_coordinates(curve_id curve, const char* section_name, const uint64_t* words, size_t count, uint64_t offset);

// The points of section IC, file form; the header's points are checked along with them.
std::vector<uint64_t> read_ic(const input_file& file, const zkey_layout& layout);

}  // namespace cuzk
