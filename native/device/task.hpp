// One call's way to be stopped and to be watched from another thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "device/error.hpp"

namespace cuzk {

// What a call is doing now. Names and weights for people live in TypeScript; the values are part of the addon's contract.
enum class phase : uint32_t { idle, load, check, synthesis, ntt, msm_a, msm_b1, msm_b2, msm_c, msm_h, finish, verify, setup };

struct progress_t {
    phase now = phase::idle;
    uint64_t done = 0, total = 0;
};

// Shared by the thread that computes and the one that watches. All members may be used from any thread.
class task {
public:
    void abort() { aborted_.store(true, std::memory_order_relaxed); }
    bool is_aborted() const { return aborted_.load(std::memory_order_relaxed); }
    // Called inside every loop at least once per 20 ms of work; throws `aborted`.
    void check() const {
        if (is_aborted()) throw aborted{};
    }

    void enter(phase p, uint64_t total) {
        version_++;
        done_ = 0;
        total_ = total;
        phase_ = static_cast<uint32_t>(p);
        version_++;
    }
    void advance(uint64_t n) { done_.fetch_add(n, std::memory_order_relaxed); }

    // The three values of one moment: never what one phase has done beside what the next has to do.
    progress_t progress() const {
        for (;;) {
            const uint64_t before = version_;
            const progress_t p{current(), done_, total_};
            if (before % 2 == 0 && version_ == before) return p;
        }
    }
    phase current() const { return static_cast<phase>(phase_.load(std::memory_order_relaxed)); }
    uint64_t done() const { return done_.load(std::memory_order_relaxed); }
    uint64_t total() const { return total_.load(std::memory_order_relaxed); }

private:
    std::atomic<bool> aborted_{false};
    std::atomic<uint64_t> version_{0};  // odd while a phase is entered
    std::atomic<uint32_t> phase_{0};
    std::atomic<uint64_t> done_{0}, total_{0};
};

}  // namespace cuzk
