#include "device/buffer.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "device/allocated.hpp"

namespace cuzk {

namespace {

constexpr size_t huge_page = size_t{2} << 20;
constexpr size_t page = 4096;
// Half a huge page is lost on average: little beside this much.
constexpr size_t least_on_huge_pages = 8 * huge_page;

// What the system is asked to do with whole pages; a refusal changes nothing.
void advise([[maybe_unused]] void* data, [[maybe_unused]] size_t bytes, [[maybe_unused]] int advice) {
#ifdef __linux__
    madvise(data, bytes / page * page, advice);
#endif
}

}  // namespace

buffer::buffer(size_t bytes, bool secret) : bytes_(bytes), secret_(secret) {
    if (bytes == 0) return;
    const size_t alignment = bytes >= least_on_huge_pages ? huge_page : bytes >= page ? page : 64;
    data_ = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!data_) throw std::bad_alloc();
    allocated::add(bytes);
#ifdef __linux__
    if (bytes >= least_on_huge_pages) advise(data_, bytes, MADV_HUGEPAGE);
    if (secret) advise(data_, bytes, MADV_DONTDUMP);
#endif
}

void buffer::release() {
    if (secret_ && data_) {
        wipe(data_, bytes_);
#ifdef __linux__
        advise(data_, bytes_, MADV_DODUMP);  // the allocator gives the pages to others
#endif
    }
    std::free(data_);
    allocated::remove(bytes_);
    data_ = nullptr;
    bytes_ = 0;
}

void wipe(void* data, size_t bytes) {
    std::memset(data, 0, bytes);
    asm volatile("" : : "r"(data) : "memory");
}

}  // namespace cuzk
