#include "msm/recode.hpp"

#include <vector>

#include "msm/leafs.hpp"

namespace cuzk {

namespace {

constexpr size_t grain = 8192;  // scalars of one range

size_t bit_length(const uint64_t* s) {
    for (size_t i = 4; i-- > 0;)
        if (s[i]) return 64 * i + 64 - static_cast<size_t>(__builtin_clzll(s[i]));
    return 0;
}

bool is_infinity(const uint64_t* point, size_t words) {
    uint64_t any = 0;
    for (size_t i = 0; i < words && !any; i++) any |= point[i];
    return any == 0;
}

// s or r - s, whichever is smaller; whether it is the latter.
bool halve(const uint64_t* s, const wide<4>& r, wide<4>& out) {
    const wide<4> value{s[0], s[1], s[2], s[3]}, other = wide_sub(r, value);
    const bool negative = !wide_not_below(other, value);
    out = negative ? other : value;
    return negative;
}

}  // namespace

recoded_scalars::recoded_scalars(thread_pool& pool, const task& t, const uint64_t* scalars, size_t n, const wide<4>& r,
                                 const uint64_t* points, size_t point_words) {
    // Two passes over the ranges: count each range's classes, then place its entries behind those of the ranges before it.
    const size_t ranges = (n + grain - 1) / grain;
    std::vector<std::array<uint32_t, classes>> place(ranges);
    buffer class_of = buffer::secret(n);
    uint8_t* const kind = class_of.as<uint8_t>();
    pool.parallel_ranges(t, n, grain, [&](size_t begin, size_t end, size_t) {
        auto& count = place[begin / grain];
        count.fill(0);
        for (size_t i = begin; i < end; i++) {
            wide<4> value;
            halve(scalars + 4 * i, r, value);
            const size_t bits = bit_length(value.data());
            kind[i] = static_cast<uint8_t>(bits == 0 || is_infinity(points + i * point_words, point_words) ? 0 : (bits + 1) / 16 + 1);
            if (kind[i]) count[kind[i] - 1]++;
        }
    });
    for (size_t k = classes; k-- > 0;) {
        for (auto& count : place) {
            const uint32_t c = count[k];
            count[k] = static_cast<uint32_t>(size_);
            size_ += c;
        }
        at_least_[k + 1] = size_;
    }
    at_least_[0] = size_;
    entries_ = buffer::secret(size_ * 4);
    values_ = buffer::secret(size_ * 32);
    pool.parallel_ranges(t, n, grain, [&](size_t begin, size_t end, size_t) {
        auto& next = place[begin / grain];
        for (size_t i = begin; i < end; i++) {
            if (!kind[i]) continue;
            wide<4> value;
            const bool negative = halve(scalars + 4 * i, r, value);
            const size_t to = next[kind[i] - 1]++;
            entries_.as<uint32_t>()[to] = static_cast<uint32_t>(i) | (negative ? sign_bit : 0);
            for (size_t w = 0; w < 4; w++) values_.as<uint64_t>()[4 * to + w] = value[w];
        }
    });
}

size_t recoded_scalars::construction_bytes(size_t n) {
    const size_t ranges = (n + grain - 1) / grain;
    return bytes(n) + n + ranges * sizeof(std::array<uint32_t, classes>);
}

size_t recoded_scalars::reaching(size_t bit) const {
    const size_t k = bit / 16 + 1;  // the smallest class that can reach: 16 k > bit
    return k > classes ? 0 : at_least_[k];
}

void recoded_scalars::set_window(thread_pool& pool, const task& t, unsigned window_bits, size_t windows) {
    wide<4> bias{};
    for (size_t w = 0; w + 1 < windows; w++) {
        const size_t bit = w * window_bits + window_bits - 1;
        bias[bit / 64] |= uint64_t{1} << bit % 64;
    }
    pool.parallel_ranges(t, size_, 4 * grain, [&](size_t begin, size_t end, size_t) {
        for (size_t i = begin; i < end; i++) {
            uint64_t* s = values_.as<uint64_t>() + 4 * i;
            unsigned __int128 carry = 0;
            for (size_t w = 0; w < 4; w++) {
                carry += static_cast<unsigned __int128>(s[w]) + bias[w];
                s[w] = static_cast<uint64_t>(carry);
                carry >>= 64;
            }
        }
    });
}

}  // namespace cuzk
