// Working memory of the transforms: a few sheets for each thread.
#pragma once

#include "device/buffer.hpp"
#include "ntt/kernels.hpp"

namespace cuzk {

// `per_worker` sheets of `rows` rows for each of `workers` threads, aligned; wiped in the end, as they hold what a witness
// determines.
class sheets {
public:
    sheets(const ntt_kernels& k, size_t workers, size_t per_worker, size_t rows)
        : sheet_bytes_(rows * k.row_bytes), per_worker_(per_worker), memory_(buffer::secret(workers * per_worker * sheet_bytes_)) {}

    void* at(size_t worker, size_t i) const { return memory_.as<char>() + (worker * per_worker_ + i) * sheet_bytes_; }

private:
    size_t sheet_bytes_, per_worker_;
    buffer memory_;
};

}  // namespace cuzk
