#include "addon/arguments.hpp"

#include <cmath>
#include <cstring>
#include <utility>

namespace cuzk::addon {

std::string string_field(const Napi::Object& object, const char* name) {
    const Napi::Value value = object.Get(name);
    if (!value.IsString()) throw Napi::TypeError::New(object.Env(), std::string("expected a string in \"") + name + "\"");
    return value.As<Napi::String>().Utf8Value();
}

bool boolean_field(const Napi::Object& object, const char* name) {
    const Napi::Value value = object.Get(name);
    if (!value.IsBoolean()) throw Napi::TypeError::New(object.Env(), std::string("expected a boolean in \"") + name + "\"");
    return value.As<Napi::Boolean>().Value();
}

Napi::Object options_argument(const Napi::Value& value) {
    if (!value.IsObject()) throw Napi::TypeError::New(value.Env(), "expected an object of options");
    return value.As<Napi::Object>();
}

std::string path_argument(const Napi::Value& value) {
    if (!value.IsString()) throw Napi::TypeError::New(value.Env(), "expected a path");
    return value.As<Napi::String>().Utf8Value();
}

std::optional<uint64_t> count_argument(const Napi::Value& value) {
    if (value.IsUndefined()) return std::nullopt;
    constexpr double most = 9007199254740991;  // Number.MAX_SAFE_INTEGER
    const double n = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
    if (!(n >= 0 && n <= most) || n != std::floor(n)) throw Napi::TypeError::New(value.Env(), "expected a whole number");
    return static_cast<uint64_t>(n);
}

file_argument::file_argument(const Napi::Value& value, std::string name) : name_(std::move(name)) {
    if (value.IsString())
        name_ = value.As<Napi::String>().Utf8Value();
    else if (value.IsTypedArray() && value.As<Napi::TypedArray>().TypedArrayType() == napi_uint8_array) {
        const auto from = value.As<Napi::Uint8Array>();
        bytes_ = std::make_shared<const buffer>(buffer::secret(from.ByteLength()));
        std::memcpy(bytes_->data(), from.Data(), from.ByteLength());
    } else
        throw Napi::TypeError::New(value.Env(), "expected a path or a Uint8Array");
}

std::shared_ptr<const input_file> file_argument::open() {
    if (!bytes_) return std::make_shared<input_file>(name_);
    const auto bytes = std::exchange(bytes_, nullptr);
    return {new input_file(bytes->data(), bytes->bytes(), name_), [bytes](const input_file* file) { delete file; }};
}

}  // namespace cuzk::addon
