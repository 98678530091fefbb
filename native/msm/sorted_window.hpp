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

    // What it takes for `windows` windows of n entries each between two runs: the threads' scratch, the sums of heavy buckets' pieces, and its
    // lists. Running takes those sums once more.
    static size_t bytes(const group_leafs& leafs, size_t windows, size_t n, size_t threads) {
        return scratch_bytes(leafs) * threads + pieces_bytes(leafs, windows, n) + windows * (2 * (n / capacity) + 2) * list_bytes;
    }
    static size_t pieces_bytes(const group_leafs& leafs, size_t windows, size_t n) {
        return windows * most_pieces(n) * leafs.point_words * sizeof(uint64_t);
    }

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

    static size_t scratch_bytes(const group_leafs& leafs) { return (leafs.scratch_bytes(capacity) + 63) / 64 * 64; }
    // A heavy bucket has more than `capacity` entries, so at most two pieces for each `capacity` of them.
    static size_t most_pieces(size_t n) { return 2 * (n / capacity); }
    // Of an entry of the three lists, which double as they grow.
    static constexpr size_t list_bytes = 3 * (sizeof(run_of_buckets) + sizeof(heavy_bucket) + 16);

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
