#include "curve/pairing.hpp"

#include <blst.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "curve/tower.hpp"
#include "msm/reduce.hpp"

namespace cuzk {

namespace {

bool is_zero(const uint64_t* words, size_t count) {
    return std::all_of(words, words + count, [](uint64_t w) { return w == 0; });
}

// bn254: Beuchat, Gonzalez-Diaz, Mitsunari, Okamoto, Rodriguez-Henriquez, Teruya, "High-speed software implementation of the optimal ate
// pairing over Barreto-Naehrig curves" (2010); the steps in homogeneous coordinates are those of Costello, Lange, Naehrig, "Faster pairing
// computations on curves with high-degree twists" (2010), section 5, with the line's value at P as l0 + l1 w + l3 w^3 (D-type twist).
namespace bn {

using tower::fp;
using tower::fp12;
using tower::fp2;

using wide_bits_t = unsigned __int128;

constexpr wide_bits_t z = 0x44e992b44a6909f1;  // the curve's parameter

// Digits 1 and -1 without neighbours: a point and its opposite cost the same, and so do an element and its inverse below. They are read off
// 3 x and x (Prodinger 2000): where their bits differ stands a digit, whose sign is in 3 x.
struct signed_digits {
    wide_bits_t plus, minus;
    int top;  // place of the highest digit, which is 1
    constexpr explicit signed_digits(wide_bits_t x) : plus((3 * x & ~x) >> 1), minus((x & ~(3 * x)) >> 1), top(127) {
        while (!(plus >> top & 1)) top--;
    }
    constexpr bool is_plus(int i) const { return plus >> i & 1; }
    constexpr bool is_minus(int i) const { return minus >> i & 1; }
};
constexpr signed_digits loop(6 * z + 2), digits_of_z(z);

struct state {
    fp px, py;   // P
    fp2 qx, qy;  // Q
    fp2 x, y, w; // the running multiple of Q, homogeneous
};

struct constants {
    fp2 b3;       // three times the twist's constant
    fp half;
    constants() : b3(fp2::load(curve_constant<bn254, fp2>().b3)), half(fp::from_u64(2).inverse()) {}
};

void double_step(fp12& f, state& s, const constants& k) {
    const fp2 a = s.x * s.y * k.half, b = s.y.sqr(), c = s.w.sqr(), e = k.b3 * c, e3 = e.dbl() + e;
    const fp2 g = (b + e3) * k.half, h = (s.y + s.w).sqr() - (b + c), j = s.x.sqr(), ee = e.sqr();
    f = f.times_line(-h * s.py, (j.dbl() + j) * s.px, e - b);
    s.x = a * (b - e3);
    s.y = g.sqr() - (ee.dbl() + ee);
    s.w = b * h;
}

void add_step(fp12& f, state& s, const fp2& qx, const fp2& qy) {
    const fp2 theta = s.y - qy * s.w, lambda = s.x - qx * s.w;
    const fp2 d = lambda.sqr(), e = lambda * d, g = s.x * d, h = e + s.w * theta.sqr() - g.dbl();
    f = f.times_line(lambda * s.py, -theta * s.px, theta * qx - lambda * qy);
    s.x = lambda * h;
    s.y = theta * (g - h) - e * s.y;
    s.w = s.w * e;
}

fp12 miller(const pairing_input* pairs, size_t count) {
    static const constants k;
    std::vector<state> states;
    for (size_t i = 0; i < count; i++) {
        if (is_zero(pairs[i].g1, 8) || is_zero(pairs[i].g2, 16)) continue;
        const fp2 qx = fp2::load(pairs[i].g2), qy = fp2::load(pairs[i].g2 + 8);
        states.push_back({fp::load(pairs[i].g1), fp::load(pairs[i].g1 + 4), qx, qy, qx, qy, fp2::one()});
    }
    fp12 f = fp12::one();
    for (int i = loop.top; i-- > 0;) {
        f = f.sqr();
        for (state& s : states) {
            double_step(f, s, k);
            if (loop.is_plus(i)) add_step(f, s, s.qx, s.qy);
            if (loop.is_minus(i)) add_step(f, s, s.qx, -s.qy);
        }
    }
    // The two last lines, through the images of Q under the Frobenius: pi(Q) and -pi^2(Q), brought back to the twist.
    const auto& gamma = fp12::powers_of_gamma();
    for (state& s : states) {
        const fp2 x1 = s.qx.conj() * gamma[2], y1 = s.qy.conj() * gamma[3];
        const fp2 x2 = x1.conj() * gamma[2], y2 = y1.conj() * gamma[3];
        add_step(f, s, x1, y1);
        add_step(f, s, x2, -y2);
    }
    return f;
}

// Of an element of the cyclotomic subgroup.
fp12 power_of_z(const fp12& f) {
    const fp12 inverse = f.conj();
    fp12 r = f;
    for (int i = digits_of_z.top; i-- > 0;) {
        r = r.sqr_cyclotomic();
        if (digits_of_z.is_plus(i)) r = r * f;
        if (digits_of_z.is_minus(i)) r = r * inverse;
    }
    return r;
}

// f^((p^12 - 1) / r), times 2 z (6 z^2 + 3 z + 1): Fuentes-Castaneda, Knapp, Rodriguez-Henriquez, "Faster hashing to G2" (2011), section 5.
fp12 final_exponentiation(const fp12& value) {
    fp12 f = value.conj() * value.inverse();
    f = f.frobenius().frobenius() * f;
    const fp12 z1 = power_of_z(f), z2 = z1.sqr_cyclotomic(), z4 = z2.sqr_cyclotomic(), z6 = z4 * z2;
    const fp12 zz6 = power_of_z(z6), zz12 = zz6.sqr_cyclotomic(), zzz12 = power_of_z(zz12);
    const fp12 common = zzz12 * zz6;                 // 12 z^3 + 6 z^2
    const fp12 l1 = common * z4;                     // ... + 4 z
    const fp12 l2 = common * z6;                     // ... + 6 z
    const fp12 l0 = f * l2 * zz6;                    // 12 z^3 + 12 z^2 + 6 z + 1
    const fp12 l3 = l1 * f.conj();                   // ... + 4 z - 1
    return l0 * l1.frobenius() * l2.frobenius().frobenius() * l3.frobenius().frobenius().frobenius();
}

}  // namespace bn

// bls12-381: blst's.
namespace bls {

blst_fp12 miller(const pairing_input* pairs, size_t count) {
    std::vector<blst_p1_affine> p;
    std::vector<blst_p2_affine> q;
    for (size_t i = 0; i < count; i++) {
        if (is_zero(pairs[i].g1, 12) || is_zero(pairs[i].g2, 24)) continue;
        // Both hold coordinates as Montgomery limbs with R = 2^384.
        std::memcpy(&p.emplace_back(), pairs[i].g1, sizeof(blst_p1_affine));
        std::memcpy(&q.emplace_back(), pairs[i].g2, sizeof(blst_p2_affine));
    }
    if (p.empty()) return *blst_fp12_one();
    std::vector<const blst_p1_affine*> ps;
    std::vector<const blst_p2_affine*> qs;
    for (size_t i = 0; i < p.size(); i++) ps.push_back(&p[i]), qs.push_back(&q[i]);
    blst_fp12 f;
    blst_miller_loop_n(&f, qs.data(), ps.data(), p.size());
    return f;
}

}  // namespace bls

// The two curves' arithmetic under one set of names.
struct bn_target {
    using value = bn::fp12;
    static value miller(const pairing_input* pairs, size_t count) { return bn::miller(pairs, count); }
    static value times(const value& a, const value& b) { return a * b; }
    static bool is_one_after_final(const value& f) { return bn::final_exponentiation(f) == value::one(); }
};
struct bls_target {
    using value = blst_fp12;
    static value miller(const pairing_input* pairs, size_t count) { return bls::miller(pairs, count); }
    static value times(const value& a, const value& b) {
        value r;
        blst_fp12_mul(&r, &a, &b);
        return r;
    }
    static bool is_one_after_final(const value& f) {
        value r;
        blst_final_exp(&r, &f);
        return blst_fp12_is_one(&r);
    }
};

template <class Target>
bool product_is_one(const std::vector<pairing_input>& pairs, thread_pool& pool, task& t) {
    constexpr size_t per_step = 16;
    const size_t steps = (pairs.size() + per_step - 1) / per_step;
    std::vector<typename Target::value> parts(steps);
    pool.parallel_for(t, steps, [&](size_t i, size_t) {
        const size_t begin = i * per_step;
        const size_t count = std::min(per_step, pairs.size() - begin);
        parts[i] = Target::miller(pairs.data() + begin, count);
        t.advance(count);
    });
    auto product = Target::miller(nullptr, 0);
    for (const auto& part : parts) product = Target::times(product, part);
    return Target::is_one_after_final(product);
}

}  // namespace

bool pairing_product_is_one(curve_id curve, const std::vector<pairing_input>& pairs, thread_pool& pool, task& t) {
    return curve == curve_id::bn254 ? product_is_one<bn_target>(pairs, pool, t) : product_is_one<bls_target>(pairs, pool, t);
}

bool pairing_product_is_one(curve_id curve, const std::vector<pairing_input>& pairs) {
    thread_pool caller_alone(1);
    task unwatched;
    return pairing_product_is_one(curve, pairs, caller_alone, unwatched);
}

std::vector<uint64_t> pairing(curve_id curve, const uint64_t* g1, const uint64_t* g2) {
    const pairing_input pair{g1, g2};
    if (curve == curve_id::bn254) {
        const auto f = bn::final_exponentiation(bn::miller(&pair, 1));
        std::vector<uint64_t> words(48);
        static_assert(sizeof f == 48 * sizeof(uint64_t));
        std::memcpy(words.data(), &f, sizeof f);
        return words;
    }
    const blst_fp12 f = bls::miller(&pair, 1);
    blst_fp12 r;
    blst_final_exp(&r, &f);
    std::vector<uint64_t> words(72);
    static_assert(sizeof r == 72 * sizeof(uint64_t));
    std::memcpy(words.data(), &r, sizeof r);
    return words;
}

}  // namespace cuzk
