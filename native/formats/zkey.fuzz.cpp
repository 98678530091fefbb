// libFuzzer: a whole proving key: header, contributions, points' coordinates and coefficients. Any bytes must end in a result or in
// a cuzk::error.
#include "formats/zkey.hpp"
#include "groth16/coordinates.hpp"
#include "groth16/matrix.hpp"

namespace {

using namespace cuzk;

template <class Body>
void may_refuse(Body&& body) {
    try {
        body();
    } catch (const error&) {
    }
}

void read_points(const input_file& file, const zkey_layout& key, const section& s) {
    std::vector<uint64_t> words(s.size / 8);
    file.read(s.offset, words.data(), s.size);
    check_coordinates(key.curve, "points", words.data(), words.size(), s.offset);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static thread_pool alone(1);
    task t;
    const input_file file(data, size, "fuzzed");
    may_refuse([&] {
        const zkey_layout key = read_zkey_layout(file);
        // Each part by itself: a refusal of one does not hide the next.
        may_refuse([&] { read_zkey_contributions(file, key); });
        may_refuse([&] { read_ic(file, key); });
        for (const section* s : {&key.a, &key.b1, &key.b2, &key.c, &key.h}) may_refuse([&] { read_points(file, key, *s); });
        may_refuse([&] {
            load_matrices(
                key.curve, key.n_coefficients, key.domain_size, key.n_vars, key.records_offset(),
                [&](uint64_t offset, void* to, size_t bytes) { file.read(key.records_offset() + offset, to, bytes); }, alone, t);
        });
    });
    return 0;
}
