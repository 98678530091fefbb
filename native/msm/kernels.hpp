// The curve arithmetic that costs the time, in the variant that this processor runs best.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "field/curves.hpp"

namespace cuzk {

// Functions over one curve. Points are affine and uncompressed, coordinate by coordinate, little-endian words, all zeros for the point at
// infinity: 2 x N words in G1 and 4 x N in G2 (N = 4 for bn254, 6 for bls12-381). "File form" is Montgomery form with R = 2^(64 N), as
// .zkey files hold it; "imported form" is what the variant computes with (another R where vectors of 52-bit words are used).
// Every function may be called from any thread; computations that take a pool use all of its threads.
struct kernels {
    const char* isa;  // "portable", "adx" or "ifma"

    // n points between the two forms, in place.
    void (*import_g1)(uint64_t* points, size_t n);
    void (*import_g2)(uint64_t* points, size_t n);
    void (*export_g1)(uint64_t* points, size_t n);
    void (*export_g2)(uint64_t* points, size_t n);

    // The sum of scalars[i] * points[i]. Points imported; scalars plain integers below r, 4 words each. `out` gets Jacobian X, Y, Z in file
    // form (3 x N or 6 x N words; Z = 0 is the point at infinity). Advances t by n in total.
    void (*msm_g1)(thread_pool& pool, task& t, const uint64_t* points, const uint64_t* scalars, size_t n, uint64_t* out);
    void (*msm_g2)(thread_pool& pool, task& t, const uint64_t* points, const uint64_t* scalars, size_t n, uint64_t* out);

    // The most memory that a multiplication of n scalars takes besides its arguments.
    size_t (*msm_bytes_g1)(size_t n, size_t threads);
    size_t (*msm_bytes_g2)(size_t n, size_t threads);

    // For j < buckets <= 32768: out[j] = the sum of the points with digits[i] == j + 1 (digit 0: left out). Imported form in and out.
    void (*bucket_sums_g1)(thread_pool& pool, task& t, const uint64_t* points, const uint16_t* digits, size_t n, size_t buckets,
                           uint64_t* out);
    void (*bucket_sums_g2)(thread_pool& pool, task& t, const uint64_t* points, const uint16_t* digits, size_t n, size_t buckets,
                           uint64_t* out);

    // The most memory that they take besides their arguments.
    size_t (*bucket_sums_bytes_g1)(size_t n, size_t buckets, size_t threads);
    size_t (*bucket_sums_bytes_g2)(size_t n, size_t buckets, size_t threads);

    // The index of the first point that is neither on the curve (the twist, in G2) nor at infinity; n if there is none. Imported form.
    // Coordinates are assumed to be below the modulus.
    size_t (*first_off_curve_g1)(thread_pool& pool, task& t, const uint64_t* points, size_t n);
    size_t (*first_off_curve_g2)(thread_pool& pool, task& t, const uint64_t* points, size_t n);
};

// The variant for this CPU. CUZK_ISA=portable|adx|ifma in the environment chooses another one that the CPU can run.
const kernels& kernels_for(curve_id curve);

// That variant by name, or null when this CPU or this build has not got it.
const kernels* kernels_named(curve_id curve, const char* isa);

}  // namespace cuzk
