// Many multiples of one point, as a setup needs them: windows of a table, affine additions that share their inversions.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "field/curves.hpp"
#include "curve/generators.hpp"
#include "device/buffer.hpp"

namespace cuzk {

template <class F>
bool at_infinity(const affine_t<F>& p) {
    return p.x.is_zero() && p.y.is_zero();
}

// to[i] += by[i] for count points, complete (infinity, doubling and cancellation included), with one inversion for all (Montgomery,
// "Speeding the Pollard and elliptic curve methods of factorization", 1987). `inverses` is scratch.
template <class F>
void add_all(affine_t<F>* to, const affine_t<F>* by, size_t count, std::vector<F>& inverses) {
    inverses.resize(count);
    // The denominator of each slope; 1 where there is none.
    const auto denominator = [&](size_t i) {
        if (at_infinity(to[i]) || at_infinity(by[i])) return F::one();
        if (to[i].x == by[i].x) return to[i].y == by[i].y && !to[i].y.is_zero() ? to[i].y.dbl() : F::one();
        return by[i].x - to[i].x;
    };
    F product = F::one();
    for (size_t i = 0; i < count; i++) {
        inverses[i] = product;
        product *= denominator(i);
    }
    F inverse = product.inverse();
    for (size_t i = count; i-- > 0;) {
        const F own = inverse * inverses[i];
        inverse *= denominator(i);
        affine_t<F>& p = to[i];
        const affine_t<F>& q = by[i];
        if (at_infinity(q)) continue;
        if (at_infinity(p)) {
            p = q;
            continue;
        }
        F slope;
        if (p.x == q.x) {
            if (!(p.y == q.y) || p.y.is_zero()) {
                p = {F::zero(), F::zero()};
                continue;
            }
            const F square = p.x.sqr();
            slope = (square.dbl() + square) * own;
        } else {
            slope = (q.y - p.y) * own;
        }
        const F x = slope.sqr() - p.x - q.x;
        p.y = slope * (p.x - x) - p.y;
        p.x = x;
    }
}

// A table of the multiples d 2^(w j) P of one point P: all digits d below 2^w, all windows j of a scalar.
template <class F, class Scalar>
class fixed_base {
public:
    using point = affine_t<F>;

    // Its windows suit about `count` multiplications.
    fixed_base(const point& base, size_t count) {
        while (window_ < 13 && (size_t{1} << window_) * 8 < count) window_++;
        windows_ = (Scalar::bits + window_ - 1) / window_;
        const size_t row = size_t{1} << window_;
        table_.resize(windows_ * row, point{F::zero(), F::zero()});
        std::vector<F> scratch;
        const auto doubled = [&](point p) {
            add_all(&p, &p, 1, scratch);
            return p;
        };
        point power = base;  // 2^(w j) P
        for (size_t j = 0; j < windows_; j++) {
            point* multiples = table_.data() + j * row;
            point step = power;  // s times it
            for (size_t s = 1; s < row; s *= 2, step = doubled(step)) {
                std::copy(multiples, multiples + s, multiples + s);
                add_all(multiples + s, std::vector<point>(s, step).data(), s, scratch);
            }
            power = step;
        }
    }

    // out[i] = scalars[i] P, affine, Montgomery form. Advances t by count.
    void multiply(const Scalar* scalars, size_t count, point* out, thread_pool& pool, task& t) const {
        constexpr size_t batch = 512;
        pool.parallel_ranges(t, count, batch, [&](size_t begin, size_t end, size_t) {
            const size_t n = end - begin;
            std::vector<uint64_t> plain(n * Scalar::N);
            for (size_t i = 0; i < n; i++) scalars[begin + i].to_canonical(&plain[i * Scalar::N]);
            std::fill(out + begin, out + end, point{F::zero(), F::zero()});
            std::vector<point> addends(n);
            std::vector<F> scratch;
            for (size_t j = 0; j < windows_; j++) {
                for (size_t i = 0; i < n; i++) addends[i] = table_[(j << window_) + digit(&plain[i * Scalar::N], j * window_)];
                add_all(out + begin, addends.data(), n, scratch);
            }
            wipe(plain.data(), plain.size() * sizeof(uint64_t));
            t.advance(n);
        });
    }

private:
    size_t digit(const uint64_t* words, size_t bit) const {
        const size_t word = bit / 64, shift = bit % 64;
        uint64_t v = words[word] >> shift;
        if (shift + window_ > 64 && word + 1 < Scalar::N) v |= words[word + 1] << (64 - shift);
        return v & ((uint64_t{1} << window_) - 1);
    }

    size_t window_ = 4, windows_ = 0;
    std::vector<point> table_;
};

}  // namespace cuzk
