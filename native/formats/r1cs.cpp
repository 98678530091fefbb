#include "formats/r1cs.hpp"

#include <algorithm>
#include <cstring>

#include "formats/zkey.hpp"

namespace cuzk {

namespace {

constexpr uint32_t header_id = 1, constraints_id = 2, labels_id = 3, gate_list_id = 4, gate_use_id = 5;
constexpr const char* remedy = "copy the file again, or compile the circuit again";
constexpr uint64_t term_bytes = 4 + 32;

const char* name_of(uint32_t id) {
    switch (id) {
        case header_id: return "header";
        case constraints_id: return "constraints";
        case labels_id: return "wire labels";
        case gate_list_id: return "custom gates";
        case gate_use_id: return "custom gates in use";
        default: return nullptr;
    }
}

constexpr container_format r1cs_format{"r1cs", 1, "R1cs", name_of};

error truncated(const input_file& file, const r1cs_layout& layout, uint64_t number, uint64_t expected, uint64_t there, uint64_t at) {
    return error("R1csTruncated",
                 "section 2 (constraints) ends in constraint " + std::to_string(number) + " of " + std::to_string(layout.n_constraints) +
                     ": " + std::to_string(expected) + " bytes expected, " + std::to_string(there) + " there",
                 remedy)
        .in_file(file.name())
        .at(at);
}

// Reads one linear combination of constraint `number`, which stands at `offset` in the file, whole at p; returns where it ends.
const unsigned char* read_combination(const input_file& file, const r1cs_layout& layout, uint64_t number, const unsigned char* p,
                                      uint64_t offset, linear_combination& l) {
    const uint64_t* const r = moduli_of(layout.curve).r.data();
    uint32_t n;
    std::memcpy(&n, p, 4);
    p += 4;
    l.wires.resize(n);
    l.values.resize(size_t{4} * n);
    for (uint32_t i = 0; i < n; i++, p += term_bytes) {
        std::memcpy(&l.wires[i], p, 4);
        uint64_t* const v = l.values.data() + size_t{4} * i;
        std::memcpy(v, p + 4, 32);
        const auto refuse = [&](const char* code, const std::string& what, uint64_t within) {
            throw error(code, "constraint " + std::to_string(number) + what, "compile the circuit again")
                .in_file(file.name())
                .at(offset + 4 + i * term_bytes + within);
        };
        if (l.wires[i] >= layout.n_wires)
            refuse("R1csWireOutOfRange",
                   " names wire " + std::to_string(l.wires[i]) + ", but there are only " + std::to_string(layout.n_wires), 0);
        int word = 3;
        while (word >= 0 && v[word] == r[word]) word--;
        if (word < 0 || v[word] > r[word])
            refuse("R1csCoefficientNotReduced", " has a coefficient that is not below the field's modulus", 4);
    }
    return p;
}

}  // namespace

r1cs_layout read_r1cs_layout(const input_file& file) {
    const section_table table(file, r1cs_format);
    for (const uint32_t id : {gate_list_id, gate_use_id}) {
        if (!table.has(id)) continue;
        const section& s = table.only(id);
        if (s.size <= 4) {  // an empty list is its count alone
            uint32_t count = 0;
            section_cursor cursor(table, s);
            if (s.size == 4) count = cursor.u32();
            if (count == 0) continue;
        }
        throw table.fault("CustomGates", "the circuit uses custom gates, which Groth16 cannot prove",
                          "compile the circuit without custom gates, or use PLONK", s.offset);
    }
    const section& header = table.only(header_id);
    section_cursor cursor(table, header);
    r1cs_layout c;
    const uint64_t at = cursor.offset();
    const auto unknown = [&] {
        return table.fault("UnknownField", "the circuit is over a field that this prover does not know",
                           "compile it with --prime bn128 or --prime bls12381", at);
    };
    if (cursor.u32() != 32) throw unknown();
    const std::vector<uint64_t> r = cursor.words(4);
    if (r == moduli_of(curve_id::bn254).r)
        c.curve = curve_id::bn254;
    else if (r == moduli_of(curve_id::bls12_381).r)
        c.curve = curve_id::bls12_381;
    else
        throw unknown();
    const uint64_t counts_at = cursor.offset();
    c.n_wires = cursor.u32();
    c.n_public_outputs = cursor.u32();
    c.n_public_inputs = cursor.u32();
    c.n_private_inputs = cursor.u32();
    c.n_labels = cursor.u64();
    c.n_constraints = cursor.u32();
    table.expect_size(header, cursor.offset() - header.offset, "a header of 32-byte values");
    if (c.n_public_outputs + c.n_public_inputs + c.n_private_inputs >= c.n_wires)
        throw table.fault("Counts",
                          std::to_string(c.n_wires) + " wires are too few for the circuit's inputs and outputs and the constant 1",
                          "compile the circuit again", counts_at);
    c.constraints = table.only(constraints_id);
    if (c.n_constraints * 12 > c.constraints.size)  // three counts at the least
        throw table.fault("Truncated",
                          table.describe(constraints_id) + " is cut off: " + std::to_string(c.n_constraints) +
                              " constraints need at least " + std::to_string(c.n_constraints * 12) + " bytes, " +
                              std::to_string(c.constraints.size) + " there",
                          remedy, c.constraints.offset);
    if (table.has(labels_id)) {
        c.wire_labels = table.only(labels_id);
        table.expect_size(c.wire_labels, c.n_wires * 8, std::to_string(c.n_wires) + " wires");
    }
    return c;
}

bool constraint_cutter::next(constraint_block& out) {
    const uint64_t left = layout_.constraints.end() - at_;
    out.first = next_;
    out.count = 0;
    out.offset = at_;
    out.size = 0;
    if (next_ == layout_.n_constraints) {
        // Constraints that the header does not count would go unchecked.
        if (left != 0)
            throw error("R1csSectionSize", "section 2 (constraints) has " + std::to_string(left) + " bytes more than its " +
                                               std::to_string(layout_.n_constraints) + " constraints need", remedy)
                .in_file(file_.name())
                .at(at_);
        return false;
    }
    size_t there = 0;  // bytes of the file from at_ on that are in memory
    const auto read_up_to = [&](uint64_t size) {
        if (size <= there) return;
        if (out.bytes.size() < size) out.bytes.resize(size);
        file_.read(at_ + there, out.bytes.data() + there, size - there);
        there = size;
    };
    read_up_to(std::min<uint64_t>(left, block_bytes));
    for (; next_ + out.count < layout_.n_constraints; out.count++) {
        uint64_t end = out.size;
        for (int combination = 0; combination < 3; combination++) {
            for (const bool counted : {false, true}) {
                // First the count, then as many terms as it says.
                uint64_t size = 4;
                if (counted) {
                    uint32_t n;
                    std::memcpy(&n, out.bytes.data() + end - 4, 4);
                    size = n * term_bytes;
                }
                if (size > there - end) {
                    if (out.count > 0) return advance(out);  // what follows is the next block's
                    if (size > left - end) throw truncated(file_, layout_, next_, size, left - end, at_ + end);
                    read_up_to(end + size);
                }
                end += size;
            }
        }
        out.size = end;
    }
    return advance(out);
}

bool constraint_cutter::advance(const constraint_block& block) {
    at_ += block.size;
    next_ += block.count;
    return true;
}

bool for_each_constraint(const input_file& file, const r1cs_layout& layout, const constraint_block& block, constraint& reused,
                         const std::function<bool(const constraint&)>& body) {
    const unsigned char* p = block.bytes.data();
    for (uint64_t i = 0; i < block.count; i++) {
        reused.index = block.first + i;
        for (linear_combination* l : {&reused.a, &reused.b, &reused.c})
            p = read_combination(file, layout, reused.index, p, block.offset + static_cast<uint64_t>(p - block.bytes.data()), *l);
        if (!body(reused)) return false;
    }
    return true;
}

void for_each_constraint(const input_file& file, const r1cs_layout& layout, const std::function<bool(const constraint&)>& body) {
    constraint_cutter cutter(file, layout);
    constraint_block block;
    constraint reused;
    while (cutter.next(block))
        if (!for_each_constraint(file, layout, block, reused, body)) return;
}

std::vector<uint64_t> wire_labels(const input_file& file, const r1cs_layout& layout, const std::vector<uint32_t>& wires) {
    std::vector<uint64_t> labels;
    for (const uint32_t wire : wires) {
        uint64_t label = wire;
        if (layout.wire_labels.size) file.read(layout.wire_labels.offset + uint64_t{wire} * 8, &label, sizeof label);
        labels.push_back(label);
    }
    return labels;
}

}  // namespace cuzk
