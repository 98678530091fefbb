#include "groth16/secret.hpp"

#include <cstdint>
#include <cstring>
#include <new>

#include "test/check.hpp"

using namespace cuzk;

TEST("a secret on the stack is zero after its scope") {
    using secret_t = wiped<uint64_t[4]>;
    alignas(secret_t) unsigned char place[sizeof(secret_t)];
    auto* secret = new (place) secret_t;
    std::memset(secret->value, 0xab, sizeof secret->value);
    secret->~secret_t();
    const unsigned char zero[sizeof place] = {};
    CHECK(std::memcmp(place, zero, sizeof place) == 0);
}
