#include "ntt/quotient.hpp"

#include <chrono>
#include <thread>

#include "ntt/plan.hpp"
#include "ntt/test_values.hpp"
#include "test/check.hpp"

namespace cuzk {

namespace {

using test::for_all_variants;
using test::random_values;
using test::words_of;

// The polynomial of degree below n with those values at shift * w^i, at z: Lagrange's formula for a coset of the n-th roots of
// unity, (z^n - shift^n) / (n shift^n) * sum of values[i] x_i / (z - x_i).
template <class F>
F interpolate_at(const std::vector<F>& values, const F& shift, const F& w, const F& z) {
    const uint64_t n = values.size();
    // sum = numerator / denominator, to invert once
    F numerator = F::zero(), denominator = F::one(), x = shift;
    for (const F& value : values) {
        const F factor = z - x;
        numerator = numerator * factor + value * x * denominator;
        denominator *= factor;
        x *= w;
    }
    const F shift_n = shift.pow(&n, 1);
    return (z.pow(&n, 1) - shift_n) * numerator * (F::from_u64(n) * shift_n * denominator).inverse();
}

// A(z) B(z) = C(z) + H(z) (z^n - 1) at a random z, where out = -2 H on the coset.
template <class Curve>
void check_quotient(unsigned log_n, isa variant, size_t threads = 1) {
    using F = typename Curve::fr;
    const size_t n = size_t{1} << log_n;
    const auto a = random_values<F>(n, 2 * log_n), b = random_values<F>(n, 2 * log_n + 1);
    std::vector<F> c(n), h(n), a_used = a, b_used = b;
    for (size_t i = 0; i < n; i++) c[i] = a[i] * b[i];

    thread_pool pool(threads);
    task t;
    quotient(Curve::id, pool, t, words_of(a_used), words_of(b_used), words_of(h), log_n, variant);
    CHECK_EQ(t.done(), n);

    const F minus_half = -F::from_u64(2).inverse();
    for (F& value : h) {
        CHECK(F::is_reduced(value.limb));
        value = F::from_canonical(value.limb) * minus_half;
    }
    const F w = root_of_unity<Curve>(log_n), g = root_of_unity<Curve>(log_n + 1), z = random_values<F>(1, 99 + log_n)[0];
    const uint64_t degree = n;
    const F vanishing = z.pow(&degree, 1) - F::one();
    CHECK(interpolate_at(a, F::one(), w, z) * interpolate_at(b, F::one(), w, z) ==
          interpolate_at(c, F::one(), w, z) + interpolate_at(h, g, w, z) * vanishing);
}

}  // namespace

TEST("the quotient times the vanishing polynomial is A B - C for every size up to 2^14") {
    for_all_variants([]<class Curve>(isa variant) {
        for (unsigned log_n = 0; log_n <= 14; log_n++) check_quotient<Curve>(log_n, variant);
    });
}

TEST("the quotient is right at 2^17 on two threads") {
    for_all_variants([]<class Curve>(isa variant) { check_quotient<Curve>(17, variant, 2); });
}

TEST("the quotient's value at one row is A B - C computed by hand") {
    // n = 2, w = -1, g^2 = -1. A = B = X: values 1, -1; C: values 1, 1, so C = 1. A B - C at g and -g: g^2 - 1 = -2.
    for_all_variants([]<class Curve>(isa variant) {
        using F = typename Curve::fr;
        std::vector<F> a{F::one(), -F::one()}, b = a, h(2);
        thread_pool pool(1);
        task t;
        quotient(Curve::id, pool, t, words_of(a), words_of(b), words_of(h), 1, variant);
        for (const F& value : h) CHECK(F::from_canonical(value.limb) == -F::from_u64(2));
    });
}

TEST("the quotient does not depend on the number of threads") {
    for_all_variants([]<class Curve>(isa variant) {
        for (const size_t threads : {2, 3, 8}) check_quotient<Curve>(10, variant, threads);
    });
}

TEST("the quotient of extreme values is right") {
    for_all_variants([]<class Curve>(isa variant) {
        using F = typename Curve::fr;
        constexpr unsigned log_n = 12;
        // A = B = m, C = m^2 on the whole domain, so that A B - C is zero everywhere.
        std::vector<F> a(size_t{1} << log_n, F::raw(wide_minus(F::modulus, 1))), b = a, h(a.size(), F::one());
        thread_pool pool(2);
        task t;
        quotient(Curve::id, pool, t, words_of(a), words_of(b), words_of(h), log_n, variant);
        for (const F& value : h) CHECK(value.is_zero());
    });
}

TEST("an aborted quotient stops within 100 ms") {
    for_all_variants([]<class Curve>(isa variant) {
        using clock = std::chrono::steady_clock;
        constexpr unsigned log_n = 20;
        using F = typename Curve::fr;
        std::vector<F> a(size_t{1} << log_n, F::one()), b = a, h = a;
        thread_pool pool(2);
        task t;
        clock::time_point aborted_at;
        std::thread watcher([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            aborted_at = clock::now();
            t.abort();
        });
        bool stopped = false;
        try {
            quotient(Curve::id, pool, t, words_of(a), words_of(b), words_of(h), log_n, variant);
        } catch (const aborted&) {
            stopped = true;
        }
        const auto stopped_at = clock::now();
        watcher.join();
        CHECK(stopped);
        CHECK(stopped_at - aborted_at < std::chrono::milliseconds(100));
    });
}

TEST("a quotient on a domain larger than the field has roots for is refused") {
    thread_pool pool(1);
    task t;
    uint64_t none[4] = {};
    CHECK_THROWS_CODE((quotient(curve_id::bn254, pool, t, none, none, none, 29), 0), "DomainTooLarge");
}

}  // namespace cuzk
