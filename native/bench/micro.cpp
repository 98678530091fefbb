// `cuzk_bench_micro CURVE LOG_N... [threads N]`: times the kernels beside their arithmetic limits. One JSON object per line:
// {"what","curve","isa","logN","threads","ms","limitMs"}, or {"what":"mul","field","ns"}.
//
// A limit is the number of multiplications that the method needs, times the measured cost of one, shared by all threads. It leaves out
// additions, memory and everything else, so no implementation reaches it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "bench/mul_cost.hpp"
#include "curve/generators.hpp"
#include "device/cpu_features.hpp"
#include "groth16/fixed_base.hpp"
#include "msm/kernels.hpp"
#include "ntt/ntt.hpp"
#include "ntt/quotient.hpp"

namespace cuzk {
namespace {

mul_costs costs_of(isa variant) {
#if defined(__x86_64__)
    if (variant == isa::ifma) return ifma_mul_costs();
    if (variant == isa::adx) return adx_mul_costs();
#endif
    (void)variant;
    return portable_mul_costs();
}

// The best of several runs in milliseconds; `prepare` is not timed.
double best_ms(const std::function<void()>& prepare, const std::function<void()>& work) {
    double best = 1e300, spent = 0;
    for (int run = 0; run < 3 || (run < 9 && spent < 2000); run++) {
        prepare();
        const auto started = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - started;
        best = std::min(best, took.count());
        spent += took.count();
    }
    return best;
}

// Additions of an n-point sum of full-size scalars, for the window that needs least: one per point and window, and per bucket the 25/6 that
// two complete additions cost.
double msm_additions(double n, double scalar_bits) {
    double best = 1e300;
    for (int bits = 2; bits <= 24; bits++) {
        const double windows = static_cast<double>((static_cast<int>(scalar_bits) + bits - 1) / bits);
        best = std::min(best, windows * (n + 25.0 / 6 * static_cast<double>(1 << (bits - 1))));
    }
    return best;
}

// One curve's measurements.
template <class C>
struct bench {
    using fr = typename C::fr;
    thread_pool& pool;
    double fp_ns, fr_ns;
    isa variant;

    void print(const char* what, unsigned log_n, double ms, double limit_ns) const {
        std::printf("{\"what\":\"%s\",\"curve\":\"%s\",\"isa\":\"%s\",\"logN\":%u,\"threads\":%zu,\"ms\":%.3f,\"limitMs\":%.3f}\n", what, C::name,
                    name_of(variant), log_n, pool.size(), ms, limit_ns * 1e-6 / static_cast<double>(pool.size()));
        std::fflush(stdout);
    }

    static std::vector<fr> random_elements(size_t n) {
        std::vector<fr> r(n);
        fr x = fr::from_u64(0x9e3779b97f4a7c15);
        for (fr& to : r) to = x = x.sqr() + fr::one();
        return r;
    }

    void transforms(unsigned log_n) const {
        const size_t n = size_t{1} << log_n;
        const std::vector<fr> values = random_elements(n);
        std::vector<uint64_t> a(4 * n), b(4 * n), h(4 * n);
        const auto fill = [&](std::vector<uint64_t>& to) { std::memcpy(to.data(), values.data(), 32 * n); };
        task t;
        // A butterfly has one product, a transform n/2 log n of them.
        const double products = static_cast<double>(n) / 2 * log_n * fr_ns;
        print("ntt", log_n, best_ms([&] { fill(a); }, [&] { ntt(C::id, pool, t, a.data(), log_n, ntt_direction::forward, variant); }), products);
        const auto both = [&] {
            fill(a);
            fill(b);
        };
        // Six transforms: A, B and C, to coefficients and to the coset.
        print("quotient", log_n, best_ms(both, [&] { quotient(C::id, pool, t, a.data(), b.data(), h.data(), log_n, variant); }), 6 * products);
    }

    // F: fp or fp2. An affine addition that shares its inversion has 5 products and a square; in Fp2 these are 3 and 2 of the base field.
    template <class F>
    void sum(const char* what, unsigned log_n) const {
        constexpr bool g2 = F::N != C::fp::N;
        const kernels& k = *kernels_named(C::id, name_of(variant));
        const size_t n = size_t{1} << log_n;
        const std::vector<fr> multiples = random_elements(n);
        std::vector<affine_t<F>> points(n);
        task t;
        const affine_t<F> g = generator<C, F>();
        fixed_base<F, fr>(g, n).multiply(multiples.data(), n, points.data(), pool, t);
        uint64_t* const words = reinterpret_cast<uint64_t*>(points.data());
        (g2 ? k.import_g2 : k.import_g1)(words, n);
        std::vector<uint64_t> scalars(4 * n), out(3 * F::N);
        for (size_t i = 0; i < n; i++) (multiples[i] * multiples[0]).to_canonical(&scalars[4 * i]);
        const double ms = best_ms([] {}, [&] { (g2 ? k.msm_g2 : k.msm_g1)(pool, t, words, scalars.data(), n, out.data()); });
        print(what, log_n, ms, msm_additions(static_cast<double>(n), fr::bits) * (g2 ? 17 : 6) * fp_ns);
    }

    void run(const std::vector<unsigned>& sizes) const {
        std::printf("{\"what\":\"mul\",\"curve\":\"%s\",\"isa\":\"%s\",\"field\":\"Fp\",\"ns\":%.2f}\n", C::name, name_of(variant), fp_ns);
        std::printf("{\"what\":\"mul\",\"curve\":\"%s\",\"isa\":\"%s\",\"field\":\"Fr\",\"ns\":%.2f}\n", C::name, name_of(variant), fr_ns);
        for (const unsigned log_n : sizes) {
            transforms(log_n);
            sum<typename C::fp>("msm_g1", log_n);
            sum<typename C::fp2>("msm_g2", log_n);
        }
    }
};

int usage() {
    std::fprintf(stderr, "usage: cuzk_bench_micro bn254|bls12-381 LOG_N... [threads N]\n");
    return 2;
}

}  // namespace
}  // namespace cuzk

int main(int argc, char** argv) {
    using namespace cuzk;
    std::vector<unsigned> sizes;
    size_t threads = 0;
    for (int i = 2; i < argc; i++) {
        if (!std::strcmp(argv[i], "threads") && i + 1 < argc) {
            threads = static_cast<size_t>(std::atoi(argv[++i]));
        } else {
            sizes.push_back(static_cast<unsigned>(std::atoi(argv[i])));
            if (sizes.back() < 1 || sizes.back() > 24) return usage();
        }
    }
    if (sizes.empty()) return usage();
    thread_pool pool(threads);
    const isa variant = chosen_isa();
    const mul_costs costs = costs_of(variant);
    const std::string curve = argv[1];
    if (curve == bn254::name) bench<bn254>{pool, costs.bn254_fp, costs.bn254_fr, variant}.run(sizes);
    else if (curve == bls12_381::name) bench<bls12_381>{pool, costs.bls12_381_fp, costs.bls12_381_fr, variant}.run(sizes);
    else return usage();
    return 0;
}
