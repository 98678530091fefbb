// loadCircuit(task, { zkey, checkPoints, allowInsecure }).
#include "addon/arguments.hpp"
#include "addon/functions.hpp"
#include "addon/handles.hpp"

namespace cuzk::addon {

namespace {

Napi::Object info_of(Napi::Env env, const circuit& c, size_t threads) {
    const auto number = [&](uint64_t n) { return Napi::Number::New(env, static_cast<double>(n)); };
    Napi::Object info = Napi::Object::New(env);
    info.Set("curve", with_curve(c.key.curve, []<class Curve>() { return Curve::name; }));
    info.Set("nVars", number(c.key.n_vars));
    info.Set("nPublic", number(c.key.n_public));
    info.Set("domainSize", number(c.key.domain_size));
    info.Set("nCoefs", number(c.key.n_coefficients));
    info.Set("residentBytes", number(c.resident_bytes()));
    info.Set("proofBytes", number(c.proof_bytes(threads)));
    info.Set("insecure", c.insecure.empty() ? env.Null() : Napi::String::New(env, c.insecure).As<Napi::Value>());
    return info;
}

Napi::Value load(const Napi::CallbackInfo& info) {
    return promised(info.Env(), [&]() -> Napi::Value {
        environment& e = environment::of(info.Env());
        const auto t = task_handle::of(info[0]);
        const Napi::Object options = options_argument(info[1]);
        const std::string path = string_field(options, "zkey");
        const load_options how{boolean_field(options, "checkPoints"), boolean_field(options, "allowInsecure")};
        return e.run(info.Env(), t, [&e, t, path, how]() -> deliver_t {
            const auto threads = e.pool.acquire(*t);
            auto loaded = load_circuit(path, how, threads.pool(), *t);
            return [loaded = std::move(loaded), count = threads.pool().size()](Napi::Env env) {
                Napi::Object handle = circuit_handle::wrap(env, loaded);
                handle.Set("info", info_of(env, *loaded, count));
                return handle;
            };
        });
    });
}

}  // namespace

void define_circuit(Napi::Env env, Napi::Object exports) { exports.Set("loadCircuit", Napi::Function::New(env, load, "loadCircuit")); }

}  // namespace cuzk::addon
