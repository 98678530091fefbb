#include "groth16/verify.hpp"

#include "groth16/assemble.hpp"
#include "test/check.hpp"
#include "test/points.hpp"
#include "test/snarkjs_proofs.hpp"
#include "test/whole_curve.hpp"

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

bool verify(const verification_key& key, const claim& c) {
    task t;
    return cuzk::verify(key, c.public_signals, c.proof, t);
}

// A key whose secrets are known, with as many public signals as wanted, and a proof for it: C is what the equation asks for.
template <class C>
example example_with(size_t n_public) {
    using fr = typename C::fr;
    using fp = typename C::fp;
    using fp2 = typename C::fp2;
    const auto at = [](uint64_t i) { return fr::from_u64(i + 3).inverse(); };
    const auto g1 = [](const fr& k) {
        std::vector<uint64_t> words(2 * fp::N);
        group_sum<C, fp>::from_affine(test::multiples<C, fp>({1}).data()).times_public(k).to_affine(words.data());
        return words;
    };
    const auto g2 = [](const fr& k) {
        std::vector<uint64_t> words(2 * fp2::N);
        group_sum<C, fp2>::from_affine(test::multiples<C, fp2>({1}).data()).times_public(k).to_affine(words.data());
        return words;
    };
    const fr alpha = at(1), beta = at(2), gamma = at(3), delta = at(4), a = at(5), b = at(6);
    example e{{C::id, g1(alpha), g2(beta), g2(gamma), g2(delta), {}}, {{}, {C::id, {}, {}, {}}}};
    fr of_public = fr::zero();
    for (size_t i = 0; i <= n_public; i++) {
        const auto point = test::multiples<C, fp>({i % 100 + 1});
        e.key.ic.insert(e.key.ic.end(), point.begin(), point.end());
        const fr value = i == 0 ? fr::one() : at(100 + i);
        of_public += value * fr::from_u64(i % 100 + 1);
        if (i == 0) continue;
        uint64_t words[fr::N];
        value.to_canonical(words);
        e.good.public_signals.insert(e.good.public_signals.end(), words, words + fr::N);
    }
    e.good.proof.a = g1(a), e.good.proof.b = g2(b), e.good.proof.c = g1((a * b - alpha * beta - of_public * gamma) * delta.inverse());
    return e;
}

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
        bad = e.good;
        bad.proof.b[0] ^= 1;
        CHECK_THROWS_CODE(verify(e.key, bad), "ProofPointOffCurve");
        bad = e.good;
        bad.proof.c[0] ^= 1;
        CHECK_THROWS_CODE(verify(e.key, bad), "ProofPointOffCurve");
    });
}

TEST("a public signal of r is refused, r - 1 is not") {
    on_both_curves([](const example& e) {
        claim edge = e.good;
        with_curve(e.key.curve, [&]<class C>() {
            for (size_t i = 0; i < C::fr::N; i++) edge.public_signals[i] = C::fr::modulus[i];
        });
        CHECK_THROWS_CODE(verify(e.key, edge), "PublicSignalNotReduced");
        edge.public_signals[0] -= 1;
        CHECK(!verify(e.key, edge));
    });
}

TEST("a proof's point of the curve, but outside the subgroup, is refused") {
    on_both_curves([](const example& e) {
        with_curve(e.key.curve, [&]<class C>() {
            claim bad = e.good;
            bad.proof.b = test::point_outside_the_subgroup<C, typename C::fp2>();
            CHECK_THROWS_CODE(verify(e.key, bad), "ProofPointOutsideSubgroup");
            if (C::id == curve_id::bn254) return;  // whose G1 is the whole curve
            bad = e.good;
            bad.proof.a = test::point_outside_the_subgroup<C, typename C::fp>();
            CHECK_THROWS_CODE(verify(e.key, bad), "ProofPointOutsideSubgroup");
            bad = e.good;
            bad.proof.c = test::point_outside_the_subgroup<C, typename C::fp>();
            CHECK_THROWS_CODE(verify(e.key, bad), "ProofPointOutsideSubgroup");
        });
    });
}

TEST("proofs with no public signal, few and many verify, alone and together, and not with one signal changed") {
    for (const size_t n : {0, 1, 63, 64, 300}) {
        for (example e : {example_with<bn254>(n), example_with<bls12_381>(n)}) {
            thread_pool pool(2);
            task t;
            const std::vector<claim> twelve(12, e.good);
            CHECK(verify(e.key, e.good));
            CHECK(verify_many(e.key, twelve, pool, t));
            CHECK_EQ(t.done(), t.total());
            if (n == 0) continue;
            std::vector<claim> one_wrong = twelve;
            one_wrong[11].public_signals[4 * (n - 1)] ^= 1;
            CHECK(!verify(e.key, one_wrong[11]));
            CHECK(!verify_many(e.key, one_wrong, pool, t));
        }
    }
}

TEST("among many proofs the first malformed one is named, and an aborted task verifies none") {
    on_both_curves([](const example& e) {
        thread_pool pool(2);
        task t;
        std::vector<claim> claims(9, e.good);
        claims[4].proof.a[0] ^= 1;
        claims[7].public_signals[3] = ~uint64_t{0};
        try {
            verify_many(e.key, claims, pool, t);
            CHECK(!"refused");
        } catch (const error& refusal) {
            CHECK_EQ(refusal.code(), "ProofPointOffCurve");
            CHECK_EQ(refusal.message().find("proof 4 of 9: pi_a"), size_t{0});
        }
        t.abort();
        bool stopped = false;
        try {
            verify_many(e.key, std::vector<claim>(9, e.good), pool, t);
        } catch (const aborted&) {
            stopped = true;
        }
        CHECK(stopped);
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

TEST("a verification key with a point off its curve, or outside the subgroup, is refused by the point's name") {
    on_both_curves([](const example& e) {
        check_verification_key(e.key, task{});
        verification_key bad = e.key;
        bad.alpha1[0] ^= 1;
        CHECK_THROWS_CODE(check_verification_key(bad, task{}), "VkeyPointOffCurve");
        bad = e.key;
        bad.ic[bad.alpha1.size()] ^= 1;
        try {
            check_verification_key(bad, task{});
            CHECK(false);
        } catch (const error& problem) {
            CHECK_EQ(problem.message(), std::string("IC[1] of the verification key is not a point of its curve"));
        }
    });
    verification_key bad = example_of<bn254>(test::snarkjs_bn254).key;
    bad.gamma2 = test::point_outside_the_subgroup<bn254, bn254::fp2>();
    CHECK_THROWS_CODE(check_verification_key(bad, task{}), "VkeyPointOutsideSubgroup");
}
