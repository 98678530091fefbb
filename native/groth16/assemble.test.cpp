#include "groth16/assemble.hpp"

#include "curve/generators.hpp"
#include "test/check.hpp"
#include "test/points.hpp"
#include "test/whole_curve.hpp"

using namespace cuzk;

namespace {

template <class C, class F>
std::vector<uint64_t> affine(const group_sum<C, F>& p) {
    std::vector<uint64_t> words(2 * F::N);
    p.to_affine(words.data());
    return words;
}

template <class Body>
void in_every_group(Body&& body) {
    body.template operator()<bn254, bn254::fp>();
    body.template operator()<bn254, bn254::fp2>();
    body.template operator()<bls12_381, bls12_381::fp>();
    body.template operator()<bls12_381, bls12_381::fp2>();
}

// The generator's double by the textbook's tangent.
template <class C, class F>
std::vector<uint64_t> doubled_generator() {
    const auto g = generator<C, F>();
    const F xx = g.x.sqr(), slope = (xx.dbl() + xx) * g.y.dbl().inverse(), x = slope.sqr() - g.x.dbl();
    std::vector<uint64_t> words(2 * F::N);
    x.store(words.data());
    (slope * (g.x - x) - g.y).store(words.data() + F::N);
    return words;
}

}  // namespace

TEST("equal, opposite and infinite points are added by the law of the group") {
    in_every_group([]<class C, class F>() {
        using sum = group_sum<C, F>;
        const std::vector<uint64_t> one = test::multiples<C, F>({1}), infinity(2 * F::N);
        const sum p = sum::from_affine(one.data()), o = sum::from_affine(infinity.data());
        CHECK(affine(o) == infinity);
        CHECK(affine(p) == one);
        CHECK(affine(o + o) == infinity);
        CHECK(affine(p + o) == one && affine(o + p) == one);
        CHECK((affine(p + p) == doubled_generator<C, F>()));
        CHECK(affine(p + -p) == infinity && affine(-p + p) == infinity);
        CHECK(affine(-o) == infinity);
        CHECK(affine((p + p) + p) == affine(p + (p + p)));
        CHECK(affine((p + p) + -p) == one);
    });
}

TEST("a multiple by a public scalar is the one by a secret scalar, on edge scalars and edge points") {
    in_every_group([]<class C, class F>() {
        using fr = typename C::fr;
        using sum = group_sum<C, F>;
        for (const uint64_t m : {0, 1, 3}) {
            const sum p = sum::from_affine(test::multiples<C, F>({m}).data());
            for (const fr& k : {fr::zero(), fr::one(), fr::from_u64(2), -fr::one(), fr::from_u64(~uint64_t{0}), fr::from_u64(3).inverse()}) {
                CHECK(affine(p.times_public(k)) == affine(p.times(k)));
                CHECK((test::same_affine<C, F>(affine(p.times(k)).data(), k * fr::from_u64(m))));
            }
        }
    });
}

TEST("Jacobian words are read as the point they stand for, whatever Z is") {
    in_every_group([]<class C, class F>() {
        const std::vector<uint64_t> point = test::multiples<C, F>({5});
        const F x = F::load(point.data()), y = F::load(point.data() + F::N);
        std::vector<uint64_t> words(3 * F::N);
        for (const F& z : {F::one(), -F::one(), (F::one() + F::one()).inverse()}) {
            (x * z.sqr()).store(words.data());
            (y * z.sqr() * z).store(words.data() + F::N);
            z.store(words.data() + 2 * F::N);
            CHECK((affine(group_sum<C, F>::from_jacobian(words.data())) == point));
        }
        F::zero().store(words.data() + 2 * F::N);
        CHECK((affine(group_sum<C, F>::from_jacobian(words.data())) == std::vector<uint64_t>(2 * F::N)));
    });
}

TEST("a point of order three, with x = 0, is not taken for infinity") {
    // (0, 2) on y^2 = x^3 + 4: the cofactor of bls12-381's G1 is a multiple of 3.
    using fp = bls12_381::fp;
    using sum = group_sum<bls12_381, fp>;
    std::vector<uint64_t> point(2 * fp::N);
    fp::from_u64(2).store(point.data() + fp::N);
    const sum p = sum::from_affine(point.data());
    CHECK(affine(p) == point);
    CHECK(affine(p + p) == affine(-p));
    CHECK(affine(p + p + p) == std::vector<uint64_t>(2 * fp::N));
}
