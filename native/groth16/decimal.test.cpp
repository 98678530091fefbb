#include "groth16/decimal.hpp"

#include "test/check.hpp"

using namespace cuzk;

TEST("decimal strings and words convert both ways") {
    const uint64_t max[4] = {~0ull, ~0ull, ~0ull, ~0ull};
    const std::string text = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    CHECK_EQ(to_decimal(max, 4), text);
    uint64_t words[4];
    CHECK(from_decimal(text, words, 4));
    for (const uint64_t w : words) CHECK_EQ(w, ~0ull);
    const uint64_t zero[4] = {}, ten19[2] = {10'000'000'000'000'000'000u, 0};
    CHECK_EQ(to_decimal(zero, 4), std::string("0"));
    CHECK_EQ(to_decimal(ten19, 2), std::string("10000000000000000000"));
    CHECK(from_decimal("000", words, 4) && words[0] == 0);
}

TEST("what is not a decimal number, or too large for the words, is refused") {
    uint64_t words[4];
    for (const char* text : {"", "-1", "+1", " 1", "1 ", "0x10", "1e3",
                             "115792089237316195423570985008687907853269984665640564039457584007913129639936"})
        CHECK(!from_decimal(text, words, 4));
}
