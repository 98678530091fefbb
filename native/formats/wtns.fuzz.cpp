// libFuzzer: a witness, header and values. Any bytes must end in a result or in a cuzk::error.
#include "formats/wtns.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace cuzk;
    const input_file file(data, size, "fuzzed");
    try {
        const wtns_layout layout = read_wtns_layout(file);
        uint64_t value[4];
        for (uint64_t i = 0; i < layout.n_values; i++) {
            file.read(layout.values_offset + 32 * i, value, sizeof value);
            check_witness_values(file, layout, value, i, 1);
        }
    } catch (const error&) {
    }
    return 0;
}
