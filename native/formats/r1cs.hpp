// A circuit's constraints as circom writes them (.r1cs, version 1).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "field/curves.hpp"
#include "formats/sections.hpp"

namespace cuzk {

struct r1cs_layout {
    curve_id curve{};
    uint64_t n_wires = 0, n_public_outputs = 0, n_public_inputs = 0, n_private_inputs = 0, n_labels = 0, n_constraints = 0;
    section constraints;
    section wire_labels;  // n_wires u64, or empty: wire -> label of the .sym
    uint64_t n_public() const { return n_public_outputs + n_public_inputs; }
};

// Throws "R1cs..." errors: NotThisFormat, Version, SectionCount, Truncated, SectionMissing, SectionRepeated, SectionSize,
// UnknownField, Counts, CustomGates.
r1cs_layout read_r1cs_layout(const input_file& file);

// One linear combination: sum of values[i] * wire[i]; values are plain integers below r, four words each.
struct linear_combination {
    std::vector<uint32_t> wires;
    std::vector<uint64_t> values;
    size_t size() const { return wires.size(); }
};

// Constraint number `index`: (a . w) (b . w) = (c . w).
struct constraint {
    uint64_t index = 0;
    linear_combination a, b, c;
};

// Calls body for every constraint in order; the object is reused between calls. body returns false to stop. Memory does not grow
// with the file. Throws "R1csTruncated", "R1csWireOutOfRange", "R1csCoefficientNotReduced", with the constraint's number and the
// offset, and after the last constraint "R1csSectionSize" if the section goes on.
void for_each_constraint(const input_file& file, const r1cs_layout& layout, const std::function<bool(const constraint&)>& body);

// The labels of some wires (for a look-up in the .sym); wire numbers must be below n_wires. Without the section a wire is its own
// label.
std::vector<uint64_t> wire_labels(const input_file& file, const r1cs_layout& layout, const std::vector<uint32_t>& wires);

}  // namespace cuzk
