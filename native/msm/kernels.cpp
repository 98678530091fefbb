#include "msm/kernels.hpp"

#include <cstring>

#include "device/cpu_features.hpp"
#include "msm/msm.hpp"

namespace cuzk {

namespace {

constexpr size_t range = 4096;  // points of one step of a long loop

const curve_leafs& leafs_for(curve_id curve, isa variant) {
    const bool bn = curve == curve_id::bn254;
#if defined(__x86_64__)
    if (variant == isa::ifma) return bn ? ifma_leafs_bn254() : ifma_leafs_bls12_381();
    if (variant == isa::adx) return bn ? adx_leafs_bn254() : adx_leafs_bls12_381();
#endif
    (void)variant;
    return bn ? portable_leafs_bn254() : portable_leafs_bls12_381();
}

size_t first_off_curve(const group_leafs& leafs, thread_pool& pool, task& t, const uint64_t* points, size_t n) {
    std::atomic<size_t> first{n};
    pool.parallel_ranges(t, n, range, [&](size_t begin, size_t end, size_t) {
        const size_t i = begin + leafs.first_off_curve(points + begin * leafs.point_words, end - begin);
        if (i == end) return;
        size_t seen = first.load();
        while (i < seen && !first.compare_exchange_weak(seen, i)) {
        }
    });
    return first;
}

// The table of kernels.hpp for one curve and variant: thin functions without state, as the interface wants them.
template <class C, isa variant>
struct table {
    static const curve_leafs& leafs() { return leafs_for(C::id, variant); }

    template <auto group>
    static void import_points(uint64_t* points, size_t n) { (leafs().*group).import_points(points, n); }
    template <auto group>
    static void export_points(uint64_t* points, size_t n) { (leafs().*group).export_points(points, n); }
    template <auto group>
    static void sum(thread_pool& pool, task& t, const uint64_t* points, const uint64_t* scalars, size_t n, uint64_t* out) {
        msm(leafs().*group, C::fr::modulus, pool, t, points, scalars, n, out);
    }
    template <auto group>
    static size_t bytes(size_t n, size_t threads) { return msm_bytes(leafs().*group, C::fr::modulus, n, threads); }
    template <auto group>
    static void buckets(thread_pool& pool, task& t, const uint64_t* points, const uint16_t* digits, size_t n, size_t count, uint64_t* out) {
        bucket_sums(leafs().*group, pool, t, points, digits, n, count, out);
    }
    template <auto group>
    static size_t bytes_of_buckets(size_t n, size_t count, size_t threads) { return bucket_sums_bytes(leafs().*group, n, count, threads); }
    template <auto group>
    static size_t off_curve(thread_pool& pool, task& t, const uint64_t* points, size_t n) {
        return first_off_curve(leafs().*group, pool, t, points, n);
    }

    static const kernels& get() {
        constexpr auto g1 = &curve_leafs::g1, g2 = &curve_leafs::g2;
        static const kernels k{name_of(variant), import_points<g1>, import_points<g2>, export_points<g1>, export_points<g2>,
                               sum<g1>,          sum<g2>,           bytes<g1>,         bytes<g2>,         buckets<g1>,
                               buckets<g2>,      bytes_of_buckets<g1>, bytes_of_buckets<g2>, off_curve<g1>, off_curve<g2>};
        return k;
    }
};

template <class C>
const kernels& kernels_of(isa variant) {
    switch (variant) {
        case isa::ifma: return table<C, isa::ifma>::get();
        case isa::adx: return table<C, isa::adx>::get();
        default: return table<C, isa::portable>::get();
    }
}

const kernels& kernels_of(curve_id curve, isa variant) {
    return curve == curve_id::bn254 ? kernels_of<bn254>(variant) : kernels_of<bls12_381>(variant);
}

}  // namespace

const kernels& kernels_for(curve_id curve) { return kernels_of(curve, chosen_isa()); }

const kernels* kernels_named(curve_id curve, const char* isa_name) {
    for (const isa variant : {isa::portable, isa::adx, isa::ifma})
        if (std::strcmp(isa_name, name_of(variant)) == 0 && can_run(variant)) return &kernels_of(curve, variant);
    return nullptr;
}

}  // namespace cuzk
