// Whether single points are on their curve and in the subgroup of order r. Affine words in file form; infinity is in every subgroup.
#pragma once

#include <cstdint>

#include "field/curves.hpp"

namespace cuzk {

// y^2 = x^3 + b, or infinity. Coordinates must be below the modulus.
template <class Curve>
bool on_curve_g1(const uint64_t* point);
template <class Curve>
bool on_curve_g2(const uint64_t* point);

// Of points on the curve.
template <class Curve>
bool in_subgroup_g1(const uint64_t* point);
template <class Curve>
bool in_subgroup_g2(const uint64_t* point);

}  // namespace cuzk
