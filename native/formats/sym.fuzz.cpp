// libFuzzer: a table of signal names. Any bytes must end in a result or in a cuzk::error.
#include "device/error.hpp"
#include "formats/sym.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace cuzk;
    const input_file file(data, size, "fuzzed");
    try {
        for_each_symbol(file, [](const sym_line& line) { return !line.name.empty(); });
        wire_names(file, {0, 1, 2, 1000000});
    } catch (const error&) {
    }
    return 0;
}
