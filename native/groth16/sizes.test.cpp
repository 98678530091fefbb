// What is promised before loading, against what is then allocated: buffers by their own count, everything else by the operators here.
#include "groth16/sizes.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>

#include <malloc.h>

#include "device/allocated.hpp"
#include "groth16/matrix.hpp"
#include "groth16/prove.hpp"
#include "groth16/small_circuits.hpp"
#include "test/check.hpp"

void* operator new(size_t bytes) {
    void* const p = std::malloc(bytes ? bytes : 1);
    if (!p) throw std::bad_alloc();
    cuzk::allocated::add(malloc_usable_size(p));
    return p;
}
void operator delete(void* p) noexcept {
    if (p) cuzk::allocated::remove(malloc_usable_size(p));
    std::free(p);
}
void operator delete(void* p, size_t) noexcept { operator delete(p); }

using namespace cuzk;
using namespace cuzk::test;

namespace {

// A chain of n squares, v' = k v x l v, with coefficients of their own where `many` says so: every value fills the field, and every signal
// is in A and in B, so that no point is at infinity.
struct dense_circuit {
    uint32_t n, n_public;
    bool many;

    uint32_t n_wires() const { return value(n) + 1; }
    uint32_t value(uint32_t i) const { return 1 + n_public + i; }
    int64_t k(uint32_t i) const { return many ? 3 + 2 * int64_t{i} : 1; }
    int64_t l(uint32_t i) const { return many ? 4 + 2 * int64_t{i} : 1; }

    void write_r1cs(curve_id curve, const std::string& path) const {
        small_circuit c{"dense", n_public, n_wires(), {}, {}};
        for (uint32_t i = 0; i < n; i++) c.constraints.push_back({{{value(i), k(i)}}, {{value(i), l(i)}}, {{value(i + 1), 1}}});
        for (uint32_t p = 1; p <= n_public; p++) c.constraints.push_back({{{value(0), 1}}, {{0, 1}}, {{p, 1}}});
        c.write_r1cs(curve, path);
    }
    void write_witness(curve_id curve, const std::string& path) const {
        std::vector<uint64_t> words(4 * n_wires());
        with_curve(curve, [&]<class Curve>() {
            using fr = typename Curve::fr;
            const auto set = [&](uint32_t wire, const fr& v) { v.to_canonical(&words[4 * wire]); };
            fr v = fr::from_u64(3).inverse();
            set(0, fr::one());
            for (uint32_t p = 1; p <= n_public; p++) set(p, v);
            for (uint32_t i = 0; i < n; i++, v = v.sqr() * fr::from_u64(static_cast<uint64_t>(k(i - 1) * l(i - 1)))) set(value(i), v);
            set(value(n), v);
        });
        write_wtns(path, curve, words.data(), n_wires());
    }
};

// Runs body; the most that it allocated at any moment besides what was there.
template <class Body>
uint64_t peak_of(Body&& body) {
    const size_t before = allocated::now();
    allocated::restart_peak();
    body();
    return allocated::peak() - before;
}

struct measured {
    uint64_t load = 0, synthesis = 0, proof = 0, finish = 0;
};

// With the witness as bytes in memory, as programs give it.
measured measure(const temporary_folder& folder, size_t threads, const circuit_sizes& sizes) {
    const std::string zkey = folder / "c.zkey", wtns = folder / "c.wtns";
    thread_pool pool(threads);
    task t;
    measured m;
    std::shared_ptr<const circuit> key;
    m.load = peak_of([&] { key = load_circuit(zkey, {true, true}, pool, t); });
    CHECK_EQ(key->resident_bytes(), sizes.key);
    CHECK_EQ(key->proof_bytes(threads), sizes.proof());
    m.load -= sizes.key;
    std::ifstream in(wtns, std::ios::binary);
    auto bytes = std::make_shared<buffer>(buffer::secret(std::filesystem::file_size(wtns)));
    in.read(bytes->as<char>(), static_cast<std::streamsize>(bytes->bytes()));
    std::shared_ptr<const input_file> witness(new input_file(bytes->data(), bytes->bytes(), "w"), [bytes](const input_file* file) { delete file; });
    const uint64_t file_bytes = bytes->bytes();
    bytes.reset();
    const size_t before = allocated::now() - file_bytes;
    synthesis s;
    m.synthesis = file_bytes + peak_of([&] { s = synthesize(key, std::move(witness), pool, t); });
    const uint64_t held = allocated::now() - before;
    pending_proof pending;
    m.proof = held + peak_of([&] { pending = prove_start(std::move(s), pool, t); });
    const uint64_t pending_bytes = allocated::now() - before;
    m.finish = pending_bytes + peak_of([&] { prove_finish(std::move(pending), t); });
    return m;
}

void check_bound(const std::string& what, uint64_t measured, uint64_t promised) {
    const bool enough = measured <= promised, tight = promised <= measured + measured / 4 + (256 << 10);
    if (!enough || !tight)
        fail(__FILE__, __LINE__, what + ": " + std::to_string(measured) + " bytes were taken, " + std::to_string(promised) + " promised");
}

void check_sizes(const std::string& name, const temporary_folder& folder, std::initializer_list<size_t> thread_counts) {
    for (const size_t threads : thread_counts) {
        task t;
        const sized_key sized = read_sizes(folder / "c.zkey", threads, std::nullopt, t);
        CHECK_EQ(t.done(), t.total() - 4);  // but the number of coefficients
        const measured m = measure(folder, threads, sized.bytes);
        const std::string of = name + ", " + std::to_string(threads) + " threads, ";
        check_bound(of + "load", m.load, sized.bytes.load);
        check_bound(of + "synthesis", m.synthesis, sized.bytes.synthesis);
        check_bound(of + "proof", m.proof, sized.bytes.proof());
        check_bound(of + "finish", m.finish, sized.bytes.finish);
    }
}

template <class Circuit>
void make_key(curve_id curve, const Circuit& c, const temporary_folder& folder) {
    thread_pool pool(2);
    task t;
    c.write_r1cs(curve, folder / "c.r1cs");
    setup(folder / "c.r1cs", folder / "c.zkey", pool, t);
}

const curve_id both[] = {curve_id::bn254, curve_id::bls12_381};
std::string name_of(curve_id curve) { return curve == curve_id::bn254 ? "bn254" : "bls12-381"; }

}  // namespace

TEST("small circuits take what was promised, and no more") {
    for (const curve_id curve : both)
        for (const small_circuit& c : all_small_circuits()) {
            const temporary_folder folder;
            make_key(curve, c, folder);
            c.write_witness(curve, folder / "c.wtns", c.witness);
            check_sizes(name_of(curve) + " " + c.name, folder, {1, 3});
        }
}

TEST("circuits with many public signals, or so many different coefficients that their numbers are wide, take what was promised") {
    for (const curve_id curve : both)
        for (const dense_circuit& c : {dense_circuit{6000, 2000, false}, dense_circuit{35000, 3, true}}) {
            const temporary_folder folder;
            make_key(curve, c, folder);
            c.write_witness(curve, folder / "c.wtns");
            check_sizes(name_of(curve) + (c.many ? " many coefficients" : " many publics"), folder, {1, 4});
        }
}

TEST("a witness of small values, for which other windows are cheaper, takes no more than was promised") {
    const small_circuit c = chain_circuit(20000);
    const temporary_folder folder;
    make_key(curve_id::bn254, c, folder);
    c.write_witness(curve_id::bn254, folder / "c.wtns", c.witness);
    for (const size_t threads : {1, 2, 8}) {
        task t;
        const sized_key sized = read_sizes(folder / "c.zkey", threads, std::nullopt, t);
        CHECK(measure(folder, threads, sized.bytes).proof <= sized.bytes.proof());
    }
}

TEST("building the matrices takes what was promised, with few and with many different coefficients") {
    for (const dense_circuit& c : {dense_circuit{35000, 3, false}, dense_circuit{35000, 3, true}}) {
        const temporary_folder folder;
        make_key(curve_id::bn254, c, folder);
        const input_file file(folder / "c.zkey");
        const zkey_layout key = read_zkey_layout(file);
        const auto read = [&](uint64_t offset, void* to, size_t size) { file.read(key.records_offset() + offset, to, size); };
        task t;
        for (const size_t threads : {1, 4}) {
            thread_pool pool(threads);
            const uint64_t values = count_coefficient_values(key.curve, key.n_coefficients, read, pool, t);
            matrices m;
            const uint64_t taken = peak_of([&] {
                m = load_matrices(key.curve, key.n_coefficients, key.domain_size, key.n_vars, key.records_offset(), read, pool, t);
            });
            const matrix_sizes promised = matrix_bytes(key.n_coefficients, key.domain_size, values, threads);
            CHECK_EQ(m.dictionary_size, values);
            CHECK_EQ(m.bytes(), promised.held);
            CHECK(taken <= promised.building + (16 << 10));
            // How the threads share the values is not known before.
            if (threads == 1) check_bound("matrices", taken, promised.building + (16 << 10));
        }
    }
}

TEST("a known number of different coefficients is believed where the header allows it, and spares reading them") {
    const temporary_folder folder;
    make_key(curve_id::bn254, dense_circuit{100, 3, true}, folder);
    const auto sizes = [&](std::optional<uint64_t> known) {
        task t;
        const sized_key sized = read_sizes(folder / "c.zkey", 2, known, t);
        return std::tuple{sized.coefficient_values, sized.bytes.key, t.total() != 0};
    };
    const auto [values, key_bytes, read] = sizes(std::nullopt);
    CHECK_EQ(values, uint64_t{202});  // 3 to 202, and 1 and -1
    CHECK(read);
    CHECK(sizes(values) == (std::tuple{values, key_bytes, false}));
    CHECK(sizes(values + 1) == (std::tuple{values + 1, key_bytes + 32, false}));
    for (const uint64_t impossible : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 40}) CHECK(sizes(impossible) == (std::tuple{values, key_bytes, true}));
}

TEST("reading sizes stops when its task is aborted, and names the file that it refuses") {
    const temporary_folder folder;
    make_key(curve_id::bn254, product_circuit(), folder);
    task t;
    t.abort();
    bool stopped = false;
    try {
        read_sizes(folder / "c.zkey", 1, std::nullopt, t);
    } catch (const aborted&) {
        stopped = true;
    }
    CHECK(stopped);
    std::filesystem::resize_file(folder / "c.zkey", 1000);
    task other;
    try {
        read_sizes(folder / "c.zkey", 1, std::nullopt, other);
    } catch (const error& e) {
        CHECK_EQ(e.code(), "ZkeyTruncated");
        CHECK_EQ(e.file(), folder / "c.zkey");
        return;
    }
    CHECK(!"nothing was refused");
}
