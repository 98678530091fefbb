// What one field multiplication costs: the unit in which the arithmetic limits of larger computations are counted.
#pragma once

namespace cuzk {

// Nanoseconds per multiplication on one core, when many independent ones stand side by side.
struct mul_costs {
    double bn254_fp, bn254_fr, bls12_381_fp, bls12_381_fr;
};

// By the scalar or vector arithmetic that the kernels of that instruction set use. Call only what the CPU can run.
mul_costs portable_mul_costs();
#if defined(__x86_64__)
mul_costs adx_mul_costs();
mul_costs ifma_mul_costs();
#endif

}  // namespace cuzk
