// The transforms for CPUs with AVX-512 IFMA.
#include "field/curves.hpp"
#include "ntt/lanes_vector.hpp"
#include "ntt/transform.hpp"

CUZK_ARITHMETIC_BEGIN

extern const ntt_kernels ntt_bn254, ntt_bls12_381;
const ntt_kernels ntt_bn254 = transform<vector_rows<bn254_fr_params>>::table;
const ntt_kernels ntt_bls12_381 = transform<vector_rows<bls12_381_fr_params>>::table;

CUZK_ARITHMETIC_END
