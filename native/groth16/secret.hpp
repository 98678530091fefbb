// Values on the stack that leave nothing behind.
#pragma once

#include "device/buffer.hpp"

namespace cuzk {

// A value that is wiped when its scope ends.
template <class T>
struct wiped {
    T value{};
    wiped() = default;
    explicit wiped(const T& v) : value(v) {}
    wiped(const wiped&) = delete;
    wiped& operator=(const wiped&) = delete;
    ~wiped() { wipe(&value, sizeof value); }
};

}  // namespace cuzk
