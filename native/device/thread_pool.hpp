// The CPU's threads, shared by all computations of one call.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "device/task.hpp"

namespace cuzk {

// The cores that this process may run on (sched_getaffinity), at least 1.
size_t usable_cores();

// "ThreadUnavailable": the system starts no more threads.
error no_thread();

// A fixed set of threads that run index ranges. The calling thread takes part, so a pool of one starts no thread at all.
// One parallel_for at a time per pool; nested calls from inside a body run serially on the caller.
class thread_pool {
public:
    // threads = 0: one per usable core. Throws no_thread() when it cannot have them all.
    explicit thread_pool(size_t threads = 0);
    ~thread_pool();
    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;

    size_t size() const;

    // Runs body(i, worker) for every i in [0, count), taken one at a time in rising order by whichever thread is free; worker is in
    // [0, size()). Checks `t` before each index. The first exception of any body stops the rest and is rethrown here.
    void parallel_for(const task& t, size_t count, const std::function<void(size_t i, size_t worker)>& body);

    // The same over contiguous ranges of about `grain` items: body(begin, end, worker).
    void parallel_ranges(const task& t, size_t count, size_t grain,
                         const std::function<void(size_t begin, size_t end, size_t worker)>& body);

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace cuzk
