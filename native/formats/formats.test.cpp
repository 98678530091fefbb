#include <cstring>

#include "formats/r1cs.hpp"
#include "formats/sym.hpp"
#include "formats/wtns.hpp"
#include "formats/zkey.hpp"
#include "test/check.hpp"
#include "test/format_bytes.hpp"

using namespace cuzk;
using test::bytes;
using test::as_file;

namespace {

std::string message_of(const bytes& wtns, const std::string& code) {
    try {
        read_wtns_layout(as_file(wtns));
    } catch (const error& e) {
        CHECK_EQ(e.code(), code);
        return e.message();
    }
    return "";
}

}  // namespace

TEST("a key that we write is read back with the same header and sections, on both curves") {
    for (const curve_id curve : {curve_id::bn254, curve_id::bls12_381}) {
        const bytes key = test::small_zkey(curve);
        const zkey_layout k = read_zkey_layout(as_file(key));
        CHECK(k.curve == curve);
        CHECK_EQ(k.n_vars, 5u);
        CHECK_EQ(k.n_public, 2u);
        CHECK_EQ(k.domain_size, 4u);
        CHECK_EQ(k.log_domain, 2u);
        CHECK_EQ(k.n_coefficients, 1u);
        CHECK(k.development_setup);
        const auto contributions = read_zkey_contributions(as_file(key), k);
        CHECK_EQ(contributions.size(), 1u);
        CHECK_EQ(contributions[0].name, std::string("insecure development setup: secrets known"));
    }
}

TEST("every truncation of a key, a witness and a circuit is refused with a code, never read past its end") {
    for (const auto& [file, read] : test::all_small_files()) {
        read(file);
        for (size_t size = 0; size < file.size(); size++) {
            const bytes cut(file.begin(), file.begin() + static_cast<ptrdiff_t>(size));
            bool refused = false;
            try {
                read(cut);
            } catch (const error& e) {
                refused = !e.code().empty() && !e.message().empty() && !e.remedy().empty() && e.has_offset();
            }
            CHECK(refused);
        }
    }
}

TEST("a truncated witness says the section, the offset and the sizes") {
    bytes w = test::small_wtns(curve_id::bn254, 3);
    w.erase(w.end() - 5, w.end());
    try {
        read_wtns_layout(as_file(w));
        CHECK(false);
    } catch (const error& e) {
        CHECK_EQ(e.code(), std::string("WtnsTruncated"));
        CHECK_EQ(e.message(), std::string("section 2 (values) is cut off: 96 bytes expected, 91 there"));
        CHECK_EQ(e.offset(), 76u);
    }
}

TEST("a file of another kind is told what it is") {
    const bytes w = test::small_wtns(curve_id::bn254, 1);
    CHECK_THROWS_CODE(read_zkey_layout(as_file(w)), "ZkeyNotThisFormat");
    CHECK_THROWS_CODE(read_r1cs_layout(as_file(w)), "R1csNotThisFormat");
    const bytes text{'{', '"', 'a', '"', ':', '1', '}', ' ', ' ', ' ', ' ', ' ', ' '}, none;
    try {
        read_zkey_layout(as_file(text));
        CHECK(false);
    } catch (const error& e) {
        CHECK_EQ(e.message(), std::string("this is not a .zkey file: it is JSON text"));
    }
    try {
        read_zkey_layout(as_file(none));
        CHECK(false);
    } catch (const error& e) {
        CHECK_EQ(e.message(), std::string("this is not a .zkey file: it is empty"));
    }
}

TEST("sizes that a header claims are checked against the file before anything is allocated") {
    for (const auto& [domain, code] :
         {std::pair{0u, "ZkeyDomainSize"}, {3u, "ZkeyDomainSize"}, {1u << 28, "ZkeyDomainSize"}, {1u << 27, "ZkeySectionSize"}}) {
        bytes key = test::small_zkey(curve_id::bn254);
        test::put_u32(key, test::zkey_counts_offset(curve_id::bn254) + 8, domain);
        CHECK_THROWS_CODE(read_zkey_layout(as_file(key)), code);
    }
    bytes key = test::small_zkey(curve_id::bn254);
    test::put_u32(key, test::zkey_counts_offset(curve_id::bn254), 0xffffffff);
    CHECK_THROWS_CODE(read_zkey_layout(as_file(key)), "ZkeySectionSize");
    key = test::small_zkey(curve_id::bn254);
    test::put_u32(key, test::zkey_counts_offset(curve_id::bn254) + 4, 5);
    CHECK_THROWS_CODE(read_zkey_layout(as_file(key)), "ZkeyPublicCount");
    bytes circuit = test::small_r1cs(curve_id::bn254);
    test::put_u32(circuit, test::r1cs_constraint_count_offset, 0xffffffff);
    CHECK_THROWS_CODE(read_r1cs_layout(as_file(circuit)), "R1csTruncated");
}

TEST("a file that claims more sections than any has is refused before they are looked for") {
    bytes key = test::small_zkey(curve_id::bn254);
    test::put_u32(key, 8, 0xffffffff);
    CHECK_THROWS_CODE(read_zkey_layout(as_file(key)), "ZkeySectionCount");
}

TEST("a section whose end lies beyond all numbers is cut off like any other") {
    bytes key = test::small_zkey(curve_id::bn254);
    for (size_t i = 16; i < 24; i++) key[i] = 0xff;
    key[16] = 0xf4;  // 24 + 2^64 - 12 wraps to the section's own beginning
    CHECK_THROWS_CODE(read_zkey_layout(as_file(key)), "ZkeyTruncated");
}

TEST("a section that stands twice, and one that is missing, are refused by name") {
    bytes w = test::small_wtns(curve_id::bn254, 1);
    test::put_u32(w, 8, 3);  // one section more: the values again
    const bytes values(w.end() - 12 - 32, w.end());
    w.insert(w.end(), values.begin(), values.end());
    CHECK_EQ(message_of(w, "WtnsSectionRepeated"), std::string("section 2 (values) stands twice in the file"));
    w = test::small_wtns(curve_id::bn254, 1);
    test::put_u32(w, 64, 7);
    CHECK_EQ(message_of(w, "WtnsSectionMissing"), std::string("section 2 (values) is missing"));
}

TEST("a key for another proof system or another curve is refused by name") {
    bytes key = test::small_zkey(curve_id::bn254);
    for (const auto& [protocol, name] : {std::pair{2u, "PLONK"}, {10u, "FFLONK"}, {7u, "an unknown proof system"}}) {
        test::put_u32(key, 24, protocol);
        try {
            read_zkey_layout(as_file(key));
            CHECK(false);
        } catch (const error& e) {
            CHECK_EQ(e.code(), std::string("ZkeyProtocol"));
            CHECK_EQ(e.message(),
                     std::string("this is a key for ") + name + " (protocol " + std::to_string(protocol) + "), not for Groth16");
        }
    }
    key = test::small_zkey(curve_id::bn254);
    key[45] ^= 1;  // in the base field's prime
    try {
        read_zkey_layout(as_file(key));
        CHECK(false);
    } catch (const error& e) {
        CHECK_EQ(e.code(), std::string("ZkeyUnknownCurve"));
        CHECK_EQ(e.message(), std::string("the key's scalar field is that of bn254, but its base field is not"));
    }
}

TEST("a development key that somebody contributed to is still one; contributions that cannot be read do not hinder proving") {
    // snarkjs zkey contribute keeps the list of contributions and drops the section that it does not know.
    bytes key = test::small_zkey(curve_id::bn254);
    test::put_u32(key, key.size() - 12 - test::development_text_size, 99);
    CHECK(read_zkey_layout(as_file(key)).development_setup);
    const size_t contribution_name = key.size() - 12 - test::development_text_size - (sizeof development_contribution - 1);
    key[contribution_name] = 'I';
    const zkey_layout k = read_zkey_layout(as_file(key));
    CHECK(!k.development_setup);
    CHECK_EQ(read_zkey_contributions(as_file(key), k)[0].name, std::string("Insecure development setup: secrets known"));
    key[contribution_name - 2] = 4;  // no such parameter
    CHECK(!read_zkey_layout(as_file(key)).development_setup);
    CHECK_THROWS_CODE(read_zkey_contributions(as_file(key), k), "ZkeyContribution");
    key[contribution_name - 2] = 1;
    key[contribution_name - 1] = 200;  // longer than the contribution
    CHECK_THROWS_CODE(read_zkey_contributions(as_file(key), k), "ZkeyContribution");
    test::put_u32(key, contribution_name - 6, 0xffffffff);
    CHECK_THROWS_CODE(read_zkey_contributions(as_file(key), k), "ZkeyContribution");
}

TEST("sections may be empty: no private signal, no coefficient, no constraint") {
    const bytes key = test::small_zkey(curve_id::bls12_381, {.vars = 1, .publics = 0, .domain = 1, .coefficients = 0});
    const zkey_layout k = read_zkey_layout(as_file(key));
    CHECK_EQ(k.c.size, 0u);
    CHECK_EQ(k.n_coefficients, 0u);
    CHECK_EQ(k.log_domain, 0u);
    bytes circuit = test::small_r1cs(curve_id::bn254);
    test::put_u32(circuit, test::r1cs_constraint_count_offset, 0);
    test::put_u32(circuit, test::r1cs_constraint_count_offset + 8, 0);
    circuit.erase(circuit.begin() + test::r1cs_constraint_count_offset + 16,
                  circuit.begin() + test::r1cs_constraint_count_offset + 16 + 240);
    const r1cs_layout c = read_r1cs_layout(as_file(circuit));
    for_each_constraint(as_file(circuit), c, [](const constraint&) -> bool { throw std::runtime_error("there is no constraint"); });
}

TEST("a witness value that is not below the modulus is refused with its number") {
    bytes w = test::small_wtns(curve_id::bn254, 3);
    const wtns_layout layout = read_wtns_layout(as_file(w));
    std::memcpy(w.data() + layout.values_offset + 64, moduli_of(curve_id::bn254).r.data(), 32);
    std::vector<uint64_t> values(12);
    const input_file file(w.data(), w.size(), "memory");
    file.read(layout.values_offset, values.data(), 96);
    check_witness_values(file, layout, values.data(), 0, 2);
    try {
        check_witness_values(file, layout, values.data(), 0, 3);
        CHECK(false);
    } catch (const error& e) {
        CHECK_EQ(e.code(), std::string("WitnessNotReduced"));
        CHECK_EQ(e.offset(), layout.values_offset + 64);
    }
}

TEST("constraints come back as they were written; wires and coefficients out of range are refused") {
    bytes circuit = test::small_r1cs(curve_id::bls12_381);
    const r1cs_layout layout = read_r1cs_layout(as_file(circuit));
    CHECK_EQ(layout.n_constraints, 2u);
    size_t seen = 0;
    for_each_constraint(as_file(circuit), layout, [&](const constraint& c) {
        CHECK_EQ(c.a.size(), 1u);
        CHECK_EQ(c.a.wires[0], seen == 0 ? 1u : 3u);
        CHECK_EQ(c.c.values[0], 7u);
        seen++;
        return true;
    });
    CHECK_EQ(seen, 2u);
    CHECK(wire_labels(as_file(circuit), layout, {0, 3}) == (std::vector<uint64_t>{0, 30}));
    const auto read_all = [&] { for_each_constraint(as_file(circuit), layout, [](const constraint&) { return true; }); };
    test::put_u32(circuit, layout.constraints.offset + 4, 4);
    CHECK_THROWS_CODE(read_all(), "R1csWireOutOfRange");
    circuit = test::small_r1cs(curve_id::bls12_381);
    std::memset(circuit.data() + layout.constraints.offset + 8, 0xff, 32);
    CHECK_THROWS_CODE(read_all(), "R1csCoefficientNotReduced");
    circuit = test::small_r1cs(curve_id::bls12_381);
    test::put_u32(circuit, layout.constraints.offset, 0xffffffff);
    CHECK_THROWS_CODE(read_all(), "R1csTruncated");
}

TEST("constraints behind those that the header counts are refused, not passed over") {
    bytes circuit = test::small_r1cs(curve_id::bn254);
    test::put_u32(circuit, test::r1cs_constraint_count_offset, 1);
    const r1cs_layout layout = read_r1cs_layout(as_file(circuit));
    CHECK_THROWS_CODE(for_each_constraint(as_file(circuit), layout, [](const constraint&) { return true; }), "R1csSectionSize");
}

TEST("a constraint that is cut off is named with the offset and the sizes") {
    bytes circuit = test::small_r1cs(curve_id::bn254);
    const r1cs_layout layout = read_r1cs_layout(as_file(circuit));
    test::put_u32(circuit, layout.constraints.offset + 200, 3);  // three terms in the last combination, where there is one
    try {
        for_each_constraint(as_file(circuit), layout, [](const constraint&) { return true; });
        CHECK(false);
    } catch (const error& e) {
        CHECK_EQ(e.code(), std::string("R1csTruncated"));
        CHECK_EQ(e.message(), std::string("section 2 (constraints) ends in constraint 1 of 2: 108 bytes expected, 36 there"));
        CHECK_EQ(e.offset(), layout.constraints.offset + 204);
    }
}

TEST("a circuit with custom gates is refused, one with empty lists of them is read") {
    for (const uint32_t gates : {0u, 1u}) {
        bytes circuit = test::small_r1cs(curve_id::bn254);
        test::put_u32(circuit, 8, 4);
        test::append(circuit, uint32_t{4});
        test::append(circuit, uint64_t{4});
        test::append(circuit, gates);
        if (gates == 0)
            CHECK_EQ(read_r1cs_layout(as_file(circuit)).n_constraints, 2u);
        else
            CHECK_THROWS_CODE(read_r1cs_layout(as_file(circuit)), "R1csCustomGates");
    }
}

TEST("signal names are found by wire, with any line ends, and bad lines are numbered") {
    const std::string text = "1,1,0,main.out\r\n2,-1,0,main.gone\n\n3,2,1,main.c.in[0],x\n4,2,0,main.alias";
    const input_file file(text.data(), text.size(), "names.sym");
    const auto names = wire_names(file, {2, 1, 9});
    CHECK_EQ(names[0], std::string("main.c.in[0],x"));
    CHECK_EQ(names[1], std::string("main.out"));
    CHECK_EQ(names[2], std::string(""));
    const std::string bad = "1,1,0,a\n2,x,0,b\n";
    try {
        wire_names(input_file(bad.data(), bad.size(), "bad.sym"), {1});
        CHECK(false);
    } catch (const error& e) {
        CHECK_EQ(e.code(), std::string("SymLine"));
        CHECK_EQ(e.message(), std::string("line 2 is not `label,wire,component,name`"));
        CHECK_EQ(e.offset(), 8u);
    }
    const std::string binary("1,1,0,a\0b\n", 10);
    CHECK_THROWS_CODE(wire_names(input_file(binary.data(), binary.size(), "x"), {1}), "SymNotText");
    const std::string endless(200000, 'a');
    CHECK_THROWS_CODE(wire_names(input_file(endless.data(), endless.size(), "x"), {1}), "SymNotText");
}
