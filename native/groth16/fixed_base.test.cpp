#include "groth16/fixed_base.hpp"

#include "test/check.hpp"

using namespace cuzk;

namespace {

// Point multiplication by double and add with one inversion per step.
template <class F, class Scalar>
affine_t<F> multiply_slowly(affine_t<F> base, const Scalar& scalar) {
    uint64_t words[Scalar::N];
    scalar.to_canonical(words);
    std::vector<F> scratch;
    affine_t<F> sum{F::zero(), F::zero()};
    for (size_t i = 64 * Scalar::N; i-- > 0;) {
        const affine_t<F> copy = sum;
        add_all(&sum, &copy, 1, scratch);
        if (words[i / 64] >> (i % 64) & 1) add_all(&sum, &base, 1, scratch);
    }
    return sum;
}

}  // namespace

TEST("multiples from a table equal double and add, 0, 1 and -1 among them") {
    using fp = bn254::fp;
    using fr = bn254::fr;
    const affine_t<fp> g{fp::one(), fp::from_u64(2)};
    std::vector<fr> scalars{fr::zero(), fr::one(), -fr::one(), fr::from_u64(2), fr::from_u64(1) - fr::from_u64(3)};
    fr x = fr::from_u64(12345);
    for (int i = 0; i < 40; i++) scalars.push_back(x = x.sqr() + fr::one());
    thread_pool pool(2);
    for (const size_t size_hint : {size_t{1}, size_t{1} << 16}) {
        task t;
        const fixed_base<fp, fr> table(g, size_hint);
        std::vector<affine_t<fp>> out(scalars.size());
        table.multiply(scalars.data(), scalars.size(), out.data(), pool, t);
        for (size_t i = 0; i < scalars.size(); i++) {
            const auto want = multiply_slowly(g, scalars[i]);
            CHECK(out[i].x == want.x && out[i].y == want.y);
        }
        CHECK(at_infinity(out[0]));
        CHECK(out[1].x == g.x && out[2].y == -g.y);
    }
}
