#include "groth16/chacha.hpp"

#include <vector>

#include "test/check.hpp"

using namespace cuzk;

TEST("ChaCha20's stream is that of OpenSSL, in its first blocks and beyond a counter of 32 bits") {
    // head -c 512 /dev/zero | openssl enc -chacha20 -K 000102...1f -iv 00...00 (or 00000000 01000000 00000000 00000000: counter 2^32)
    const uint32_t key[8] = {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c, 0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c};
    struct known {
        uint64_t block;
        uint32_t words[16];
    };
    const known expected[] = {
        {0,
         {0x7d2bfd39, 0x6a19c5d9, 0x7703bd8d, 0x494adcb8, 0x6fd8358a, 0xcc6adebc, 0x4c7dccb2, 0x9224ead8,
          0xe7cc232b, 0xab2360a2, 0x69ef0e3f, 0x647fc83a, 0xea358225, 0x2da3f7b1, 0xa06227c2, 0x0c415b48}},
        {3,
         {0xc011abe7, 0x7e3b3cf7, 0x503998b0, 0xa0c4e2b3, 0xa93d848f, 0xb3fcb75f, 0x815634f1, 0x82b7516b,
          0xbdf9f24d, 0xb4d41356, 0xd82f95ed, 0x981bcd58, 0xfff8cb4a, 0xc8a7d11f, 0xa81cd806, 0x2c3baee4}},
        {5,
         {0xa5ffe70b, 0x3c2990fa, 0x9db1a7ed, 0xd141972a, 0xc01e5f54, 0xa59cf4ad, 0x4ea4ac99, 0x5ac06735,
          0x95fc6f20, 0xe5f67432, 0x5d39ff00, 0xb212ff44, 0x5c7f067a, 0xa4b17851, 0x37b01b2a, 0x0495b748}},
        {uint64_t{1} << 32,
         {0x09fb38d8, 0x3a2e6e53, 0x3ff2e810, 0xa6736248, 0xe6d8429f, 0xed81d740, 0x3c7984e3, 0x6425c334,
          0xe56143fc, 0x20b6c5d5, 0x28053b58, 0x614c2f19, 0x0e3af209, 0xe68e3914, 0xf2dc7c53, 0xa20e61cd}},
    };
    const chacha20 stream(key);
    for (const known& k : expected) {
        uint32_t out[chacha20::words_at_once];
        stream.group(k.block / 4, out);
        for (size_t w = 0; w < 16; w++) CHECK_EQ(out[4 * w + k.block % 4], k.words[w]);
    }
}

TEST("two streams keyed by the system differ") {
    uint32_t one[chacha20::words_at_once], other[chacha20::words_at_once];
    chacha20().group(0, one);
    chacha20().group(0, other);
    CHECK(std::vector<uint32_t>(one, one + 64) != std::vector<uint32_t>(other, other + 64));
}
