#include "formats/r1cs.hpp"

#include <algorithm>
#include <cstring>

#include "formats/zkey.hpp"

namespace cuzk {

namespace {

constexpr uint32_t header_id = 1, constraints_id = 2, labels_id = 3, gate_list_id = 4, gate_use_id = 5;
constexpr size_t block = size_t{1} << 20;
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

// The constraint section through a window of memory, so that millions of small reads cost little.
class constraint_stream {
public:
    constraint_stream(const input_file& file, const section& s) : file_(file), at_(s.offset), end_(s.end()) {}

    uint64_t offset() const { return at_ - (filled_ - used_); }
    uint64_t left() const { return end_ - at_ + (filled_ - used_); }
    // The next `size` bytes, or null if the section has fewer.
    const unsigned char* take(size_t size) {
        if (filled_ - used_ < size && !refill(size)) return nullptr;
        const unsigned char* p = window_.data() + used_;
        used_ += size;
        return p;
    }

private:
    bool refill(size_t size) {
        if (left() < size) return false;
        const size_t kept = filled_ - used_;
        if (window_.size() < std::max(size, block)) window_.resize(std::max(size, block));
        std::memmove(window_.data(), window_.data() + used_, kept);
        const size_t more = static_cast<size_t>(std::min<uint64_t>(window_.size() - kept, end_ - at_));
        file_.read(at_, window_.data() + kept, more);
        at_ += more;
        used_ = 0;
        filled_ = kept + more;
        return true;
    }
    const input_file& file_;
    uint64_t at_, end_;
    std::vector<unsigned char> window_;
    size_t used_ = 0, filled_ = 0;
};

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

void for_each_constraint(const input_file& file, const r1cs_layout& layout, const std::function<bool(const constraint&)>& body) {
    constraint_stream stream(file, layout.constraints);
    const uint64_t* const r = moduli_of(layout.curve).r.data();
    constraint k;
    const auto where = [&] { return "constraint " + std::to_string(k.index); };
    const auto truncated = [&](uint64_t expected) {
        return error("R1csTruncated",
                     "section 2 (constraints) ends in " + where() + " of " + std::to_string(layout.n_constraints) + ": " +
                         std::to_string(expected) + " bytes expected, " + std::to_string(stream.left()) + " there",
                     remedy)
            .in_file(file.name())
            .at(stream.offset());
    };
    const auto read = [&](linear_combination& l) {
        const unsigned char* p = stream.take(4);
        if (!p) throw truncated(4);
        uint32_t n;
        std::memcpy(&n, p, 4);
        if (n * term_bytes > stream.left()) throw truncated(n * term_bytes);
        l.wires.resize(n);
        l.values.resize(size_t{4} * n);
        for (uint32_t i = 0; i < n; i++) {
            const uint64_t at = stream.offset();
            p = stream.take(term_bytes);  // there, as has been checked
            std::memcpy(&l.wires[i], p, 4);
            uint64_t* const v = l.values.data() + size_t{4} * i;
            std::memcpy(v, p + 4, 32);
            if (l.wires[i] >= layout.n_wires)
                throw error("R1csWireOutOfRange",
                            where() + " names wire " + std::to_string(l.wires[i]) + ", but there are only " +
                                std::to_string(layout.n_wires),
                            "compile the circuit again")
                    .in_file(file.name())
                    .at(at);
            int word = 3;
            while (word >= 0 && v[word] == r[word]) word--;
            if (word < 0 || v[word] > r[word])
                throw error("R1csCoefficientNotReduced", where() + " has a coefficient that is not below the field's modulus",
                            "compile the circuit again")
                    .in_file(file.name())
                    .at(at + 4);
        }
    };
    for (k.index = 0; k.index < layout.n_constraints; k.index++) {
        read(k.a);
        read(k.b);
        read(k.c);
        if (!body(k)) return;
    }
    // Constraints that the header does not count would go unchecked.
    if (stream.left() != 0)
        throw error("R1csSectionSize", "section 2 (constraints) has " + std::to_string(stream.left()) + " bytes more than its " +
                                           std::to_string(layout.n_constraints) + " constraints need", remedy)
            .in_file(file.name())
            .at(stream.offset());
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
