#include "addon/environment.hpp"

#include <exception>
#include <system_error>

#include "addon/errors.hpp"
#include "device/thread_pool.hpp"

namespace cuzk::addon {

struct environment::call {
    call(Napi::Env env, std::shared_ptr<task> t) : deferred(Napi::Promise::Deferred::New(env)), watched(std::move(t)) {}
    Napi::Promise::Deferred deferred;
    std::shared_ptr<task> watched;
    std::thread thread;
    deliver_t deliver;
    std::exception_ptr failure;
};

environment::environment(Napi::Env env) : env_(env) {
    channel_ = channel_t::New(env, "cuzk", 0, 1, this);
    channel_.Unref(env);
}

environment& environment::create(Napi::Env env) {
    auto* self = new environment(env);
    env.SetInstanceData<environment>(self);
    // Hooks run in reverse order: this one before the channel's own, so that no thread is left that could use it.
    napi_add_env_cleanup_hook(env, &environment::on_teardown, self);
    return *self;
}

environment::~environment() { stop_all(); }

void environment::on_teardown(void* self) { static_cast<environment*>(self)->stop_all(); }

void environment::stop_all() {
    for (call* one : calls_) one->watched->abort();
    for (call* one : calls_) {
        one->thread.join();
        delete one;
    }
    calls_.clear();
    released->end();
}

Napi::Promise environment::run(Napi::Env env, std::shared_ptr<task> t, work_t work) {
    auto* started = new call(env, std::move(t));
    Napi::Promise promise = started->deferred.Promise();
    if (calls_.empty()) channel_.Ref(env);
    calls_.insert(started);
    try {
        started->thread = std::thread([this, started, work = std::move(work)]() mutable {
            try {
                started->watched->check();
                started->deliver = work();
            } catch (...) {
                started->failure = std::current_exception();
            }
            // What the work held is freed here, not on the JavaScript thread.
            work = nullptr;
            channel_.NonBlockingCall(started);
        });
    } catch (const std::system_error&) {
        started->failure = std::make_exception_ptr(no_thread());
        settle(env, *started);
    } catch (...) {
        started->failure = std::current_exception();
        settle(env, *started);
    }
    return promise;
}

void environment::on_done(Napi::Env env, Napi::Function, environment* self, call* done) {
    // Without an environment the queue is being emptied at teardown, after stop_all() freed the calls.
    if (static_cast<napi_env>(env) == nullptr) return;
    self->settle(env, *done);
}

void environment::settle(Napi::Env env, call& done) {
    if (done.thread.joinable()) done.thread.join();
    const std::unique_ptr<call> owned(&done);
    calls_.erase(&done);
    if (calls_.empty()) channel_.Unref(env);
    Napi::HandleScope scope(env);
    try {
        if (done.failure) std::rethrow_exception(done.failure);
        done.deferred.Resolve(done.deliver(env));
    } catch (const Napi::Error& e) {
        done.deferred.Reject(e.Value());
    } catch (...) {
        done.deferred.Reject(to_javascript(env, std::current_exception()).Value());
    }
}

}  // namespace cuzk::addon
