// What the transforms' tests share: random values, and every instruction set that this CPU has on both curves.
#pragma once

#include <random>
#include <vector>

#include "device/cpu_features.hpp"
#include "field/curves.hpp"

namespace cuzk::test {

template <class F>
std::vector<F> random_values(size_t count, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<F> r(count);
    for (F& x : r) {
        uint64_t words[F::N];
        do {
            for (uint64_t& word : words) word = random();
            words[F::N - 1] &= ~uint64_t{0} >> (64 * F::N - F::bits);
        } while (!F::is_reduced(words));
        x = F::load(words);
    }
    return r;
}

template <class F>
uint64_t* words_of(std::vector<F>& values) {
    static_assert(sizeof(F) == F::bytes);
    return values.data()->limb;
}

// body.operator()<Curve>(variant)
template <class Body>
void for_all_variants(Body&& body) {
    for (const isa variant : {isa::portable, isa::adx, isa::ifma}) {
        if (!can_run(variant)) continue;
        body.template operator()<bn254>(variant);
        body.template operator()<bls12_381>(variant);
    }
}

}  // namespace cuzk::test
