// What one JavaScript environment (main thread or worker) owns: the pool, the running calls, the handle classes.
#pragma once

#include <functional>
#include <memory>
#include <thread>
#include <unordered_set>

#include <napi.h>

#include "addon/compute_pool.hpp"
#include "addon/disposer.hpp"
#include "device/task.hpp"

namespace cuzk::addon {

// Makes the result on the JavaScript thread, out of what the work computed.
using deliver_t = std::function<Napi::Value(Napi::Env)>;
// Runs on a thread of its own, touches no JavaScript, and may throw.
using work_t = std::function<deliver_t()>;

class environment {
public:
    // Makes the environment's state; called once, from the module's initializer.
    static environment& create(Napi::Env env);
    static environment& of(Napi::Env env) { return *env.GetInstanceData<environment>(); }
    ~environment();

    // Starts `work` on its own thread, and settles the promise when it is over: with what deliver_t gives, or with an Error that carries
    // code, file, offset and remedy. A pending call keeps the process alive. When the environment ends first, t is aborted and the
    // thread joined.
    Napi::Promise run(Napi::Env env, std::shared_ptr<task> t, work_t work);

    compute_pool pool;
    // Where handles leave what they held.
    const std::shared_ptr<disposer> released = std::make_shared<disposer>();
    Napi::FunctionReference task_class, circuit_class, synthesis_class, pending_class;
    // The native value that the constructor of a handle class adopts: only native code makes handles (see handle.hpp).
    std::shared_ptr<void> adopted;

private:
    struct call;
    explicit environment(Napi::Env env);
    static void on_done(Napi::Env env, Napi::Function, environment* self, call* done);
    static void on_teardown(void* self);
    void settle(Napi::Env env, call& done);
    void stop_all();

    using channel_t = Napi::TypedThreadSafeFunction<environment, call, &environment::on_done>;
    napi_env env_;
    channel_t channel_;
    std::unordered_set<call*> calls_;
};

}  // namespace cuzk::addon
