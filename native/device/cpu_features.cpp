#include "device/cpu_features.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include "device/error.hpp"

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

isa choose_isa(const char* wish, std::span<const isa> possible) {
    if (wish == nullptr || *wish == 0) return possible.back();
    std::string names;
    for (const isa variant : possible) {
        if (name_of(variant) == std::string(wish)) return variant;
        names += (names.empty() ? "" : ", ") + std::string(name_of(variant));
    }
    bool known = false;
    for (const isa variant : {isa::portable, isa::adx, isa::ifma}) known |= name_of(variant) == std::string(wish);
    throw error("IsaUnavailable",
                "CUZK_ISA is " + std::string(wish) + (known ? ", which this processor cannot run" : ", which names no arithmetic"),
                "unset CUZK_ISA, or set it to one of those possible here: " + names);
}

isa chosen_isa() {
    static const isa chosen = [] {
        std::vector<isa> possible;
        for (const isa variant : {isa::portable, isa::adx, isa::ifma})
            if (can_run(variant)) possible.push_back(variant);
        return choose_isa(std::getenv("CUZK_ISA"), possible);
    }();
    return chosen;
}

}  // namespace cuzk
