// libFuzzer: a circuit, header and every constraint. Any bytes must end in a result or in a cuzk::error.
#include "formats/r1cs.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace cuzk;
    const input_file file(data, size, "fuzzed");
    try {
        const r1cs_layout layout = read_r1cs_layout(file);
        uint64_t terms = 0;
        for_each_constraint(file, layout, [&](const constraint& c) {
            terms += c.a.size() + c.b.size() + c.c.size();
            return true;
        });
        wire_labels(file, layout, {0, static_cast<uint32_t>(layout.n_wires - 1)});
    } catch (const error&) {
    }
    return 0;
}
