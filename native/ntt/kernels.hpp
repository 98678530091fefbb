// The steps of which number-theoretic transforms are made, as a table of functions per curve and instruction set.
//
// Everything works on a "sheet": rows of eight elements side by side, in the form that the variant computes with. The eight lanes
// of a sheet are eight independent transforms over its rows, so that no step ever crosses lanes. A transform of n = R x C values
// runs as R-row sheets over eight columns, then as C-row sheets over eight blocks (plan.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuzk {

inline constexpr size_t ntt_lanes = 8;
inline constexpr size_t ntt_words = 4;  // words of one scalar, in both curves

// Where the elements of a sheet stand in memory: lane l of row r at words r * row_step + l * lane_step from the start.
struct sheet_layout {
    size_t rows, row_step, lane_step;  // rows: a power of two
};

// Raw pointers only: the implementations are compiled with special flags and must not instantiate anything shared. `sheet` and
// `twiddles` point to rows of row_bytes, 64-byte aligned. A `table` holds constants of constant_words each, in the variant's form,
// that of level m (2^m of them) at 2^m. Values in memory are below 2p in file form (R = 2^256), four words each.
struct ntt_kernels {
    size_t row_bytes;
    size_t constant_words;
    unsigned radix_bits;  // constants are in Montgomery form with R' = 2^radix_bits, in limbs of 64 or 52 bits

    void (*load)(void* sheet, const uint64_t* from, sheet_layout layout);
    void (*store)(const void* sheet, uint64_t* to, sheet_layout layout);
    // Row rev(r) goes where the layout has row r; values times the constant, fully reduced.
    void (*store_reversed)(const void* sheet, const uint64_t* constant, uint64_t* to, sheet_layout layout);

    // twiddles[2^m + g] = table[2^m + g] * start^(2^(levels - 1 - m)) for all m < levels, g < 2^m; start: one constant per lane.
    void (*spread)(void* twiddles, const uint64_t* table, const uint64_t* start, unsigned levels);
    // Natural to bit-reversed rows, 2^levels of them, in place (Cooley and Tukey's butterflies, one twiddle per group). The table's
    // entry 2^m must be 1.
    void (*split)(void* sheet, const uint64_t* table, unsigned levels);
    void (*split_spread)(void* sheet, const void* twiddles, unsigned levels);
    // split_spread, then join from bit-reversed to natural rows by a table.
    void (*split_join)(void* sheet, const void* twiddles, const uint64_t* table, unsigned levels);
    // Bit-reversed to natural rows.
    void (*join_spread)(void* sheet, const void* twiddles, unsigned levels);

    // to = a b, row by row: the Montgomery product, with the variant's R'. `to` may be a or b.
    void (*multiply)(void* to, const void* a, const void* b, size_t rows);
    // to = last * (product - first * c), fully reduced; constants = {first, last}.
    void (*store_quotient)(const void* product, const void* c, const uint64_t* constants, uint64_t* to, sheet_layout layout);
};

}  // namespace cuzk
