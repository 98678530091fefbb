// Transforms by definition, for domains too small for sheets.
#pragma once

#include <vector>

#include "field/mont.hpp"

namespace cuzk {

// The polynomial with those coefficients (any count), at start * ratio^i for i < count, by Horner's rule.
template <class F>
std::vector<F> evaluate_directly(const std::vector<F>& coefficients, F start, const F& ratio, size_t count) {
    std::vector<F> r(count, F::zero());
    for (size_t i = 0; i < count; i++, start *= ratio)
        for (size_t j = coefficients.size(); j-- > 0;) r[i] = r[i] * start + coefficients[j];
    return r;
}

// The polynomial with those values at w^i, w of that order.
template <class F>
std::vector<F> interpolate_directly(const std::vector<F>& values, const F& w) {
    std::vector<F> r = evaluate_directly(values, F::one(), w.inverse(), values.size());
    const F scale = F::from_u64(values.size()).inverse();
    for (F& x : r) x *= scale;
    return r;
}

}  // namespace cuzk
