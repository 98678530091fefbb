// JavaScript arguments as native values.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <napi.h>

#include "device/buffer.hpp"
#include "formats/file.hpp"

namespace cuzk::addon {

// A string field of an options object; throws a TypeError that names it.
std::string string_field(const Napi::Object& object, const char* name);
bool boolean_field(const Napi::Object& object, const char* name);
Napi::Object options_argument(const Napi::Value& value);
std::string path_argument(const Napi::Value& value);
// A whole number of at least 0, or nothing where none is given.
std::optional<uint64_t> count_argument(const Napi::Value& value);

// A file given by its path, or by all its bytes in a Uint8Array, which are copied into memory that is wiped.
class file_argument {
public:
    // `name` is what messages call the bytes; a path calls itself.
    file_argument(const Napi::Value& value, std::string name);
    // Once: the file takes the bytes along, and frees them when it goes.
    std::shared_ptr<const input_file> open();

private:
    std::string name_;
    std::shared_ptr<const buffer> bytes_;  // shared, because work must be copyable
};

}  // namespace cuzk::addon
