// exportVkey(task, path) and inspect(task, path): what files say, without computing with them.
#include "addon/arguments.hpp"
#include "addon/functions.hpp"
#include "addon/json.hpp"
#include "curve/pairing.hpp"
#include "groth16/inspect.hpp"
#include "groth16/vkey.hpp"

namespace cuzk::addon {

namespace {

// Twelve elements of the base field as snarkjs nests them: two of Fp6, three of Fp2 each.
Napi::Value gt_to_json(Napi::Env env, curve_id curve, const uint64_t* words) {
    Napi::Array whole = Napi::Array::New(env, 2);
    for (uint32_t i = 0; i < 2; i++) {
        Napi::Array half = Napi::Array::New(env, 3);
        for (uint32_t j = 0; j < 3; j++) half.Set(j, fp2_to_json(env, curve, words + (3 * i + j) * base_words(curve) * 2));
        whole.Set(i, half);
    }
    return whole;
}

Napi::Value vkey_to_json(Napi::Env env, const verification_key& key, const std::vector<uint64_t>& alphabeta) {
    const size_t g1_words = 2 * base_words(key.curve);
    Napi::Object out = Napi::Object::New(env);
    Napi::Array ic = Napi::Array::New(env);
    for (uint32_t i = 0; i < key.ic.size() / g1_words; i++) ic.Set(i, g1_to_json(env, key.curve, &key.ic[i * g1_words]));
    // In snarkjs's order.
    out.Set("protocol", "groth16");
    out.Set("curve", snarkjs_name(key.curve));
    out.Set("nPublic", static_cast<double>(ic.Length() - 1));
    out.Set("vk_alpha_1", g1_to_json(env, key.curve, key.alpha1.data()));
    out.Set("vk_beta_2", g2_to_json(env, key.curve, key.beta2.data()));
    out.Set("vk_gamma_2", g2_to_json(env, key.curve, key.gamma2.data()));
    out.Set("vk_delta_2", g2_to_json(env, key.curve, key.delta2.data()));
    out.Set("vk_alphabeta_12", gt_to_json(env, key.curve, alphabeta.data()));
    out.Set("IC", ic);
    return out;
}

Napi::Value export_vkey_call(const Napi::CallbackInfo& info) {
    return promised(info.Env(), [&]() -> Napi::Value {
        const auto t = task_handle::of(info[0]);
        const std::string path = path_argument(info[1]);
        return environment::of(info.Env()).run(info.Env(), t, [t, path]() -> deliver_t {
            const verification_key key = read_verification_key(path, *t);
            t->check();
            const auto alphabeta = pairing(key.curve, key.alpha1.data(), key.beta2.data());
            return [key, alphabeta](Napi::Env env) { return vkey_to_json(env, key, alphabeta); };
        });
    });
}

Napi::Value fact_to_json(Napi::Env env, const fact& f) {
    if (const auto* text = std::get_if<std::string>(&f.value)) return Napi::String::New(env, *text);
    if (const auto* number = std::get_if<uint64_t>(&f.value)) return Napi::Number::New(env, static_cast<double>(*number));
    if (const auto* truth = std::get_if<bool>(&f.value)) return Napi::Boolean::New(env, *truth);
    return strings_to_json(env, std::get<std::vector<std::string>>(f.value));
}

Napi::Value inspect_call(const Napi::CallbackInfo& info) {
    return promised(info.Env(), [&]() -> Napi::Value {
        const auto t = task_handle::of(info[0]);
        const std::string path = path_argument(info[1]);
        return environment::of(info.Env()).run(info.Env(), t, [t, path]() -> deliver_t {
            return [facts = inspect(path, *t)](Napi::Env env) {
                Napi::Object out = Napi::Object::New(env);
                for (const fact& f : facts) out.Set(f.name, fact_to_json(env, f));
                return out;
            };
        });
    });
}

}  // namespace

void define_files(Napi::Env env, Napi::Object exports) {
    exports.Set("exportVkey", Napi::Function::New(env, export_vkey_call, "exportVkey"));
    exports.Set("inspect", Napi::Function::New(env, inspect_call, "inspect"));
}

}  // namespace cuzk::addon
