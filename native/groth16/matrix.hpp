// The constraint matrices A and B as the prover keeps them: compressed rows, each distinct coefficient held once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "field/curves.hpp"
#include "device/buffer.hpp"

namespace cuzk {

// Row i holds the entries [row_ends[i], row_ends[i + 1]): row_ends has rows + 1 numbers, the first 0 (32 bits: the file counts
// its records in as many). Signals are 32-bit numbers,
// coefficients 16- or 32-bit ones into the dictionary that A and B share. The order within a row is not defined.
struct sparse_rows {
    buffer row_ends, signals, coefficients;
    size_t entries() const { return signals.bytes() / sizeof(uint32_t); }
};

struct matrices {
    sparse_rows a, b;
    // Distinct values, four words each, as v R^2 mod r: the product with a plain integer comes out in Montgomery form. 0 is the
    // value 1, and 1 is -1, whether they occur or not.
    buffer dictionary;
    size_t dictionary_size = 0;
    bool wide_coefficients = false;  // 32-bit numbers; otherwise 16-bit
    size_t rows = 0;                 // the highest row that holds anything, plus 1
    size_t bytes() const;
};

// A record of the zkey's section 4: u32 matrix (0: A, 1: B), u32 constraint, u32 signal, and the value v R^2 mod r in four words.
inline constexpr size_t coefficient_record_bytes = 44;

// Reads `size` bytes at `offset` within the records.
using record_reader = std::function<void(uint64_t offset, void* to, size_t size)>;

// Builds both matrices from `count` records in any order. Records are parsed in blocks side by side; `read` is called from all threads.
// Throws "ZkeyCoefficientOutOfRange" or "ZkeyCoefficientNotReduced" with the record's byte offset within the records (+ base_offset).
matrices load_matrices(curve_id curve, uint32_t count, uint64_t rows, uint64_t signals, uint64_t base_offset, const record_reader& read,
                       thread_pool& pool, task& t);

// How many different values the records hold, 1 and -1 always counted: what dictionary_size will be. Records that load_matrices() refuses
// count as any. `read` is called from all threads.
uint64_t count_coefficient_values(curve_id curve, uint32_t count, const record_reader& read, thread_pool& pool, const task& t);

struct matrix_sizes {
    uint64_t held = 0;      // matrices::bytes()
    uint64_t building = 0;  // the most that load_matrices() takes, its result included
};
// Of `count` records with so many different values, loaded by so many threads.
matrix_sizes matrix_bytes(uint64_t count, uint64_t rows, uint64_t values, size_t threads);

}  // namespace cuzk
