#include "addon/arguments.hpp"

#include <cstring>

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

std::unique_ptr<input_file> file_argument::open() const {
    if (!bytes_) return std::make_unique<input_file>(name_);
    return std::make_unique<input_file>(bytes_->data(), bytes_->bytes(), name_);
}

}  // namespace cuzk::addon
