#include "bench/make_mul_cost.hpp"

namespace cuzk {

mul_costs portable_mul_costs() {
    return {mul_nanoseconds<bn254::fp>(1), mul_nanoseconds<bn254::fr>(1), mul_nanoseconds<bls12_381::fp>(1), mul_nanoseconds<bls12_381::fr>(1)};
}

}  // namespace cuzk
