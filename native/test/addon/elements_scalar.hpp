// The table over elements one at a time. Include from one file for each instruction set.
#pragma once

#include "field/curves.hpp"
#include "test/addon/elements.hpp"

CUZK_ARITHMETIC_BEGIN

template <class F>
bool apply_elements(test::element_op op, const uint64_t* a, const uint64_t* b, size_t n, uint64_t* out) {
    using test::element_op;
    for (size_t i = 0; i < n * F::N; i += F::N) {
        const F x = F::load(a + i);
        const auto y = [&] { return F::load(b + i); };
        switch (op) {
            case element_op::add: (x + y()).store(out + i); break;
            case element_op::sub: (x - y()).store(out + i); break;
            case element_op::mul: (x * y()).store(out + i); break;
            case element_op::sqr: x.sqr().store(out + i); break;
            case element_op::neg: (-x).store(out + i); break;
            case element_op::dbl: x.dbl().store(out + i); break;
            case element_op::inverse: x.inverse().store(out + i); break;
            case element_op::from_canonical:
                if constexpr (requires { F::from_canonical(a); }) F::from_canonical(a + i).store(out + i);
                else
                    return false;
                break;
            case element_op::to_canonical:
                if constexpr (requires { x.to_canonical(out); }) x.to_canonical(out + i);
                else
                    return false;
                break;
        }
    }
    return true;
}

// Sixteen products side by side, each with its own last result: what batches of additions do.
template <class F>
size_t multiply_elements(size_t rounds) {
    constexpr size_t width = 16;
    F x[width];
    for (size_t i = 0; i < width; i++) x[i] = F::one().dbl();
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < width; i++) x[i] = x[i] * x[(i + 1) % width];
    uint64_t words[F::N];
    for (size_t i = 0; i < width; i++) {
        x[i].store(words);
        asm volatile("" : : "r"(words) : "memory");
    }
    return width;
}

template <class Body>
auto with_field(curve_id curve, test::field_id field, Body&& body) {
    return with_curve(curve, [&]<class C>() {
        switch (field) {
            case test::field_id::fr: return body.template operator()<typename C::fr>();
            case test::field_id::fp: return body.template operator()<typename C::fp>();
            default: return body.template operator()<typename C::fp2>();
        }
    });
}

inline bool apply_scalar(curve_id curve, test::field_id field, test::element_op op, const uint64_t* a, const uint64_t* b, size_t n,
                         uint64_t* out) {
    return with_field(curve, field, [&]<class F>() { return apply_elements<F>(op, a, b, n, out); });
}

inline size_t multiply_scalar(curve_id curve, test::field_id field, size_t rounds) {
    return with_field(curve, field, [&]<class F>() { return multiply_elements<F>(rounds); });
}

CUZK_ARITHMETIC_END
