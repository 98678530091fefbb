#include "groth16/key_check.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "curve/generators.hpp"
#include "curve/pairing.hpp"
#include "groth16/key_columns.hpp"
#include "groth16/subgroup.hpp"

namespace cuzk {

namespace {

constexpr const char* get_another = "get the key again from where it comes from; do not prove with this one";

struct point_section {
    const char* name;
    group g;
    const uint64_t* points;  // imported form
    size_t n;
    uint64_t offset;
};

bool is_infinity(const uint64_t* point, size_t words) {
    return std::all_of(point, point + words, [](uint64_t w) { return w == 0; });
}

// "point 5 of section A", or the name of a single point.
std::string describe(const point_section& s, size_t index) {
    return s.n == 1 ? s.name : "point " + std::to_string(index) + " of section " + s.name;
}

struct key_checker {
    const circuit& c;
    thread_pool& pool;
    task& t;

    size_t words(group g) const { return g == group::g1 ? c.key.g1_words() : c.key.g2_words(); }

    [[noreturn]] void refuse(const char* code, const point_section& s, size_t index, const char* what) const {
        throw error(code, describe(s, index) + " " + what, get_another).in_file(c.path).at(s.offset + index * words(s.g) * sizeof(uint64_t));
    }

    void check_group(const point_section& s) const {
        const kernels& k = c.compute();
        const size_t off = (s.g == group::g1 ? k.first_off_curve_g1 : k.first_off_curve_g2)(pool, t, s.points, s.n);
        if (off < s.n) refuse("KeyPointOffCurve", s, off, "is not on the curve");
        const size_t outside = find_outside_subgroup(c.key.curve, s.g, s.points, s.n, pool, t);
        if (outside < s.n) refuse("KeyPointOutsideSubgroup", s, outside, "is not in the subgroup of order r");
    }

    // The key's single points and IC are held in file form.
    void check_small(const char* name, group g, const std::vector<uint64_t>& points, uint64_t offset) const {
        std::vector<uint64_t> imported = points;
        const size_t n = imported.size() / words(g);
        const kernels& k = c.compute();
        (g == group::g1 ? k.import_g1 : k.import_g2)(imported.data(), n);
        check_group({name, g, imported.data(), n, offset});
    }

    std::vector<bool> infinities(const point_section& s) const {
        std::vector<bool> found(s.n);
        for (size_t i = 0; i < s.n; i++) {
            if (i % 65536 == 0) t.check();
            found[i] = is_infinity(s.points + i * words(s.g), words(s.g));
        }
        return found;
    }

    void check_used(const point_section& s, const sparse_rows& m) const {
        const uint64_t signal = first_used_but_absent(c, m, infinities(s), t);
        if (signal < c.key.n_vars) refuse("KeyPointIsIdentity", s, signal, "is the point at infinity, although the circuit uses its signal");
    }

    // e(g1, G2) = e(G1, g2)
    bool same_multiple(const std::vector<uint64_t>& g1, const std::vector<uint64_t>& g2) const {
        return with_curve(c.key.curve, [&]<class Curve>() {
            const auto one1 = generator<Curve, typename Curve::fp>();
            const auto one2 = generator<Curve, typename Curve::fp2>();
            std::vector<uint64_t> minus_one1(c.key.g1_words()), words2(c.key.g2_words());
            one1.x.store(minus_one1.data());
            (-one1.y).store(minus_one1.data() + Curve::fp::N);
            one2.x.store(words2.data());
            one2.y.store(words2.data() + Curve::fp2::N);
            return pairing_product_is_one(c.key.curve, {{g1.data(), words2.data()}, {minus_one1.data(), g2.data()}});
        });
    }

    void check_same_multiple(const char* names, const std::vector<uint64_t>& g1, const std::vector<uint64_t>& g2, uint64_t offset) const {
        if (!same_multiple(g1, g2))
            throw error("KeyPointsMismatch", std::string(names) + " do not belong together", get_another).in_file(c.path).at(offset);
    }
};

// Where the header's points stand in the file.
struct header_offsets {
    uint64_t alpha1, beta1, beta2, gamma2, delta1, delta2;
    explicit header_offsets(const zkey_layout& key) {
        const uint64_t g1 = key.g1_words() * sizeof(uint64_t), g2 = 2 * g1;
        alpha1 = key.header_points_offset;
        beta1 = alpha1 + g1;
        beta2 = beta1 + g1;
        gamma2 = beta2 + g2;
        delta1 = gamma2 + g2;
        delta2 = delta1 + g1;
    }
};

}  // namespace

insecurity check_key_points(const circuit& c, bool allow_insecure) {
    const zkey_layout& k = c.key;
    const header_offsets at(k);
    const std::tuple<const char*, const std::vector<uint64_t>*, uint64_t> points[] = {
        {"alpha1", &k.alpha1, at.alpha1}, {"beta1", &k.beta1, at.beta1},    {"beta2", &k.beta2, at.beta2},
        {"gamma2", &k.gamma2, at.gamma2}, {"delta1", &k.delta1, at.delta1}, {"delta2", &k.delta2, at.delta2}};
    for (const auto& [name, words, offset] : points)
        if (is_infinity(words->data(), words->size()))
            throw error("KeyPointIsIdentity", std::string(name) + " is the point at infinity: proofs would not hide the witness", get_another)
                .in_file(c.path)
                .at(offset);
    if (k.gamma2 != k.delta2)
        return {k.development_setup ? "made by a development setup, whose secrets are known: anybody can forge proofs" : ""};
    const std::string why = "gamma and delta are the same point: no contribution was made to this key, and anybody can forge proofs for it";
    if (!allow_insecure)
        throw error("KeyInsecure", why, "make a contribution (snarkjs zkey contribute), or pass --allow-insecure-key for a test")
            .in_file(c.path)
            .at(at.delta2);
    return {why, at.delta2};
}

void check_all_points(const circuit& c, thread_pool& pool, task& t) {
    const key_checker check{c, pool, t};
    const point_section sections[] = {
        {"A", group::g1, c.a.as<uint64_t>(), c.key.n_vars, c.key.a.offset},
        {"B1", group::g1, c.b1.as<uint64_t>(), c.key.n_vars, c.key.b1.offset},
        {"B2", group::g2, c.b2.as<uint64_t>(), c.key.n_vars, c.key.b2.offset},
        {"C", group::g1, c.c.as<uint64_t>(), c.n_private(), c.key.c.offset},
        {"H", group::g1, c.h.as<uint64_t>(), c.key.domain_size, c.key.h.offset},
    };
    const auto work_of = [&](group g, size_t n) { return subgroup_check_work(c.key.curve, g, n); };
    // alpha1, beta1, delta1; beta2, gamma2, delta2; IC
    uint64_t work = 3 * work_of(group::g1, 1) + 3 * work_of(group::g2, 1) + work_of(group::g1, c.key.n_public + 1);
    for (const point_section& s : sections) work += work_of(s.g, s.n);
    t.enter(phase::check, work);

    const zkey_layout& k = c.key;
    const header_offsets at(k);
    check.check_small("alpha1", group::g1, k.alpha1, at.alpha1);
    check.check_small("beta1", group::g1, k.beta1, at.beta1);
    check.check_small("beta2", group::g2, k.beta2, at.beta2);
    check.check_small("gamma2", group::g2, k.gamma2, at.gamma2);
    check.check_small("delta1", group::g1, k.delta1, at.delta1);
    check.check_small("delta2", group::g2, k.delta2, at.delta2);
    check.check_same_multiple("beta1 and beta2", k.beta1, k.beta2, at.beta2);
    check.check_same_multiple("delta1 and delta2", k.delta1, k.delta2, at.delta2);

    check.check_small("IC", group::g1, c.ic, c.key.ic.offset);
    const point_section ic{"IC", group::g1, c.ic.data(), c.ic.size() / c.key.g1_words(), c.key.ic.offset};
    for (size_t i = 0; i < ic.n; i++)
        if (is_infinity(ic.points + i * c.key.g1_words(), c.key.g1_words()))
            check.refuse("KeyPointIsIdentity", ic, i, "is the point at infinity: proofs would not depend on this public signal");

    for (const point_section& s : sections) check.check_group(s);
    check.check_used(sections[0], c.rows.a);
    check.check_used(sections[1], c.rows.b);
    check.check_used(sections[2], c.rows.b);
}

}  // namespace cuzk
