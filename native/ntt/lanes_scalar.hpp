// Eight elements one after another, for CPUs without wide multipliers. Values are always fully reduced.
#pragma once

#include "field/mont.hpp"
#include "ntt/kernels.hpp"

CUZK_ARITHMETIC_BEGIN

template <class F>
struct scalar_rows {
    struct row {
        F lane[ntt_lanes];
    };
    static constexpr size_t constant_words = F::N;
    static constexpr unsigned radix_bits = 64 * F::N;
    static constexpr unsigned unreduced_levels = 64;  // no limit

    static F constant(const uint64_t* words) { return F::load(words); }
    static row lane_constants(const uint64_t* words) { return load(words, F::N); }
    static row load(const uint64_t* from, size_t lane_step) {
        row r;
        for (size_t i = 0; i < ntt_lanes; i++) r.lane[i] = F::load(from + i * lane_step);
        return r;
    }
    static void store(uint64_t* to, size_t lane_step, const row& x) {
        for (size_t i = 0; i < ntt_lanes; i++) x.lane[i].store(to + i * lane_step);
    }
    static row times(const row& x, const F& y) {
        row r;
        for (size_t i = 0; i < ntt_lanes; i++) r.lane[i] = x.lane[i] * y;
        return r;
    }
    static row times(const row& x, const row& y) {
        row r;
        for (size_t i = 0; i < ntt_lanes; i++) r.lane[i] = x.lane[i] * y.lane[i];
        return r;
    }
    static row add(const row& x, const row& y) {
        row r;
        for (size_t i = 0; i < ntt_lanes; i++) r.lane[i] = x.lane[i] + y.lane[i];
        return r;
    }
    static row sub(const row& x, const row& y) {
        row r;
        for (size_t i = 0; i < ntt_lanes; i++) r.lane[i] = x.lane[i] - y.lane[i];
        return r;
    }
    static row sub_below_4p(const row& x, const row& y) { return sub(x, y); }
    static const row& normal(const row& x) { return x; }
    static const row& reduce(const row& x) { return x; }
    static const row& canonical(const row& x) { return x; }
};

CUZK_ARITHMETIC_END
