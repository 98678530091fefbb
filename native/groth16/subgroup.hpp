// Whether many points all lie in the subgroup of order r, for far less than a check of each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "field/curves.hpp"

namespace cuzk {

enum class group { g1, g2 };

// How a batch of n points is checked: `passes` times, each point is added to one of 2^bits sums, chosen by chance; then all sums are checked
// in the same way. A point outside the subgroup makes its sum fall outside, unless other bad ones cancel it: with probability at most
// 2^-bits per pass, whatever the points are, because the last bad one to be placed has one sum at most where it leaves no trace. passes = 0:
// each point is checked by itself, which is cheaper for few.
struct subgroup_plan {
    unsigned bits = 0, passes = 0;
    double cost = 0;  // in additions of a point to a sum
    size_t sums() const { return size_t{passes} << bits; }
};

// The cheapest plan whose probability of missing a bad point is at most 2^-40 at each of the few levels: the usual statistical margin where
// every try costs the attacker a victim who may see it. Choices come from ChaCha20 keyed by the system: the points' author does not know
// them, and learns only that the file was refused.
subgroup_plan plan_subgroup_check(size_t n);

// What the check advances a task by: points times passes, of all levels.
uint64_t subgroup_check_work(curve_id curve, group g, size_t n);

// The most memory that the check takes besides the points, where it finds nothing, on so many threads.
uint64_t subgroup_check_bytes(curve_id curve, group g, size_t n, size_t threads);

// Sorted points are named by 31 bits: more than these are checked part by part.
inline constexpr size_t most_points_at_once = size_t{1} << 30;

// The index of the first point (on the curve, imported form: see msm/kernels.hpp) outside the subgroup; n when there is none. Advances t by
// subgroup_check_work() when there is none, by more when the search goes on.
size_t find_outside_subgroup(curve_id curve, group g, const uint64_t* points, size_t n, thread_pool& pool, task& t,
                             size_t most_at_once = most_points_at_once);

}  // namespace cuzk
