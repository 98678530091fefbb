#include "curve/pairing.hpp"

#include "curve/generators.hpp"
#include "curve/subgroup.hpp"
#include "groth16/assemble.hpp"
#include "test/check.hpp"
#include "test/points.hpp"
#include "test/snarkjs_proofs.hpp"
#include "test/whole_curve.hpp"

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

// Whether (r - 1) P = -P: slow, and the definition itself.
template <class C, class F>
bool has_order_r(const std::vector<uint64_t>& point) {
    const auto p = group_sum<C, F>::from_affine(point.data());
    std::vector<uint64_t> times(2 * F::N), minus(2 * F::N);
    p.times_public(-C::fr::one()).to_affine(times.data());
    (-p).to_affine(minus.data());
    return times == minus;
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
        task t;
        CHECK(pairing_product_is_one(C::id, many, pool, t));
        CHECK_EQ(t.done(), many.size());
        many.pop_back();
        CHECK(!pairing_product_is_one(C::id, many, pool, t));
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
        const auto q = test::point_outside_the_subgroup<C, typename C::fp2>();
        CHECK(on_curve_g2<C>(q.data()));
        CHECK((!has_order_r<C, typename C::fp2>(q)));
        CHECK(!in_subgroup_g2<C>(q.data()));
        const auto p = test::point_outside_the_subgroup<C, typename C::fp>();
        CHECK(on_curve_g1<C>(p.data()));
        CHECK_EQ((has_order_r<C, typename C::fp>(p)), C::id == curve_id::bn254);
        CHECK_EQ(in_subgroup_g1<C>(p.data()), C::id == curve_id::bn254);  // whose cofactor is 1
    });
}
