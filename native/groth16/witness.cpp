#include "groth16/witness.hpp"

#include <string>

#include "formats/wtns.hpp"

namespace cuzk {

namespace {

constexpr size_t values_per_block = 8192;
constexpr const char* other_circuit = "compute the witness with the circuit that this belongs to";

const char* name_of(curve_id curve) {
    return with_curve(curve, []<class Curve>() { return Curve::name; });
}

}  // namespace

buffer load_witness(const input_file& file, curve_id curve, uint64_t count, thread_pool& pool, const task& t) {
    const wtns_layout layout = read_wtns_layout(file);
    if (layout.curve != curve)
        throw error("WitnessOfOtherCurve",
                    std::string("the witness is over ") + name_of(layout.curve) + ", the circuit over " + name_of(curve), other_circuit)
            .in_file(file.name());
    if (layout.n_values != count)
        throw error("WitnessOfOtherCircuit",
                    "the witness has " + std::to_string(layout.n_values) + " values, the circuit " + std::to_string(count) + " signals",
                    other_circuit)
            .in_file(file.name());
    buffer witness = buffer::secret(count * 32);
    pool.parallel_ranges(t, count, values_per_block, [&](size_t begin, size_t end, size_t) {
        uint64_t* const values = witness.as<uint64_t>() + 4 * begin;
        file.read(layout.values_offset + 32 * begin, values, 32 * (end - begin));
        check_witness_values(file, layout, values, begin, end - begin);
    });
    const uint64_t* const one = witness.as<uint64_t>();
    if (one[0] != 1 || (one[1] | one[2] | one[3]) != 0)
        throw error("WitnessFirstNotOne", "value 0 of a witness is the constant 1, but here it is not",
                    "compute the witness again: the file is damaged, or not of a circom circuit")
            .in_file(file.name())
            .at(layout.values_offset);
    return witness;
}

}  // namespace cuzk
