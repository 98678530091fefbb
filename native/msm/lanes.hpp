// Elements in lanes: what the point kernels need of a field, for one element at a time. The eight-lane twin is lanes8.hpp.
//
// A kernel is written once over a lane type: `lanes` elements side by side, loaded from and stored to as many addresses. Points in memory
// are affine words (kernels.hpp); stored coordinates are canonical, so words are equal exactly when elements are.
#pragma once

#include "field/curves.hpp"

CUZK_ARITHMETIC_BEGIN

using lane_mask = unsigned;  // bit i: lane i

// One lane: an element of F = mont_t or fp2_t<mont_t> as it is.
template <class F>
struct scalar_lanes {
    using value = F;
    static constexpr size_t lanes = 1;
    static constexpr size_t words = F::N;  // of one coordinate

    static void load_x(const uint64_t* const* at, F& x) { x = F::load(at[0]); }
    static void load_xy(const uint64_t* const* at, F& x, F& y) {
        x = F::load(at[0]);
        y = F::load(at[0] + words);
    }
    static void store_xy(uint64_t* const* at, const F& x, const F& y) {
        x.store(at[0]);
        y.store(at[0] + words);
    }
    // The element in file form at `word`, in every lane.
    static F broadcast_file(const uint64_t* word) { return F::load(word); }
    static void store_file(uint64_t* const* at, const F& v) { v.store(at[0]); }

    static lane_mask equal(const F& a, const F& b) { return a == b; }
    static lane_mask zero(const F& a) { return a.is_zero(); }
    static F select(lane_mask lane, const F& yes, const F& no) { return lane ? yes : no; }
    static F negate(lane_mask lane, const F& a) { return lane ? -a : a; }

    // The lazy forms of lanes8.hpp are plain operations here.
    static F difference(const F& a, const F& b) { return a - b; }
    static F minus_two(const F& square, const F& a, const F& b) { return square - a - b; }
    static F minus_one(const F& product, const F& a) { return product - a; }
    static F canonical(const F& a) { return a; }
    static F invert(const F& a) { return a.inverse(); }
    static F to_imported(const F& file) { return file; }
    static F to_file(const F& imported) { return imported; }
};

CUZK_ARITHMETIC_END
