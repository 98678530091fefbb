// Writes the fuzzers' seed files: write_corpus FOLDER makes FOLDER/<format>/<name>. The committed corpus grew from these: each
// fuzzer ran for minutes, and then with -merge=1 kept the inputs that reach something new.
#include <filesystem>
#include <fstream>

#include "test/format_bytes.hpp"

int main(int argc, char** argv) {
    using namespace cuzk;
    if (argc != 2) return 2;
    const auto write = [&](const char* format, const char* name, const test::bytes& b) {
        const auto folder = std::filesystem::path(argv[1]) / format;
        std::filesystem::create_directories(folder);
        std::ofstream(folder / name, std::ios::binary).write(reinterpret_cast<const char*>(b.data()), static_cast<std::streamsize>(b.size()));
    };
    for (const curve_id curve : {curve_id::bn254, curve_id::bls12_381}) {
        const char* const name = curve == curve_id::bn254 ? "bn254" : "bls12-381";
        write("zkey", name, test::small_zkey(curve));
        write("wtns", name, test::small_wtns(curve, 3));
        write("r1cs", name, test::small_r1cs(curve));
    }
    const std::string text = "1,1,0,main.out\n2,-1,0,main.gone\r\n3,2,1,main.c.in[0]\n";
    write("sym", "three", test::bytes(text.begin(), text.end()));
}
