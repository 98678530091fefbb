// loadCircuit(task, { zkey, checkPoints, allowInsecure }) and sizesOf(task, path, distinctCoefficients).
#include "addon/arguments.hpp"
#include "addon/functions.hpp"
#include "addon/handles.hpp"
#include "groth16/sizes.hpp"

namespace cuzk::addon {

namespace {

Napi::Number number(Napi::Env env, uint64_t n) { return Napi::Number::New(env, static_cast<double>(n)); }

// What the header says.
Napi::Object header_of(Napi::Env env, const zkey_layout& key) {
    Napi::Object facts = Napi::Object::New(env);
    facts.Set("curve", with_curve(key.curve, []<class Curve>() { return Curve::name; }));
    facts.Set("nVars", number(env, key.n_vars));
    facts.Set("nPublic", number(env, key.n_public));
    facts.Set("domainSize", number(env, key.domain_size));
    facts.Set("nCoefs", number(env, key.n_coefficients));
    return facts;
}

Napi::Object info_of(Napi::Env env, const circuit& c, size_t threads) {
    Napi::Object info = header_of(env, c.key);
    info.Set("distinctCoefficients", number(env, c.rows.dictionary_size));
    info.Set("residentBytes", number(env, c.resident_bytes()));
    info.Set("proofBytes", number(env, c.proof_bytes(threads)));
    if (c.uncontributed_at)
        info.Set("uncontributedAt", number(env, *c.uncontributed_at));
    else
        info.Set("uncontributedAt", env.Null());
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

// Reads on threads of its own: whoever asks decides by the answer what may run, and must not wait for what runs.
Napi::Value sizes_of_call(const Napi::CallbackInfo& info) {
    return promised(info.Env(), [&]() -> Napi::Value {
        environment& e = environment::of(info.Env());
        const auto t = task_handle::of(info[0]);
        const std::string path = path_argument(info[1]);
        const std::optional<uint64_t> known = count_argument(info[2]);
        return e.run(info.Env(), t, [t, path, known, threads = e.pool.threads()]() -> deliver_t {
            return [sized = read_sizes(path, threads, known, *t)](Napi::Env env) {
                Napi::Object sizes = header_of(env, sized.key);
                sizes.Set("distinctCoefficients", number(env, sized.coefficient_values));
                sizes.Set("keyBytes", number(env, sized.bytes.key));
                sizes.Set("loadBytes", number(env, sized.bytes.load));
                sizes.Set("synthesisBytes", number(env, sized.bytes.synthesis));
                sizes.Set("deviceBytes", number(env, sized.bytes.device));
                sizes.Set("finishBytes", number(env, sized.bytes.finish));
                return sizes;
            };
        });
    });
}

}  // namespace

void define_circuit(Napi::Env env, Napi::Object exports) {
    exports.Set("loadCircuit", Napi::Function::New(env, load, "loadCircuit"));
    exports.Set("sizesOf", Napi::Function::New(env, sizes_of_call, "sizesOf"));
}

}  // namespace cuzk::addon
