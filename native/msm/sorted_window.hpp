// One window's entries in order of buckets, cut into tasks, and the sums of its buckets.
#pragma once

#include <vector>

#include "device/buffer.hpp"
#include "device/thread_pool.hpp"
#include "msm/leafs.hpp"

namespace cuzk {

// Its memory is wiped: what is added up says which digits the scalars have.
// Sums buckets of sorted entries in tasks of at most `capacity` entries: runs of whole buckets, or pieces of one heavy bucket.
class bucket_accumulator {
public:
    // Points per task: enough to share an inversion widely, few enough to stay in the second-level cache.
    static constexpr size_t capacity = 16384;

    bucket_accumulator(const group_leafs& leafs, const uint64_t* points, size_t threads);

    // Adds a window: its entries in order of buckets (used up), how many each bucket has, and where the bucket sums go.
    void add_window(uint32_t* entries, const uint32_t* counts, size_t buckets, uint64_t* sums);
    // Computes the sums of all windows added since the last run.
    void run(thread_pool& pool, const task& t);

private:
    struct run_of_buckets {
        uint32_t* entries;
        const uint32_t* counts;
        size_t buckets;
        uint64_t* sums;
    };
    struct heavy_bucket {
        uint32_t* entries;
        size_t count;
        uint64_t* sum;
        size_t first_piece;  // index of its first piece's sum in pieces_
    };

    void join_pieces(const heavy_bucket& heavy, size_t worker);

    const group_leafs& leafs_;
    const uint64_t* points_;
    size_t scratch_bytes_;
    buffer scratch_, pieces_;
    size_t piece_count_ = 0;
    std::vector<run_of_buckets> runs_;
    std::vector<heavy_bucket> heavy_;
};

}  // namespace cuzk
