// Integers as decimal strings, the form in which the ecosystem's JSON files hold field elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cuzk {

// `words` little-endian words.
std::string to_decimal(const uint64_t* number, size_t words);

// False when the text is not a decimal number (digits only, at least one) or does not fit.
bool from_decimal(std::string_view text, uint64_t* number, size_t words);

template <class F>
std::string to_decimal(const F& element) {
    uint64_t words[F::N];
    element.to_canonical(words);
    return to_decimal(words, F::N);
}

}  // namespace cuzk
