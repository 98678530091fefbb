// Multi-scalar multiplication: the schedule around the leafs.
#pragma once

#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "field/wide.hpp"
#include "msm/leafs.hpp"

namespace cuzk {

// out = the sum of scalars[i] * points[i], Jacobian in file form; see kernels.hpp for the forms. r: the group's order.
//
// Pippenger's bucket method ("On the evaluation of powers and monomials", 1980) with signed windows. Window by window, entries are sorted
// by bucket, buckets are summed by affine batches (tree.hpp), and a window's buckets are joined by running sums (reduce.hpp). Work is cut
// into tasks of a few thousand points or buckets, so that all threads are busy to the end of every step, whatever the scalars are.
void msm(const group_leafs& leafs, const wide<4>& r, thread_pool& pool, task& t, const uint64_t* points, const uint64_t* scalars, size_t n,
         uint64_t* out);

// The most memory that msm() takes for n scalars, whatever they are.
size_t msm_bytes(const group_leafs& leafs, const wide<4>& r, size_t n, size_t threads);

// out[j] = the sum of the points with digits[i] == j + 1, imported affine; see kernels.hpp.
void bucket_sums(const group_leafs& leafs, thread_pool& pool, task& t, const uint64_t* points, const uint16_t* digits, size_t n,
                 size_t buckets, uint64_t* out);

// The most memory that bucket_sums() takes besides its arguments.
size_t bucket_sums_bytes(const group_leafs& leafs, size_t n, size_t buckets, size_t threads);

}  // namespace cuzk
