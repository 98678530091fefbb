// The kernels of processors with AVX-512 IFMA: eight elements at a time.
#include "msm/doubled.hpp"
#include "msm/lanes8.hpp"
#include "msm/make_leafs.hpp"

namespace cuzk {

namespace {

template <class C, class P>
const curve_leafs& leafs() {
    using g1 = vector_lanes<P, vector_element<P>>;
    using g2 = vector_lanes<P, vector_element2<P>>;
    static const curve_leafs table{leafs_of<C, typename C::fp, g1, doubled<g1>>::table(), leafs_of<C, typename C::fp2, g2, g2>::table()};
    return table;
}

}  // namespace

const curve_leafs& ifma_leafs_bn254() { return leafs<bn254, bn254_fp_params>(); }
const curve_leafs& ifma_leafs_bls12_381() { return leafs<bls12_381, bls12_381_fp_params>(); }

}  // namespace cuzk
