#include "device/cpu_features.hpp"

#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace cuzk {

const char* name_of(isa variant) {
    switch (variant) {
        case isa::ifma: return "ifma";
        case isa::adx: return "adx";
        default: return "portable";
    }
}

bool can_run(isa variant) {
    if (variant == isa::portable) return true;
#if defined(__x86_64__)
    __builtin_cpu_init();
    // gcc 12 has no name for ADX; every CPU with BMI2 and AVX-512 has it, for the others cpuid is asked below.
    unsigned a = 7, b = 0, c = 0, d = 0;
    asm volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    const bool adx = (b >> 8 & 1) && (b >> 19 & 1);
    if (variant == isa::adx) return adx;
    return adx && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512ifma") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vbmi2");
#else
    return false;
#endif
}

isa chosen_isa() {
    static const isa chosen = [] {
        if (const char* wish = std::getenv("CUZK_ISA"))
            for (const isa variant : {isa::portable, isa::adx, isa::ifma})
                if (std::strcmp(wish, name_of(variant)) == 0 && can_run(variant)) return variant;
        for (const isa variant : {isa::ifma, isa::adx})
            if (can_run(variant)) return variant;
        return isa::portable;
    }();
    return chosen;
}

}  // namespace cuzk
