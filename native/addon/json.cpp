#include "addon/json.hpp"

#include "device/error.hpp"
#include "groth16/decimal.hpp"

namespace cuzk::addon {

namespace {

[[noreturn]] void malformed(const json_place& place, const std::string& what) {
    throw error(place.code, place.name + " " + what, "check that the file is one that snarkjs or cuzk wrote");
}

template <class F>
F element_from_json(const Napi::Value& value, const json_place& place) {
    if (!value.IsString()) malformed(place, "is not a decimal string");
    uint64_t words[F::N];
    if (!from_decimal(value.As<Napi::String>().Utf8Value(), words, F::N) || !F::is_reduced(words))
        malformed(place, "is not a decimal number below the field's modulus");
    return F::from_canonical(words);
}

Napi::Array array_of(const Napi::Value& value, uint32_t length, const json_place& place) {
    if (!value.IsArray() || value.As<Napi::Array>().Length() != length)
        malformed(place, "is not an array of " + std::to_string(length));
    return value.As<Napi::Array>();
}

template <class Fp>
Fp coordinate_from_json(const Napi::Value& value, const json_place& place, const Fp*) {
    return element_from_json<Fp>(value, place);
}
template <class Fp>
fp2_t<Fp> coordinate_from_json(const Napi::Value& value, const json_place& place, const fp2_t<Fp>*) {
    const Napi::Array pair = array_of(value, 2, place);
    const Fp c0 = element_from_json<Fp>(pair.Get(0u), place);
    return {c0, element_from_json<Fp>(pair.Get(1u), place)};
}

template <class F>
std::vector<uint64_t> point_from_json(const Napi::Value& value, const json_place& place) {
    const Napi::Array three = array_of(value, 3, place);
    const auto at = [&](uint32_t i) { return coordinate_from_json(three.Get(i), place, static_cast<const F*>(nullptr)); };
    const F x = at(0), y = at(1), z = at(2);
    std::vector<uint64_t> words(2 * F::N);
    if (z.is_zero()) return words;
    if (!(z == F::one())) malformed(place, "is not an affine point: its last coordinate is neither 1 nor 0");
    if (x.is_zero() && y.is_zero()) malformed(place, "is (0, 0), which is no point");
    x.store(words.data());
    y.store(words.data() + F::N);
    return words;
}

template <class P>
Napi::Value coordinate_to_json(Napi::Env env, const mont_t<P>& x) {
    return Napi::String::New(env, to_decimal(x));
}
template <class Fp>
Napi::Value coordinate_to_json(Napi::Env env, const fp2_t<Fp>& x) {
    Napi::Array pair = Napi::Array::New(env, 2);
    pair.Set(0u, coordinate_to_json(env, x.c0));
    pair.Set(1u, coordinate_to_json(env, x.c1));
    return pair;
}

template <class F>
Napi::Value point_to_json(Napi::Env env, const uint64_t* point) {
    F x = F::load(point), y = F::load(point + F::N), z = F::one();
    if (x.is_zero() && y.is_zero()) y = F::one(), z = F::zero();
    Napi::Array three = Napi::Array::New(env, 3);
    three.Set(0u, coordinate_to_json(env, x));
    three.Set(1u, coordinate_to_json(env, y));
    three.Set(2u, coordinate_to_json(env, z));
    return three;
}

}  // namespace

const char* snarkjs_name(curve_id curve) { return curve == curve_id::bn254 ? "bn128" : "bls12381"; }

curve_id curve_from_json(const Napi::Object& object, const std::string& code) {
    const Napi::Value value = required(object, "curve", code);
    const std::string name = value.IsString() ? value.As<Napi::String>().Utf8Value() : "";
    if (name == "bn128" || name == "bn254" || name == "altbn128") return curve_id::bn254;
    if (name == "bls12381" || name == "bls12-381") return curve_id::bls12_381;
    throw error("CurveUnknown", "the curve \"" + name + "\" is neither bn128 nor bls12381");
}

std::vector<uint64_t> g1_from_json(curve_id curve, const Napi::Value& value, const json_place& place) {
    return with_curve(curve, [&]<class Curve>() { return point_from_json<typename Curve::fp>(value, place); });
}
std::vector<uint64_t> g2_from_json(curve_id curve, const Napi::Value& value, const json_place& place) {
    return with_curve(curve, [&]<class Curve>() { return point_from_json<typename Curve::fp2>(value, place); });
}
Napi::Value g1_to_json(Napi::Env env, curve_id curve, const uint64_t* point) {
    return with_curve(curve, [&]<class Curve>() { return point_to_json<typename Curve::fp>(env, point); });
}
Napi::Value g2_to_json(Napi::Env env, curve_id curve, const uint64_t* point) {
    return with_curve(curve, [&]<class Curve>() { return point_to_json<typename Curve::fp2>(env, point); });
}

Napi::Value fp2_to_json(Napi::Env env, curve_id curve, const uint64_t* element) {
    return with_curve(curve, [&]<class Curve>() { return coordinate_to_json(env, Curve::fp2::load(element)); });
}

std::vector<uint64_t> signals_from_json(curve_id curve, const Napi::Value& value) {
    const json_place whole{"PublicSignalsMalformed", "the list of public signals"};
    if (!value.IsArray()) malformed(whole, "is not an array");
    const auto array = value.As<Napi::Array>();
    std::vector<uint64_t> words(size_t{array.Length()} * 4);
    for (uint32_t i = 0; i < array.Length(); i++) {
        const json_place place{whole.code, "public signal " + std::to_string(i)};
        with_curve(curve, [&]<class Curve>() {
            element_from_json<typename Curve::fr>(array.Get(i), place).to_canonical(&words[size_t{i} * 4]);
        });
    }
    return words;
}

Napi::Value required(const Napi::Object& object, const char* name, const std::string& code) {
    const Napi::Value value = object.Get(name);
    if (value.IsUndefined()) throw error(code, std::string("there is no \"") + name + "\"", "check that the file is the right one");
    return value;
}

Napi::Object object_argument(const Napi::Value& value, const std::string& code, const char* what) {
    if (!value.IsObject()) throw error(code, std::string(what) + " is not an object", "check that the file is the right one");
    return value.As<Napi::Object>();
}

Napi::Array strings_to_json(Napi::Env env, const std::vector<std::string>& strings) {
    Napi::Array array = Napi::Array::New(env, strings.size());
    for (uint32_t i = 0; i < strings.size(); i++) array.Set(i, strings[i]);
    return array;
}

}  // namespace cuzk::addon
