// The transforms over the rows of a sheet, as templates over the lanes' arithmetic (lanes_scalar.hpp, lanes_vector.hpp).
//
// Splitting: a polynomial modulo X^(2m) - t^2 is known by its remainders modulo X^m - t and X^m + t: x + t y and x - t y, one t for
// the whole group, the t's in bit-reversed order (Longa and Naehrig, "Speeding up the number theoretic transform for faster ideal
// lattice-based cryptography", 2016; Seiler, eprint 2018/039). Joining is decimation in time: E(X) = E0(X^2) + X E1(X^2). Both
// multiply first, so that sums may stay unreduced (Harvey, "Faster arithmetic for number-theoretic transforms", 2014): from below
// 2p, each level adds at most 2p. Two levels run per load and store, and groups of 64 rows, which fit the first-level cache, are
// finished one by one.
#pragma once

#include "field/isa.hpp"
#include "ntt/kernels.hpp"

CUZK_ARITHMETIC_BEGIN

template <class Lanes>
struct transform {
    using row = typename Lanes::row;

    // Twiddles that are the same in all lanes, and those that are not.
    struct constants {
        const uint64_t* table;
        auto operator[](size_t i) const { return Lanes::constant(table + i * Lanes::constant_words); }
    };
    struct spread_constants {
        const row* rows;
        const row& operator[](size_t i) const { return rows[i]; }
    };

    // The last levels of splitting and the first of joining, within groups of this many rows.
    static unsigned inner_levels(unsigned levels) {
        unsigned inner = levels;
        while (inner > 6) inner -= 2;
        return inner;
    }

    // Levels m and m + 1 of group g, rows x[0..4q).
    template <class Twiddles>
    static void split_twice(row* x, size_t q, const Twiddles& t, unsigned m, size_t g) {
        const auto& outer = t[(size_t{1} << m) + g];
        const auto& even = t[(size_t{2} << m) + 2 * g];
        const auto& odd = t[(size_t{2} << m) + 2 * g + 1];
        for (size_t j = 0; j < q; j++) {
            const row c = Lanes::times(x[j + 2 * q], outer), d = Lanes::times(x[j + 3 * q], outer);
            const row a0 = Lanes::add(x[j], c), a1 = Lanes::sub(x[j], c);
            const row b0 = Lanes::times(Lanes::add(x[j + q], d), even), b1 = Lanes::times(Lanes::sub(x[j + q], d), odd);
            x[j] = Lanes::add(a0, b0), x[j + q] = Lanes::sub(a0, b0);
            x[j + 2 * q] = Lanes::add(a1, b1), x[j + 3 * q] = Lanes::sub(a1, b1);
        }
    }
    // Levels 0 and 1 where three of the four twiddles are 1: from below 2p to below 8p.
    static void split_twice_at_one(row* x, size_t q, const constants& t) {
        const auto quarter_turn = t[3];
        for (size_t j = 0; j < q; j++) {
            const row a0 = Lanes::add(x[j], x[j + 2 * q]), a1 = Lanes::sub(x[j], x[j + 2 * q]);
            const row b0 = Lanes::add(x[j + q], x[j + 3 * q]);
            const row b1 = Lanes::times(Lanes::sub(x[j + q], x[j + 3 * q]), quarter_turn);
            x[j] = Lanes::add(a0, b0), x[j + q] = Lanes::sub_below_4p(a0, b0);
            x[j + 2 * q] = Lanes::add(a1, b1), x[j + 3 * q] = Lanes::sub(a1, b1);
        }
    }
    // All the levels from m on of group g, which has 2^inner rows.
    template <class Twiddles>
    static void split_inner(row* x, unsigned inner, const Twiddles& t, unsigned m, size_t g) {
        unsigned done = 0;
        for (; done + 2 <= inner; done += 2) {
            const size_t groups = size_t{1} << done, q = size_t{1} << (inner - done - 2);
            for (size_t i = 0; i < groups; i++) split_twice(x + 4 * q * i, q, t, m + done, g * groups + i);
        }
        if (done == inner) return;
        const size_t groups = size_t{1} << done;
        for (size_t i = 0; i < groups; i++) {
            const row y = Lanes::times(x[2 * i + 1], t[(groups << m) + g * groups + i]);
            x[2 * i + 1] = Lanes::sub(x[2 * i], y), x[2 * i] = Lanes::add(x[2 * i], y);
        }
    }
    // The levels before the inner ones, from m on.
    template <class Twiddles>
    static void split_outer(row* x, unsigned levels, unsigned inner, const Twiddles& t, unsigned m = 0) {
        for (; m < levels - inner; m += 2) {
            const size_t q = size_t{1} << (levels - m - 2);
            for (size_t g = 0; g < size_t{1} << m; g++) split_twice(x + 4 * q * g, q, t, m, g);
        }
    }

    // The levels of half-sizes h and 2h of one group of 4h rows.
    template <class Twiddles>
    static void join_twice(row* x, size_t h, const Twiddles& t) {
        for (size_t i = 0; i < h; i++) {
            const auto& inner = t[h + i];
            const row b = Lanes::times(x[i + h], inner), d = Lanes::times(x[i + 3 * h], inner);
            const row a0 = Lanes::add(x[i], b), a1 = Lanes::sub(x[i], b);
            const row c0 = Lanes::times(Lanes::add(x[i + 2 * h], d), t[2 * h + i]);
            const row c1 = Lanes::times(Lanes::sub(x[i + 2 * h], d), t[3 * h + i]);
            x[i] = Lanes::add(a0, c0), x[i + 2 * h] = Lanes::sub(a0, c0);
            x[i + h] = Lanes::add(a1, c1), x[i + 3 * h] = Lanes::sub(a1, c1);
        }
    }
    template <class Twiddles>
    static void join_inner(row* x, unsigned inner, const Twiddles& t) {
        const size_t rows = size_t{1} << inner;
        if (inner % 2 == 1)
            for (size_t i = 0; i < rows; i += 2) {
                const row y = Lanes::times(x[i + 1], t[1]);
                x[i + 1] = Lanes::sub(x[i], y), x[i] = Lanes::add(x[i], y);
            }
        for (size_t h = size_t{1} << inner % 2; h < rows; h *= 4)
            for (size_t i = 0; i < rows; i += 4 * h) join_twice(x + i, h, t);
    }
    template <class Twiddles>
    static void join_outer(row* x, unsigned levels, unsigned inner, const Twiddles& t) {
        const size_t rows = size_t{1} << levels;
        for (size_t h = size_t{1} << inner; h < rows; h *= 4)
            for (size_t i = 0; i < rows; i += 4 * h) join_twice(x + i, h, t);
    }

    // The functions of ntt_kernels.

    static void load(void* sheet, const uint64_t* from, sheet_layout at) {
        row* x = static_cast<row*>(sheet);
        for (size_t r = 0; r < at.rows; r++) {
            prefetch(from, at, r);
            x[r] = Lanes::load(from + r * at.row_step, at.lane_step);
        }
    }
    static void store(const void* sheet, uint64_t* to, sheet_layout at) {
        const row* x = static_cast<const row*>(sheet);
        for (size_t r = 0; r < at.rows; r++) Lanes::store(to + r * at.row_step, at.lane_step, Lanes::reduce(x[r]));
    }

    static void store_reversed(const void* sheet, const uint64_t* constant, uint64_t* to, sheet_layout at) {
        const row* x = static_cast<const row*>(sheet);
        const auto factor = Lanes::constant(constant);
        for (size_t r = 0, reversed = 0; r < at.rows; r++) {
            Lanes::store(to + reversed * at.row_step, at.lane_step, Lanes::canonical(Lanes::times(x[r], factor)));
            size_t bit = at.rows / 2;  // counts on in reversed bits
            for (; reversed & bit; bit /= 2) reversed ^= bit;
            reversed |= bit;
        }
    }

    static void spread(void* twiddles, const uint64_t* table, const uint64_t* start, unsigned levels) {
        row* t = static_cast<row*>(twiddles);
        row factor = Lanes::lane_constants(start);
        for (unsigned m = levels; m-- > 0;) {
            const size_t count = size_t{1} << m;
            const constants level{table + count * Lanes::constant_words};
            for (size_t g = 0; g < count; g++) t[count + g] = Lanes::normal(Lanes::times(factor, level[g]));
            factor = Lanes::normal(Lanes::times(factor, factor));
        }
    }
    static void split(void* sheet, const uint64_t* table, unsigned levels) {
        row* x = static_cast<row*>(sheet);
        const constants t{table};
        const unsigned inner = inner_levels(levels);
        if (inner < levels) {
            split_twice_at_one(x, size_t{1} << (levels - 2), t);
            if (levels > Lanes::unreduced_levels) reduce(x, levels);
            split_outer(x, levels, inner, t, 2);
        }
        for (size_t g = 0; g < size_t{1} << (levels - inner); g++) split_inner(x + (g << inner), inner, t, levels - inner, g);
    }
    static void split_spread(void* sheet, const void* twiddles, unsigned levels) {
        row* x = static_cast<row*>(sheet);
        const spread_constants t{static_cast<const row*>(twiddles)};
        const unsigned inner = inner_levels(levels);
        split_outer(x, levels, inner, t);
        for (size_t g = 0; g < size_t{1} << (levels - inner); g++) split_inner(x + (g << inner), inner, t, levels - inner, g);
    }
    static void split_join(void* sheet, const void* twiddles, const uint64_t* table, unsigned levels) {
        row* x = static_cast<row*>(sheet);
        const spread_constants t{static_cast<const row*>(twiddles)};
        const constants back{table};
        const unsigned inner = inner_levels(levels);
        split_outer(x, levels, inner, t);
        for (size_t g = 0; g < size_t{1} << (levels - inner); g++) {
            row* group = x + (g << inner);
            split_inner(group, inner, t, levels - inner, g);
            reduce(group, inner);
            join_inner(group, inner, back);
        }
        join_outer(x, levels, inner, back);
    }
    static void join_spread(void* sheet, const void* twiddles, unsigned levels) {
        row* x = static_cast<row*>(sheet);
        const spread_constants t{static_cast<const row*>(twiddles)};
        const unsigned inner = inner_levels(levels);
        for (size_t g = 0; g < size_t{1} << (levels - inner); g++) join_inner(x + (g << inner), inner, t);
        join_outer(x, levels, inner, t);
    }

    static void multiply(void* to, const void* a, const void* b, size_t rows) {
        row* z = static_cast<row*>(to);
        const row* x = static_cast<const row*>(a);
        const row* y = static_cast<const row*>(b);
        for (size_t r = 0; r < rows; r++) z[r] = Lanes::reduce(Lanes::times(x[r], Lanes::reduce(y[r])));
    }
    static void store_quotient(const void* product, const void* c, const uint64_t* constant, uint64_t* to, sheet_layout at) {
        const row* x = static_cast<const row*>(product);
        const row* y = static_cast<const row*>(c);
        const constants t{constant};
        const auto first = t[0], last = t[1];
        for (size_t r = 0; r < at.rows; r++) {
            const row difference = Lanes::sub(x[r], Lanes::times(y[r], first));
            Lanes::store(to + r * at.row_step, at.lane_step, Lanes::canonical(Lanes::times(difference, last)));
        }
    }
    static constexpr ntt_kernels table{sizeof(row), Lanes::constant_words, Lanes::radix_bits, load, store, store_reversed, spread,
                                       split, split_spread, split_join, join_spread, multiply, store_quotient};

private:
    static void reduce(row* x, unsigned levels) {
        for (size_t r = 0; r < size_t{1} << levels; r++) x[r] = Lanes::reduce(x[r]);
    }
    // Columns lie too far apart for the processor's own prefetching.
    static void prefetch(const uint64_t* from, const sheet_layout& at, size_t r) {
        constexpr size_t ahead = 8, line = 8;
        if (at.lane_step != ntt_words || r + ahead >= at.rows) return;
        for (size_t i = 0; i < ntt_lanes * ntt_words; i += line) __builtin_prefetch(from + (r + ahead) * at.row_step + i);
    }
};

CUZK_ARITHMETIC_END
