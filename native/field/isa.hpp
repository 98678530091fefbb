// The processor that a translation unit is compiled for, as a namespace.
//
// Kernels are compiled several times with different flags. Inline functions of headers would then exist in several versions under one
// name, and the linker would keep any of them, also one that an older processor cannot run. So all arithmetic lives in an inline
// namespace named after the instruction set: a file compiled with special flags defines CUZK_ISA first, all others get `base`.
#pragma once

#ifndef CUZK_ISA
#define CUZK_ISA base
#endif

// Small vector operations are forced inline: a call would send ten registers through memory, which costs more than an addition. Under
// AddressSanitizer they are calls all the same: instrumented and inlined, a file of kernels takes minutes to compile.
#if defined(__SANITIZE_ADDRESS__)
#define CUZK_INLINE inline
#else
#define CUZK_INLINE inline __attribute__((always_inline))
#endif

// Opens and closes namespace cuzk and the one of this translation unit's instruction set.
#define CUZK_ARITHMETIC_BEGIN \
    namespace cuzk {          \
    inline namespace CUZK_ISA {
#define CUZK_ARITHMETIC_END \
    }                       \
    }
