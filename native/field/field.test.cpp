#include "field/curves.hpp"
#include "test/check.hpp"

using namespace cuzk;

namespace {

template <class F>
void check_field_laws() {
    F x = F::from_u64(0x123456789abcdef), y = F::from_u64(7);
    for (int i = 0; i < 200; i++) {
        CHECK((x + y) * (x - y) == x.sqr() - y.sqr());
        CHECK(x * x.inverse() == F::one());
        CHECK(x + (-x) == F::zero());
        uint64_t plain[F::N];
        x.to_canonical(plain);
        CHECK(F::is_reduced(plain));
        CHECK(F::from_canonical(plain) == x);
        y = x * y + F::one();
        x = x.sqr() - y;
    }
    CHECK(F::zero().inverse() == F::zero());
    CHECK(!F::is_reduced(F::modulus.data()));
    // 1/2 times 2, and p - 1 squared: values next to the modulus.
    const F minus_one = -F::one();
    CHECK(minus_one.sqr() == F::one());
    CHECK(minus_one + minus_one + F::one().dbl() == F::zero());
}

}  // namespace

TEST("every field obeys the ring laws, inverts, and converts to integers and back") {
    check_field_laws<bn254::fp>();
    check_field_laws<bn254::fr>();
    check_field_laws<bls12_381::fp>();
    check_field_laws<bls12_381::fr>();
}

TEST("Montgomery one times one is one, so the constants derived from the modulus are right") {
    CHECK(bn254::fp::one() * bn254::fp::one() == bn254::fp::one());
    CHECK(bls12_381::fp::one().sqr() == bls12_381::fp::one());
    uint64_t plain[4];
    bn254::fr::one().to_canonical(plain);
    CHECK_EQ(plain[0], 1u);
    CHECK_EQ(plain[1] | plain[2] | plain[3], 0u);
}

TEST("in the quadratic extension u squared is minus one, and inverses invert") {
    using f2 = bn254::fp2;
    const f2 u{bn254::fp::zero(), bn254::fp::one()};
    CHECK(u * u == -f2::one());
    f2 x{bn254::fp::from_u64(3), bn254::fp::from_u64(11)};
    for (int i = 0; i < 50; i++) {
        CHECK(x * x == x.sqr());
        CHECK(x * x.inverse() == f2::one());
        x = x * x + u;
    }
    CHECK(f2::zero().inverse() == f2::zero());
}

TEST("the non-residue of each scalar field is not a square") {
    const auto check = []<class C>() {
        auto half = C::fr::modulus;
        for (size_t i = 0; i < 4; i++) half[i] = half[i] >> 1 | (i < 3 ? half[i + 1] << 63 : 0);
        CHECK(C::fr::from_u64(C::fr_non_residue).pow(half.data(), 4) == -C::fr::one());
    };
    check.template operator()<bn254>();
    check.template operator()<bls12_381>();
}
