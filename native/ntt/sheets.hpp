// Working memory of the transforms: a few sheets for each thread.
#pragma once

#include <memory>
#include <new>

#include "ntt/kernels.hpp"

namespace cuzk {

// `per_worker` sheets of `rows` rows for each of `workers` threads, 64-byte aligned.
class sheets {
public:
    sheets(const ntt_kernels& k, size_t workers, size_t per_worker, size_t rows)
        : sheet_bytes_(rows * k.row_bytes), per_worker_(per_worker),
          memory_(static_cast<std::byte*>(::operator new(workers * per_worker * sheet_bytes_, alignment))) {}

    void* at(size_t worker, size_t i) const { return memory_.get() + (worker * per_worker_ + i) * sheet_bytes_; }

private:
    static constexpr std::align_val_t alignment{64};
    struct release {
        void operator()(std::byte* memory) const { ::operator delete(memory, alignment); }
    };
    size_t sheet_bytes_, per_worker_;
    std::unique_ptr<std::byte, release> memory_;
};

}  // namespace cuzk
