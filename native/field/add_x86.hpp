// Sums and differences of four words modulo p in inline assembly, for any x86-64: gcc 12 builds carry chains out of 128-bit
// integers in three times the time.
#pragma once

#include <cstdint>

#include "field/isa.hpp"

CUZK_ARITHMETIC_BEGIN

// r = a + b mod p for a, b < p < 2^255. r may alias a or b.
inline __attribute__((always_inline)) void add_256_x86(uint64_t* r, const uint64_t* a, const uint64_t* b, const uint64_t* p) {
    uint64_t s0 = a[0], s1 = a[1], s2 = a[2], s3 = a[3];
    asm("addq %[b0], %[s0]\n adcq %[b1], %[s1]\n adcq %[b2], %[s2]\n adcq %[b3], %[s3]\n"
        : [s0] "+&r"(s0), [s1] "+&r"(s1), [s2] "+&r"(s2), [s3] "+&r"(s3)
        : [b0] "m"(b[0]), [b1] "m"(b[1]), [b2] "m"(b[2]), [b3] "m"(b[3])
        : "cc");
    uint64_t t0 = s0, t1 = s1, t2 = s2, t3 = s3;
    asm("subq %[p0], %[t0]\n sbbq %[p1], %[t1]\n sbbq %[p2], %[t2]\n sbbq %[p3], %[t3]\n"
        "cmovcq %[s0], %[t0]\n cmovcq %[s1], %[t1]\n cmovcq %[s2], %[t2]\n cmovcq %[s3], %[t3]\n"
        : [t0] "+&r"(t0), [t1] "+&r"(t1), [t2] "+&r"(t2), [t3] "+&r"(t3)
        : [s0] "r"(s0), [s1] "r"(s1), [s2] "r"(s2), [s3] "r"(s3), [p0] "m"(p[0]), [p1] "m"(p[1]), [p2] "m"(p[2]), [p3] "m"(p[3])
        : "cc");
    r[0] = t0, r[1] = t1, r[2] = t2, r[3] = t3;
}

// r = a - b mod p for a, b < p. r may alias a or b.
inline __attribute__((always_inline)) void sub_256_x86(uint64_t* r, const uint64_t* a, const uint64_t* b, const uint64_t* p) {
    uint64_t d0 = a[0], d1 = a[1], d2 = a[2], d3 = a[3], borrow;
    asm("subq %[b0], %[d0]\n sbbq %[b1], %[d1]\n sbbq %[b2], %[d2]\n sbbq %[b3], %[d3]\n sbbq %[borrow], %[borrow]\n"
        : [d0] "+&r"(d0), [d1] "+&r"(d1), [d2] "+&r"(d2), [d3] "+&r"(d3), [borrow] "=&r"(borrow)
        : [b0] "m"(b[0]), [b1] "m"(b[1]), [b2] "m"(b[2]), [b3] "m"(b[3])
        : "cc");
    const uint64_t p0 = p[0] & borrow, p1 = p[1] & borrow, p2 = p[2] & borrow, p3 = p[3] & borrow;
    asm("addq %[p0], %[d0]\n adcq %[p1], %[d1]\n adcq %[p2], %[d2]\n adcq %[p3], %[d3]\n"
        : [d0] "+&r"(d0), [d1] "+&r"(d1), [d2] "+&r"(d2), [d3] "+&r"(d3)
        : [p0] "r"(p0), [p1] "r"(p1), [p2] "r"(p2), [p3] "r"(p3)
        : "cc");
    r[0] = d0, r[1] = d1, r[2] = d2, r[3] = d3;
}

CUZK_ARITHMETIC_END
