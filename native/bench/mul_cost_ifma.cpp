#include "bench/make_mul_cost.hpp"
#include "field/vec8.hpp"

namespace cuzk {

mul_costs ifma_mul_costs() {
    return {mul_nanoseconds<vec8_t<bn254_fp_params>>(8), mul_nanoseconds<vec8_t<bn254_fr_params>>(8),
            mul_nanoseconds<vec8_t<bls12_381_fp_params>>(8), mul_nanoseconds<vec8_t<bls12_381_fr_params>>(8)};
}

}  // namespace cuzk
