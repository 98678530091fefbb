// Times the multiplication of a type. Included by the mul_cost_*.cpp files only.
#pragma once

#include <chrono>

#include "bench/mul_cost.hpp"
#include "field/curves.hpp"

CUZK_ARITHMETIC_BEGIN

// F: an element, or `lanes` of them side by side. The best of several runs, since other programs only ever add to the time.
template <class F>
double mul_nanoseconds(size_t lanes) {
    constexpr size_t count = 32, rounds = 4000, runs = 25;  // 32 elements of any type fit the first-level cache
    alignas(64) F x[count], y[count];
    for (size_t i = 0; i < count; i++) {
        x[i] = i ? x[i - 1] + F::one() : F::one();
        y[i] = x[i] + x[i];
    }
    double best = 1e300;
    for (size_t run = 0; run < runs; run++) {
        const auto started = std::chrono::steady_clock::now();
        for (size_t round = 0; round < rounds; round++) {
            for (size_t i = 0; i < count; i++) x[i] = x[i] * y[i];
            asm volatile("" : : "r"(x) : "memory");
        }
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - started;
        const double each = took.count() / static_cast<double>(count * rounds * lanes);
        if (each < best) best = each;
    }
    return best;
}

CUZK_ARITHMETIC_END
