// Randomness from the operating system, and nowhere else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "device/buffer.hpp"

namespace cuzk {

// Fills `out`; throws error "RandomUnavailable" when the system has none.
void random_bytes(void* out, size_t bytes);

// A uniform nonzero element of a field with four limbs, by rejection: the candidate is cut to the modulus's length first, so that at
// least half of them are taken.
template <class F>
F random_nonzero() {
    uint64_t words[F::N];
    do {
        random_bytes(words, sizeof words);
        constexpr size_t top_bits = F::bits - 64 * (F::N - 1);
        if constexpr (top_bits < 64) words[F::N - 1] &= (uint64_t{1} << top_bits) - 1;
    } while (!F::is_reduced(words) || F::load(words).is_zero());
    // Multiplying by R permutes the field: uniform words are a uniform element in Montgomery form as well.
    const F r = F::load(words);
    wipe(words, sizeof words);
    return r;
}

// xoshiro256** (Blackman and Vigna, 2018) seeded by the system: many numbers that nobody can foresee when they choose a file, but that
// are no key material.
class fast_random {
public:
    fast_random() { random_bytes(s_, sizeof s_); }
    uint64_t next() {
        const uint64_t result = rotl(s_[1] * 5, 7) * 9, t = s_[1] << 17;
        s_[2] ^= s_[0], s_[3] ^= s_[1], s_[1] ^= s_[2], s_[0] ^= s_[3], s_[2] ^= t, s_[3] = rotl(s_[3], 45);
        return result;
    }

private:
    static uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
    uint64_t s_[4];
};

}  // namespace cuzk
