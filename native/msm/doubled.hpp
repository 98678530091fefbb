// Twice the lanes: two independent sets side by side.
//
// A point addition is a chain of dependent products, each about 30 ns long with eight lanes; the processor's window is too short to overlap
// one addition with the next, but it overlaps two products that stand next to each other. So every operation is done for two sets at once.
#pragma once

#include "msm/lanes.hpp"

CUZK_ARITHMETIC_BEGIN

template <class V>
struct pair_of {
    V a, b;
    static pair_of zero() { return {V::zero(), V::zero()}; }
    static pair_of one() { return {V::one(), V::one()}; }
    friend pair_of operator*(const pair_of& p, const pair_of& q) { return {p.a * q.a, p.b * q.b}; }
    friend pair_of operator+(const pair_of& p, const pair_of& q) { return {p.a + q.a, p.b + q.b}; }
    friend pair_of operator-(const pair_of& p, const pair_of& q) { return {p.a - q.a, p.b - q.b}; }
    pair_of sqr() const { return {a.sqr(), b.sqr()}; }
    pair_of dbl() const { return {a.dbl(), b.dbl()}; }
};

// The lane operations of lanes.hpp over both sets; G is a lane type.
template <class G>
struct doubled {
    using value = pair_of<typename G::value>;
    static constexpr size_t half = G::lanes;
    static constexpr size_t lanes = 2 * half;
    static constexpr size_t words = G::words;
    static constexpr lane_mask low = (lane_mask{1} << half) - 1;

    static void load_x(const uint64_t* const* at, value& x) {
        G::load_x(at, x.a);
        G::load_x(at + half, x.b);
    }
    static void load_xy(const uint64_t* const* at, value& x, value& y) {
        G::load_xy(at, x.a, y.a);
        G::load_xy(at + half, x.b, y.b);
    }
    static void store_xy(uint64_t* const* at, const value& x, const value& y) {
        G::store_xy(at, x.a, y.a);
        G::store_xy(at + half, x.b, y.b);
    }
    static value broadcast_file(const uint64_t* word) {
        const auto v = G::broadcast_file(word);
        return {v, v};
    }
    static void store_file(uint64_t* const* at, const value& v) {
        G::store_file(at, v.a);
        G::store_file(at + half, v.b);
    }

    static lane_mask equal(const value& p, const value& q) { return G::equal(p.a, q.a) | G::equal(p.b, q.b) << half; }
    static lane_mask zero(const value& p) { return G::zero(p.a) | G::zero(p.b) << half; }
    static value select(lane_mask mask, const value& yes, const value& no) {
        return {G::select(mask & low, yes.a, no.a), G::select(mask >> half, yes.b, no.b)};
    }
    static value negate(lane_mask mask, const value& p) { return {G::negate(mask & low, p.a), G::negate(mask >> half & low, p.b)}; }
    static value difference(const value& p, const value& q) { return {G::difference(p.a, q.a), G::difference(p.b, q.b)}; }
    static value minus_two(const value& s, const value& p, const value& q) {
        return {G::minus_two(s.a, p.a, q.a), G::minus_two(s.b, p.b, q.b)};
    }
    static value minus_one(const value& s, const value& p) { return {G::minus_one(s.a, p.a), G::minus_one(s.b, p.b)}; }
    static value canonical(const value& p) { return {G::canonical(p.a), G::canonical(p.b)}; }
    static value invert(const value& p) {
        const auto both = G::invert(p.a * p.b);
        return {both * p.b, both * p.a};
    }
    static value to_imported(const value& p) { return {G::to_imported(p.a), G::to_imported(p.b)}; }
    static value to_file(const value& p) { return {G::to_file(p.a), G::to_file(p.b)}; }
};

CUZK_ARITHMETIC_END
