// Field arithmetic on arrays, the same function compiled for each instruction set, for comparison with other libraries.
#pragma once

#include <cstddef>
#include <cstdint>

#include "field/curves.hpp"

namespace cuzk::test {

enum class field_id : uint32_t { fr, fp, fp2 };
enum class element_op : uint32_t { add, sub, mul, sqr, neg, dbl, inverse, from_canonical, to_canonical };

// Raw pointers only, as in all tables whose entries are compiled with special flags.
struct element_table {
    // out[i] = op(a[i], b[i]) for n elements in file form, packed; b is read by add, sub and mul alone. Returns false for an operation that
    // the variant has not got.
    bool (*apply)(curve_id curve, field_id field, element_op op, const uint64_t* a, const uint64_t* b, size_t n, uint64_t* out);
    // Runs `rounds` rounds of independent multiplications; returns how many elements one round multiplies.
    size_t (*multiply)(curve_id curve, field_id field, size_t rounds);
};

extern const element_table elements_portable;
extern const element_table elements_adx;
extern const element_table elements_ifma;

}  // namespace cuzk::test
