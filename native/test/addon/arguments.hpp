// JavaScript values as arguments of the hooks, and results back.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <napi.h>

#include "device/error.hpp"
#include "field/curves.hpp"

namespace cuzk::test {

using words = std::vector<uint64_t>;

inline std::string text_argument(const Napi::CallbackInfo& info, size_t i) { return info[i].As<Napi::String>().Utf8Value(); }
inline size_t count_argument(const Napi::CallbackInfo& info, size_t i) {
    return static_cast<size_t>(info[i].As<Napi::Number>().Int64Value());
}

// The place of a name in a list, as an enumeration's value.
template <class Enum>
Enum choice_argument(const Napi::CallbackInfo& info, size_t i, std::initializer_list<const char*> names) {
    const std::string name = text_argument(info, i);
    uint32_t value = 0;
    for (const char* candidate : names) {
        if (name == candidate) return static_cast<Enum>(value);
        value++;
    }
    throw Napi::TypeError::New(info.Env(), "no such choice: " + name);
}

inline curve_id curve_argument(const Napi::CallbackInfo& info, size_t i) { return choice_argument<curve_id>(info, i, {"bn254", "bls12-381"}); }

// A copy of a Uint8Array as 64-bit words, whatever its alignment.
inline words words_argument(const Napi::CallbackInfo& info, size_t i) {
    const auto array = info[i].As<Napi::Uint8Array>();
    words copy(array.ByteLength() / 8);
    if (!copy.empty()) std::memcpy(copy.data(), array.Data(), copy.size() * 8);
    return copy;
}

inline Napi::Value to_bytes(Napi::Env env, const words& from) {
    Napi::Uint8Array array = Napi::Uint8Array::New(env, from.size() * 8);
    if (!from.empty()) std::memcpy(array.Data(), from.data(), from.size() * 8);
    return array;
}

// {out, ms}: a result and how long `body` took to compute it.
template <class Body>
Napi::Value timed(Napi::Env env, words& out, Body&& body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    Napi::Object result = Napi::Object::New(env);
    result.Set("out", to_bytes(env, out));
    result.Set("ms", took.count());
    return result;
}

// The body of a hook: native exceptions become JavaScript errors with their code.
template <class Body>
Napi::Value hook(const Napi::CallbackInfo& info, Body&& body) {
    try {
        return body();
    } catch (const error& e) {
        Napi::Error failure = Napi::Error::New(info.Env(), e.message());
        failure.Set("code", e.code());
        throw failure;
    }
}

}  // namespace cuzk::test
