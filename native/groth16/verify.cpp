#include "groth16/verify.hpp"

#include <optional>
#include <string>
#include <utility>

#include "curve/pairing.hpp"
#include "curve/subgroup.hpp"
#include "device/error.hpp"
#include "groth16/assemble.hpp"
#include "groth16/random.hpp"
#include "msm/kernels.hpp"

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

constexpr size_t few = 64;  // measured: the kernels win from about 40 points on over bn254, and 100 over bls12-381

// The sum of scalars[i] * points[i] in G1, as affine words. All of them are public. Advances t by their number.
template <class C>
std::vector<uint64_t> sum_g1(std::vector<uint64_t> points, const std::vector<typename C::fr>& scalars, thread_pool& pool, task& t) {
    using point = group_sum<C, typename C::fp>;
    const size_t n = scalars.size();
    point sum;
    if (n <= few) {
        for (size_t i = 0; i < n; i++) {
            t.check();
            sum = sum + point::from_affine(points.data() + i * g1_words<C>).times_public(scalars[i]);
        }
        t.advance(n);
    } else {
        const kernels& k = kernels_for(C::id);
        std::vector<uint64_t> plain(n * C::fr::N);
        for (size_t i = 0; i < n; i++) scalars[i].to_canonical(plain.data() + i * C::fr::N);
        k.import_g1(points.data(), n);
        uint64_t jacobian[3 * C::fp::N];
        k.msm_g1(pool, t, points.data(), plain.data(), n, jacobian);
        sum = point::from_jacobian(jacobian);
    }
    std::vector<uint64_t> words(g1_words<C>);
    sum.to_affine(words.data());
    return words;
}

// Throws what is wrong with the first malformed claim, whichever thread comes upon it.
template <class C>
void check_claims(const verification_key& key, const std::vector<claim>& claims, thread_pool& pool, task& t) {
    std::vector<std::optional<error>> refusals(claims.size());
    pool.parallel_for(t, claims.size(), [&](size_t i, size_t) {
        try {
            check_claim<C>(key, claims[i].public_signals, claims[i].proof);
        } catch (const error& e) {
            refusals[i] = e;
        }
        t.advance(1);
    });
    for (size_t i = 0; i < claims.size(); i++) {
        if (!refusals[i]) continue;
        if (claims.size() == 1) throw *refusals[i];
        throw error(refusals[i]->code(), "proof " + std::to_string(i) + " of " + std::to_string(claims.size()) + ": " + refusals[i]->message(),
                    refusals[i]->remedy());
    }
}

template <class C>
bool verify_claims(const verification_key& key, const std::vector<claim>& claims, thread_pool& pool, task& t) {
    using fr = typename C::fr;
    const size_t n_public = key.ic.size() / g1_words<C> - 1;
    // Checks, multiples of A, the sum of C, the sum of IC, pairings.
    t.enter(phase::verify, 3 * claims.size() + (n_public + 1) + (claims.size() + 3));
    check_claims<C>(key, claims, pool, t);

    std::vector<fr> coefficient(claims.size(), fr::one());  // one claim needs no randomness
    if (claims.size() > 1)
        for (fr& c : coefficient) {
            uint64_t words[fr::N] = {};
            random_bytes(words, 16);
            c = fr::from_canonical(words);
        }
    std::vector<std::vector<uint64_t>> minus_a(claims.size(), std::vector<uint64_t>(g1_words<C>));
    pool.parallel_for(t, claims.size(), [&](size_t i, size_t) {
        const auto a = group_sum<C, typename C::fp>::from_affine(claims[i].proof.a.data());
        (-a).times_public(coefficient[i]).to_affine(minus_a[i].data());
        t.advance(1);
    });
    std::vector<fr> of_ic(n_public + 1, fr::zero());
    std::vector<uint64_t> all_c;
    for (size_t i = 0; i < claims.size(); i++) {
        t.check();
        of_ic[0] += coefficient[i];
        for (size_t j = 0; j < n_public; j++) of_ic[j + 1] += coefficient[i] * fr::from_canonical(claims[i].public_signals.data() + j * fr::N);
        all_c.insert(all_c.end(), claims[i].proof.c.begin(), claims[i].proof.c.end());
    }
    const auto ic = sum_g1<C>(key.ic, of_ic, pool, t), c = sum_g1<C>(std::move(all_c), coefficient, pool, t);
    std::vector<uint64_t> alpha(g1_words<C>);
    group_sum<C, typename C::fp>::from_affine(key.alpha1.data()).times_public(of_ic[0]).to_affine(alpha.data());
    std::vector<pairing_input> pairs{{alpha.data(), key.beta2.data()}, {ic.data(), key.gamma2.data()}, {c.data(), key.delta2.data()}};
    for (size_t i = 0; i < claims.size(); i++) pairs.push_back({minus_a[i].data(), claims[i].proof.b.data()});
    return pairing_product_is_one(key.curve, pairs, pool, t);
}

}  // namespace

bool verify(const verification_key& key, const std::vector<uint64_t>& public_signals, const groth16_proof& proof, task& t) {
    thread_pool caller_alone(1);
    return verify_many(key, {{public_signals, proof}}, caller_alone, t);
}

bool verify_many(const verification_key& key, const std::vector<claim>& claims, thread_pool& pool, task& t) {
    if (claims.empty()) return true;
    return with_curve(key.curve, [&]<class C>() { return verify_claims<C>(key, claims, pool, t); });
}

uint64_t verify_bytes(curve_id curve, uint64_t n_public) {
    const uint64_t n = n_public + 1, scalar = 32, point = (curve == curve_id::bn254 ? 8 : 12) * sizeof(uint64_t);
    // The claim, which is copied into a list and from it; IC's scalars; and for their sum a copy of its points.
    const uint64_t copies = 2 * scalar * n_public + scalar * n + point * n;
    return n <= few ? copies : copies + scalar * n + kernels_for(curve).msm_bytes_g1(n, 1);
}

void check_verification_key(const verification_key& key, const task& t) {
    with_curve(key.curve, [&]<class C>() {
        const auto check = [](bool on_curve, bool inside, const std::string& name) {
            const char* const what_to_do = "export the key again from its .zkey, or ask for it again: it is damaged";
            if (!on_curve) throw error("VkeyPointOffCurve", name + " of the verification key is not a point of its curve", what_to_do);
            if (!inside) throw error("VkeyPointOutsideSubgroup", name + " of the verification key is not in the subgroup of order r", what_to_do);
        };
        const auto check_g1 = [&](const uint64_t* p, const std::string& name) {
            const bool on = on_curve_g1<C>(p);
            check(on, on && in_subgroup_g1<C>(p), name);
        };
        const auto check_g2 = [&](const std::vector<uint64_t>& p, const char* name) {
            const bool on = on_curve_g2<C>(p.data());
            check(on, on && in_subgroup_g2<C>(p.data()), name);
        };
        check_g1(key.alpha1.data(), "vk_alpha_1");
        check_g2(key.beta2, "vk_beta_2");
        check_g2(key.gamma2, "vk_gamma_2");
        check_g2(key.delta2, "vk_delta_2");
        const size_t words = key.alpha1.size();
        for (size_t i = 0; i * words < key.ic.size(); i++) {
            if (i % 256 == 0) t.check();
            check_g1(key.ic.data() + i * words, "IC[" + std::to_string(i) + "]");
        }
    });
}

}  // namespace cuzk
