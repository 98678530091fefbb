// Frees large values on a thread of its own: wiping and unmapping gigabytes takes longer than an event loop may stand still.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace cuzk::addon {

// Used from the JavaScript thread alone. Shared by the environment and the handles, which may outlive it.
class disposer {
public:
    ~disposer() { end(); }
    // Gives up the caller's hold on the value. The thread starts with the first one; where it cannot, the value is freed here.
    void dispose(std::shared_ptr<const void> value);
    // Frees what is left and ends the thread. Values that come later are freed by the caller.
    void end();

private:
    void loop();

    std::mutex mutex_;
    std::condition_variable arrived_;
    std::vector<std::shared_ptr<const void>> values_;
    bool ending_ = false;
    std::thread thread_;
};

}  // namespace cuzk::addon
