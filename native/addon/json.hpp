// Points and numbers between snarkjs's JSON objects and the words of files (Montgomery form, see msm/kernels.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <napi.h>

#include "field/curves.hpp"

namespace cuzk::addon {

// Where a value stands in the object, for error messages ("vk_beta_2", "IC[3]"), and the code of the error.
struct json_place {
    std::string code, name;
};

// "bn128" / "bls12381" as in snarkjs's files; from_json also takes our own names.
const char* snarkjs_name(curve_id curve);
curve_id curve_from_json(const Napi::Object& object, const std::string& code);

// The point's words: [x, y, 1] or [0, 1, 0] for infinity, decimal strings; pairs of them in G2. Every coordinate is below the modulus;
// whether the point is on its curve is not looked at.
std::vector<uint64_t> g1_from_json(curve_id curve, const Napi::Value& value, const json_place& place);
std::vector<uint64_t> g2_from_json(curve_id curve, const Napi::Value& value, const json_place& place);
Napi::Value g1_to_json(Napi::Env env, curve_id curve, const uint64_t* point);
Napi::Value g2_to_json(Napi::Env env, curve_id curve, const uint64_t* point);
Napi::Value fp2_to_json(Napi::Env env, curve_id curve, const uint64_t* element);
// Words of an element of the base field.
inline size_t base_words(curve_id curve) { return curve == curve_id::bn254 ? 4 : 6; }

// Public signals: plain integers below r, four words each.
std::vector<uint64_t> signals_from_json(curve_id curve, const Napi::Value& value);

// A field of an object that must be there.
Napi::Value required(const Napi::Object& object, const char* name, const std::string& code);
Napi::Object object_argument(const Napi::Value& value, const std::string& code, const char* what);

Napi::Array strings_to_json(Napi::Env env, const std::vector<std::string>& strings);

}  // namespace cuzk::addon
