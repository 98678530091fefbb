// Montgomery multiplication of four limbs in inline assembly, for CPUs with BMI2 and ADX.
//
// Operand scanning without the extra carry word, possible when the modulus has a spare top bit (Acar's CIOS; the spare-bit argument is
// by the gnark team, "Faster big-integer modular multiplication for most moduli", 2020). Two carry chains (CF by adcx, OF by adox) run
// through each row. Measured against blst's routine: the gain is the call and the reloads that inlining saves.
#pragma once

#include "field/isa.hpp"

#include <cstdint>

CUZK_ARITHMETIC_BEGIN

// r = a b / 2^256 mod p for a, b < p < 2^255; n0 = -1/p mod 2^64. r may alias a or b.
inline __attribute__((always_inline)) void mul_mont_256_adx(uint64_t* r, const uint64_t* a, const uint64_t* b, const uint64_t* p,
                                                            uint64_t n0) {
    uint64_t t0, t1, t2, t3, top, low;
// t = (t + m p) / 2^64 with m = -t0/p mod 2^64
#define CUZK_REDUCE                                                            \
    "movq %[n0], %%rdx\n imulq %[t0], %%rdx\n xorl %%eax, %%eax\n"             \
    "mulxq %[p0], %%rax, %[low]\n adcxq %[t0], %%rax\n movq %[low], %[t0]\n"   \
    "adcxq %[t1], %[t0]\n mulxq %[p1], %%rax, %[t1]\n adoxq %%rax, %[t0]\n"    \
    "adcxq %[t2], %[t1]\n mulxq %[p2], %%rax, %[t2]\n adoxq %%rax, %[t1]\n"    \
    "adcxq %[t3], %[t2]\n mulxq %[p3], %%rax, %[t3]\n adoxq %%rax, %[t2]\n"    \
    "movl $0, %%eax\n adcxq %%rax, %[t3]\n adoxq %[top], %[t3]\n"
// t += a b_i, the fifth word in top
#define CUZK_ROW(word)                                                         \
    "movq %[" word "], %%rdx\n xorl %%eax, %%eax\n"                            \
    "mulxq %[a0], %%rax, %[top]\n adoxq %%rax, %[t0]\n"                        \
    "adcxq %[top], %[t1]\n mulxq %[a1], %%rax, %[top]\n adoxq %%rax, %[t1]\n"  \
    "adcxq %[top], %[t2]\n mulxq %[a2], %%rax, %[top]\n adoxq %%rax, %[t2]\n"  \
    "adcxq %[top], %[t3]\n mulxq %[a3], %%rax, %[top]\n adoxq %%rax, %[t3]\n"  \
    "movl $0, %%eax\n adcxq %%rax, %[top]\n adoxq %%rax, %[top]\n"
    asm("movq %[b0], %%rdx\n xorl %%eax, %%eax\n"
        "mulxq %[a0], %[t0], %[t1]\n mulxq %[a1], %%rax, %[t2]\n adoxq %%rax, %[t1]\n"
        "mulxq %[a2], %%rax, %[t3]\n adoxq %%rax, %[t2]\n mulxq %[a3], %%rax, %[top]\n adoxq %%rax, %[t3]\n"
        "movl $0, %%eax\n adoxq %%rax, %[top]\n"
        CUZK_REDUCE CUZK_ROW("b1") CUZK_REDUCE CUZK_ROW("b2") CUZK_REDUCE CUZK_ROW("b3") CUZK_REDUCE
        : [t0] "=&r"(t0), [t1] "=&r"(t1), [t2] "=&r"(t2), [t3] "=&r"(t3), [top] "=&r"(top), [low] "=&r"(low)
        : [a0] "m"(a[0]), [a1] "m"(a[1]), [a2] "m"(a[2]), [a3] "m"(a[3]), [b0] "m"(b[0]), [b1] "m"(b[1]), [b2] "m"(b[2]),
          [b3] "m"(b[3]), [p0] "m"(p[0]), [p1] "m"(p[1]), [p2] "m"(p[2]), [p3] "m"(p[3]), [n0] "m"(n0)
        : "rax", "rdx", "cc");
#undef CUZK_REDUCE
#undef CUZK_ROW
    uint64_t s0 = t0, s1 = t1, s2 = t2, s3 = t3;
    asm("subq %[p0], %[s0]\n sbbq %[p1], %[s1]\n sbbq %[p2], %[s2]\n sbbq %[p3], %[s3]\n"
        "cmovcq %[t0], %[s0]\n cmovcq %[t1], %[s1]\n cmovcq %[t2], %[s2]\n cmovcq %[t3], %[s3]\n"
        : [s0] "+&r"(s0), [s1] "+&r"(s1), [s2] "+&r"(s2), [s3] "+&r"(s3)
        : [t0] "r"(t0), [t1] "r"(t1), [t2] "r"(t2), [t3] "r"(t3), [p0] "m"(p[0]), [p1] "m"(p[1]), [p2] "m"(p[2]), [p3] "m"(p[3])
        : "cc");
    r[0] = s0, r[1] = s1, r[2] = s2, r[3] = s3;
}

CUZK_ARITHMETIC_END
