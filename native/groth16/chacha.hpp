// Many random numbers from a few: the stream cipher ChaCha20 keyed by the operating system.
//
// Bernstein, "ChaCha, a variant of Salsa20" (2008); the block function as in RFC 8439, section 2.3, with a counter of 64 bits and a nonce of
// zero. A stream can be read from any place, so threads share it and a choice can be made a second time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "groth16/random.hpp"

namespace cuzk {

class chacha20 {
public:
    static constexpr size_t blocks_at_once = 4, words_at_once = 16 * blocks_at_once;

    chacha20() { random_bytes(key_, sizeof key_); }
    explicit chacha20(const uint32_t (&key)[8]) { std::memcpy(key_, key, sizeof key_); }

    // Blocks [4 group, 4 group + 4) of the stream: word w of block 4 group + b is out[4 w + b].
    void group(uint64_t group, uint32_t (&out)[words_at_once]) const {
        static constexpr uint32_t sigma[4] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};  // "expand 32-byte k"
        lanes start[16], s[16];
        for (size_t i = 0; i < 4; i++) start[i] = all(sigma[i]);
        for (size_t i = 0; i < 8; i++) start[4 + i] = all(key_[i]);
        const uint64_t counter = group * blocks_at_once;  // a multiple of 4: no carry between its halves
        start[12] = all(static_cast<uint32_t>(counter)) + lanes{0, 1, 2, 3};
        start[13] = all(static_cast<uint32_t>(counter >> 32));
        start[14] = start[15] = all(0);
        std::memcpy(s, start, sizeof s);
        for (int twice = 0; twice < 10; twice++) {
            for (size_t i = 0; i < 4; i++) quarter(s[i], s[4 + i], s[8 + i], s[12 + i]);
            for (size_t i = 0; i < 4; i++) quarter(s[i], s[4 + (i + 1) % 4], s[8 + (i + 2) % 4], s[12 + (i + 3) % 4]);
        }
        for (size_t i = 0; i < 16; i++) s[i] += start[i];
        std::memcpy(out, s, sizeof out);
    }

private:
    // The same word of four blocks, in a vector register of any processor that has them.
    typedef uint32_t lanes __attribute__((vector_size(16)));
    static lanes all(uint32_t x) { return lanes{x, x, x, x}; }
    static lanes rotated(lanes x, int k) { return x << k | x >> (32 - k); }
    static void quarter(lanes& a, lanes& b, lanes& c, lanes& d) {
        a += b, d = rotated(d ^ a, 16);
        c += d, b = rotated(b ^ c, 12);
        a += b, d = rotated(d ^ a, 8);
        c += d, b = rotated(b ^ c, 7);
    }

    uint32_t key_[8];
};

}  // namespace cuzk
