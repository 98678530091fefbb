// msm, bucketSums, reimport, firstOffCurve, generatorMultiples.
#include "groth16/fixed_base.hpp"
#include "msm/kernels.hpp"
#include "test/addon/arguments.hpp"
#include "test/addon/hooks.hpp"
#include "test/points.hpp"

namespace cuzk::test {

namespace {

// One curve, group and variant: the first three arguments of every hook here.
struct place {
    explicit place(const Napi::CallbackInfo& info) : curve(curve_argument(info, 0)), g2(text_argument(info, 1) == "g2") {
        k = kernels_named(curve, text_argument(info, 2).c_str());
        if (!k) throw Napi::Error::New(info.Env(), "this CPU cannot run that variant");
        coordinate_words = (curve == curve_id::bn254 ? 4 : 6) * (g2 ? 2 : 1);
    }
    size_t points_in(const words& w) const { return w.size() / (2 * coordinate_words); }
    void import(words& points) const { (g2 ? k->import_g2 : k->import_g1)(points.data(), points_in(points)); }
    void export_(words& points) const { (g2 ? k->export_g2 : k->export_g1)(points.data(), points_in(points)); }

    curve_id curve;
    bool g2;
    const kernels* k;
    size_t coordinate_words;
};

// msm(curve, group, isa, points, scalars, threads) -> {out: Jacobian X, Y, Z, ms}.
Napi::Value msm(const Napi::CallbackInfo& info) {
    return hook(info, [&] {
        const place at(info);
        words points = words_argument(info, 3);
        const words scalars = words_argument(info, 4);
        at.import(points);
        words out(3 * at.coordinate_words);
        thread_pool pool(count_argument(info, 5));
        task t;
        return timed(info.Env(), out, [&] {
            (at.g2 ? at.k->msm_g2 : at.k->msm_g1)(pool, t, points.data(), scalars.data(), at.points_in(points), out.data());
        });
    });
}

// bucketSums(curve, group, isa, points, digits: Uint16Array, buckets, threads) -> affine points.
Napi::Value bucket_sums(const Napi::CallbackInfo& info) {
    return hook(info, [&] {
        const place at(info);
        words points = words_argument(info, 3);
        at.import(points);
        const auto array = info[4].As<Napi::Uint16Array>();
        const std::vector<uint16_t> digits(array.Data(), array.Data() + array.ElementLength());
        const size_t buckets = count_argument(info, 5);
        words out(buckets * 2 * at.coordinate_words);
        thread_pool pool(count_argument(info, 6));
        task t;
        (at.g2 ? at.k->bucket_sums_g2 : at.k->bucket_sums_g1)(pool, t, points.data(), digits.data(), digits.size(), buckets, out.data());
        at.export_(out);
        return to_bytes(info.Env(), out);
    });
}

// reimport(curve, group, isa, points) -> the points after import and export.
Napi::Value reimport(const Napi::CallbackInfo& info) {
    return hook(info, [&] {
        const place at(info);
        words points = words_argument(info, 3);
        at.import(points);
        at.export_(points);
        return to_bytes(info.Env(), points);
    });
}

// firstOffCurve(curve, group, isa, points) -> an index, or the number of points.
Napi::Value first_off_curve(const Napi::CallbackInfo& info) {
    return hook(info, [&]() -> Napi::Value {
        const place at(info);
        words points = words_argument(info, 3);
        at.import(points);
        thread_pool pool(2);
        task t;
        const size_t first = (at.g2 ? at.k->first_off_curve_g2 : at.k->first_off_curve_g1)(pool, t, points.data(), at.points_in(points));
        return Napi::Number::New(info.Env(), static_cast<double>(first));
    });
}

template <class C, class F>
words multiples_of_generator(const words& scalars) {
    const size_t n = scalars.size() / 4;
    const projective_t<F> g = generator<C, F>();
    const fixed_base<F, typename C::fr> table({g.x, g.y}, n);
    std::vector<typename C::fr> factors(n);
    for (size_t i = 0; i < n; i++) factors[i] = C::fr::from_canonical(scalars.data() + 4 * i);
    std::vector<affine_t<F>> points(n);
    thread_pool pool;
    task t;
    table.multiply(factors.data(), n, points.data(), pool, t);
    words out(n * 2 * F::N);
    if (n) std::memcpy(out.data(), points.data(), out.size() * 8);
    return out;
}

// generatorMultiples(curve, group, scalars) -> affine points; scalars are plain integers below r.
Napi::Value generator_multiples(const Napi::CallbackInfo& info) {
    return hook(info, [&] {
        const bool g2 = text_argument(info, 1) == "g2";
        const words scalars = words_argument(info, 2);
        return to_bytes(info.Env(), with_curve(curve_argument(info, 0), [&]<class C>() {
                            return g2 ? multiples_of_generator<C, typename C::fp2>(scalars) : multiples_of_generator<C, typename C::fp>(scalars);
                        }));
    });
}

}  // namespace

void define_sums(Napi::Env env, Napi::Object exports) {
    exports.Set("msm", Napi::Function::New(env, msm, "msm"));
    exports.Set("bucketSums", Napi::Function::New(env, bucket_sums, "bucketSums"));
    exports.Set("reimport", Napi::Function::New(env, reimport, "reimport"));
    exports.Set("firstOffCurve", Napi::Function::New(env, first_off_curve, "firstOffCurve"));
    exports.Set("generatorMultiples", Napi::Function::New(env, generator_multiples, "generatorMultiples"));
}

}  // namespace cuzk::test
