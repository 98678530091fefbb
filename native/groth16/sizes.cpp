#include "groth16/sizes.hpp"

#include <algorithm>

#include "groth16/matrix.hpp"
#include "groth16/subgroup.hpp"
#include "groth16/verify.hpp"
#include "msm/kernels.hpp"
#include "ntt/quotient.hpp"

namespace cuzk {

namespace {

constexpr uint64_t scalar_bytes = 32;
// Names, headers, lists of a few entries: what no formula counts.
constexpr uint64_t odds_and_ends = 16 << 10;
// Counting reads as fast as a few threads do, and leaves the others to whoever computes meanwhile.
constexpr size_t most_counting_threads = 4;

uint64_t g1_bytes(const zkey_layout& key) { return key.g1_words() * sizeof(uint64_t); }
uint64_t g2_bytes(const zkey_layout& key) { return key.g2_words() * sizeof(uint64_t); }

uint64_t point_bytes(const zkey_layout& key) { return key.a.size + key.b1.size + key.b2.size + key.c.size + key.h.size; }

uint64_t checking_bytes(const zkey_layout& key, size_t threads) {
    const auto of = [&](group g, uint64_t n) { return subgroup_check_bytes(key.curve, g, n, threads); };
    const uint64_t of_ic = (key.n_public + 1) * g1_bytes(key) + of(group::g1, key.n_public + 1);
    const uint64_t of_g1 = std::max({of(group::g1, key.n_vars), of(group::g1, key.c.size / g1_bytes(key)), of(group::g1, key.domain_size)});
    return std::max({of_ic, of_g1, of(group::g2, key.n_vars), key.n_vars / 8});
}

uint64_t device_peak(const zkey_layout& key, size_t threads) {
    const kernels& k = kernels_for(key.curve);
    const uint64_t witness = scalar_bytes * key.n_vars, h = scalar_bytes * key.domain_size;
    const uint64_t transforms = 3 * h + quotient_bytes(key.curve, key.log_domain, threads);
    const uint64_t of_h = h + k.msm_bytes_g1(key.domain_size, threads);
    const uint64_t of_witness = std::max(k.msm_bytes_g1(key.n_vars, threads), k.msm_bytes_g2(key.n_vars, threads));
    return witness + std::max({transforms, of_h, of_witness});
}

}  // namespace

circuit_sizes sizes_of(const zkey_layout& key, uint64_t coefficient_values, size_t threads) {
    const uint64_t domain = scalar_bytes * key.domain_size, witness = scalar_bytes * key.n_vars, publics = scalar_bytes * key.n_public;
    const uint64_t ic = (key.n_public + 1) * g1_bytes(key);
    const matrix_sizes rows = matrix_bytes(key.n_coefficients, key.domain_size, coefficient_values, threads);
    circuit_sizes s;
    s.key = point_bytes(key) + ic + rows.held;
    // The points come after the matrices, and are checked when all of them are there.
    const uint64_t before_points = ic + rows.building;
    s.load = std::max(before_points > s.key ? before_points - s.key : 0, checking_bytes(key, threads)) + odds_and_ends;
    // A witness that came as a file in memory is there twice, until a and b are made.
    s.synthesis = witness + publics + std::max(2 * domain, witness) + odds_and_ends;
    const uint64_t sums = (4 * g1_bytes(key) + g2_bytes(key)) * 3 / 2;  // affine to Jacobian
    s.device = device_peak(key, threads) + 2 * publics + sums + 2 * odds_and_ends - s.synthesis;
    s.finish = sums + publics + ic + verify_bytes(key.curve, key.n_public) + odds_and_ends;
    return s;
}

sized_key read_sizes(const std::string& zkey, size_t threads, std::optional<uint64_t> known_values, task& t) {
    const input_file file(zkey);
    try {
        sized_key sized;
        sized.key = read_zkey_layout(file);
        const zkey_layout& key = sized.key;
        // 1 and -1 are always among the values.
        if (known_values && *known_values >= 2 && *known_values <= key.n_coefficients + uint64_t{2})
            sized.coefficient_values = *known_values;
        else {
            t.enter(phase::load, key.coefficients.size);
            thread_pool pool(std::clamp<size_t>(threads, 1, most_counting_threads));
            const auto read = [&](uint64_t offset, void* to, size_t size) {
                file.read(key.records_offset() + offset, to, size);
                t.advance(size);
            };
            sized.coefficient_values = count_coefficient_values(key.curve, key.n_coefficients, read, pool, t);
        }
        sized.bytes = sizes_of(key, sized.coefficient_values, threads);
        return sized;
    } catch (error& e) {
        e.in_file(zkey);
        throw;
    }
}

}  // namespace cuzk
