#include "curve/pairing.hpp"

#include "curve/generators.hpp"
#include "curve/subgroup.hpp"
#include "groth16/assemble.hpp"
#include "test/check.hpp"
#include "test/points.hpp"
#include "test/snarkjs_proofs.hpp"

using namespace cuzk;

namespace {

// Plain integers one after the other, in Montgomery form.
template <class C>
std::vector<uint64_t> to_file(const std::vector<uint64_t>& plain) {
    using fp = typename C::fp;
    std::vector<uint64_t> words(plain.size());
    for (size_t i = 0; i < plain.size(); i += fp::N) fp::from_canonical(plain.data() + i).store(words.data() + i);
    return words;
}

template <class C, class F>
std::vector<uint64_t> multiple(const typename C::fr& k) {
    const auto g = generator<C, F>();
    std::vector<uint64_t> words(2 * F::N), result(2 * F::N);
    g.x.store(words.data());
    g.y.store(words.data() + F::N);
    group_sum<C, F>::from_affine(words.data()).times(k).to_affine(result.data());
    return result;
}

template <class Body>
void on_both_curves(Body&& body) {
    body.template operator()<bn254>(test::snarkjs_bn254);
    body.template operator()<bls12_381>(test::snarkjs_bls12_381);
}

// A square root in the base field, both of whose primes are 3 mod 4; `exists` tells whether there is one.
template <class F>
F square_root(const F& a, bool& exists) {
    auto exponent = F::modulus;  // (p + 1) / 4
    unsigned __int128 carry = 1;
    for (size_t i = 0; i < F::N; i++) {
        carry += exponent[i];
        exponent[i] = static_cast<uint64_t>(carry);
        carry >>= 64;
    }
    for (size_t i = 0; i < F::N; i++) exponent[i] = exponent[i] >> 2 | (i + 1 < F::N ? exponent[i + 1] << 62 : 0);
    const F root = a.pow(exponent.data(), F::N);
    exists = root.sqr() == a;
    return root;
}

// The same in Fp2, by norms (Adj, Rodriguez-Henriquez 2013, algorithm 8, in its simplest form).
template <class B>
fp2_t<B> square_root(const fp2_t<B>& a, bool& exists) {
    const B half = B::from_u64(2).inverse();
    const B norm_root = square_root(a.norm(), exists);
    if (!exists) return a;
    for (const B& n : {norm_root, -norm_root}) {
        const B re = square_root((a.c0 + n) * half, exists);
        if (!exists || re.is_zero()) continue;
        const fp2_t<B> root{re, a.c1 * half * re.inverse()};
        if ((exists = root.sqr() == a)) return root;
    }
    exists = false;
    return a;
}

// A point of the curve that is (nearly certainly) not in the subgroup: the first with a small x.
template <class C, class F>
std::vector<uint64_t> point_of_the_whole_curve() {
    const F b = F::load(curve_constant<C, F>().b);
    std::vector<uint64_t> words(2 * F::N);
    for (uint64_t i = 1;; i++) {
        F x = F::one();
        for (uint64_t k = 1; k < i; k++) x = x + F::one();
        bool exists;
        const F y = square_root(x.sqr() * x + b, exists);
        if (!exists) continue;
        x.store(words.data());
        y.store(words.data() + F::N);
        return words;
    }
}

}  // namespace

TEST("the pairing of a key's alpha and beta is the one that snarkjs stores in vk_alphabeta_12") {
    on_both_curves([]<class C>(const test::snarkjs_case& s) {
        const auto alpha = to_file<C>(s.alpha1), beta = to_file<C>(s.beta2);
        CHECK(pairing(C::id, alpha.data(), beta.data()) == to_file<C>(s.alphabeta12));
    });
}

TEST("pairings are bilinear and not degenerate, and a point at infinity contributes one") {
    on_both_curves([]<class C>(const test::snarkjs_case&) {
        using fr = typename C::fr;
        const fr a = fr::from_u64(0x123456789), b = -fr::from_u64(77);
        const auto p = multiple<C, typename C::fp>(a), q = multiple<C, typename C::fp2>(b);
        const auto p1 = multiple<C, typename C::fp>(-(a * b)), q1 = multiple<C, typename C::fp2>(fr::one());
        const std::vector<uint64_t> none1(p.size()), none2(q.size());
        CHECK(pairing_product_is_one(C::id, {{p.data(), q.data()}, {p1.data(), q1.data()}}));
        CHECK(!pairing_product_is_one(C::id, {{p.data(), q.data()}, {p.data(), q1.data()}}));
        CHECK(!pairing_product_is_one(C::id, {{p.data(), q1.data()}}));
        CHECK(pairing_product_is_one(C::id, {{none1.data(), q.data()}, {p.data(), none2.data()}}));
        CHECK(pairing_product_is_one(C::id, {}));
        // Many pairs, shared out among threads: the same ones over and over, and one that cancels them all.
        std::vector<pairing_input> many(50, {p.data(), q.data()});
        const auto cancel = multiple<C, typename C::fp>(-(a * b) * fr::from_u64(50));
        many.push_back({cancel.data(), q1.data()});
        thread_pool pool(2);
        CHECK(pairing_product_is_one(C::id, many, pool, task{}));
        many.pop_back();
        CHECK(!pairing_product_is_one(C::id, many, pool, task{}));
    });
}

TEST("multiples of the generators are on the curve and in the subgroup; other points of the curve are not in it") {
    on_both_curves([]<class C>(const test::snarkjs_case&) {
        using fr = typename C::fr;
        for (const uint64_t k : {0, 1, 2, 3, 1000}) {
            const auto p = multiple<C, typename C::fp>(fr::from_u64(k)), q = multiple<C, typename C::fp2>(-fr::from_u64(k));
            CHECK(on_curve_g1<C>(p.data()) && in_subgroup_g1<C>(p.data()));
            CHECK(on_curve_g2<C>(q.data()) && in_subgroup_g2<C>(q.data()));
        }
        auto bad = multiple<C, typename C::fp>(fr::one());
        bad[0] ^= 1;
        CHECK(!on_curve_g1<C>(bad.data()));
        const auto q = point_of_the_whole_curve<C, typename C::fp2>();
        CHECK(on_curve_g2<C>(q.data()));
        CHECK(!in_subgroup_g2<C>(q.data()));
        const auto p = point_of_the_whole_curve<C, typename C::fp>();
        CHECK(on_curve_g1<C>(p.data()));
        CHECK_EQ(in_subgroup_g1<C>(p.data()), C::id == curve_id::bn254);  // whose cofactor is 1
    });
}
