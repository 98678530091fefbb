#include "groth16/verify.hpp"

#include "test/check.hpp"
#include "test/snarkjs_proofs.hpp"

using namespace cuzk;

namespace {

struct example {
    verification_key key;
    claim good;
};

template <class C>
example example_of(const test::snarkjs_case& s) {
    const auto points = [](const std::vector<uint64_t>& plain) {
        using fp = typename C::fp;
        std::vector<uint64_t> words(plain.size());
        for (size_t i = 0; i < plain.size(); i += fp::N) fp::from_canonical(plain.data() + i).store(words.data() + i);
        return words;
    };
    return {{C::id, points(s.alpha1), points(s.beta2), points(s.gamma2), points(s.delta2), points(s.ic)},
            {s.public_signals, {C::id, points(s.a), points(s.b), points(s.c)}}};
}

template <class Body>
void on_both_curves(Body&& body) {
    body(example_of<bn254>(test::snarkjs_bn254));
    body(example_of<bls12_381>(test::snarkjs_bls12_381));
}

bool verify(const verification_key& key, const claim& c) { return cuzk::verify(key, c.public_signals, c.proof); }

}  // namespace

TEST("a proof made by snarkjs verifies, and no longer once a public signal or a point is another one") {
    on_both_curves([](const example& e) {
        CHECK(verify(e.key, e.good));
        claim other = e.good;
        other.public_signals[0] ^= 1;
        CHECK(!verify(e.key, other));
        other = e.good;
        other.proof.a = e.good.proof.c;
        CHECK(!verify(e.key, other));
        other = e.good;
        other.proof.c = e.key.alpha1;
        CHECK(!verify(e.key, other));
        other = e.good;
        other.proof.b = e.key.beta2;
        CHECK(!verify(e.key, other));
        other = e.good;
        other.proof.a.assign(other.proof.a.size(), 0);  // infinity is a point like others
        CHECK(!verify(e.key, other));
    });
}

TEST("what is not even a claim is refused with a code") {
    on_both_curves([](const example& e) {
        claim bad = e.good;
        bad.proof.a[0] ^= 1;
        CHECK_THROWS_CODE(verify(e.key, bad), "ProofPointOffCurve");
        bad = e.good;
        bad.public_signals.resize(bad.public_signals.size() + 4);
        CHECK_THROWS_CODE(verify(e.key, bad), "PublicSignalCount");
        bad = e.good;
        bad.public_signals[3] = ~uint64_t{0};
        CHECK_THROWS_CODE(verify(e.key, bad), "PublicSignalNotReduced");
        bad = e.good;
        bad.proof.curve = e.key.curve == curve_id::bn254 ? curve_id::bls12_381 : curve_id::bn254;
        CHECK_THROWS_CODE(verify(e.key, bad), "ProofOfOtherCurve");
    });
}

TEST("many proofs verify at once, and one wrong one among them is enough to fail") {
    on_both_curves([](const example& e) {
        thread_pool pool(2);
        task t;
        std::vector<claim> claims(20, e.good);
        CHECK(verify_many(e.key, claims, pool, t));
        CHECK(verify_many(e.key, {}, pool, t));
        claims[13].public_signals[0] ^= 2;
        CHECK(!verify_many(e.key, claims, pool, t));
        // Two errors that would cancel without the random powers: one signal too high, another too low by the same.
        claims[13] = e.good;
        claims[3].public_signals[0] += 1;
        claims[4].public_signals[0] -= 1;
        CHECK(!verify_many(e.key, claims, pool, t));
    });
}
