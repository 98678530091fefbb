#include "groth16/matrix.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <vector>

#include "groth16/rows.hpp"
#include "test/check.hpp"

using namespace cuzk;

namespace {

struct term_t {
    uint32_t matrix, row, signal;
    int64_t value;
};

template <class F>
F small(int64_t v) {
    return v < 0 ? -F::from_u64(static_cast<uint64_t>(-v)) : F::from_u64(static_cast<uint64_t>(v));
}

template <class F>
std::vector<unsigned char> records_of(const std::vector<term_t>& terms) {
    std::vector<unsigned char> bytes(terms.size() * coefficient_record_bytes);
    for (size_t i = 0; i < terms.size(); i++) {
        const uint32_t index[3] = {terms[i].matrix, terms[i].row, terms[i].signal};
        const F value = small<F>(terms[i].value) * F::raw(F::r2);
        std::memcpy(&bytes[i * coefficient_record_bytes], index, sizeof index);
        std::memcpy(&bytes[i * coefficient_record_bytes + sizeof index], value.limb, sizeof value.limb);
    }
    return bytes;
}

matrices load(curve_id curve, const std::vector<unsigned char>& bytes, uint64_t rows, uint64_t signals) {
    thread_pool pool(2);
    task t;
    return load_matrices(curve, static_cast<uint32_t>(bytes.size() / coefficient_record_bytes), rows, signals, 1000,
                         [&](uint64_t offset, void* to, size_t size) { std::memcpy(to, bytes.data() + offset, size); }, pool, t);
}

// A reproducible stream (splitmix64).
uint64_t next(uint64_t& state) {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

template <class Curve>
void check_products(size_t count, int64_t distinct) {
    using fr = typename Curve::fr;
    const uint64_t rows = 300, signals = 200;
    uint64_t seed = count;
    std::vector<term_t> terms;
    for (size_t i = 0; i < count; i++) {
        const auto v = static_cast<int64_t>(next(seed) % static_cast<uint64_t>(2 * distinct + 1)) - distinct;
        terms.push_back({static_cast<uint32_t>(next(seed) & 1), static_cast<uint32_t>(next(seed) % rows),
                         static_cast<uint32_t>(next(seed) % signals), v});
    }
    std::vector<fr> plain(signals), montgomery(signals);
    for (size_t i = 0; i < signals; i++) {
        montgomery[i] = i % 3 == 0 ? fr::zero() : small<fr>(static_cast<int64_t>(next(seed) >> 1) * (i % 2 ? 1 : -1));
        montgomery[i].to_canonical(plain[i].limb);
    }
    std::vector<fr> want_a(rows, fr::zero()), want_b(rows, fr::zero());
    for (const auto& e : terms) (e.matrix ? want_b : want_a)[e.row] += small<fr>(e.value) * montgomery[e.signal];

    const matrices m = load(Curve::id, records_of<fr>(terms), rows, signals);
    CHECK_EQ(m.a.entries() + m.b.entries(), count);
    CHECK_EQ(m.wide_coefficients, m.dictionary_size > 65536);
    const auto* dictionary = m.dictionary.as<fr>();
    for (size_t row = 0; row < m.rows; row++) {
        const bool wide = m.wide_coefficients;
        CHECK((wide ? row_times<fr, uint32_t>(m.a, dictionary, plain.data(), row)
                    : row_times<fr, uint16_t>(m.a, dictionary, plain.data(), row)) == want_a[row]);
        CHECK((wide ? row_times<fr, uint32_t>(m.b, dictionary, plain.data(), row)
                    : row_times<fr, uint16_t>(m.b, dictionary, plain.data(), row)) == want_b[row]);
    }
    for (size_t row = m.rows; row < rows; row++) CHECK(want_a[row].is_zero() && want_b[row].is_zero());
}

}  // namespace

TEST("matrix rows times a witness equal the sum over the records, in whatever order they come") {
    for (const size_t count : {size_t{0}, size_t{1}, size_t{100}, size_t{40000}}) {
        check_products<bn254>(count, 3);
        check_products<bls12_381>(count, 3);
    }
}

TEST("matrices hold more than 65536 distinct coefficients") { check_products<bn254>(200000, 1 << 20); }

TEST("equal coefficients are held once") {
    using fr = bn254::fr;
    std::vector<term_t> terms;
    for (uint32_t i = 0; i < 1000; i++) terms.push_back({0, i, i, i % 2 ? 7 : -1});
    const matrices m = load(curve_id::bn254, records_of<fr>(terms), 1024, 1000);
    CHECK_EQ(m.dictionary_size, size_t{3});  // 1, -1, 7
    CHECK_EQ(m.rows, size_t{1000});
}

TEST("different coefficients are as many as the matrices then hold, on one thread and on several") {
    uint64_t seed = 1;
    std::vector<term_t> terms;
    for (uint32_t i = 0; i < 100000; i++) terms.push_back({i & 1, i % 1024, 0, static_cast<int64_t>(next(seed) % 50000) - 25000});
    const auto bytes = records_of<bn254::fr>(terms);
    const uint64_t held = load(curve_id::bn254, bytes, 1024, 1).dictionary_size;
    for (const size_t threads : {1, 2, 5}) {
        thread_pool pool(threads);
        task t;
        const auto read = [&](uint64_t offset, void* to, size_t size) { std::memcpy(to, bytes.data() + offset, size); };
        CHECK_EQ(count_coefficient_values(curve_id::bn254, static_cast<uint32_t>(terms.size()), read, pool, t), held);
        CHECK_EQ(count_coefficient_values(curve_id::bn254, 0, read, pool, t), uint64_t{2});
    }
}

TEST("after an abort each thread ends the block of records that it reads, and begins no other") {
    const auto bytes = records_of<bn254::fr>(std::vector<term_t>(400000, {0, 0, 0, 7}));
    const auto count = static_cast<uint32_t>(bytes.size() / coefficient_record_bytes);
    for (const bool counting : {false, true})
        for (const size_t threads : {1, 3}) {
            thread_pool pool(threads);
            task t;
            std::atomic<size_t> reads{0};
            const record_reader read = [&](uint64_t offset, void* to, size_t size) {
                std::memcpy(to, bytes.data() + offset, size);
                if (++reads == 4) t.abort();
            };
            bool stopped = false;
            try {
                if (counting)
                    count_coefficient_values(curve_id::bn254, count, read, pool, t);
                else
                    load_matrices(curve_id::bn254, count, 1, 1, 0, read, pool, t);
            } catch (const aborted&) {
                stopped = true;
            }
            CHECK(stopped);
            CHECK(reads < 4 + threads);
        }
}

TEST("a coefficient outside the matrices is refused, with its offset") {
    using fr = bn254::fr;
    CHECK_THROWS_CODE(load(curve_id::bn254, records_of<fr>({{2, 0, 0, 1}}), 8, 8), "ZkeyCoefficientOutOfRange");
    CHECK_THROWS_CODE(load(curve_id::bn254, records_of<fr>({{0, 8, 0, 1}}), 8, 8), "ZkeyCoefficientOutOfRange");
    try {
        load(curve_id::bn254, records_of<fr>({{0, 7, 7, 1}, {1, 0, 8, 1}}), 8, 8);
        CHECK(false);
    } catch (const error& e) {
        CHECK_EQ(e.code(), std::string("ZkeyCoefficientOutOfRange"));
        CHECK_EQ(e.offset(), uint64_t{1044});
    }
    auto bytes = records_of<fr>({{0, 0, 0, 1}});
    std::memcpy(&bytes[12], fr::modulus.data(), 32);
    CHECK_THROWS_CODE(load(curve_id::bn254, bytes, 8, 8), "ZkeyCoefficientNotReduced");
}
