// Rows of the matrices times a vector: the inner loop of synthesis.
#pragma once

#include "groth16/matrix.hpp"

namespace cuzk {

// Row `row` of m times `values` (plain integers below r, four words each), in Montgomery form. Coefficients 1 and -1, nearly all of them in
// most circuits, are added up as plain integers and brought into Montgomery form once per row; zeros cost nothing. So the time depends on
// the witness.
template <class F, class Number>
F row_times(const sparse_rows& m, const F* dictionary, const F* values, size_t row) {
    const uint32_t begin = m.row_ends.as<uint32_t>()[row], end = m.row_ends.as<uint32_t>()[row + 1];
    const uint32_t* signals = m.signals.as<uint32_t>();
    const Number* numbers = m.coefficients.as<Number>();
    F plain = F::zero(), sum = F::zero();
    for (size_t i = begin; i < end; i++) {
        const F& value = values[signals[i]];
        if (value.is_zero()) continue;
        switch (numbers[i]) {
            case 0: plain += value; break;
            case 1: plain -= value; break;
            default: sum += dictionary[numbers[i]] * value;
        }
    }
    return plain.is_zero() ? sum : sum + plain * F::raw(F::r2);
}

}  // namespace cuzk
