#include "groth16/prove.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "groth16/inspect.hpp"
#include "groth16/small_circuits.hpp"
#include "groth16/vkey.hpp"
#include "test/check.hpp"

using namespace cuzk;
using namespace cuzk::test;

namespace {

struct prepared {
    temporary_folder folder;
    thread_pool pool{2};
    task t;
    std::shared_ptr<const circuit> key;

    prepared(curve_id curve, const small_circuit& c) {
        c.write_r1cs(curve, folder / "c.r1cs");
        c.write_witness(curve, folder / "c.wtns", c.witness);
        setup(folder / "c.r1cs", folder / "c.zkey", pool, t);
        key = load_circuit(folder / "c.zkey", {}, pool, t);
    }
    proof_result prove_file(const char* name) { return prove(key, std::make_shared<input_file>(folder / name), pool, t); }
};

}  // namespace

TEST("a key from the setup proves, and the proof verifies with the verification key inside it, on both curves") {
    for (const curve_id curve : {curve_id::bn254, curve_id::bls12_381})
        for (const small_circuit& c : all_small_circuits()) {
            prepared p(curve, c);
            CHECK(p.key->insecure.find("development") != std::string::npos);
            const proof_result r = p.prove_file("c.wtns");
            const verification_key vkey = read_verification_key(p.folder / "c.zkey");
            CHECK(verify(vkey, r.public_signals, r.proof, p.t));
            CHECK_EQ(r.public_signals.size(), size_t{4} * c.n_public);
            for (uint32_t i = 0; i < c.n_public; i++) {
                uint64_t want[4];
                small_circuit::element(curve, c.witness[1 + i], want);
                CHECK(std::memcmp(want, &r.public_signals[4 * i], sizeof want) == 0);
            }
            // Blinded: never twice the same.
            const proof_result again = p.prove_file("c.wtns");
            CHECK(again.proof.a != r.proof.a && again.proof.b != r.proof.b && again.proof.c != r.proof.c);
        }
}

TEST("a witness that does not satisfy the circuit gives no proof, but an error that says how to find out") {
    for (const small_circuit& c : all_small_circuits()) {
        prepared p(curve_id::bn254, c);
        std::vector<int64_t> wrong = c.witness;
        wrong.back() += 1;
        c.write_witness(curve_id::bn254, p.folder / "wrong.wtns", wrong);
        CHECK_THROWS_CODE(p.prove_file("wrong.wtns"), "ProofInvalid");
        try {
            p.prove_file("wrong.wtns");
        } catch (const error& e) {
            CHECK(e.remedy().find("cuzk check") != std::string::npos);
            CHECK_EQ(e.file(), p.folder / "wrong.wtns");
        }
    }
}

TEST("a witness of another circuit, of another curve, not reduced, or without the constant 1 is refused") {
    const small_circuit c = product_circuit();
    prepared p(curve_id::bn254, c);
    c.write_witness(curve_id::bn254, p.folder / "short.wtns", {1, 35, 5});
    CHECK_THROWS_CODE(p.prove_file("short.wtns"), "WitnessOfOtherCircuit");
    c.write_witness(curve_id::bls12_381, p.folder / "other.wtns", c.witness);
    CHECK_THROWS_CODE(p.prove_file("other.wtns"), "WitnessOfOtherCurve");
    c.write_witness(curve_id::bn254, p.folder / "zero.wtns", {0, 35, 5, 7});
    CHECK_THROWS_CODE(p.prove_file("zero.wtns"), "WitnessFirstNotOne");
    std::vector<uint64_t> words(16);
    words[0] = 1;
    for (size_t i = 0; i < 4; i++) words[12 + i] = moduli_of(curve_id::bn254).r[i];
    write_wtns(p.folder / "large.wtns", curve_id::bn254, words.data(), 4);
    CHECK_THROWS_CODE(p.prove_file("large.wtns"), "WitnessNotReduced");
}

TEST("the split form gives the same as one piece, and a pending proof keeps its key") {
    prepared p(curve_id::bn254, chain_circuit(20));
    synthesis s = synthesize(p.key, input_file(p.folder / "c.wtns"), p.pool, p.t);
    pending_proof pending = prove_start(std::move(s), p.pool, p.t);
    CHECK(s.witness.data() == nullptr && s.a.data() == nullptr && s.b.data() == nullptr);
    const std::weak_ptr<const circuit> watch = p.key;
    p.key.reset();
    CHECK(!watch.expired());
    const proof_result r = prove_finish(std::move(pending), p.t);
    CHECK(verify(read_verification_key(p.folder / "c.zkey"), r.public_signals, r.proof, p.t));
    std::vector<std::string> names;
    for (const auto& [name, milliseconds] : r.timings) {
        names.push_back(name);
        CHECK(milliseconds >= 0);
    }
    CHECK((names == std::vector<std::string>{"synthesis", "ntt", "msm_h", "msm_a", "msm_b1", "msm_b2", "msm_c", "finish", "verify"}));
}

TEST("assembling is done once, leaves nothing of the sums, and ends before verifying begins") {
    prepared p(curve_id::bls12_381, chain_circuit(20));
    pending_proof pending = prove_start(synthesize(p.key, input_file(p.folder / "c.wtns"), p.pool, p.t), p.pool, p.t);
    assemble_proof(pending, p.t);
    CHECK(p.t.current() == phase::finish && pending.sums.data() == nullptr);
    const std::vector<uint64_t> a = pending.assembled->a;
    assemble_proof(pending, p.t);
    CHECK(pending.assembled->a == a);
    const proof_result r = prove_finish(std::move(pending), p.t);
    CHECK(p.t.current() == phase::verify && r.proof.a == a);
    CHECK(verify(read_verification_key(p.folder / "c.zkey"), r.public_signals, r.proof, p.t));
    CHECK_EQ(r.timings.size(), 9u);
}

TEST("no phase of a proof advances its task beyond what it announced") {
    prepared p(curve_id::bn254, chain_circuit(700));
    std::atomic<bool> over{false}, beyond{false};
    std::thread watcher([&] {
        while (!over) {
            const progress_t at = p.t.progress();
            if (at.done > at.total) beyond = true;
        }
    });
    for (int again = 0; again < 5; again++) p.prove_file("c.wtns");
    over = true;
    watcher.join();
    CHECK(!beyond);
}

TEST("an aborted task stops loading, synthesis, proving, checking and the setup") {
    prepared p(curve_id::bn254, chain_circuit(20));
    const input_file witness(p.folder / "c.wtns");
    synthesis s = synthesize(p.key, witness, p.pool, p.t);
    synthesis other = synthesize(p.key, witness, p.pool, p.t);
    pending_proof pending = prove_start(std::move(other), p.pool, p.t);
    pending_proof assembled = prove_start(synthesize(p.key, witness, p.pool, p.t), p.pool, p.t);
    assemble_proof(assembled, p.t);
    const auto stops = [&](auto&& body) {
        try {
            body();
        } catch (const aborted&) {
            return true;
        }
        return false;
    };
    p.t.abort();
    CHECK(stops([&] { load_circuit(p.folder / "c.zkey", {}, p.pool, p.t); }));
    CHECK(stops([&] { synthesize(p.key, witness, p.pool, p.t); }));
    CHECK(stops([&] { prove_start(std::move(s), p.pool, p.t); }));
    CHECK(stops([&] { assemble_proof(pending, p.t); }));
    CHECK(stops([&] { prove_finish(std::move(pending), p.t); }));
    CHECK(stops([&] { prove_finish(std::move(assembled), p.t); }));
    CHECK(stops([&] { inspect(p.folder / "c.zkey", p.t); }));
    CHECK(stops([&] { read_verification_key(p.folder / "c.zkey", p.t); }));
    CHECK(stops([&] { setup(p.folder / "c.r1cs", p.folder / "new.zkey", p.pool, p.t); }));
    CHECK(!std::filesystem::exists(p.folder / "new.zkey"));
}

TEST("a setup and a proof under way stop within 100 ms of an abort") {
    const small_circuit c = chain_circuit(60000);
    temporary_folder folder;
    c.write_r1cs(curve_id::bn254, folder / "c.r1cs");
    thread_pool pool(2);
    task t;
    const auto run = std::async(std::launch::async, [&] {
        try {
            setup(folder / "c.r1cs", folder / "c.zkey", pool, t);
        } catch (const aborted&) {
            return std::chrono::steady_clock::now();
        }
        return std::chrono::steady_clock::time_point::max();
    });
    while (t.done() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const auto asked = std::chrono::steady_clock::now();
    t.abort();
    run.wait();
    CHECK(std::chrono::steady_clock::now() - asked < std::chrono::milliseconds(100));
}
