#include "groth16/synthesis.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "groth16/rows.hpp"
#include "groth16/witness.hpp"

namespace cuzk {

namespace {

constexpr size_t rows_per_block = 2048;

template <class F, class Number>
void multiply(synthesis& s, thread_pool& pool, task& t) {
    const matrices& m = s.of->rows;
    const F* const witness = s.witness.as<F>();
    const F* const dictionary = m.dictionary.as<F>();
    const size_t n = s.of->key.domain_size;
    s.a = buffer::secret(n * sizeof(F));
    s.b = buffer::secret(n * sizeof(F));
    pool.parallel_ranges(t, n, rows_per_block, [&](size_t begin, size_t end, size_t) {
        F *const a = s.a.as<F>(), *const b = s.b.as<F>();
        const size_t filled = std::clamp(m.rows, begin, end);
        for (size_t row = begin; row < filled; row++) {
            a[row] = row_times<F, Number>(m.a, dictionary, witness, row);
            b[row] = row_times<F, Number>(m.b, dictionary, witness, row);
        }
        std::memset(a + filled, 0, (end - filled) * sizeof(F));
        std::memset(b + filled, 0, (end - filled) * sizeof(F));
        t.advance(end - begin);
    });
}

}  // namespace

synthesis synthesize(std::shared_ptr<const circuit> c, std::shared_ptr<const input_file> witness, thread_pool& pool, task& t) {
    const auto start = std::chrono::steady_clock::now();
    synthesis s;
    s.of = std::move(c);
    s.witness_name = witness->name();
    t.enter(phase::synthesis, s.of->key.domain_size);
    const zkey_layout& key = s.of->key;
    s.witness = load_witness(*witness, key.curve, key.n_vars, pool, t);
    witness.reset();
    const uint64_t* const values = s.witness.as<uint64_t>();
    s.public_signals.assign(values + 4, values + 4 + 4 * key.n_public);
    with_curve(s.of->key.curve, [&]<class Curve>() {
        using fr = typename Curve::fr;
        if (s.of->rows.wide_coefficients)
            multiply<fr, uint32_t>(s, pool, t);
        else
            multiply<fr, uint16_t>(s, pool, t);
    });
    s.milliseconds = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return s;
}

synthesis synthesize(std::shared_ptr<const circuit> c, const input_file& witness, thread_pool& pool, task& t) {
    return synthesize(std::move(c), std::shared_ptr<const input_file>(std::shared_ptr<void>(), &witness), pool, t);
}

}  // namespace cuzk
