// Big blocks of memory: aligned to a cache line, not initialized, on huge pages where the system has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace cuzk {

// Owns `bytes` bytes, aligned to 64 (to a page, or a huge page, when large), contents undefined. Throws std::bad_alloc. Movable, not copyable.
class buffer {
public:
    buffer() = default;
    explicit buffer(size_t bytes) : buffer(bytes, false) {}
    ~buffer() { release(); }
    buffer(buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)), secret_(other.secret_) {}
    buffer& operator=(buffer&& other) noexcept {
        if (this != &other) {
            release();
            data_ = std::exchange(other.data_, nullptr);
            bytes_ = std::exchange(other.bytes_, 0);
            secret_ = other.secret_;
        }
        return *this;
    }

    // A buffer for witnesses and what is derived from them: overwritten with zeros before it is freed, and its whole pages are left out of
    // core dumps.
    static buffer secret(size_t bytes) { return buffer(bytes, true); }

    void release();  // frees (and wipes) now
    size_t bytes() const { return bytes_; }
    void* data() const { return data_; }
    template <class T>
    T* as() const { return static_cast<T*>(data_); }

private:
    buffer(size_t bytes, bool secret);
    void* data_ = nullptr;
    size_t bytes_ = 0;
    bool secret_ = false;
};

// Overwrites memory in a way that the compiler cannot leave out.
void wipe(void* data, size_t bytes);

}  // namespace cuzk
