// checkWitness and setup: what needs a circuit's .r1cs.
#include "addon/arguments.hpp"
#include "addon/functions.hpp"
#include "addon/json.hpp"
#include "groth16/check_witness.hpp"
#include "groth16/setup.hpp"

namespace cuzk::addon {

namespace {

Napi::Value outcome_to_json(Napi::Env env, const std::optional<failed_constraint>& failed) {
    Napi::Object out = Napi::Object::New(env);
    out.Set("ok", !failed);
    if (!failed) return out;
    Napi::Array signals = Napi::Array::New(env, failed->signals.size());
    for (uint32_t i = 0; i < failed->signals.size(); i++) {
        const signal_value& s = failed->signals[i];
        Napi::Object signal = Napi::Object::New(env);
        if (!s.name.empty()) signal.Set("name", s.name);
        signal.Set("index", static_cast<double>(s.index));
        signal.Set("value", s.value);
        signals.Set(i, signal);
    }
    out.Set("constraint", static_cast<double>(failed->index));
    out.Set("signals", signals);
    out.Set("a", failed->a);
    out.Set("b", failed->b);
    out.Set("c", failed->c);
    return out;
}

Napi::Value check_witness_call(const Napi::CallbackInfo& info) {
    return promised(info.Env(), [&]() -> Napi::Value {
        environment& e = environment::of(info.Env());
        const auto t = task_handle::of(info[0]);
        const Napi::Object options = options_argument(info[1]);
        const std::string r1cs = string_field(options, "r1cs");
        const std::string sym = options.Get("sym").IsUndefined() ? "" : string_field(options, "sym");
        file_argument witness(options.Get("witness"), "the witness");
        return e.run(info.Env(), t, [&e, t, r1cs, sym, witness = std::move(witness)]() mutable -> deliver_t {
            const auto threads = e.pool.acquire(*t);
            const input_file constraints(r1cs);
            const auto symbols = sym.empty() ? nullptr : std::make_unique<input_file>(sym);
            auto failed = check_witness(constraints, *witness.open(), symbols.get(), threads.pool(), *t);
            return [failed = std::move(failed)](Napi::Env env) { return outcome_to_json(env, failed); };
        });
    });
}

Napi::Value setup_call(const Napi::CallbackInfo& info) {
    return promised(info.Env(), [&]() -> Napi::Value {
        environment& e = environment::of(info.Env());
        const auto t = task_handle::of(info[0]);
        const Napi::Object options = options_argument(info[1]);
        const std::string r1cs = string_field(options, "r1cs"), out = string_field(options, "out");
        return e.run(info.Env(), t, [&e, t, r1cs, out]() -> deliver_t {
            const auto threads = e.pool.acquire(*t);
            const setup_summary made = setup(r1cs, out, threads.pool(), *t);
            return [made](Napi::Env env) {
                Napi::Object summary = Napi::Object::New(env);
                summary.Set("curve", with_curve(made.curve, []<class Curve>() { return Curve::name; }));
                summary.Set("nVars", static_cast<double>(made.n_vars));
                summary.Set("nPublic", static_cast<double>(made.n_public));
                summary.Set("nConstraints", static_cast<double>(made.n_constraints));
                summary.Set("domainSize", static_cast<double>(made.domain_size));
                summary.Set("nCoefs", static_cast<double>(made.n_coefs));
                return summary;
            };
        });
    });
}

}  // namespace

void define_r1cs(Napi::Env env, Napi::Object exports) {
    exports.Set("checkWitness", Napi::Function::New(env, check_witness_call, "checkWitness"));
    exports.Set("setup", Napi::Function::New(env, setup_call, "setup"));
}

}  // namespace cuzk::addon
