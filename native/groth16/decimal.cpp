#include "groth16/decimal.hpp"

#include <algorithm>
#include <vector>

namespace cuzk {

namespace {
// Nineteen digits at a time: the largest power of ten in a word.
constexpr size_t chunk_digits = 19;
constexpr uint64_t chunk = 10'000'000'000'000'000'000u;
}  // namespace

std::string to_decimal(const uint64_t* number, size_t words) {
    std::vector<uint64_t> rest(number, number + words);
    std::string reversed;
    while (!rest.empty()) {
        while (!rest.empty() && rest.back() == 0) rest.pop_back();
        unsigned __int128 remainder = 0;
        for (size_t i = rest.size(); i-- > 0;) {
            const unsigned __int128 v = remainder << 64 | rest[i];
            rest[i] = static_cast<uint64_t>(v / chunk);
            remainder = v % chunk;
        }
        auto low = static_cast<uint64_t>(remainder);
        for (size_t i = 0; i < chunk_digits; i++, low /= 10) reversed.push_back(static_cast<char>('0' + low % 10));
    }
    while (reversed.size() > 1 && reversed.back() == '0') reversed.pop_back();
    if (reversed.empty()) return "0";
    std::reverse(reversed.begin(), reversed.end());
    return reversed;
}

bool from_decimal(std::string_view text, uint64_t* number, size_t words) {
    if (text.empty()) return false;
    std::fill(number, number + words, 0);
    for (const char c : text) {
        if (c < '0' || c > '9') return false;
        auto carry = static_cast<uint64_t>(c - '0');
        for (size_t i = 0; i < words; i++) {
            const unsigned __int128 v = static_cast<unsigned __int128>(number[i]) * 10 + carry;
            number[i] = static_cast<uint64_t>(v);
            carry = static_cast<uint64_t>(v >> 64);
        }
        if (carry) return false;
    }
    return true;
}

}  // namespace cuzk
