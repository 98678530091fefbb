#include "addon/task_handle.hpp"

#include "addon/environment.hpp"

namespace cuzk::addon {

namespace {

constexpr napi_type_tag tag = {0x3f0b1d5c7a2e4c61, 0x9d84e0a7c5b21f36};

const char* name_of(phase p) {
    switch (p) {
        case phase::idle: return "idle";
        case phase::load: return "load";
        case phase::check: return "check";
        case phase::synthesis: return "synthesis";
        case phase::ntt: return "ntt";
        case phase::msm_a: return "msm_a";
        case phase::msm_b1: return "msm_b1";
        case phase::msm_b2: return "msm_b2";
        case phase::msm_c: return "msm_c";
        case phase::msm_h: return "msm_h";
        case phase::finish: return "finish";
        case phase::verify: return "verify";
        case phase::setup: return "setup";
    }
    return "idle";
}

}  // namespace

void task_handle::define(Napi::Env env, Napi::Object exports) {
    Napi::Function f = DefineClass(env, "Task",
                                   {InstanceMethod("abort", &task_handle::abort), InstanceMethod("progress", &task_handle::progress)});
    environment::of(env).task_class = Napi::Persistent(f);
    exports.Set("Task", f);
}

task_handle::task_handle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<task_handle>(info) {
    info.This().As<Napi::Object>().TypeTag(&tag);
}

std::shared_ptr<task> task_handle::of(const Napi::Value& argument) {
    if (!argument.IsObject() || !argument.As<Napi::Object>().CheckTypeTag(&tag))
        throw Napi::TypeError::New(argument.Env(), "expected a Task");
    return Unwrap(argument.As<Napi::Object>())->task_;
}

void task_handle::abort(const Napi::CallbackInfo&) { task_->abort(); }

Napi::Value task_handle::progress(const Napi::CallbackInfo& info) {
    Napi::Object p = Napi::Object::New(info.Env());
    const progress_t at = task_->progress();
    p.Set("phase", name_of(at.now));
    p.Set("done", static_cast<double>(at.done));
    p.Set("total", static_cast<double>(at.total));
    return p;
}

}  // namespace cuzk::addon
