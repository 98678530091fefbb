#include <cstring>
#include <string>
#include <vector>

#include "msm/complete.hpp"
#include "msm/kernels.hpp"
#include "msm/reduce.hpp"
#include "test/check.hpp"
#include "test/points.hpp"

using namespace cuzk;
using cuzk::test::multiples;

namespace {

// Compares k's sum with (sum of scalars times multiples) G, for the points multiples[i] G; multiple 0 is infinity.
template <class C, class F>
void check_sum(const kernels& k, const std::vector<uint64_t>& multiple, const std::vector<typename C::fr>& scalar, size_t threads = 2) {
    constexpr bool g1 = F::N == C::fp::N;
    const size_t n = multiple.size();
    std::vector<uint64_t> points = multiples<C, F>(multiple), scalars(4 * n), out(3 * F::N);
    (g1 ? k.import_g1 : k.import_g2)(points.data(), n);
    typename C::fr expected = C::fr::zero();
    for (size_t i = 0; i < n; i++) {
        scalar[i].to_canonical(scalars.data() + 4 * i);
        expected += scalar[i] * C::fr::from_u64(multiple[i]);
    }
    thread_pool pool(threads);
    task t;
    t.enter(phase::msm_a, n);
    (g1 ? k.msm_g1 : k.msm_g2)(pool, t, points.data(), scalars.data(), n, out.data());
    CHECK_EQ(t.done(), n);
    CHECK((test::same_jacobian<C, F>(out.data(), expected)));
}

template <class C>
typename C::fr pseudo_random(uint64_t i) {
    const typename C::fr x = C::fr::from_u64(i * 0x9e3779b97f4a7c15 + 1);
    return x.sqr() * x.sqr() * x + C::fr::from_u64(i).sqr();
}

template <class Body>
void for_all_variants(Body&& body) {
    for (const char* isa : {"portable", "adx", "ifma"}) {
        if (const kernels* k = kernels_named(curve_id::bn254, isa)) {
            body.template operator()<bn254, bn254::fp>(*k);
            body.template operator()<bn254, bn254::fp2>(*k);
        }
        if (const kernels* k = kernels_named(curve_id::bls12_381, isa)) {
            body.template operator()<bls12_381, bls12_381::fp>(*k);
            body.template operator()<bls12_381, bls12_381::fp2>(*k);
        }
    }
}

}  // namespace

TEST("a sum of any size equals the sum of its parts, on every instruction set, curve and group") {
    for_all_variants([]<class C, class F>(const kernels& k) {
        for (const size_t n : {0, 1, 2, 3, 7, 8, 9, 31, 32, 33, 255, 256, 257, 1000}) {
            std::vector<uint64_t> multiple(n);
            std::vector<typename C::fr> scalar(n);
            for (size_t i = 0; i < n; i++) multiple[i] = i + 1, scalar[i] = pseudo_random<C>(i);
            check_sum<C, F>(k, multiple, scalar);
        }
    });
}

TEST("edge scalars, points at infinity, equal and opposite points are summed right") {
    for_all_variants([]<class C, class F>(const kernels& k) {
        using fr = typename C::fr;
        const fr edges[] = {fr::zero(), fr::one(), -fr::one(), fr::from_u64(2), -fr::from_u64(2), fr::from_u64(0xffff), fr::from_u64(0x8000),
                            -fr::from_u64(0x8000), fr::from_u64(~uint64_t{0}), fr::from_u64(2).inverse(), -fr::from_u64(2).inverse(),
                            pseudo_random<C>(5)};
        std::vector<uint64_t> multiple;
        std::vector<fr> scalar;
        for (const fr& a : edges)
            for (const fr& b : edges)
                for (const uint64_t m : {0, 1, 1, 2, 5}) {
                    multiple.push_back(m);
                    scalar.push_back(a * b);
                }
        check_sum<C, F>(k, multiple, scalar);
        // The same point with opposite scalars, over and over: every pair cancels, and sums at infinity meet further points.
        multiple.clear(), scalar.clear();
        for (size_t i = 0; i < 300; i++) multiple.push_back(1 + i / 6), scalar.push_back(i % 2 ? fr::from_u64(3) : -fr::from_u64(3));
        check_sum<C, F>(k, multiple, scalar);
        for (size_t i = 0; i < 100; i++) multiple.push_back(7), scalar.push_back(fr::from_u64(3));
        check_sum<C, F>(k, multiple, scalar, 1);
    });
}

TEST("one scalar for all points, small scalars and a few large ones among them are summed right") {
    for_all_variants([]<class C, class F>(const kernels& k) {
        const size_t n = F::N == C::fp::N ? 40000 : 20000;  // beyond one task's capacity: heavy buckets are cut into pieces
        std::vector<uint64_t> multiple(n);
        std::vector<typename C::fr> same(n), mixed(n);
        for (size_t i = 0; i < n; i++) {
            multiple[i] = i % 1000 + 1;
            same[i] = pseudo_random<C>(77);
            mixed[i] = i % 50 == 0 ? pseudo_random<C>(i) : C::fr::from_u64(i % 3);
        }
        check_sum<C, F>(k, multiple, same);
        check_sum<C, F>(k, multiple, mixed, 3);
    });
}

TEST("bucket sums add the points of each digit") {
    for_all_variants([]<class C, class F>(const kernels& k) {
        constexpr bool g1 = F::N == C::fp::N;
        const size_t n = 1000, buckets = 16;
        std::vector<uint64_t> multiple(n), out(buckets * 2 * F::N);
        std::vector<uint16_t> digits(n);
        std::vector<typename C::fr> expected(buckets, C::fr::zero());
        for (size_t i = 0; i < n; i++) {
            multiple[i] = i % 97;
            digits[i] = static_cast<uint16_t>(i % 11 == 0 ? 0 : i % 15 + 1);
            if (digits[i]) expected[digits[i] - 1u] += C::fr::from_u64(multiple[i]);
        }
        std::vector<uint64_t> points = multiples<C, F>(multiple);
        (g1 ? k.import_g1 : k.import_g2)(points.data(), n);
        thread_pool pool(2);
        task t;
        (g1 ? k.bucket_sums_g1 : k.bucket_sums_g2)(pool, t, points.data(), digits.data(), n, buckets, out.data());
        (g1 ? k.export_g1 : k.export_g2)(out.data(), buckets);
        for (size_t j = 0; j < buckets; j++) CHECK((test::same_affine<C, F>(out.data() + j * 2 * F::N, expected[j])));
    });
}

TEST("the first point off the curve is found, and infinity is on it") {
    for_all_variants([]<class C, class F>(const kernels& k) {
        constexpr bool g1 = F::N == C::fp::N;
        const size_t n = 5000;
        std::vector<uint64_t> multiple(n);
        for (size_t i = 0; i < n; i++) multiple[i] = i % 13;
        std::vector<uint64_t> points = multiples<C, F>(multiple);
        thread_pool pool(2);
        task t;
        for (const size_t bad : {n, n - 1, size_t{4999 / 2}, size_t{1}}) {
            std::vector<uint64_t> some = points;
            if (bad < n) some[bad * 2 * F::N] ^= 1;
            (g1 ? k.import_g1 : k.import_g2)(some.data(), n);
            CHECK_EQ((g1 ? k.first_off_curve_g1 : k.first_off_curve_g2)(pool, t, some.data(), n), bad);
        }
    });
}

TEST("importing and exporting points gives the same words back") {
    for_all_variants([]<class C, class F>(const kernels& k) {
        constexpr bool g1 = F::N == C::fp::N;
        std::vector<uint64_t> multiple(21);
        for (size_t i = 0; i < multiple.size(); i++) multiple[i] = i;
        const std::vector<uint64_t> points = multiples<C, F>(multiple);
        std::vector<uint64_t> copy = points;
        (g1 ? k.import_g1 : k.import_g2)(copy.data(), multiple.size());
        (g1 ? k.export_g1 : k.export_g2)(copy.data(), multiple.size());
        CHECK(copy == points);
    });
}

TEST("a multiplication that is aborted throws within its next task") {
    const kernels& k = kernels_for(curve_id::bn254);
    std::vector<uint64_t> points = multiples<bn254, bn254::fp>(std::vector<uint64_t>(2000, 3)), scalars(8000, 5), out(12);
    thread_pool pool(2);
    task t;
    t.abort();
    bool thrown = false;
    try {
        k.msm_g1(pool, t, points.data(), scalars.data(), 2000, out.data());
    } catch (const aborted&) {
        thrown = true;
    }
    CHECK(thrown);
}
