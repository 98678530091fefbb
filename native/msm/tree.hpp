// Bucket sums by pairwise affine additions that share their inversions.
//
// The points of each bucket stand next to each other (they are sorted by bucket) and are added in pairs, level by level, until one is
// left: a bucket of m points takes m - 1 additions whatever the others hold, so repeated scalars and heavy buckets cost no more than any.
// One inversion serves all pairs of a level (Montgomery's trick): an addition is 5 multiplications, a squaring's worth included, and a share.
// Affine batches for Pippenger: Bernstein, Doumen, Lange, Oosterwijk, "Faster batch forgery identification" (2012), section 4.
#pragma once

#include "msm/leafs.hpp"
#include "msm/lanes.hpp"

CUZK_ARITHMETIC_BEGIN

// The working memory of one accumulate() of at most `entries` points, carved out of one allocation.
template <class G>
struct tree_scratch {
    uint64_t* points[2];       // results of one level, read by the next
    uint32_t* source;          // where a pair's first operand stands; the second is next to it
    uint64_t** target;         // where its sum goes
    typename G::value* prefix; // products of the denominators before each group of pairs
    uint32_t* active;          // buckets with more than one point left
    uint32_t* count;           // and how many
    uint64_t* discard;         // where the lanes that pad the last group write

    static constexpr size_t point_words = 2 * G::words;
    static size_t bytes(size_t entries) {
        const size_t pairs = entries / 2 + 2 * G::lanes, sums = most_sums(entries);
        return 64 * 8 + 2 * (sums * point_words * 8) + pairs * 4 + pairs * 8 + (pairs / G::lanes + 2) * sizeof(typename G::value) +
               2 * pairs * 4 + point_words * 8;
    }
    // Buckets of three leave two points of three.
    static size_t most_sums(size_t entries) { return entries * 2 / 3 + 16; }
    tree_scratch(void* memory, size_t entries) {
        const size_t pairs = entries / 2 + 2 * G::lanes, sums = most_sums(entries);
        char* at = static_cast<char*>(memory);
        const auto take = [&at](size_t bytes) {
            void* p = at;
            at += (bytes + 63) / 64 * 64;
            return p;
        };
        points[0] = static_cast<uint64_t*>(take(sums * point_words * 8));
        points[1] = static_cast<uint64_t*>(take(sums * point_words * 8));
        prefix = static_cast<typename G::value*>(take((pairs / G::lanes + 2) * sizeof(typename G::value)));
        target = static_cast<uint64_t**>(take(pairs * 8));
        source = static_cast<uint32_t*>(take(pairs * 4));
        active = static_cast<uint32_t*>(take(pairs * 4));
        count = static_cast<uint32_t*>(take(pairs * 4));
        discard = static_cast<uint64_t*>(take(point_words * 8));
    }
};

// Operands of the first level: points of the key, by signed index.
template <class G>
struct key_operands {
    const uint64_t* points;
    const uint32_t* entries;
    static constexpr bool is_signed = true;
    const uint64_t* at(size_t position) const { return points + static_cast<size_t>(entries[position] & ~sign_bit) * 2 * G::words; }
    lane_mask sign(size_t position) const { return entries[position] >> 31; }
    // The key does not fit the cache: fetch ahead. Both passes over a level walk through `position` in order.
    void prefetch(size_t position) const {
        const char* p = reinterpret_cast<const char*>(at(position));
        for (size_t byte = 0; byte < 16 * G::words; byte += 64) __builtin_prefetch(p + byte);
    }
};

// Operands of later levels: the sums of the level before.
template <class G>
struct sum_operands {
    const uint64_t* points;
    static constexpr bool is_signed = false;
    const uint64_t* at(size_t position) const { return points + position * 2 * G::words; }
    lane_mask sign(size_t) const { return 0; }
    void prefetch(size_t) const {}
};

// What is special about a group's pairs; all zero for nearly every group.
template <class G>
struct exceptions {
    lane_mask first_infinite = 0, second_infinite = 0, doubling = 0, opposite = 0;

    exceptions(const typename G::value& x1, const typename G::value& y1, const typename G::value& x2, const typename G::value& y2) {
        first_infinite = G::zero(x1) & G::zero(y1);
        second_infinite = G::zero(x2) & G::zero(y2);
        const lane_mask same = G::equal(x1, x2) & ~(first_infinite | second_infinite);
        doubling = same & G::equal(y1, y2) & ~G::zero(y1);
        opposite = same & ~doubling;
    }
    bool makes_infinity() const { return opposite != 0 || (first_infinite & second_infinite) != 0; }
};

// Adds `pairs` pairs of operands. Infinite: operands may be at infinity (only after a sum was). Returns whether a sum is.
template <class G, class Operands>
bool add_pairs(const Operands& operands, size_t pairs, bool infinite, tree_scratch<G>& s) {
    using V = typename G::value;
    constexpr size_t W = G::lanes;
    constexpr size_t ahead = 4;  // groups to prefetch ahead
    const size_t groups = (pairs + W - 1) / W;
    for (size_t i = pairs; i < groups * W; i++) {  // repeat the last pair into the void
        s.source[i] = s.source[pairs - 1];
        s.target[i] = s.discard;
    }
    const uint64_t *first[W], *second[W];
    const auto locate = [&](size_t group) {
        lane_mask signs = 0;
        for (size_t lane = 0; lane < W; lane++) {
            const size_t position = s.source[group * W + lane];
            first[lane] = operands.at(position);
            second[lane] = operands.at(position + 1);
            if constexpr (Operands::is_signed)
                signs |= operands.sign(position) << lane | operands.sign(position + 1) << (lane + W);
        }
        return signs;
    };
    constexpr lane_mask all = (lane_mask{1} << W) - 1;
    const auto load = [&](lane_mask signs, V& x1, V& y1, V& x2, V& y2) {
        G::load_xy(first, x1, y1);
        G::load_xy(second, x2, y2);
        if constexpr (Operands::is_signed) {
            y1 = G::negate(signs & all, y1);
            y2 = G::negate(signs >> W & all, y2);
        }
    };
    const auto is_special = [&](const V& x1, const V& x2) {
        lane_mask special = G::equal(x1, x2);
        if (infinite) special |= G::zero(x1) | G::zero(x2);
        return special != 0;
    };
    const auto special_denominator = [&](const exceptions<G>& e, const V& difference, const V& y1) {
        const V d = G::select(e.doubling, y1.dbl(), difference);
        return G::select(e.first_infinite | e.second_infinite | e.opposite, V::one(), d);
    };

    V product = V::one();
    for (size_t g = 0; g < groups; g++) {
        if constexpr (Operands::is_signed)
            if (g + ahead < groups)
                for (size_t lane = 0; lane < W; lane++) {
                    operands.prefetch(s.source[(g + ahead) * W + lane]);
                    operands.prefetch(s.source[(g + ahead) * W + lane] + 1);
                }
        const lane_mask signs = locate(g);
        V x1, x2;
        G::load_x(first, x1);
        G::load_x(second, x2);
        V denominator = G::difference(x2, x1);
        if (is_special(x1, x2)) [[unlikely]] {
            V y1, y2;
            load(signs, x1, y1, x2, y2);
            denominator = special_denominator(exceptions<G>(x1, y1, x2, y2), denominator, y1);
        }
        s.prefix[g] = product;
        product = product * denominator;
    }
    V inverse = G::invert(product);

    bool any_infinity = false;
    for (size_t g = groups; g-- > 0;) {
        const lane_mask signs = locate(g);
        V x1, y1, x2, y2;
        load(signs, x1, y1, x2, y2);
        V denominator = G::difference(x2, x1), numerator = G::difference(y2, y1);
        const bool special = is_special(x1, x2);
        if (special) [[unlikely]] {
            const exceptions<G> e(x1, y1, x2, y2);
            denominator = special_denominator(e, denominator, y1);
            const V square = x1.sqr();
            numerator = G::select(e.doubling, square + square.dbl(), numerator);
        }
        const V slope = numerator * (inverse * s.prefix[g]);
        inverse = inverse * denominator;
        V x3 = G::minus_two(slope.sqr(), x1, x2);
        V y3 = G::minus_one(slope * G::difference(x1, x3), y1);
        if (special) [[unlikely]] {
            const exceptions<G> e(x1, y1, x2, y2);
            x3 = G::select(e.first_infinite, x2, G::select(e.second_infinite, x1, x3));
            y3 = G::select(e.first_infinite, y2, G::select(e.second_infinite, y1, y3));
            x3 = G::select(e.opposite, V::zero(), x3);
            y3 = G::select(e.opposite, V::zero(), y3);
            any_infinity |= e.makes_infinity();
        }
        G::store_xy(s.target + g * W, x3, y3);
    }
    return any_infinity;
}

// Copies operand `position`, its sign applied.
template <class G, class Operands>
void copy_operand(const Operands& operands, size_t position, uint64_t* to) {
    const uint64_t* from = operands.at(position);
    __builtin_memcpy(to, from, 16 * G::words);
    if (operands.sign(position)) {
        // Through a full set of lanes: rare enough (once per bucket) not to deserve its own path.
        const uint64_t* at[G::lanes];
        uint64_t* back[G::lanes];
        for (size_t lane = 0; lane < G::lanes; lane++) at[lane] = from, back[lane] = to;
        typename G::value x, y;
        G::load_xy(at, x, y);
        G::store_xy(back, x, G::negate(~lane_mask{0}, y));
    }
}

// One level: pairs up the active buckets' operands, adds, and leaves the still active ones' sums in s.points[to].
template <class G, class Operands>
size_t one_level(const Operands& operands, size_t active, size_t to, bool& infinite, uint64_t* out, tree_scratch<G>& s) {
    constexpr size_t P = 2 * G::words;
    size_t pairs = 0, read = 0, write = 0, still_active = 0;
    for (size_t k = 0; k < active; k++) {
        const uint32_t m = s.count[k], bucket = s.active[k];
        if (m == 2) {
            s.source[pairs] = static_cast<uint32_t>(read);
            s.target[pairs++] = out + static_cast<size_t>(bucket) * P;
        } else {
            for (uint32_t i = 0; i + 1 < m; i += 2) {
                s.source[pairs] = static_cast<uint32_t>(read + i);
                s.target[pairs++] = s.points[to] + write++ * P;
            }
            if (m & 1) copy_operand<G>(operands, read + m - 1, s.points[to] + write++ * P);
            s.active[still_active] = bucket;
            s.count[still_active++] = (m + 1) / 2;
        }
        read += m;
    }
    infinite |= add_pairs<G>(operands, pairs, infinite, s);
    return still_active;
}

// out[b] = the sum of bucket b's counts[b] entries, which stand in order of buckets; infinity for an empty one. Memory: tree_scratch::bytes.
template <class G>
void accumulate(const uint64_t* points, uint32_t* entries, const uint32_t* counts, size_t buckets, uint64_t* out, void* memory,
                size_t capacity) {
    constexpr size_t P = 2 * G::words;
    tree_scratch<G> s(memory, capacity);
    // Buckets with one entry are copied at once; the others' entries must stand together for the first level, so they are moved up, in place.
    size_t active = 0, read = 0, write = 0;
    for (size_t b = 0; b < buckets; b++) {
        const uint32_t m = counts[b];
        if (m == 0) {
            __builtin_memset(out + b * P, 0, P * 8);
        } else if (m == 1) {
            copy_operand<G>(key_operands<G>{points, entries}, read, out + b * P);
        } else {
            s.active[active] = static_cast<uint32_t>(b);
            s.count[active++] = m;
            if (write != read) __builtin_memmove(entries + write, entries + read, m * sizeof *entries);
            write += m;
        }
        read += m;
    }
    bool infinite = false;
    if (active) active = one_level<G>(key_operands<G>{points, entries}, active, 0, infinite, out, s);
    for (size_t to = 1; active; to ^= 1) active = one_level<G>(sum_operands<G>{s.points[to ^ 1]}, active, to, infinite, out, s);
}

CUZK_ARITHMETIC_END
