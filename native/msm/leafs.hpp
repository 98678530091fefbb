// The innermost functions of a multi-scalar multiplication, once per group and instruction set.
//
// They work on raw memory and throw nothing: a file compiled for a newer processor must not define inline functions that the linker could
// keep for everybody (field/isa.hpp). Threads, allocation and abort checks are the callers'.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuzk {

inline constexpr uint32_t sign_bit = uint32_t{1} << 31;  // of an entry: the point is to be subtracted

struct group_leafs {
    size_t point_words;       // of an affine point
    size_t coordinate_words;  // half of that

    // n points between file form and imported form, in place.
    void (*import_points)(uint64_t* points, size_t n);
    void (*export_points)(uint64_t* points, size_t n);

    // Bucket sums: entries (index | sign) stand in order of buckets, counts[b] of them for bucket b, `capacity` or fewer in all. The entries are
    // used up. `memory` has scratch_bytes(capacity) bytes, 64-byte aligned. Points in entries must not be at infinity.
    void (*accumulate)(const uint64_t* points, uint32_t* entries, const uint32_t* counts, size_t buckets, uint64_t* out, void* memory,
                       size_t capacity);
    size_t (*scratch_bytes)(size_t capacity);

    // The sum of (first + 1 + j) * buckets[j] over j < count, as homogeneous X, Y, Z in file form.
    void (*reduce)(const uint64_t* buckets, size_t first, size_t count, uint64_t* out);

    // Adds points in file form: to += p, of homogeneous and of Jacobian ones.
    void (*add)(uint64_t* to, const uint64_t* p);
    void (*add_jacobian)(uint64_t* to, const uint64_t* p);
    // Sum of 2^(bits w) windows[w], homogeneous in file form, as Jacobian X, Y, Z in file form.
    void (*join_windows)(const uint64_t* windows, size_t count, unsigned bits, uint64_t* out);

    // Index of the first of n imported points that is neither on the curve nor at infinity, or n.
    size_t (*first_off_curve)(const uint64_t* points, size_t n);
};

struct curve_leafs {
    group_leafs g1, g2;
};

// One table per instruction set and curve; see kernels.cpp for the choice.
const curve_leafs& portable_leafs_bn254();
const curve_leafs& portable_leafs_bls12_381();
#if defined(__x86_64__)
const curve_leafs& adx_leafs_bn254();
const curve_leafs& adx_leafs_bls12_381();
const curve_leafs& ifma_leafs_bn254();
const curve_leafs& ifma_leafs_bls12_381();
#endif

}  // namespace cuzk
