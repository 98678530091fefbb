// Scalars made ready for signed windows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "device/buffer.hpp"
#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "field/wide.hpp"

namespace cuzk {

// The scalars of one multiplication that count: not 0, their point not at infinity, ordered by size so that small ones leave the high
// windows alone. Scalars above r/2 are replaced by r - s and a negated point, so that small negative numbers are small too.
class recoded_scalars {
public:
    // scalars: n plain integers below r, 4 words each; r of `scalar_bits` bits. points: n of point_words words, all zeros at infinity.
    recoded_scalars(thread_pool& pool, const task& t, const uint64_t* scalars, size_t n, const wide<4>& r, const uint64_t* points,
                    size_t point_words);

    // What n scalars take at most, and the most while the constructor works.
    static constexpr size_t bytes(size_t n) { return n * (32 + 4); }
    static size_t construction_bytes(size_t n);

    size_t size() const { return size_; }
    // How many scalars can have a nonzero digit at bit `bit` or above; they stand first.
    size_t reaching(size_t bit) const;

    // Entry i: the point's index and, in sign_bit, whether it is negated.
    const uint32_t* entries() const { return entries_.as<const uint32_t>(); }
    // Prepares biased_digit(): adds 2^(window_bits - 1) in every window but the highest, so that reading a window and subtracting the same
    // again gives signed digits, without carries from window to window. The highest stays unsigned; values are at most r/2, so its digits
    // are at most 2^(window_bits - 1) all the same when the windows cover r's bits.
    void set_window(thread_pool& pool, const task& t, unsigned window_bits, size_t windows);
    // The window at `bit` of entry i's biased value.
    uint32_t biased_digit(size_t i, size_t bit, unsigned window_bits) const {
        const uint64_t* words = values_.as<const uint64_t>() + 4 * i;
        const size_t word = bit / 64, shift = bit % 64;
        uint64_t v = words[word] >> shift;
        if (shift + window_bits > 64 && word < 3) v |= words[word + 1] << (64 - shift);
        return static_cast<uint32_t>(v & ((uint64_t{1} << window_bits) - 1));
    }

private:
    static constexpr size_t classes = 17;  // class k: below 2^(16 k - 2)
    std::array<size_t, classes + 1> at_least_{};  // how many entries are of class k or more
    buffer entries_, values_;
    size_t size_ = 0;
};

}  // namespace cuzk
