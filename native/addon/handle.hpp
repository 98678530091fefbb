// JavaScript objects that own native values: freed by release() and by the garbage collector, neither of which holds up the event loop,
// and never confused with one another.
#pragma once

#include <memory>
#include <string>

#include <napi.h>

#include "addon/environment.hpp"
#include "addon/errors.hpp"
#include "device/error.hpp"

namespace cuzk::addon {

// Traits: `using value_t`, `static constexpr const char* name`, `static constexpr napi_type_tag tag`, and
// `static Napi::FunctionReference& constructor(environment&)`.
template <class Traits>
class handle : public Napi::ObjectWrap<handle<Traits>> {
public:
    using value_t = typename Traits::value_t;

    static void define(Napi::Env env, std::initializer_list<Napi::ClassPropertyDescriptor<handle>> more = {}) {
        std::vector<Napi::ClassPropertyDescriptor<handle>> members(more);
        members.push_back(handle::InstanceMethod("release", &handle::release));
        Napi::Function f = handle::DefineClass(env, Traits::name, members);
        Traits::constructor(environment::of(env)) = Napi::Persistent(f);
    }

    // A new JavaScript object that holds `value`.
    static Napi::Object wrap(Napi::Env env, std::shared_ptr<value_t> value) {
        environment& e = environment::of(env);
        // Where the constructor is not reached (the environment is being stopped), no later one may find the value.
        struct forget {
            environment& e;
            ~forget() { e.adopted = nullptr; }
        } const after{e};
        e.adopted = std::const_pointer_cast<std::remove_const_t<value_t>>(std::move(value));
        return Traits::constructor(e).New({});
    }

    explicit handle(const Napi::CallbackInfo& info) : Napi::ObjectWrap<handle<Traits>>(info) {
        environment& e = environment::of(info.Env());
        if (!e.adopted) throw Napi::TypeError::New(info.Env(), std::string(Traits::name) + " objects are made by the addon only");
        value_ = std::static_pointer_cast<value_t>(std::exchange(e.adopted, nullptr));
        disposer_ = e.released;
        info.This().template As<Napi::Object>().TypeTag(&Traits::tag);
    }
    ~handle() override {
        if (value_) disposer_->dispose(std::move(value_));
    }

    // The value of a JavaScript argument; throws a TypeError when it is something else, error "HandleReleased" after release().
    static std::shared_ptr<value_t> of(const Napi::Value& argument) { return self(argument).held(); }
    // The same, and the handle holds it no longer.
    static std::shared_ptr<value_t> take(const Napi::Value& argument) {
        handle& h = self(argument);
        h.held();
        return std::exchange(h.value_, nullptr);
    }

    std::shared_ptr<value_t> held() const {
        if (!value_) throw error("HandleReleased", std::string("this ") + Traits::name + " was already used up or released");
        return value_;
    }

private:
    static handle& self(const Napi::Value& argument) {
        if (!argument.IsObject() || !argument.As<Napi::Object>().CheckTypeTag(&Traits::tag))
            throw Napi::TypeError::New(argument.Env(), std::string("expected a ") + Traits::name);
        return *Napi::ObjectWrap<handle<Traits>>::Unwrap(argument.As<Napi::Object>());
    }
    void release(const Napi::CallbackInfo&) { disposer_->dispose(std::exchange(value_, nullptr)); }

    std::shared_ptr<value_t> value_;
    std::shared_ptr<disposer> disposer_;
};

}  // namespace cuzk::addon
