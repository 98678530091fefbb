#include "groth16/check_witness.hpp"

#include "groth16/inspect.hpp"
#include "groth16/small_circuits.hpp"
#include "test/check.hpp"

using namespace cuzk;
using namespace cuzk::test;

namespace {

std::optional<failed_constraint> check(curve_id curve, const small_circuit& c, const std::vector<int64_t>& witness, const char* sym = nullptr) {
    temporary_folder folder;
    c.write_r1cs(curve, folder / "c.r1cs");
    c.write_witness(curve, folder / "c.wtns", witness);
    if (sym) std::ofstream(folder / "c.sym") << sym;
    thread_pool pool(1);
    task t;
    const auto symbols = sym ? std::make_unique<input_file>(folder / "c.sym") : nullptr;
    return check_witness(input_file(folder / "c.r1cs"), input_file(folder / "c.wtns"), symbols.get(), pool, t);
}

}  // namespace

TEST("a satisfying witness passes the constraints on both curves") {
    for (const curve_id curve : {curve_id::bn254, curve_id::bls12_381})
        for (const small_circuit& c : all_small_circuits()) CHECK(!check(curve, c, c.witness));
}

TEST("the first failing constraint is named with its sums and its signals' names and values") {
    for (const curve_id curve : {curve_id::bn254, curve_id::bls12_381}) {
        const auto failed = check(curve, product_circuit(), {1, 36, 5, 7}, "1,1,0,main.out\n2,2,0,main.x\n3,3,0,main.y\n4,-1,0,main.gone\n");
        CHECK(failed.has_value());
        CHECK_EQ(failed->index, uint64_t{0});
        CHECK_EQ(failed->a, std::string("5"));
        CHECK_EQ(failed->b, std::string("7"));
        CHECK_EQ(failed->c, std::string("36"));
        CHECK_EQ(failed->signals.size(), size_t{3});
        CHECK_EQ(failed->signals[0].name, std::string("main.out"));
        CHECK_EQ(failed->signals[0].value, std::string("36"));
        CHECK_EQ(failed->signals[2].index, 3u);
    }
    small_circuit c = chain_circuit(100);
    c.witness[60] += 1;
    const auto failed = check(curve_id::bn254, c, c.witness);
    CHECK(failed.has_value());
    CHECK_EQ(failed->index, uint64_t{55});  // the one whose result is wire 60
    CHECK(failed->signals[1].name.empty());
}

TEST("a witness with another number of values is refused before any constraint is looked at") {
    CHECK_THROWS_CODE(check(curve_id::bn254, product_circuit(), {1, 35, 5}), "WitnessOfOtherCircuit");
}

TEST("inspect tells each format by its content") {
    temporary_folder folder;
    thread_pool pool(1);
    task t;
    const small_circuit c = product_circuit();
    c.write_r1cs(curve_id::bls12_381, folder / "r");
    c.write_witness(curve_id::bls12_381, folder / "w", c.witness);
    setup(folder / "r", folder / "z", pool, t);
    std::ofstream(folder / "s") << "1,1,0,main.out\n2,-1,0,main.x\n";
    std::ofstream(folder / "j") << "{}";
    std::ofstream(folder / "e");
    const auto value = [&](const char* file, const char* name) {
        for (const fact& f : inspect(folder / file))
            if (f.name == name) return f.value;
        throw std::runtime_error(std::string("no fact ") + name);
    };
    CHECK(std::get<std::string>(value("r", "format")) == "r1cs" && std::get<uint64_t>(value("r", "nConstraints")) == 1);
    CHECK(std::get<std::string>(value("w", "curve")) == "bls12-381" && std::get<uint64_t>(value("w", "nVars")) == 4);
    CHECK(std::get<std::string>(value("z", "insecure")).find("development") != std::string::npos);
    CHECK(std::get<uint64_t>(value("s", "nRemoved")) == 1);
    CHECK_THROWS_CODE(inspect(folder / "j"), "FormatUnknown");
    CHECK_THROWS_CODE(inspect(folder / "e"), "FormatUnknown");
}
