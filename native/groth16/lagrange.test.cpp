#include "groth16/lagrange.hpp"

#include "test/check.hpp"

using namespace cuzk;

namespace {

template <class Curve>
void check_interpolation(unsigned log_n) {
    using fr = typename Curve::fr;
    const size_t n = size_t{1} << log_n;
    thread_pool pool(2);
    task t;
    const fr x = fr::from_u64(1234567), factor = fr::from_u64(11), root = root_of_unity<Curve>(log_n);
    std::vector<fr> values(n);
    lagrange_values<Curve>(log_n, 0, 1, n, x, factor, values.data(), pool, t);
    // f(X) = X^(n-1) + 5 is interpolated exactly.
    const uint64_t top = n - 1;
    const auto f = [&](const fr& at) { return at.pow(&top, 1) + fr::from_u64(5); };
    fr sum = fr::zero(), at = fr::one();
    for (size_t i = 0; i < n; i++, at *= root) sum += values[i] * f(at);
    CHECK(at == fr::one());
    CHECK(sum == f(x) * factor);
    // Every second one, from the first odd: as the H points of a key.
    std::vector<fr> odd(n / 2);
    lagrange_values<Curve>(log_n, 1, 2, n / 2, x, factor, odd.data(), pool, t);
    for (size_t i = 0; i < n / 2; i++) CHECK(odd[i] == values[2 * i + 1]);
}

}  // namespace

TEST("Lagrange values interpolate a polynomial from the roots of unity") {
    for (const unsigned log_n : {1u, 2u, 5u, 13u}) {
        check_interpolation<bn254>(log_n);
        check_interpolation<bls12_381>(log_n);
    }
}
