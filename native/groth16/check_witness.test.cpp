#include "groth16/check_witness.hpp"

#include <chrono>
#include <filesystem>
#include <future>
#include <optional>
#include <thread>

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

// Fails where `wrong` says; `malformed` names a constraint whose wire is out of range.
std::optional<failed_constraint> check_long(const std::vector<uint32_t>& wrong, std::optional<uint32_t> malformed, size_t threads) {
    small_circuit c{"squares", 0, 3, {}, {1, 3, 9}};
    const small_constraint holds{{{1, 1}}, {{1, 1}}, {{2, 1}}}, fails{{{1, 1}}, {{1, 2}}, {{2, 1}}};
    c.constraints.assign(60000, holds);  // 120 bytes each: 28 blocks
    for (const uint32_t i : wrong) c.constraints[i] = fails;
    if (malformed) c.constraints[*malformed].b[0].first = 3;
    temporary_folder folder;
    c.write_r1cs(curve_id::bn254, folder / "c.r1cs");
    c.write_witness(curve_id::bn254, folder / "c.wtns", c.witness);
    thread_pool pool(threads);
    task t;
    const auto failed = check_witness(input_file(folder / "c.r1cs"), input_file(folder / "c.wtns"), nullptr, pool, t);
    if (!failed) CHECK_EQ(t.done(), t.total());
    return failed;
}

TEST("of several failing constraints in many blocks the first is named, on any number of threads") {
    for (const size_t threads : {1, 2, 5}) {
        CHECK(!check_long({}, {}, threads));
        CHECK_EQ(check_long({59999}, {}, threads)->index, uint64_t{59999});
        CHECK_EQ(check_long({59999, 40000, 12345, 12344, 30000}, {}, threads)->index, uint64_t{12344});
        CHECK_EQ(check_long({0, 59999}, {}, threads)->index, uint64_t{0});
    }
}

TEST("a constraint that cannot be read is refused unless one before it fails, on any number of threads") {
    for (const size_t threads : {1, 2, 5}) {
        CHECK_THROWS_CODE(check_long({}, 50000, threads), "R1csWireOutOfRange");
        CHECK_THROWS_CODE(check_long({20001, 50000}, 20000, threads), "R1csWireOutOfRange");
        CHECK_EQ(check_long({19999}, 20000, threads)->index, uint64_t{19999});
        CHECK_EQ(check_long({3000}, 59000, threads)->index, uint64_t{3000});
    }
}

// x x = y, then 1 + 1 + ... = 1000 y of `terms` terms, then x x = y again.
small_circuit long_sum(size_t terms) {
    const small_constraint holds{{{1, 1}}, {{1, 1}}, {{2, 1}}}, sum{small_terms(terms, {0, 1}), {{0, 1}}, {{2, 1000}}};
    return {"long sum", 0, 3, {holds, sum, holds}, {1, 3, 9}};
}

TEST("a constraint longer than a block is evaluated") {
    CHECK(!check(curve_id::bn254, long_sum(9000), {1, 3, 9}));  // 324 kB
    CHECK_EQ(check(curve_id::bn254, long_sum(8999), {1, 3, 9})->a, std::string("8999"));
}

TEST("a constraint that is cut off is refused unless one before it fails") {
    const auto check_cut = [](const small_circuit& c, uint64_t& count_at) {
        temporary_folder folder;
        c.write_r1cs(curve_id::bn254, folder / "c.r1cs");
        c.write_witness(curve_id::bn254, folder / "c.wtns", c.witness);
        std::string bytes(std::filesystem::file_size(folder / "c.r1cs"), '\0');
        std::ifstream(folder / "c.r1cs").read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        // The last combination claims a term more than the section has; behind it stand the labels' section and its header.
        count_at = bytes.size() - (12 + 8 * c.n_wires) - 40;
        bytes[count_at] = 2;
        thread_pool pool(2);
        task t;
        return check_witness(input_file(bytes.data(), bytes.size(), "cut.r1cs"), input_file(folder / "c.wtns"), nullptr, pool, t);
    };
    uint64_t count_at = 0;
    CHECK_EQ(check_cut(long_sum(8999), count_at)->index, uint64_t{1});
    try {
        check_cut(long_sum(9000), count_at);
        CHECK(false);
    } catch (const error& e) {
        CHECK_EQ(e.code(), std::string("R1csTruncated"));
        CHECK_EQ(e.message(), std::string("section 2 (constraints) ends in constraint 2 of 3: 72 bytes expected, 36 there"));
        CHECK_EQ(e.offset(), count_at + 4);
    }
}

TEST("an aborted check of a witness stops within 100 ms") {
    small_circuit c{"squares", 0, 3, {}, {1, 3, 9}};
    small_constraint holds{{{1, 1}}, {{1, 1}}, {{2, 1}}};
    for (int i = 0; i < 40; i++) holds.a.push_back({0, 0});
    c.constraints.assign(100000, holds);
    temporary_folder folder;
    c.write_r1cs(curve_id::bn254, folder / "c.r1cs");
    c.write_witness(curve_id::bn254, folder / "c.wtns", c.witness);
    thread_pool pool(2);
    task t;
    auto run = std::async(std::launch::async, [&] {
        try {
            check_witness(input_file(folder / "c.r1cs"), input_file(folder / "c.wtns"), nullptr, pool, t);
        } catch (const aborted&) {
            return true;
        }
        return false;
    });
    while (t.done() == 0) std::this_thread::yield();
    const auto asked = std::chrono::steady_clock::now();
    t.abort();
    CHECK(run.get());
    CHECK(std::chrono::steady_clock::now() - asked < std::chrono::milliseconds(100));
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
