// Native exceptions as JavaScript errors.
#pragma once

#include <exception>

#include <napi.h>

namespace cuzk::addon {

// An Error with `code`, and, where the exception knows them, `file`, `offset` and `remedy`. `Aborted` for an aborted call,
// `OutOfMemory` for a failed allocation, `Internal` for anything that is not a refusal of ours.
Napi::Error to_javascript(Napi::Env env, const std::exception_ptr& failure);

// Runs the body of a synchronous function, and throws its exceptions as such errors.
template <class Body>
auto guarded(Napi::Env env, Body&& body) {
    try {
        return body();
    } catch (const Napi::Error&) {
        throw;
    } catch (...) {
        throw to_javascript(env, std::current_exception());
    }
}

// The same for a function that returns a promise: what goes wrong before the work starts rejects it too.
template <class Body>
Napi::Value promised(Napi::Env env, Body&& body) {
    const auto rejected = [&](const Napi::Error& e) {
        const auto deferred = Napi::Promise::Deferred::New(env);
        deferred.Reject(e.Value());
        return deferred.Promise();
    };
    try {
        return body();
    } catch (const Napi::Error& e) {
        return rejected(e);
    } catch (...) {
        return rejected(to_javascript(env, std::current_exception()));
    }
}

}  // namespace cuzk::addon
