#include "groth16/verify.hpp"

#include <algorithm>
#include <string>

#include "curve/pairing.hpp"
#include "curve/subgroup.hpp"
#include "device/error.hpp"
#include "groth16/assemble.hpp"
#include "groth16/random.hpp"

namespace cuzk {

namespace {

const char* const remedy = "check that the proof, its public signals and the verification key belong together";

template <class C>
constexpr size_t g1_words = 2 * C::fp::N;

template <class C>
void check_claim(const verification_key& key, const std::vector<uint64_t>& public_signals, const groth16_proof& proof) {
    using fr = typename C::fr;
    if (proof.curve != key.curve) throw error("ProofOfOtherCurve", "the proof and the verification key are over different curves", remedy);
    const size_t expected = key.ic.size() / g1_words<C> - 1, there = public_signals.size() / fr::N;
    if (there != expected)
        throw error("PublicSignalCount", "the key has " + std::to_string(expected) + " public signals, but " + std::to_string(there) + " are given", remedy);
    for (size_t i = 0; i < there; i++)
        if (!fr::is_reduced(public_signals.data() + i * fr::N))
            throw error("PublicSignalNotReduced", "public signal " + std::to_string(i) + " is not below the field's modulus", remedy);
    const auto check = [](bool on_curve, bool inside, const char* name) {
        if (!on_curve) throw error("ProofPointOffCurve", std::string(name) + " of the proof is not a point of its curve", "ask for the proof again: it is damaged");
        if (!inside)
            throw error("ProofPointOutsideSubgroup", std::string(name) + " of the proof is not in the subgroup of order r", "do not trust whoever made this proof");
    };
    const auto check_g1 = [&](const std::vector<uint64_t>& p, const char* name) {
        const bool on = on_curve_g1<C>(p.data());
        check(on, on && in_subgroup_g1<C>(p.data()), name);
    };
    check_g1(proof.a, "pi_a");
    const bool on = on_curve_g2<C>(proof.b.data());
    check(on, on && in_subgroup_g2<C>(proof.b.data()), "pi_b");
    check_g1(proof.c, "pi_c");
}

// Sums in G1, as affine words.
template <class C>
class sum_g1 {
public:
    using fr = typename C::fr;
    void add(const uint64_t* point, const fr& times) { sum_ = sum_ + group_sum<C, typename C::fp>::from_affine(point).times(times); }
    std::vector<uint64_t> affine() const {
        std::vector<uint64_t> words(g1_words<C>);
        sum_.to_affine(words.data());
        return words;
    }

private:
    group_sum<C, typename C::fp> sum_;
};

template <class C>
bool verify_claims(const verification_key& key, const std::vector<claim>& claims, thread_pool& pool, task& t) {
    using fr = typename C::fr;
    const size_t n_public = key.ic.size() / g1_words<C> - 1;
    std::vector<fr> coefficient(claims.size());
    pool.parallel_for(t, claims.size(), [&](size_t i, size_t) {
        check_claim<C>(key, claims[i].public_signals, claims[i].proof);
        uint64_t words[fr::N] = {1};
        if (claims.size() > 1) random_bytes(words, 16);  // one claim needs no randomness
        coefficient[i] = fr::from_canonical(words);
    });
    std::vector<std::vector<uint64_t>> minus_a(claims.size());
    pool.parallel_for(t, claims.size(), [&](size_t i, size_t) {
        sum_g1<C> a;
        a.add(claims[i].proof.a.data(), -coefficient[i]);
        minus_a[i] = a.affine();
        t.advance(1);
    });
    std::vector<fr> of_ic(n_public + 1, fr::zero());
    for (size_t i = 0; i < claims.size(); i++) {
        of_ic[0] += coefficient[i];
        for (size_t j = 0; j < n_public; j++) of_ic[j + 1] += coefficient[i] * fr::from_canonical(claims[i].public_signals.data() + j * fr::N);
    }
    sum_g1<C> ic, c, alpha;
    for (size_t j = 0; j <= n_public; j++) ic.add(key.ic.data() + j * g1_words<C>, of_ic[j]);
    for (size_t i = 0; i < claims.size(); i++) c.add(claims[i].proof.c.data(), coefficient[i]);
    alpha.add(key.alpha1.data(), of_ic[0]);
    const std::vector<uint64_t> ic_words = ic.affine(), c_words = c.affine(), alpha_words = alpha.affine();
    std::vector<pairing_input> pairs{{alpha_words.data(), key.beta2.data()}, {ic_words.data(), key.gamma2.data()}, {c_words.data(), key.delta2.data()}};
    for (size_t i = 0; i < claims.size(); i++) pairs.push_back({minus_a[i].data(), claims[i].proof.b.data()});
    return pairing_product_is_one(key.curve, pairs, pool, t);
}

}  // namespace

bool verify(const verification_key& key, const std::vector<uint64_t>& public_signals, const groth16_proof& proof) {
    thread_pool caller_alone(1);
    task t;
    return verify_many(key, {{public_signals, proof}}, caller_alone, t);
}

bool verify_many(const verification_key& key, const std::vector<claim>& claims, thread_pool& pool, task& t) {
    if (claims.empty()) return true;
    return with_curve(key.curve, [&]<class C>() { return verify_claims<C>(key, claims, pool, t); });
}

}  // namespace cuzk
