// The transforms for CPUs with BMI2 and ADX.
#include "field/curves.hpp"
#include "ntt/lanes_scalar.hpp"
#include "ntt/transform.hpp"

CUZK_ARITHMETIC_BEGIN

extern const ntt_kernels ntt_bn254, ntt_bls12_381;
const ntt_kernels ntt_bn254 = transform<scalar_rows<bn254::fr>>::table;
const ntt_kernels ntt_bls12_381 = transform<scalar_rows<bls12_381::fr>>::table;

CUZK_ARITHMETIC_END
