// Witnesses (.wtns, version 2): the value of every signal of a circuit.
#pragma once

#include <cstdint>
#include <vector>

#include "field/curves.hpp"
#include "formats/sections.hpp"

namespace cuzk {

struct wtns_layout {
    curve_id curve{};
    uint64_t n_values = 0;
    uint64_t values_offset = 0;  // n_values plain integers of 32 bytes, little-endian
};

// Checks the header and the sizes; values are read with input_file::read at values_offset. Throws "Wtns..." errors: NotThisFormat,
// Version, SectionCount, Truncated, SectionMissing, SectionRepeated, SectionSize, UnknownField.
wtns_layout read_wtns_layout(const input_file& file);

// Refuses the first of `count` values (the first of them is number `first`) that is not below the field's modulus:
// "WitnessNotReduced".
void check_witness_values(const input_file& file, const wtns_layout& layout, const uint64_t* values, uint64_t first,
                          uint64_t count);

// Writes a witness of `count` plain integers below r, four words each. Throws "WtnsTooLarge" for more than 2^32 - 1, and
// "FileUnwritable".
void write_wtns(const std::string& path, curve_id curve, const uint64_t* values, uint64_t count);

}  // namespace cuzk
