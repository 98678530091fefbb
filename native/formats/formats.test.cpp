#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

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

struct temporary_folder {
    std::filesystem::path path;
    temporary_folder() {
        std::string name = (std::filesystem::temp_directory_path() / "cuzk-formats-XXXXXX").string();
        path = mkdtemp(name.data());
    }
    ~temporary_folder() { std::filesystem::remove_all(path); }
    std::string operator/(const char* name) const { return (path / name).string(); }
};

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
        CHECK(read_zkey_contributions(as_file(key), k).empty());
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
        CHECK_EQ(e.message(), std::string("section 2 has 96 bytes, but the file has only 91 more"));
        CHECK_EQ(e.offset(), 64u);
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
    for (const auto& [domain, code] : {std::pair{0u, "ZkeyDomainSize"}, {3u, "ZkeyDomainSize"}, {1u << 28, "ZkeyDomainSize"}, {1u << 27, "ZkeySectionSize"}}) {
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

TEST("a key for another proof system or another curve is refused by name") {
    bytes key = test::small_zkey(curve_id::bn254);
    test::put_u32(key, 24, 2);
    CHECK_THROWS_CODE(read_zkey_layout(as_file(key)), "ZkeyProtocol");
    key = test::small_zkey(curve_id::bn254);
    key[45] ^= 1;  // in the base field's prime
    CHECK_THROWS_CODE(read_zkey_layout(as_file(key)), "ZkeyUnknownCurve");
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

TEST("missing files, folders and files that shrink while they are read have their own errors") {
    const temporary_folder folder;
    CHECK_THROWS_CODE(input_file(folder / "none"), "FileNotFound");
    CHECK_THROWS_CODE(input_file(folder.path.string()), "FileIsDirectory");
    std::ofstream(folder / "some") << "0123456789";
    const input_file file(folder / "some");
    CHECK_EQ(file.size(), 10u);
    std::filesystem::resize_file(folder / "some", 4);
    char to[10];
    CHECK_THROWS_CODE(file.read(0, to, 10), "FileChanged");
}

TEST("an output file appears only when it is complete") {
    const temporary_folder folder;
    {
        output_file out(folder / "a");
        out.write("lost", 4);
    }
    CHECK(std::filesystem::is_empty(folder.path));
    output_file out(folder / "b");
    std::vector<char> much(3 << 20, 'x');
    out.write(much.data(), much.size());
    out.write_at(0, "y", 1);
    CHECK(!std::filesystem::exists(folder / "b"));
    out.commit();
    CHECK_EQ(std::filesystem::file_size(folder / "b"), much.size());
    std::ifstream in(folder / "b");
    CHECK_EQ(static_cast<char>(in.get()), 'y');
    CHECK_THROWS_CODE(output_file(folder / "no/such/folder"), "FileUnwritable");
}
