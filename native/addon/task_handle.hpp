// The JavaScript class Task: `new Task()`, given to a long call, stops it and watches it.
#pragma once

#include <memory>

#include <napi.h>

#include "device/task.hpp"

namespace cuzk::addon {

class task_handle : public Napi::ObjectWrap<task_handle> {
public:
    static void define(Napi::Env env, Napi::Object exports);
    explicit task_handle(const Napi::CallbackInfo& info);
    // The native task of a JavaScript argument; throws a TypeError when it is something else.
    static std::shared_ptr<task> of(const Napi::Value& argument);

private:
    void abort(const Napi::CallbackInfo& info);
    Napi::Value progress(const Napi::CallbackInfo& info);

    std::shared_ptr<task> task_ = std::make_shared<task>();
};

}  // namespace cuzk::addon
