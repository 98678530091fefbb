// The kernels of any processor: one element at a time, on blst's assembly.
#include "msm/doubled.hpp"
#include "msm/make_leafs.hpp"

namespace cuzk {

namespace {

template <class C>
const curve_leafs& leafs() {
    using g1 = scalar_lanes<typename C::fp>;
    using g2 = scalar_lanes<typename C::fp2>;
    static const curve_leafs table{leafs_of<C, typename C::fp, g1, doubled<g1>>::table(), leafs_of<C, typename C::fp2, g2, g2>::table()};
    return table;
}

}  // namespace

const curve_leafs& portable_leafs_bn254() { return leafs<bn254>(); }
const curve_leafs& portable_leafs_bls12_381() { return leafs<bls12_381>(); }

}  // namespace cuzk
