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

}  // namespace cuzk
