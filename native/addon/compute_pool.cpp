#include "addon/compute_pool.hpp"

#include <chrono>

namespace cuzk::addon {

compute_pool::lease compute_pool::acquire(const task& t) {
    std::unique_lock lock(mutex_);
    const auto place = waiting_.insert(waiting_.end(), &t);
    // task::abort() notifies nobody, so it is looked for, but only by those who wait.
    while (taken_ || waiting_.front() != &t) {
        if (t.is_aborted()) {
            waiting_.erase(place);
            turn_.notify_all();
            throw aborted{};
        }
        turn_.wait_for(lock, std::chrono::milliseconds(40));
    }
    waiting_.erase(place);
    if (!pool_ || wanted_ != made_) {
        pool_.reset();
        pool_ = std::make_unique<thread_pool>(wanted_);
        made_ = wanted_;
    }
    taken_ = true;
    return lease(*this);
}

void compute_pool::give_back() {
    std::lock_guard lock(mutex_);
    taken_ = false;
    turn_.notify_all();
}

void compute_pool::set_threads(size_t threads) {
    std::lock_guard lock(mutex_);
    wanted_ = threads;
}

size_t compute_pool::threads() {
    std::lock_guard lock(mutex_);
    return wanted_ ? wanted_ : usable_cores();
}

}  // namespace cuzk::addon
