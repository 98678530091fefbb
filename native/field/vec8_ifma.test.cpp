// The body of vec8.test.cpp's case. Like all *_ifma files it uses nothing of the standard library that the linker could share out.
#include "field/curves.hpp"
#include "field/vec8.hpp"

namespace cuzk {

int check_eight_lanes();

namespace {

// Eight elements in file form to lanes in imported form, and back.
template <class P>
vec8_t<P> to_lanes(const mont_t<P>* x) {
    __m512i w[P::limbs];
    alignas(64) uint64_t row[8];
    for (size_t i = 0; i < P::limbs; i++) {
        for (size_t lane = 0; lane < 8; lane++) row[lane] = x[lane].limb[i];
        w[i] = _mm512_load_si512(row);
    }
    return vec8_t<P>::from_words(w) * vec8_t<P>::broadcast(vec8_t<P>::from_file_factor);
}
template <class P>
void from_lanes(const vec8_t<P>& v, mont_t<P>* x) {
    __m512i w[P::limbs];
    (v * vec8_t<P>::broadcast(vec8_t<P>::to_file_factor)).canonical().to_words(w);
    alignas(64) uint64_t row[8];
    for (size_t i = 0; i < P::limbs; i++) {
        _mm512_store_si512(row, w[i]);
        for (size_t lane = 0; lane < 8; lane++) x[lane].limb[i] = row[lane];
    }
}

template <class P>
int check_field() {
    using F = mont_t<P>;
    using V = vec8_t<P>;
    // 0, 1, 2, -1, -2, 1/2, and two that change from round to round; every pair meets as b is turned around.
    F a[8] = {F::zero(), F::one(), F::one().dbl(), -F::one(), -F::one().dbl(), F::one().dbl().inverse(), F::from_u64(3), F::from_u64(5)};
    for (int round = 0; round < 64; round++) {
        F b[8], r[8];
        for (size_t i = 0; i < 8; i++) b[i] = a[(i + static_cast<size_t>(round)) % 8];
        const V va = to_lanes(a), vb = to_lanes(b);
        const auto same = [&](const V& v, auto&& expected) {
            from_lanes(v, r);
            for (size_t i = 0; i < 8; i++)
                if (!(r[i] == expected(a[i], b[i]))) return false;
            return true;
        };
        if (!same(va * vb, [](const F& x, const F& y) { return x * y; })) return __LINE__;
        if (!same(va + vb, [](const F& x, const F& y) { return x + y; })) return __LINE__;
        if (!same(va - vb, [](const F& x, const F& y) { return x - y; })) return __LINE__;
        if (!same(-va, [](const F& x, const F&) { return -x; })) return __LINE__;
        if (!same(va.sqr(), [](const F& x, const F&) { return x.sqr(); })) return __LINE__;
        const V ca = va.canonical(), cb = vb.canonical();
        if (!same(ca.template minus_lazy<1>(cb), [](const F& x, const F& y) { return x - y; })) return __LINE__;
        if (!same(add_lazy(va, vb) * add_lazy(va, vb), [](const F& x, const F& y) { return (x + y).sqr(); })) return __LINE__;
        if (!same(add_lazy(va, vb).canonical4(), [](const F& x, const F& y) { return x + y; })) return __LINE__;
        if (!same((va * vb).minus_two_canonical(ca, cb), [](const F& x, const F& y) { return x * y - x - y; })) return __LINE__;
        if (!same(V::blend(0x5a, va, vb), [i = 0](const F& x, const F& y) mutable { return 0x5a >> i++ & 1 ? x : y; })) return __LINE__;
        for (size_t i = 0; i < 8; i++)
            if ((ca.zero_lanes() >> i & 1) != a[i].is_zero()) return __LINE__;
        a[6] = a[6].sqr() + a[7];
        a[7] = a[7] * a[6] - F::one();
    }
    return 0;
}

}  // namespace

int check_eight_lanes() {
    for (const int line : {check_field<bn254_fp_params>(), check_field<bn254_fr_params>(), check_field<bls12_381_fp_params>(),
                           check_field<bls12_381_fr_params>()})
        if (line) return line;
    return 0;
}

}  // namespace cuzk
