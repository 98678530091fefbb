#include "msm/sorted_window.hpp"

#include <algorithm>

namespace cuzk {

bucket_accumulator::bucket_accumulator(const group_leafs& leafs, const uint64_t* points, size_t threads)
    : leafs_(leafs), points_(points), scratch_bytes_(scratch_bytes(leafs)), scratch_(buffer::secret(scratch_bytes_ * threads)) {}

void bucket_accumulator::add_window(uint32_t* entries, const uint32_t* counts, size_t buckets, uint64_t* sums) {
    size_t begin = 0, held = 0;
    uint32_t* at = entries;
    const auto close = [&](size_t end) {
        if (end > begin) runs_.push_back({at, counts + begin, end - begin, sums + begin * leafs_.point_words});
        at += held;
        held = 0;
        begin = end;
    };
    for (size_t b = 0; b < buckets; b++) {
        if (counts[b] > capacity) {
            close(b);
            heavy_.push_back({at, counts[b], sums + b * leafs_.point_words, piece_count_});
            piece_count_ += (counts[b] + capacity - 1) / capacity;
            at += counts[b];
            begin = b + 1;
        } else {
            if (held + counts[b] > capacity) close(b);
            held += counts[b];
        }
    }
    close(buckets);
}

void bucket_accumulator::run(thread_pool& pool, const task& t) {
    struct piece {
        uint32_t* entries;
        uint32_t count;
    };
    std::vector<piece> pieces;
    for (const heavy_bucket& heavy : heavy_)
        for (size_t done = 0; done < heavy.count; done += capacity)
            pieces.push_back({heavy.entries + done, static_cast<uint32_t>(std::min(capacity, heavy.count - done))});
    pieces_ = buffer::secret(pieces.size() * leafs_.point_words * 8);

    const auto scratch = [&](size_t worker) { return scratch_.as<char>() + worker * scratch_bytes_; };
    pool.parallel_for(t, pieces.size() + runs_.size(), [&](size_t i, size_t worker) {
        if (i < pieces.size()) {
            leafs_.accumulate(points_, pieces[i].entries, &pieces[i].count, 1, pieces_.as<uint64_t>() + i * leafs_.point_words,
                              scratch(worker), capacity);
        } else {
            const run_of_buckets& r = runs_[i - pieces.size()];
            leafs_.accumulate(points_, r.entries, r.counts, r.buckets, r.sums, scratch(worker), capacity);
        }
    });
    pool.parallel_for(t, heavy_.size(), [&](size_t i, size_t worker) { join_pieces(heavy_[i], worker); });
    runs_.clear();
    heavy_.clear();
    piece_count_ = 0;
}

// A heavy bucket's pieces are points again: sum them in the same way, as often as it takes.
void bucket_accumulator::join_pieces(const heavy_bucket& heavy, size_t worker) {
    const size_t words = leafs_.point_words;
    uint64_t* const sums = pieces_.as<uint64_t>() + heavy.first_piece * words;
    size_t left = (heavy.count + capacity - 1) / capacity;
    std::vector<uint32_t> entries;
    do {
        size_t out = 0;
        for (size_t begin = 0; begin < left; begin += capacity) {
            const size_t end = std::min(left, begin + capacity);
            entries.clear();
            for (size_t i = begin; i < end; i++)  // pieces that cancelled to infinity take no part
                if (std::any_of(sums + i * words, sums + (i + 1) * words, [](uint64_t w) { return w != 0; }))
                    entries.push_back(static_cast<uint32_t>(i));
            const uint32_t count = static_cast<uint32_t>(entries.size());
            std::vector<uint64_t> sum(words);
            leafs_.accumulate(sums, entries.data(), &count, 1, sum.data(), scratch_.as<char>() + worker * scratch_bytes_, capacity);
            std::copy(sum.begin(), sum.end(), sums + out++ * words);
        }
        left = out;
    } while (left > 1);
    std::copy(sums, sums + words, heavy.sum);
}

}  // namespace cuzk
