#include "device/allocated.hpp"

#include <atomic>

namespace cuzk::allocated {

namespace {

std::atomic<size_t> held{0}, most{0};

}  // namespace

void add(size_t bytes) {
    const size_t after = held.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    size_t known = most.load(std::memory_order_relaxed);
    while (known < after && !most.compare_exchange_weak(known, after, std::memory_order_relaxed)) {
    }
}

void remove(size_t bytes) { held.fetch_sub(bytes, std::memory_order_relaxed); }

size_t now() { return held.load(std::memory_order_relaxed); }

size_t peak() { return most.load(std::memory_order_relaxed); }

void restart_peak() { most.store(now(), std::memory_order_relaxed); }

}  // namespace cuzk::allocated
