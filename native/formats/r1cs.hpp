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

// Whole constraints as they stand in the file, next to one another.
struct constraint_block {
    uint64_t first = 0, count = 0;  // which constraints
    uint64_t offset = 0;            // of the first, in the file
    size_t size = 0;                // of their bytes, which stand at the front of `bytes`
    std::vector<unsigned char> bytes;
};

// Cuts the constraints into blocks for several threads: looks at the counts alone, so that it is quick.
class constraint_cutter {
public:
    // Both must outlive the cutter.
    constraint_cutter(const input_file& file, const r1cs_layout& layout) : file_(file), layout_(layout), at_(layout.constraints.offset) {}
    // The next block, of about block_bytes, and of one constraint at least; false behind the last. Throws "R1csTruncated" when not even one
    // constraint is left whole, and "R1csSectionSize", both after all blocks before.
    bool next(constraint_block& out);

    static constexpr size_t block_bytes = size_t{256} << 10;

private:
    bool advance(const constraint_block& block);
    const input_file& file_;
    const r1cs_layout& layout_;
    uint64_t at_, next_ = 0;
};

// The same as above over one block, with an object that the caller keeps; may run on several blocks at once. Returns false when body did.
bool for_each_constraint(const input_file& file, const r1cs_layout& layout, const constraint_block& block, constraint& reused,
                         const std::function<bool(const constraint&)>& body);

// The labels of some wires (for a look-up in the .sym); wire numbers must be below n_wires. Without the section a wire is its own
// label.
std::vector<uint64_t> wire_labels(const input_file& file, const r1cs_layout& layout, const std::vector<uint32_t>& wires);

}  // namespace cuzk
