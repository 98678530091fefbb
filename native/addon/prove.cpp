// synthesize, proveStart, proveAssemble, proveFinish, and prove, which is all of them.
#include "addon/arguments.hpp"
#include "addon/functions.hpp"
#include "addon/handles.hpp"
#include "addon/json.hpp"
#include "groth16/decimal.hpp"

namespace cuzk::addon {

namespace {

Napi::Value result_to_json(Napi::Env env, const proof_result& r) {
    Napi::Object proof = Napi::Object::New(env);
    const curve_id curve = r.proof.curve;
    proof.Set("pi_a", g1_to_json(env, curve, r.proof.a.data()));
    proof.Set("pi_b", g2_to_json(env, curve, r.proof.b.data()));
    proof.Set("pi_c", g1_to_json(env, curve, r.proof.c.data()));
    proof.Set("protocol", "groth16");
    proof.Set("curve", snarkjs_name(curve));
    std::vector<std::string> signals;
    for (size_t i = 0; i < r.public_signals.size(); i += 4) signals.push_back(to_decimal(&r.public_signals[i], 4));
    Napi::Object timings = Napi::Object::New(env);
    for (const auto& [name, milliseconds] : r.timings) timings.Set(name, milliseconds);
    Napi::Object out = Napi::Object::New(env);
    out.Set("proof", proof);
    out.Set("publicSignals", strings_to_json(env, signals));
    out.Set("timings", timings);
    return out;
}

deliver_t deliver_result(proof_result result) {
    return [result = std::move(result)](Napi::Env env) { return result_to_json(env, result); };
}

std::string name_argument(const Napi::Value& value) { return value.IsString() ? value.As<Napi::String>().Utf8Value() : "the witness"; }

Napi::Value synthesize_call(const Napi::CallbackInfo& info) {
    return promised(info.Env(), [&]() -> Napi::Value {
        environment& e = environment::of(info.Env());
        const auto t = task_handle::of(info[0]);
        const auto c = circuit_handle::of(info[1]);
        file_argument witness(info[2], name_argument(info[3]));
        return e.run(info.Env(), t, [&e, t, c, witness = std::move(witness)]() mutable -> deliver_t {
            const auto threads = e.pool.acquire(*t);
            auto s = std::make_shared<synthesis>(synthesize(c, witness.open(), threads.pool(), *t));
            return [s = std::move(s)](Napi::Env env) { return synthesis_handle::wrap(env, s); };
        });
    });
}

Napi::Value prove_start_call(const Napi::CallbackInfo& info) {
    return promised(info.Env(), [&]() -> Napi::Value {
        environment& e = environment::of(info.Env());
        const auto t = task_handle::of(info[0]);
        const auto s = synthesis_handle::take(info[1]);
        return e.run(info.Env(), t, [&e, t, s]() -> deliver_t {
            const auto threads = e.pool.acquire(*t);
            auto pending = std::make_shared<shared_pending>(prove_start(std::move(*s), threads.pool(), *t));
            return [pending = std::move(pending)](Napi::Env env) { return pending_handle::wrap(env, pending); };
        });
    });
}

// The finalizer needs no pool, so that it ends while the device is at work on the next proof. Its two calls let JavaScript see where assembling
// ends and verifying begins; the proof stays on this side until it is verified. Whoever finds another call at work on it waits: a few
// milliseconds.
Napi::Value prove_assemble_call(const Napi::CallbackInfo& info) {
    return promised(info.Env(), [&]() -> Napi::Value {
        const auto t = task_handle::of(info[0]);
        const auto pending = pending_handle::of(info[1]);
        return environment::of(info.Env()).run(info.Env(), t, [t, pending]() -> deliver_t {
            const std::lock_guard alone(pending->working);
            assemble_proof(pending->proof, *t);
            return [](Napi::Env env) { return env.Undefined(); };
        });
    });
}

Napi::Value prove_finish_call(const Napi::CallbackInfo& info) {
    return promised(info.Env(), [&]() -> Napi::Value {
        const auto t = task_handle::of(info[0]);
        const auto pending = pending_handle::take(info[1]);
        return environment::of(info.Env()).run(info.Env(), t, [t, pending] {
            const std::lock_guard alone(pending->working);
            return deliver_result(prove_finish(std::move(pending->proof), *t));
        });
    });
}

Napi::Value prove_call(const Napi::CallbackInfo& info) {
    return promised(info.Env(), [&]() -> Napi::Value {
        environment& e = environment::of(info.Env());
        const auto t = task_handle::of(info[0]);
        const auto c = circuit_handle::of(info[1]);
        file_argument witness(info[2], name_argument(info[3]));
        return e.run(info.Env(), t, [&e, t, c, witness = std::move(witness)]() mutable {
            const auto threads = e.pool.acquire(*t);
            return deliver_result(prove(c, witness.open(), threads.pool(), *t));
        });
    });
}

}  // namespace

void define_prove(Napi::Env env, Napi::Object exports) {
    exports.Set("synthesize", Napi::Function::New(env, synthesize_call, "synthesize"));
    exports.Set("proveStart", Napi::Function::New(env, prove_start_call, "proveStart"));
    exports.Set("proveAssemble", Napi::Function::New(env, prove_assemble_call, "proveAssemble"));
    exports.Set("proveFinish", Napi::Function::New(env, prove_finish_call, "proveFinish"));
    exports.Set("prove", Napi::Function::New(env, prove_call, "prove"));
}

}  // namespace cuzk::addon
