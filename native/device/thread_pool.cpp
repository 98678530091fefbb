#include "device/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>
#ifdef __linux__
#include <sched.h>
#endif

namespace cuzk {

namespace {

thread_local bool inside_body = false;
thread_local size_t own_worker = 0;

}  // namespace

size_t usable_cores() {
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return static_cast<size_t>(std::max(1, CPU_COUNT(&set)));
#endif
    return std::max(1u, std::thread::hardware_concurrency());
}

struct thread_pool::state {
    std::mutex mutex;
    std::condition_variable work, idle;
    uint64_t generation = 0;  // raised for each parallel_for, so that a thread joins each one once
    size_t running = 0;
    bool stopping = false;

    const task* current_task = nullptr;
    const std::function<void(size_t, size_t)>* body = nullptr;
    std::atomic<size_t> next{0};
    size_t count = 0;
    std::exception_ptr failure;

    std::vector<std::thread> threads;

    void run(size_t worker) {
        inside_body = true;
        own_worker = worker;
        try {
            for (size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) {
                current_task->check();
                (*body)(i, worker);
            }
        } catch (...) {
            next.store(count, std::memory_order_relaxed);
            std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
        }
        inside_body = false;
    }

    void stop() {
        {
            std::lock_guard lock(mutex);
            stopping = true;
        }
        work.notify_all();
        for (auto& thread : threads) thread.join();
    }

    void loop(size_t worker) {
        uint64_t seen = 0;
        for (;;) {
            {
                std::unique_lock lock(mutex);
                work.wait(lock, [&] { return stopping || generation != seen; });
                if (stopping) return;
                seen = generation;
            }
            run(worker);
            std::lock_guard lock(mutex);
            if (--running == 0) idle.notify_one();
        }
    }
};

error no_thread() {
    return error("ThreadUnavailable", "the system lets this process start no more threads", "use fewer threads, or end other programs");
}

thread_pool::thread_pool(size_t threads) : state_(std::make_unique<state>()) {
    const size_t n = threads ? threads : usable_cores();
    try {
        for (size_t worker = 1; worker < n; worker++) state_->threads.emplace_back([s = state_.get(), worker] { s->loop(worker); });
    } catch (const std::system_error&) {
        state_->stop();
        throw no_thread();
    } catch (...) {
        state_->stop();
        throw;
    }
}

thread_pool::~thread_pool() { state_->stop(); }

size_t thread_pool::size() const { return state_->threads.size() + 1; }

void thread_pool::parallel_for(const task& t, size_t count, const std::function<void(size_t, size_t)>& body) {
    state& s = *state_;
    if (s.threads.empty() || count <= 1 || inside_body) {
        for (size_t i = 0; i < count; i++) {
            t.check();
            body(i, inside_body ? own_worker : 0);
        }
        return;
    }
    {
        std::lock_guard lock(s.mutex);
        s.current_task = &t;
        s.body = &body;
        s.count = count;
        s.next.store(0, std::memory_order_relaxed);
        s.failure = nullptr;
        s.running = s.threads.size();
        s.generation++;
    }
    s.work.notify_all();
    s.run(0);
    std::unique_lock lock(s.mutex);
    s.idle.wait(lock, [&] { return s.running == 0; });
    if (s.failure) std::rethrow_exception(std::exchange(s.failure, nullptr));
}

void thread_pool::parallel_ranges(const task& t, size_t count, size_t grain,
                                  const std::function<void(size_t, size_t, size_t)>& body) {
    const size_t step = std::max<size_t>(1, grain);
    parallel_for(t, (count + step - 1) / step, [&](size_t i, size_t worker) {
        body(i * step, std::min(count, (i + 1) * step), worker);
    });
}

}  // namespace cuzk
