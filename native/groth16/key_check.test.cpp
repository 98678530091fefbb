#include "groth16/key_check.hpp"

#include <functional>

#include "curve/generators.hpp"
#include "groth16/small_circuits.hpp"
#include "groth16/subgroup.hpp"
#include "test/check.hpp"
#include "test/whole_curve.hpp"

using namespace cuzk;
using namespace cuzk::test;

namespace {

// A key, and copies of it with some bytes changed.
struct key_file {
    temporary_folder folder;
    thread_pool pool{2};
    task t;
    std::string bytes;
    zkey_layout layout;

    explicit key_file(curve_id curve, const small_circuit& c = chain_circuit(8)) {
        c.write_r1cs(curve, folder / "c.r1cs");
        setup(folder / "c.r1cs", folder / "c.zkey", pool, t);
        std::ifstream in(folder / "c.zkey", std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
        layout = read_zkey_layout(input_file(folder / "c.zkey"));
    }
    std::string with(uint64_t offset, const void* data, size_t size) const {
        std::string changed = bytes;
        std::memcpy(changed.data() + offset, data, size);
        return changed;
    }
    std::string zeroed(uint64_t offset, size_t words) const { return with(offset, std::string(words * 8, '\0').data(), words * 8); }
    std::shared_ptr<const circuit> load(const std::string& content, const load_options& options = {}) {
        std::ofstream(folder / "changed.zkey", std::ios::binary).write(content.data(), static_cast<std::streamsize>(content.size()));
        return load_circuit(folder / "changed.zkey", options, pool, t);
    }
    void refuses(const std::string& content, const std::string& code, uint64_t offset, const load_options& options = {}) {
        try {
            load(content, options);
        } catch (const error& e) {
            CHECK_EQ(e.code(), code);
            CHECK_EQ(e.offset(), offset);
            CHECK_EQ(e.file(), folder / "changed.zkey");
            return;
        }
        fail(__FILE__, __LINE__, "nothing thrown, expected " + code);
    }
    size_t g1() const { return layout.g1_words(); }
    size_t g2() const { return layout.g2_words(); }
    // Offsets of the header's points: alpha1, beta1, beta2, gamma2, delta1, delta2.
    std::vector<uint64_t> header() const {
        const uint64_t at = layout.header_points_offset, a = g1() * 8, b = g2() * 8;
        return {at, at + a, at + 2 * a, at + 2 * a + b, at + 2 * a + 2 * b, at + 3 * a + 2 * b};
    }
};

template <class Curve, class F>
void check_finds(group g, size_t n) {
    const kernels& k = kernels_for(Curve::id);
    const auto one = generator<Curve, F>();
    std::vector<uint64_t> points(n * 2 * F::N);
    for (size_t i = 0; i < n; i++) {
        one.x.store(&points[i * 2 * F::N]);
        (i % 3 ? one.y : -one.y).store(&points[i * 2 * F::N + F::N]);
    }
    if (n > 5) std::fill(&points[5 * 2 * F::N], &points[6 * 2 * F::N], 0);
    (g == group::g1 ? k.import_g1 : k.import_g2)(points.data(), n);
    thread_pool pool(2);
    task t;
    CHECK_EQ(find_outside_subgroup(Curve::id, g, points.data(), n, pool, t), n);
    CHECK_EQ(t.done(), subgroup_check_work(Curve::id, g, n));
    std::vector<uint64_t> bad = point_outside_the_subgroup<Curve, F>();
    (g == group::g1 ? k.import_g1 : k.import_g2)(bad.data(), 1);
    for (const size_t at : {size_t{0}, n / 2, n - 1}) {
        std::vector<uint64_t> with_bad = points;
        std::copy(bad.begin(), bad.end(), with_bad.begin() + static_cast<ptrdiff_t>(at * 2 * F::N));
        CHECK_EQ(find_outside_subgroup(Curve::id, g, with_bad.data(), n, pool, t), at);
        CHECK_EQ(find_outside_subgroup(Curve::id, g, with_bad.data(), n, pool, t, 700), at);  // in parts
    }
}

}  // namespace

TEST("a point outside the subgroup is found among many and among few") {
    for (const size_t n : {size_t{1}, size_t{7}, size_t{3000}}) {
        check_finds<bls12_381, bls12_381::fp>(group::g1, n);
        check_finds<bls12_381, bls12_381::fp2>(group::g2, n);
        check_finds<bn254, bn254::fp2>(group::g2, n);
    }
    CHECK(plan_subgroup_check(3000).passes > 0);
    CHECK_EQ(plan_subgroup_check(7).passes, 0u);
    const subgroup_plan plan = plan_subgroup_check(1 << 20);
    CHECK(plan.bits * plan.passes >= 40);
}

namespace {

// Points of the subgroup, some of them replaced; imported form.
template <class Curve, class F>
size_t first_found(group g, size_t n, const std::vector<std::pair<size_t, std::vector<uint64_t>>>& others) {
    const kernels& k = kernels_for(Curve::id);
    const auto one = generator<Curve, F>();
    std::vector<uint64_t> points(n * 2 * F::N);
    for (size_t i = 0; i < n; i++) {
        one.x.store(&points[i * 2 * F::N]);
        one.y.store(&points[i * 2 * F::N + F::N]);
    }
    for (const auto& [at, words] : others) std::copy(words.begin(), words.end(), points.begin() + static_cast<ptrdiff_t>(at * 2 * F::N));
    (g == group::g1 ? k.import_g1 : k.import_g2)(points.data(), n);
    thread_pool pool(2);
    task t;
    return find_outside_subgroup(Curve::id, g, points.data(), n, pool, t);
}

template <class Curve, class F>
void check_many_bad(group g) {
    const auto bad = point_outside_the_subgroup<Curve, F>();
    auto minus = bad;
    (-F::load(&bad[F::N])).store(&minus[F::N]);
    for (int again = 0; again < 5; again++) {
        // Two that cancel when they meet; and many.
        CHECK_EQ((first_found<Curve, F>(g, 3000, {{1000, bad}, {2000, minus}})), size_t{1000});
        std::vector<std::pair<size_t, std::vector<uint64_t>>> many;
        for (size_t i = 777; i < 3000; i += 2) many.emplace_back(i, i % 4 == 1 ? bad : minus);
        CHECK_EQ((first_found<Curve, F>(g, 3000, many)), size_t{777});
    }
}

}  // namespace

TEST("of several points outside the subgroup the first is named, also where they cancel one another") {
    check_many_bad<bls12_381, bls12_381::fp>(group::g1);
    check_many_bad<bls12_381, bls12_381::fp2>(group::g2);
    check_many_bad<bn254, bn254::fp2>(group::g2);
}

TEST("points of order three, whose x is zero, are found outside the subgroup") {
    using fp = bls12_381::fp;
    std::vector<uint64_t> point(2 * fp::N);  // (0, 2); three of them in one sum leave no trace there
    fp::from_u64(2).store(&point[fp::N]);
    for (const size_t n : {size_t{20}, size_t{3000}})
        CHECK_EQ((first_found<bls12_381, fp>(group::g1, n, {{7, point}, {8, point}, {13, point}})), size_t{7});
    std::vector<std::pair<size_t, std::vector<uint64_t>>> all;
    for (size_t i = 0; i < 3000; i++) all.emplace_back(i, point);
    CHECK_EQ((first_found<bls12_381, fp>(group::g1, 3000, all)), size_t{0});
}

TEST("the check of a key advances its task by what it announced") {
    for (const curve_id curve : {curve_id::bn254, curve_id::bls12_381}) {
        key_file key(curve);
        key.load(key.bytes);
        CHECK(key.t.current() == phase::check);
        CHECK_EQ(key.t.done(), key.t.total());
    }
}

TEST("a key with one of its single points at infinity is refused, whatever the options") {
    for (const curve_id curve : {curve_id::bn254, curve_id::bls12_381}) {
        key_file key(curve);
        CHECK(key.load(key.bytes)->key.n_public == 3);
        const auto header = key.header();
        for (size_t i = 0; i < header.size(); i++) {
            const bool in_g2 = i == 2 || i == 3 || i == 5;
            key.refuses(key.zeroed(header[i], in_g2 ? key.g2() : key.g1()), "KeyPointIsIdentity", header[i], {false, true});
        }
    }
}

TEST("a key with gamma = delta is refused, unless it is asked for, and then called insecure") {
    key_file key(curve_id::bn254);
    const auto header = key.header();
    const std::string same = key.with(header[5], key.bytes.data() + header[3], key.g2() * 8);
    key.refuses(same, "KeyInsecure", header[5], {false, false});
    CHECK(key.load(same, {false, true})->insecure.find("gamma and delta") != std::string::npos);
}

TEST("points of B at infinity are refused where the circuit uses their signals, points of IC everywhere") {
    key_file key(curve_id::bls12_381);
    // Signal 4 is in A and in B; signal 1, an output, in neither but for its own row of A.
    for (const uint64_t section : {key.layout.a.offset, key.layout.b1.offset}) {
        const uint64_t at = section + 4 * key.g1() * 8;
        key.refuses(key.zeroed(at, key.g1()), "KeyPointIsIdentity", at);
    }
    const uint64_t in_b2 = key.layout.b2.offset + 4 * key.g2() * 8;
    key.refuses(key.zeroed(in_b2, key.g2()), "KeyPointIsIdentity", in_b2);
    const uint64_t in_ic = key.layout.ic.offset + key.g1() * 8;
    key.refuses(key.zeroed(in_ic, key.g1()), "KeyPointIsIdentity", in_ic);
    CHECK(key.load(key.zeroed(in_b2, key.g2()), {false, false}) != nullptr);  // not looked at again once a key is known
}

TEST("points off the curve, outside the subgroup or not reduced are refused, with their place") {
    for (const curve_id curve : {curve_id::bn254, curve_id::bls12_381}) {
        key_file key(curve);
        const uint64_t sections[] = {key.layout.a.offset, key.layout.b1.offset, key.layout.b2.offset,
                                     key.layout.c.offset, key.layout.h.offset,  key.layout.ic.offset};
        for (const uint64_t section : sections) {
            const size_t words = section == key.layout.b2.offset ? key.g2() : key.g1();
            const uint64_t at = section + 2 * words * 8;
            const unsigned char one_more = static_cast<unsigned char>(key.bytes[at] ^ 1);
            key.refuses(key.with(at, &one_more, 1), "KeyPointOffCurve", at);
            const std::string ones(8, '\xff');
            const uint64_t top = at + words / (section == key.layout.b2.offset ? 4 : 2) * 8 - 8;
            key.refuses(key.with(top, ones.data(), 8), "ZkeyPointNotReduced", at, {false, false});
        }
        const uint64_t at = key.layout.b2.offset;
        const auto outside = with_curve(curve, []<class Curve>() { return point_outside_the_subgroup<Curve, typename Curve::fp2>(); });
        key.refuses(key.with(at, outside.data(), outside.size() * 8), "KeyPointOutsideSubgroup", at);
    }
    key_file key(curve_id::bls12_381);
    const auto outside = point_outside_the_subgroup<bls12_381, bls12_381::fp>();
    for (const uint64_t at : {key.layout.a.offset, key.layout.h.offset, key.layout.ic.offset, key.header()[0]})
        key.refuses(key.with(at, outside.data(), outside.size() * 8), "KeyPointOutsideSubgroup", at);
}

TEST("delta and beta in the two groups must be the same multiples of the generators") {
    key_file key(curve_id::bn254);
    const auto header = key.header();
    key.refuses(key.with(header[1], key.bytes.data() + header[0], key.g1() * 8), "KeyPointsMismatch", header[2]);  // beta1 = alpha1
    key.refuses(key.with(header[4], key.bytes.data() + header[0], key.g1() * 8), "KeyPointsMismatch", header[5]);  // delta1 = alpha1
}
