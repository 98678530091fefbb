// verify(task, vkey, publicSignals, proof) and verifyMany(task, vkey, proofs).
#include "addon/functions.hpp"
#include "addon/json.hpp"
#include "groth16/verify.hpp"

namespace cuzk::addon {

namespace {

constexpr const char* bad_key = "VkeyMalformed";
constexpr const char* bad_proof = "ProofMalformed";

void expect_groth16(const Napi::Object& object, const char* code, const char* what) {
    const Napi::Value protocol = required(object, "protocol", code);
    if (!protocol.IsString() || protocol.As<Napi::String>().Utf8Value() != "groth16")
        throw error("ProtocolUnknown", std::string("the ") + what + " is not of the protocol groth16", "check that the file is the right one");
}

verification_key key_from_json(const Napi::Value& value) {
    const Napi::Object object = object_argument(value, bad_key, "the verification key");
    expect_groth16(object, bad_key, "verification key");
    const curve_id curve = curve_from_json(object, bad_key);
    const auto g1 = [&](const char* name) { return g1_from_json(curve, required(object, name, bad_key), {bad_key, name}); };
    const auto g2 = [&](const char* name) { return g2_from_json(curve, required(object, name, bad_key), {bad_key, name}); };
    verification_key key{curve, g1("vk_alpha_1"), g2("vk_beta_2"), g2("vk_gamma_2"), g2("vk_delta_2"), {}};
    const Napi::Value ic = required(object, "IC", bad_key);
    if (!ic.IsArray() || ic.As<Napi::Array>().Length() == 0) throw error(bad_key, "IC is not a list of points", "export the key again");
    const auto points = ic.As<Napi::Array>();
    for (uint32_t i = 0; i < points.Length(); i++) {
        const auto words = g1_from_json(curve, points.Get(i), {bad_key, "IC[" + std::to_string(i) + "]"});
        key.ic.insert(key.ic.end(), words.begin(), words.end());
    }
    const Napi::Value n_public = required(object, "nPublic", bad_key);
    if (!n_public.IsNumber() || n_public.As<Napi::Number>().DoubleValue() + 1 != points.Length())
        throw error(bad_key, "nPublic does not match the number of points in IC", "export the key again");
    return key;
}

groth16_proof proof_from_json(const Napi::Value& value) {
    const Napi::Object object = object_argument(value, bad_proof, "the proof");
    expect_groth16(object, bad_proof, "proof");
    const curve_id curve = curve_from_json(object, bad_proof);
    return {curve, g1_from_json(curve, required(object, "pi_a", bad_proof), {bad_proof, "pi_a"}),
            g2_from_json(curve, required(object, "pi_b", bad_proof), {bad_proof, "pi_b"}),
            g1_from_json(curve, required(object, "pi_c", bad_proof), {bad_proof, "pi_c"})};
}

claim claim_from_json(const Napi::Value& public_signals, const Napi::Value& proof) {
    claim c{{}, proof_from_json(proof)};
    c.public_signals = signals_from_json(c.proof.curve, public_signals);
    return c;
}

deliver_t deliver_boolean(bool valid) {
    return [valid](Napi::Env env) { return Napi::Boolean::New(env, valid); };
}

Napi::Value verify_call(const Napi::CallbackInfo& info) {
    return promised(info.Env(), [&]() -> Napi::Value {
        const auto t = task_handle::of(info[0]);
        const verification_key key = key_from_json(info[1]);
        const claim one = claim_from_json(info[2], info[3]);
        // Alone: a verification takes milliseconds and must not wait for a proof's threads.
        return environment::of(info.Env()).run(info.Env(), t, [t, key, one] {
            check_verification_key(key, *t);
            return deliver_boolean(verify(key, one.public_signals, one.proof, *t));
        });
    });
}

Napi::Value verify_many_call(const Napi::CallbackInfo& info) {
    return promised(info.Env(), [&]() -> Napi::Value {
        environment& e = environment::of(info.Env());
        const auto t = task_handle::of(info[0]);
        const verification_key key = key_from_json(info[1]);
        if (!info[2].IsArray()) throw Napi::TypeError::New(info.Env(), "expected an array of proofs");
        const auto proofs = info[2].As<Napi::Array>();
        std::vector<claim> claims;
        for (uint32_t i = 0; i < proofs.Length(); i++) {
            const Napi::Object one = object_argument(proofs.Get(i), bad_proof, "the proof");
            claims.push_back(claim_from_json(required(one, "publicSignals", bad_proof), required(one, "proof", bad_proof)));
        }
        return e.run(info.Env(), t, [&e, t, key, claims] {
            check_verification_key(key, *t);
            const auto threads = e.pool.acquire(*t);
            return deliver_boolean(verify_many(key, claims, threads.pool(), *t));
        });
    });
}

}  // namespace

void define_verify(Napi::Env env, Napi::Object exports) {
    exports.Set("verify", Napi::Function::New(env, verify_call, "verify"));
    exports.Set("verifyMany", Napi::Function::New(env, verify_many_call, "verifyMany"));
}

}  // namespace cuzk::addon
