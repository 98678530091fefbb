#include "msm/msm.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "msm/recode.hpp"
#include "msm/sorted_window.hpp"

namespace cuzk {

namespace {

// What joining one bucket into its window costs, in additions of a point to a bucket: two complete additions, 25 multiplications, against
// an affine one of 6 and its memory traffic. Measured with the eight-lane kernels in G1 of bn254.
constexpr double join_cost = 3.4;
constexpr unsigned most_window_bits = 20;
// Windows that are sorted and summed together, per thread: the fewer, the less memory; two keep the threads busy between the steps.
constexpr size_t windows_per_thread = 2;
// Entries hold 31-bit indices; more points than these are summed part by part.
constexpr size_t most_points = size_t{1} << 30;

// The cheapest window for scalars of which reach(bit) can have a digit at `bit` or above, among those that fit(bits, windows that any reaches).
template <class Reach, class Fit>
unsigned choose_window_bits(size_t scalar_bits, Reach&& reach, Fit&& fit) {
    unsigned best = 1;
    double best_cost = 1e300;
    for (unsigned c = 2; c <= most_window_bits; c++) {
        double cost = 0;
        size_t used = 0;
        for (size_t bit = 0; bit < scalar_bits; bit += c)
            if (const size_t adds = reach(bit)) {
                cost += static_cast<double>(adds) + join_cost * static_cast<double>(size_t{1} << (c - 1));
                used++;
            }
        if (cost < best_cost && fit(c, used)) best_cost = cost, best = c;
    }
    return best;
}

// How many of `used` windows are sorted and summed together.
size_t windows_together(size_t used, size_t threads) { return std::clamp<size_t>(windows_per_thread * threads, 1, std::max<size_t>(1, used)); }

// A window's sum is computed in tasks of at least `least` buckets each; several tasks' sums are added up.
size_t parts_of(size_t buckets, size_t threads) {
    constexpr size_t least = 1024, most = 16384;  // more would take longer than an abort may
    return std::clamp<size_t>(2 * threads, (buckets + most - 1) / most, (buckets + least - 1) / least);
}

// The most memory that `used` windows of n entries take, beside the scalars. Grows with `used` and n.
size_t bytes_of_windows(const group_leafs& leafs, unsigned bits, size_t used, size_t n, size_t threads) {
    const size_t buckets = size_t{1} << (bits - 1), group = windows_together(used, threads);
    const size_t sums = used * (parts_of(buckets, threads) + 1) * 3 * leafs.coordinate_words * 8;
    const size_t at_work = group * (4 * n + buckets * (4 + leafs.point_words * 8));
    const size_t sorting = std::min(threads, group) * (4 * n + 4 * buckets);
    return sums + at_work + bucket_accumulator::bytes(leafs, group, n, threads) +
           std::max(sorting, bucket_accumulator::pieces_bytes(leafs, group, n));
}

// The window for n scalars of any size.
unsigned choose_window_bits(size_t scalar_bits, size_t n) {
    return choose_window_bits(scalar_bits, [n](size_t) { return n; }, [](unsigned, size_t) { return true; });
}

size_t bytes_of_windows(const group_leafs& leafs, size_t scalar_bits, size_t n, size_t threads) {
    const unsigned bits = choose_window_bits(scalar_bits, n);
    return bytes_of_windows(leafs, bits, (scalar_bits + bits - 1) / bits, n, threads);
}

// One window: from digits to entries in order of buckets. All of it says something about the scalars, so all of it is wiped.
struct window {
    size_t index = 0, reach = 0;  // which one; how many entries can have a digit
    buffer entries, counts, sums;
};

// Runs body(i) for every i below n, with a check of t now and then.
template <class Body>
void checked_loop(const task& t, size_t n, Body&& body) {
    constexpr size_t step = 65536;
    for (size_t begin = 0; begin < n; begin += step) {
        t.check();
        const size_t end = std::min(n, begin + step);
        for (size_t i = begin; i < end; i++) body(i);
    }
}

// counts[b] entries of each bucket: where they begin. Returns how many they are.
uint32_t sum_up(const uint32_t* counts, size_t buckets, uint32_t* begins) {
    uint32_t sum = 0;
    for (size_t b = 0; b < buckets; b++) {
        begins[b] = sum;
        sum += counts[b];
    }
    return sum;
}

void sort_window(const recoded_scalars& scalars, window& w, unsigned bits, bool highest, size_t buckets, const task& t) {
    uint32_t* const counts = w.counts.as<uint32_t>();
    std::memset(counts, 0, buckets * sizeof *counts);
    const size_t bit = w.index * bits;
    const int64_t bias = highest ? 0 : int64_t{1} << (bits - 1);
    // Digits are kept between the two passes: bucket + 1 and the sign.
    buffer digit_memory = buffer::secret(w.reach * 4);
    int32_t* const digits = digit_memory.as<int32_t>();
    checked_loop(t, w.reach, [&](size_t i) {
        const int32_t digit = static_cast<int32_t>(scalars.biased_digit(i, bit, bits) - bias);
        digits[i] = digit;
        if (digit) counts[(digit < 0 ? -digit : digit) - 1]++;
    });
    buffer next_memory = buffer::secret(buckets * 4);
    uint32_t* const next = next_memory.as<uint32_t>();
    sum_up(counts, buckets, next);
    const uint32_t* const from = scalars.entries();
    uint32_t* const to = w.entries.as<uint32_t>();
    checked_loop(t, w.reach, [&](size_t i) {
        if (const int32_t digit = digits[i]) to[next[(digit < 0 ? -digit : digit) - 1]++] = from[i] ^ (digit < 0 ? sign_bit : 0);
    });
}

void msm_of_part(const group_leafs& leafs, const wide<4>& r, thread_pool& pool, task& t, const uint64_t* points, const uint64_t* scalars,
                 size_t n, uint64_t* out) {
    const size_t scalar_bits = wide_bits(r), projective_words = 3 * leafs.coordinate_words;
    recoded_scalars recoded(pool, t, scalars, n, r, points, leafs.point_words);
    // Small scalars reach few windows, for which larger ones can be cheaper; never at the price of more memory than was announced.
    const size_t announced = bytes_of_windows(leafs, scalar_bits, n, pool.size());
    const unsigned bits = choose_window_bits(
        scalar_bits, [&](size_t bit) { return recoded.reaching(bit); },
        [&](unsigned c, size_t reached) { return bytes_of_windows(leafs, c, reached, recoded.size(), pool.size()) <= announced; });
    const size_t windows = (scalar_bits + bits - 1) / bits, buckets = size_t{1} << (bits - 1);
    recoded.set_window(pool, t, bits, windows);
    size_t used = 0;  // windows that any scalar reaches
    while (used < windows && recoded.reaching(used * bits)) used++;

    const size_t parts = parts_of(buckets, pool.size());
    const buffer sums_memory = buffer::secret(used * parts * projective_words * 8);
    uint64_t* const sums = sums_memory.as<uint64_t>();
    bucket_accumulator accumulator(leafs, points, pool.size());

    const size_t group = windows_together(used, pool.size());
    std::vector<window> at_work(group);
    size_t advanced = 0;
    for (size_t first = 0; first < used; first += group) {
        const size_t count = std::min(group, used - first);
        pool.parallel_for(t, count, [&](size_t k, size_t) {
            window& w = at_work[k];
            w.index = first + k;
            w.reach = recoded.reaching(w.index * bits);
            if (w.entries.bytes() < w.reach * 4) w.entries = buffer::secret(w.reach * 4);
            if (!w.counts.bytes()) w.counts = buffer::secret(buckets * 4), w.sums = buffer::secret(buckets * leafs.point_words * 8);
            sort_window(recoded, w, bits, w.index + 1 == windows, buckets, t);
        });
        for (size_t k = 0; k < count; k++)
            accumulator.add_window(at_work[k].entries.as<uint32_t>(), at_work[k].counts.as<uint32_t>(), buckets, at_work[k].sums.as<uint64_t>());
        accumulator.run(pool, t);
        pool.parallel_for(t, count * parts, [&](size_t i, size_t) {
            const size_t k = i / parts, part = i % parts;
            const size_t begin = buckets * part / parts, end = buckets * (part + 1) / parts;
            leafs.reduce(at_work[k].sums.as<uint64_t>() + begin * leafs.point_words, begin, end - begin,
                         sums + ((first + k) * parts + part) * projective_words);
        });
        const size_t reached = n * (first + count) / used;
        t.advance(reached - advanced);
        advanced = reached;
    }
    const buffer joined = buffer::secret(used * projective_words * 8);
    for (size_t w = 0; w < used; w++) {
        uint64_t* const sum = joined.as<uint64_t>() + w * projective_words;
        std::memcpy(sum, sums + w * parts * projective_words, projective_words * 8);
        for (size_t part = 1; part < parts; part++) leafs.add(sum, sums + (w * parts + part) * projective_words);
    }
    t.advance(n - advanced);
    leafs.join_windows(joined.as<uint64_t>(), used, bits, out);
}

}  // namespace

size_t msm_bytes(const group_leafs& leafs, const wide<4>& r, size_t n, size_t threads) {
    const auto of_part = [&](size_t part) {
        return std::max(recoded_scalars::construction_bytes(part),
                        recoded_scalars::bytes(part) + bytes_of_windows(leafs, wide_bits(r), part, threads));
    };
    return n <= most_points ? of_part(n) : std::max(of_part(most_points), of_part(n % most_points));
}

void msm(const group_leafs& leafs, const wide<4>& r, thread_pool& pool, task& t, const uint64_t* points, const uint64_t* scalars, size_t n,
         uint64_t* out) {
    msm_of_part(leafs, r, pool, t, points, scalars, std::min(n, most_points), out);
    for (size_t done = most_points; done < n; done += most_points) {
        std::vector<uint64_t> next(3 * leafs.coordinate_words);
        msm_of_part(leafs, r, pool, t, points + done * leafs.point_words, scalars + 4 * done, std::min(most_points, n - done), next.data());
        leafs.add_jacobian(out, next.data());
    }
}

void bucket_sums(const group_leafs& leafs, thread_pool& pool, task& t, const uint64_t* points, const uint16_t* digits, size_t n,
                 size_t buckets, uint64_t* out) {
    buffer counts(buckets * 4), entries(n * 4);
    std::memset(counts.data(), 0, counts.bytes());
    // Digits without those of points at infinity, which the leafs cannot add.
    buffer used_digits(n * 2);
    uint16_t* const used = used_digits.as<uint16_t>();
    pool.parallel_ranges(t, n, 16384, [&](size_t begin, size_t end, size_t) {
        for (size_t i = begin; i < end; i++) {
            const uint64_t* p = points + i * leafs.point_words;
            used[i] = std::any_of(p, p + leafs.point_words, [](uint64_t w) { return w != 0; }) ? digits[i] : 0;
        }
    });
    checked_loop(t, n, [&](size_t i) {
        if (used[i]) counts.as<uint32_t>()[used[i] - 1]++;
    });
    std::vector<uint32_t> next(buckets);
    sum_up(counts.as<uint32_t>(), buckets, next.data());
    checked_loop(t, n, [&](size_t i) {
        if (used[i]) entries.as<uint32_t>()[next[used[i] - 1]++] = static_cast<uint32_t>(i);
    });
    bucket_accumulator accumulator(leafs, points, pool.size());
    accumulator.add_window(entries.as<uint32_t>(), counts.as<uint32_t>(), buckets, out);
    accumulator.run(pool, t);
    t.advance(n);
}

size_t bucket_sums_bytes(const group_leafs& leafs, size_t n, size_t buckets, size_t threads) {
    return 2 * 4 * buckets + 6 * n + bucket_accumulator::bytes(leafs, 1, n, threads);
}

}  // namespace cuzk
