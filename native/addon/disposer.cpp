#include "addon/disposer.hpp"

#include <system_error>
#include <utility>

namespace cuzk::addon {

void disposer::dispose(std::shared_ptr<const void> value) {
    if (!value || ending_) return;
    if (!thread_.joinable()) {
        try {
            thread_ = std::thread([this] { loop(); });
        } catch (const std::system_error&) {
            return;
        }
    }
    {
        std::lock_guard lock(mutex_);
        values_.push_back(std::move(value));
    }
    arrived_.notify_one();
}

void disposer::end() {
    {
        std::lock_guard lock(mutex_);
        ending_ = true;
    }
    arrived_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void disposer::loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
        arrived_.wait(lock, [&] { return ending_ || !values_.empty(); });
        if (values_.empty()) return;
        auto now = std::exchange(values_, {});
        lock.unlock();
        now.clear();
        lock.lock();
    }
}

}  // namespace cuzk::addon
