// Tiny files of every format, in memory.
#pragma once

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "formats/r1cs.hpp"
#include "formats/wtns.hpp"
#include "formats/zkey.hpp"

namespace cuzk::test {

using bytes = std::vector<unsigned char>;

// A temporary over bytes: good for the full expression that it stands in.
struct as_file : input_file {
    explicit as_file(const bytes& b) : input_file(b.data(), b.size(), "memory") {}
};

inline void put_u32(bytes& b, size_t offset, uint32_t v) { std::memcpy(b.data() + offset, &v, 4); }
inline void append(bytes& b, const void* from, size_t size) {
    const auto* p = static_cast<const unsigned char*>(from);
    b.insert(b.end(), p, p + size);
}
template <class T>
void append(bytes& b, T v) { append(b, &v, sizeof v); }

// Magic, version, count; section 1 begins at 24 (12 of header, 12 of its own).
inline void begin(bytes& b, const char* magic, uint32_t version, uint32_t sections) {
    append(b, magic, 4);
    append(b, version);
    append(b, sections);
}

// A folder of its own, gone at the end: test runs beside each other do not meet.
struct temporary_folder {
    std::filesystem::path path;
    temporary_folder() {
        std::string name = (std::filesystem::temp_directory_path() / "cuzk-test-XXXXXX").string();
        if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
        path = name;
    }
    ~temporary_folder() { std::filesystem::remove_all(path); }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    std::string operator/(const char* name) const { return (path / name).string(); }
};

inline bytes file_of(const std::function<void(const std::string& path)>& write) {
    const temporary_folder folder;
    write(folder / "file");
    std::ifstream in(folder / "file", std::ios::binary);
    return bytes{std::istreambuf_iterator<char>(in), {}};
}

struct zkey_counts {
    uint32_t vars = 5, publics = 2, domain = 4, coefficients = 1;
};
// The size of the last section, the mark of a development setup.
inline constexpr size_t development_text_size = 88;

// A key of these sizes; points and coefficients are zeros.
inline bytes small_zkey(curve_id curve, const zkey_counts& n = {}) {
    return file_of([&](const std::string& path) {
        zkey_writer w(path, 9 + zkey_writer::development_sections);
        const size_t g1 = curve == curve_id::bn254 ? 8 : 12, g2 = 2 * g1;
        const std::vector<uint64_t> p1(g1), p2(g2);
        w.header(curve, n.vars, n.publics, n.domain, {p1, p1, p2, p2, p1, p2});
        const auto section = [&](zkey_section id, size_t points, size_t words) {
            w.begin(id);
            const std::vector<char> zeros(points * words * 8);
            w.out().write(zeros.data(), zeros.size());
            w.end();
        };
        section(zkey_section::ic, n.publics + 1, g1);
        w.begin(zkey_section::coefficients);
        w.out().write_u32(n.coefficients);
        const std::vector<char> records(44 * n.coefficients);
        w.out().write(records.data(), records.size());
        w.end();
        section(zkey_section::a, n.vars, g1);
        section(zkey_section::b1, n.vars, g1);
        section(zkey_section::b2, n.vars, g2);
        section(zkey_section::c, n.vars - n.publics - 1, g1);
        section(zkey_section::h, n.domain, g1);
        w.development_mark();
        w.finish();
    });
}
// Where n_vars, n_public and domain_size stand in small_zkey.
inline size_t zkey_counts_offset(curve_id curve) { return 28 + 12 + 4 + (curve == curve_id::bn254 ? 32 : 48) + 4 + 32; }

inline bytes small_wtns(curve_id curve, size_t n) {
    std::vector<uint64_t> values(4 * n);
    for (size_t i = 0; i < n; i++) values[4 * i] = i + 1;
    return file_of([&](const std::string& path) { write_wtns(path, curve, values.data(), n); });
}

// Four wires, two constraints 2 w1 * 3 w2 = 7 w3 and 2 w3 * 3 w2 = 7 w3, and labels.
inline bytes small_r1cs(curve_id curve) {
    bytes b;
    begin(b, "r1cs", 1, 3);
    append(b, uint32_t{1});
    append(b, uint64_t{4 + 32 + 16 + 8 + 4});
    append(b, uint32_t{32});
    append(b, moduli_of(curve).r.data(), 32);
    for (const uint32_t count : {4u, 1u, 0u, 1u}) append(b, count);
    append(b, uint64_t{31});
    append(b, uint32_t{2});
    append(b, uint32_t{2});
    append(b, uint64_t{2 * 3 * 40});
    const auto term = [&](uint32_t wire, uint64_t coefficient) {
        append(b, uint32_t{1});
        append(b, wire);
        for (const uint64_t word : {coefficient, uint64_t{0}, uint64_t{0}, uint64_t{0}}) append(b, word);
    };
    for (const uint32_t a : {1u, 3u}) {
        term(a, 2);
        term(2, 3);
        term(3, 7);
    }
    append(b, uint32_t{3});
    append(b, uint64_t{32});
    for (const uint64_t label : {0, 10, 20, 30}) append(b, label);
    return b;
}
inline constexpr size_t r1cs_constraint_count_offset = 24 + 4 + 32 + 16 + 8;

// Every format with a function that reads all of it.
inline std::vector<std::pair<bytes, std::function<void(const bytes&)>>> all_small_files() {
    const auto zkey = [](const bytes& b) {
        const as_file file(b);
        read_zkey_contributions(file, read_zkey_layout(file));
    };
    const auto wtns = [](const bytes& b) { read_wtns_layout(as_file(b)); };
    const auto r1cs = [](const bytes& b) {
        const as_file file(b);
        for_each_constraint(file, read_r1cs_layout(file), [](const constraint&) { return true; });
    };
    return {{small_zkey(curve_id::bn254), zkey},
            {small_zkey(curve_id::bls12_381), zkey},
            {small_wtns(curve_id::bn254, 4), wtns},
            {small_r1cs(curve_id::bls12_381), r1cs}};
}

}  // namespace cuzk::test
