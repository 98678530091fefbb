#include "formats/wtns.hpp"

#include <limits>

#include "formats/zkey.hpp"

namespace cuzk {

namespace {

constexpr uint64_t value_bytes = 32;
constexpr uint32_t header_id = 1, values_id = 2;

const char* name_of(uint32_t id) { return id == header_id ? "header" : id == values_id ? "values" : nullptr; }

constexpr container_format wtns_format{"wtns", 2, "Wtns", name_of};

}  // namespace

wtns_layout read_wtns_layout(const input_file& file) {
    const section_table table(file, wtns_format);
    const section& header = table.only(header_id);
    section_cursor cursor(table, header);
    wtns_layout w;
    const uint64_t at = cursor.offset();
    const uint32_t bytes = cursor.u32();
    const auto unknown = [&] {
        return table.fault("UnknownField", "the witness is over a field that this prover does not know",
                           "make the witness for bn254 (bn128) or bls12-381", at);
    };
    if (bytes != value_bytes) throw unknown();
    const std::vector<uint64_t> r = cursor.words(value_bytes / 8);
    if (r == moduli_of(curve_id::bn254).r)
        w.curve = curve_id::bn254;
    else if (r == moduli_of(curve_id::bls12_381).r)
        w.curve = curve_id::bls12_381;
    else
        throw unknown();
    w.n_values = cursor.u32();
    table.expect_size(header, cursor.offset() - header.offset, "a header of 32-byte values");
    const section& values = table.only(values_id);
    table.expect_size(values, w.n_values * value_bytes, std::to_string(w.n_values) + " values of 32 bytes");
    w.values_offset = values.offset;
    return w;
}

void check_witness_values(const input_file& file, const wtns_layout& layout, const uint64_t* values, uint64_t first,
                          uint64_t count) {
    const uint64_t* const r = moduli_of(layout.curve).r.data();
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t* v = values + 4 * i;
        int64_t word = 3;
        while (word >= 0 && v[word] == r[word]) word--;
        if (word < 0 || v[word] > r[word])
            throw error("WitnessNotReduced",
                        "value " + std::to_string(first + i) + " of the witness is not below the field's modulus",
                        "compute the witness again; a witness of another curve cannot be used")
                .in_file(file.name())
                .at(layout.values_offset + (first + i) * value_bytes);
    }
}

void write_wtns(const std::string& path, curve_id curve, const uint64_t* values, uint64_t count) {
    if (count > std::numeric_limits<uint32_t>::max())
        throw error("WtnsTooLarge", "a .wtns cannot count " + std::to_string(count) + " values",
                    "split the circuit into smaller ones")
            .in_file(path);
    output_file out(path);
    out.write("wtns", 4);
    out.write_u32(2);
    out.write_u32(2);
    out.write_u32(header_id);
    out.write_u64(4 + value_bytes + 4);
    out.write_u32(value_bytes);
    out.write(moduli_of(curve).r.data(), value_bytes);
    out.write_u32(static_cast<uint32_t>(count));
    out.write_u32(values_id);
    out.write_u64(count * value_bytes);
    out.write(values, count * value_bytes);
    out.commit();
}

}  // namespace cuzk
