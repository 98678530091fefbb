// The kernels of processors with AVX-512 IFMA: eight elements at a time.
#include "msm/lanes8.hpp"
#include "msm/make_leafs.hpp"

namespace cuzk {

namespace {

template <class C, class P>
const curve_leafs& leafs() {
    static const curve_leafs table{leafs_of<C, typename C::fp, vector_lanes<P, vector_element<P>>>::table(),
                                   leafs_of<C, typename C::fp2, vector_lanes<P, vector_element2<P>>>::table()};
    return table;
}

}  // namespace

const curve_leafs& ifma_leafs_bn254() { return leafs<bn254, bn254_fp_params>(); }
const curve_leafs& ifma_leafs_bls12_381() { return leafs<bls12_381, bls12_381_fp_params>(); }

}  // namespace cuzk
