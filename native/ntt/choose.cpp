#include "ntt/choose.hpp"

namespace cuzk {

inline namespace base {
extern const ntt_kernels ntt_bn254, ntt_bls12_381;
}
#if defined(__x86_64__)
namespace adx {
extern const ntt_kernels ntt_bn254, ntt_bls12_381;
}
namespace ifma {
extern const ntt_kernels ntt_bn254, ntt_bls12_381;
}
#endif

const ntt_kernels& ntt_kernels_for(curve_id curve, isa variant) {
    const bool bn = curve == curve_id::bn254;
#if defined(__x86_64__)
    if (variant == isa::ifma) return bn ? ifma::ntt_bn254 : ifma::ntt_bls12_381;
    if (variant == isa::adx) return bn ? adx::ntt_bn254 : adx::ntt_bls12_381;
#else
    (void)variant;
#endif
    return bn ? base::ntt_bn254 : base::ntt_bls12_381;
}

}  // namespace cuzk
