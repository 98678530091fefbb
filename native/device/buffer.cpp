#include "device/buffer.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace cuzk {

namespace {

constexpr size_t huge_page = size_t{2} << 20;

}  // namespace

buffer::buffer(size_t bytes) : bytes_(bytes) {
    if (bytes == 0) return;
    const size_t alignment = bytes >= huge_page ? huge_page : 64;
    data_ = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!data_) throw std::bad_alloc();
#ifdef __linux__
    if (bytes >= huge_page) madvise(data_, bytes, MADV_HUGEPAGE);  // advice: a refusal changes nothing
#endif
}

buffer buffer::secret(size_t bytes) {
    buffer b(bytes);
    b.secret_ = true;
    return b;
}

void buffer::release() {
    if (secret_ && data_) wipe(data_, bytes_);
    std::free(data_);
    data_ = nullptr;
    bytes_ = 0;
}

void wipe(void* data, size_t bytes) {
    std::memset(data, 0, bytes);
    asm volatile("" : : "r"(data) : "memory");
}

}  // namespace cuzk
