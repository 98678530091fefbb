// libFuzzer: a proving key's header, table of sections and contributions. Any bytes must end in a result or in a cuzk::error.
#include "formats/zkey.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace cuzk;
    const input_file file(data, size, "fuzzed");
    try {
        const zkey_layout layout = read_zkey_layout(file);
        read_zkey_contributions(file, layout);
    } catch (const error&) {
    }
    return 0;
}
