#include "ntt/ntt.hpp"

#include "ntt/plan.hpp"
#include "ntt/test_values.hpp"
#include "test/check.hpp"

namespace cuzk {

namespace {

using test::for_all_variants;
using test::random_values;
using test::words_of;

// The definition, with nothing in common with the code under test but the field.
template <class F>
std::vector<F> transform_by_definition(const std::vector<F>& x, const F& w) {
    std::vector<F> r(x.size(), F::zero());
    F point = F::one();
    for (F& value : r) {
        F power = F::one();
        for (const F& c : x) value += c * power, power *= point;
        point *= w;
    }
    return r;
}

template <class F>
void transform(curve_id curve, std::vector<F>& x, unsigned log_n, ntt_direction direction, isa variant, size_t threads = 1) {
    thread_pool pool(threads);
    task t;
    ntt(curve, pool, t, words_of(x), log_n, direction, variant);
    CHECK_EQ(t.done(), uint64_t{1} << log_n);
}

// ffjavascript's Fr.w[Fr.s].
template <class Curve>
wide<4> known_root() {
    if (Curve::id == curve_id::bn254) return {0x9bd61b6e725b19f0, 0x402d111e41112ed4, 0x00e0a7eb8ef62abc, 0x2a3c09f0a58a7e85};
    return {0x1b788f500b912f1f, 0xc4024ff270b3e094, 0x0fd56dc8d168d6c0, 0x0212d79e5b416b6f};
}

}  // namespace

TEST("the domain's root of unity is ffjavascript's") {
    const auto check = []<class Curve>() {
        const auto root = root_of_unity<Curve>(Curve::two_adicity);
        CHECK(root == Curve::fr::from_canonical(known_root<Curve>().data()));
        CHECK(root_of_unity<Curve>(Curve::two_adicity - 1) == root * root);
        CHECK(root_of_unity<Curve>(0) == Curve::fr::one());
        CHECK(root_of_unity<Curve>(1) == -Curve::fr::one());
        CHECK(coset_shift<Curve>(7) == root_of_unity<Curve>(8));
        CHECK(coset_shift<Curve>(Curve::two_adicity) == Curve::fr::from_u64(25));
    };
    check.operator()<bn254>();
    check.operator()<bls12_381>();
}

TEST("a forward transform agrees with the definition for every size up to 2^9") {
    for_all_variants([]<class Curve>(isa variant) {
        for (unsigned log_n = 0; log_n <= 9; log_n++) {
            auto x = random_values<typename Curve::fr>(size_t{1} << log_n, log_n + 1);
            const auto expected = transform_by_definition(x, root_of_unity<Curve>(log_n));
            transform(Curve::id, x, log_n, ntt_direction::forward, variant);
            CHECK(x == expected);
        }
    });
}

TEST("an inverse transform undoes a forward one for every size up to 2^16") {
    for_all_variants([]<class Curve>(isa variant) {
        for (unsigned log_n = 0; log_n <= 16; log_n++) {
            const auto before = random_values<typename Curve::fr>(size_t{1} << log_n, log_n + 1);
            auto x = before;
            transform(Curve::id, x, log_n, ntt_direction::forward, variant);
            CHECK(log_n == 0 || !(x == before));
            transform(Curve::id, x, log_n, ntt_direction::inverse, variant);
            CHECK(x == before);
        }
    });
}

TEST("transforms of extreme values are fully reduced and right") {
    for_all_variants([]<class Curve>(isa variant) {
        using F = typename Curve::fr;
        constexpr unsigned log_n = 12;
        // All values p - 1: coefficient 0 alone, and zeros.
        std::vector<F> x(size_t{1} << log_n, F::raw(wide_minus(F::modulus, 1)));
        transform(Curve::id, x, log_n, ntt_direction::inverse, variant);
        CHECK(x[0] == F::raw(wide_minus(F::modulus, 1)));
        for (size_t i = 1; i < x.size(); i++) CHECK(x[i].is_zero());
        transform(Curve::id, x, log_n, ntt_direction::forward, variant);
        for (const F& value : x) CHECK(value == F::raw(wide_minus(F::modulus, 1)));
    });
}

TEST("a transform does not depend on the number of threads") {
    for_all_variants([]<class Curve>(isa variant) {
        constexpr unsigned log_n = 11;
        const auto before = random_values<typename Curve::fr>(size_t{1} << log_n, 5);
        auto one = before;
        transform(Curve::id, one, log_n, ntt_direction::forward, variant, 1);
        for (const size_t threads : {2, 3, 8}) {
            auto x = before;
            transform(Curve::id, x, log_n, ntt_direction::forward, variant, threads);
            CHECK(x == one);
        }
    });
}

TEST("a domain larger than the field has roots for is refused") {
    thread_pool pool(1);
    task t;
    uint64_t none[4] = {};
    CHECK_THROWS_CODE((ntt(curve_id::bn254, pool, t, none, 29, ntt_direction::forward), 0), "DomainTooLarge");
    CHECK_THROWS_CODE((ntt(curve_id::bls12_381, pool, t, none, 33, ntt_direction::forward), 0), "DomainTooLarge");
}

}  // namespace cuzk
