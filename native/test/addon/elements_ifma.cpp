// The table over eight lanes at a time.
#include "field/curves.hpp"
#include "field/fp2.hpp"
#include "field/vec8.hpp"
#include "test/addon/elements.hpp"

CUZK_ARITHMETIC_BEGIN

namespace {

constexpr size_t lanes = 8;

// Eight elements of fr or fp, from and to words in file form whose lanes stand `step` words apart.
template <class P>
struct eight_of {
    using value = vec8_t<P>;
    static constexpr size_t words = P::limbs;
    static value load(const uint64_t* from, size_t step) {
        const __m512i index = _mm512_mullo_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(static_cast<long long>(step)));
        __m512i w[words];
        for (size_t i = 0; i < words; i++) w[i] = _mm512_i64gather_epi64(index, from + i, 8);
        return value::from_words(w) * value::broadcast(value::from_file_factor);
    }
    static void store(const value& v, uint64_t* to, size_t step) {
        const __m512i index = _mm512_mullo_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(static_cast<long long>(step)));
        __m512i w[words];
        (v * value::broadcast(value::to_file_factor)).canonical().to_words(w);
        for (size_t i = 0; i < words; i++) _mm512_i64scatter_epi64(to + i, index, w[i], 8);
    }
};

template <class P>
struct eight_of_fp2 {
    using value = fp2_t<vec8_t<P>>;
    static constexpr size_t words = 2 * P::limbs;
    static value load(const uint64_t* from, size_t step) {
        return {eight_of<P>::load(from, step), eight_of<P>::load(from + P::limbs, step)};
    }
    static void store(const value& v, uint64_t* to, size_t step) {
        eight_of<P>::store(v.c0, to, step);
        eight_of<P>::store(v.c1, to + P::limbs, step);
    }
};

template <class G>
bool apply_eight(test::element_op op, const uint64_t* a, const uint64_t* b, size_t n, uint64_t* out) {
    using test::element_op;
    using V = typename G::value;
    alignas(64) uint64_t x_words[lanes * G::words], y_words[lanes * G::words], r_words[lanes * G::words];
    const bool binary = op == element_op::add || op == element_op::sub || op == element_op::mul;
    for (size_t i = 0; i < n; i += lanes) {
        const size_t count = n - i < lanes ? n - i : lanes;
        for (size_t j = 0; j < lanes * G::words; j++) {
            const bool inside = j < count * G::words;
            x_words[j] = inside ? a[i * G::words + j] : 0;
            y_words[j] = inside && binary ? b[i * G::words + j] : 0;
        }
        const V x = G::load(x_words, G::words), y = G::load(y_words, G::words);
        V r;
        switch (op) {
            case element_op::add: r = x + y; break;
            case element_op::sub: r = x - y; break;
            case element_op::mul: r = x * y; break;
            case element_op::sqr: r = x.sqr(); break;
            case element_op::neg: r = -x; break;
            case element_op::dbl: r = x.dbl(); break;
            default: return false;
        }
        G::store(r, r_words, G::words);
        for (size_t j = 0; j < count * G::words; j++) out[i * G::words + j] = r_words[j];
    }
    return true;
}

template <class G>
size_t multiply_eight(size_t rounds) {
    using V = typename G::value;
    constexpr size_t width = 4;
    V x[width];
    for (size_t i = 0; i < width; i++) x[i] = V::one().dbl();
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < width; i++) x[i] = x[i] * x[(i + 1) % width];
    alignas(64) uint64_t words[lanes * G::words];
    for (size_t i = 0; i < width; i++) {
        G::store(x[i], words, G::words);
        asm volatile("" : : "r"(words) : "memory");
    }
    return width * lanes;
}

template <class Body>
auto with_eight(curve_id curve, test::field_id field, Body&& body) {
    return with_curve(curve, [&]<class C>() {
        switch (field) {
            case test::field_id::fr: return body.template operator()<eight_of<typename C::fr::params>>();
            case test::field_id::fp: return body.template operator()<eight_of<typename C::fp::params>>();
            default: return body.template operator()<eight_of_fp2<typename C::fp::params>>();
        }
    });
}

bool apply_lanes(curve_id curve, test::field_id field, test::element_op op, const uint64_t* a, const uint64_t* b, size_t n, uint64_t* out) {
    return with_eight(curve, field, [&]<class G>() { return apply_eight<G>(op, a, b, n, out); });
}

size_t multiply_lanes(curve_id curve, test::field_id field, size_t rounds) {
    return with_eight(curve, field, [&]<class G>() { return multiply_eight<G>(rounds); });
}

}  // namespace

CUZK_ARITHMETIC_END

namespace cuzk::test {
const element_table elements_ifma{apply_lanes, multiply_lanes};
}
