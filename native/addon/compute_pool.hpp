// The threads that all of one environment's computations share: one of them at a time, in the order in which they came.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "device/task.hpp"
#include "device/thread_pool.hpp"

namespace cuzk::addon {

class compute_pool {
public:
    // Sole use of the pool until it is destroyed.
    class lease {
    public:
        explicit lease(compute_pool& owner) : owner_(&owner) {}
        lease(lease&& other) noexcept : owner_(std::exchange(other.owner_, nullptr)) {}
        lease& operator=(lease&&) = delete;
        ~lease() {
            if (owner_) owner_->give_back();
        }
        thread_pool& pool() const { return *owner_->pool_; }

    private:
        compute_pool* owner_;
    };

    // Waits for its turn; throws `aborted` soon after t is.
    lease acquire(const task& t);
    // From the next lease on; 0: one thread per core that this process may use.
    void set_threads(size_t threads);
    // How many the next lease has.
    size_t threads();

private:
    void give_back();

    std::mutex mutex_;
    std::condition_variable turn_;
    std::list<const task*> waiting_;
    bool taken_ = false;
    size_t wanted_ = 0, made_ = 0;
    std::unique_ptr<thread_pool> pool_;
};

}  // namespace cuzk::addon
