// Small circuits for tests: constraints over small integers, written as the .r1cs and .wtns files that a compiler would make.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "field/curves.hpp"
#include "formats/wtns.hpp"
#include "formats/zkey.hpp"
#include "groth16/setup.hpp"
#include "test/format_bytes.hpp"

namespace cuzk::test {

using small_terms = std::vector<std::pair<uint32_t, int64_t>>;  // wire, coefficient

struct small_constraint {
    small_terms a, b, c;
};

// Wire 0 is 1, then the public wires (outputs), then the others.
struct small_circuit {
    std::string name;
    uint32_t n_public = 0, n_wires = 1;
    std::vector<small_constraint> constraints;
    std::vector<int64_t> witness;  // a satisfying one

    void write_r1cs(curve_id curve, const std::string& path) const {
        std::string out = "r1cs";
        const auto u32 = [&](uint32_t v) { out.append(reinterpret_cast<const char*>(&v), 4); };
        const auto u64 = [&](uint64_t v) { out.append(reinterpret_cast<const char*>(&v), 8); };
        u32(1);
        u32(3);
        u32(1);
        u64(4 + 32 + 16 + 8 + 4);
        u32(32);
        out.append(reinterpret_cast<const char*>(moduli_of(curve).r.data()), 32);
        u32(n_wires);
        u32(n_public);
        u32(0);
        u32(0);
        u64(n_wires);
        u32(static_cast<uint32_t>(constraints.size()));
        u32(2);
        const size_t size_at = out.size();
        u64(0);
        for (const auto& one : constraints)
            for (const auto* terms : {&one.a, &one.b, &one.c}) {
                u32(static_cast<uint32_t>(terms->size()));
                for (const auto& [wire, value] : *terms) {
                    u32(wire);
                    uint64_t words[4];
                    element(curve, value, words);
                    out.append(reinterpret_cast<const char*>(words), sizeof words);
                }
            }
        const uint64_t size = out.size() - size_at - 8;
        std::memcpy(out.data() + size_at, &size, 8);
        u32(3);
        u64(8 * uint64_t{n_wires});
        for (uint64_t wire = 0; wire < n_wires; wire++) u64(wire);
        std::ofstream(path, std::ios::binary).write(out.data(), static_cast<std::streamsize>(out.size()));
    }

    void write_witness(curve_id curve, const std::string& path, const std::vector<int64_t>& values) const {
        std::vector<uint64_t> words(values.size() * 4);
        for (size_t i = 0; i < values.size(); i++) element(curve, values[i], &words[4 * i]);
        write_wtns(path, curve, words.data(), values.size());
    }

    // value mod r, as a plain integer
    static void element(curve_id curve, int64_t value, uint64_t* words) {
        with_curve(curve, [&]<class Curve>() {
            using fr = typename Curve::fr;
            const fr v = value < 0 ? -fr::from_u64(static_cast<uint64_t>(-value)) : fr::from_u64(static_cast<uint64_t>(value));
            v.to_canonical(words);
        });
    }
};

// x y = z with z public.
inline small_circuit product_circuit() {
    return {"one constraint", 1, 4, {{{{2, 1}}, {{3, 1}}, {{1, 1}}}}, {1, 35, 5, 7}};
}
inline small_circuit without_publics() {
    return {"no public signal", 0, 3, {{{{1, 1}}, {{1, 1}, {0, 3}}, {{2, 1}}}}, {1, 4, 28}};
}
// As compilers write them: 0 * 0 = sum.
inline small_circuit linear_circuit() {
    return {"linear constraints only", 1, 4, {{{}, {}, {{1, 1}, {2, -1}, {3, -1}}}, {{}, {}, {{2, 2}, {3, -1}}}}, {1, 9, 3, 6}};
}
// x_(i + 1) = (x_i + i) (x_i - 1) - x_i for a while, from the last wire back to public ones; coefficients of all kinds.
inline small_circuit chain_circuit(uint32_t length) {
    small_circuit c{"chain", 3, 4 + length, {}, {1, 0, 0, 0}};
    c.witness.resize(c.n_wires);
    c.witness[4] = 2;
    for (uint32_t i = 0; i + 1 < length; i++) {
        const uint32_t from = 4 + i, to = from + 1;
        const int64_t x = c.witness[from];
        // The next value is one of 0, 1: x (x - 1) - x is -x there, so subtract what makes it alternate.
        const int64_t next = i % 2;
        const int64_t constant = (x + 1) * (2 * x - 1) - next;
        c.constraints.push_back({{{from, 1}, {0, 1}}, {{from, 2}, {0, -1}}, {{to, 1}, {0, constant}}});
        c.witness[to] = next;
    }
    for (uint32_t p = 1; p <= 3; p++) {
        c.witness[p] = c.witness[3 + p] * 5 + c.witness[4 + p];
        c.constraints.push_back({{{3 + p, 5}, {4 + p, 1}}, {{0, 1}}, {{p, 1}}});
    }
    return c;
}
inline std::vector<small_circuit> all_small_circuits() {
    return {product_circuit(), without_publics(), linear_circuit(), chain_circuit(8), chain_circuit(700)};
}

}  // namespace cuzk::test
