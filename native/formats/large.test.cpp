// Files beyond 4 GiB: sparse ones, so that they cost neither disk nor time.
#include <cstring>
#include <filesystem>
#include <fstream>

#include "test/check.hpp"
#include "test/format_bytes.hpp"

using namespace cuzk;
using test::bytes;

namespace {

constexpr uint64_t four_gib = uint64_t{4} << 30;

// Writes `file` with section bytes [offset, offset + size) grown to `grown` bytes by a hole in the middle of the file.
void write_with_hole(const std::string& path, bytes file, const section& s, uint64_t grown) {
    std::memcpy(file.data() + s.offset - 8, &grown, 8);
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(s.end()));
    out.seekp(static_cast<std::streamoff>(s.offset + grown));
    out.write(reinterpret_cast<const char*>(file.data() + s.end()), static_cast<std::streamsize>(file.size() - s.end()));
    out.close();
    std::filesystem::resize_file(path, file.size() - s.size + grown);
}

}  // namespace

TEST("sections of a key that are larger than 4 GiB, or lie beyond, are found and read") {
    const test::temporary_folder folder;
    const std::string path = folder / "large.zkey";
    bytes key = test::small_zkey(curve_id::bn254);
    const section h = read_zkey_layout(test::as_file(key)).h;
    const uint32_t domain = 1u << 26;
    test::put_u32(key, test::zkey_counts_offset(curve_id::bn254) + 8, domain);
    write_with_hole(path, key, h, uint64_t{domain} * 64);

    const input_file file(path);
    CHECK(file.size() > four_gib);
    const zkey_layout k = read_zkey_layout(file);
    CHECK_EQ(k.domain_size, uint64_t{domain});
    CHECK_EQ(k.h.size, four_gib);
    CHECK(k.development_setup);  // the mark stands behind the H points
    char text[8];
    file.read(file.size() - sizeof text, text, sizeof text);
    CHECK(std::memcmp(text, key.data() + key.size() - sizeof text, sizeof text) == 0);
}

TEST("a witness larger than 4 GiB is read at any place") {
    const test::temporary_folder folder;
    const std::string path = folder / "large.wtns";
    bytes witness = test::small_wtns(curve_id::bls12_381, 2);
    const wtns_layout small = read_wtns_layout(test::as_file(witness));
    const uint32_t values = (1u << 27) + 5;
    test::put_u32(witness, small.values_offset - 12 - 4, values);
    write_with_hole(path, witness, {2, small.values_offset, 64}, uint64_t{values} * 32);
    std::fstream end(path, std::ios::binary | std::ios::in | std::ios::out);
    end.seekp(static_cast<std::streamoff>(small.values_offset + (uint64_t{values} - 1) * 32)).put(9).flush();
    const input_file file(path);
    CHECK(file.size() > four_gib);
    const wtns_layout layout = read_wtns_layout(file);
    CHECK_EQ(layout.n_values, uint64_t{values});
    uint64_t last[4];
    file.read(layout.values_offset + (layout.n_values - 1) * 32, last, sizeof last);
    CHECK_EQ(last[0], 9u);
    check_witness_values(file, layout, last, layout.n_values - 1, 1);
}
