// variants, field, multiplyNs.
#include "device/cpu_features.hpp"
#include "test/addon/arguments.hpp"
#include "test/addon/elements.hpp"
#include "test/addon/hooks.hpp"

namespace cuzk::test {

namespace {

const element_table& table_argument(const Napi::CallbackInfo& info, size_t i) {
    const isa variant = choice_argument<isa>(info, i, {"portable", "adx", "ifma"});
    if (!can_run(variant)) throw Napi::Error::New(info.Env(), "this CPU cannot run that variant");
#if defined(__x86_64__)
    if (variant == isa::adx) return elements_adx;
    if (variant == isa::ifma) return elements_ifma;
#endif
    return elements_portable;
}

field_id field_argument(const Napi::CallbackInfo& info, size_t i) { return choice_argument<field_id>(info, i, {"fr", "fp", "fp2"}); }

size_t words_of(curve_id curve, field_id field) {
    const size_t fp = curve == curve_id::bn254 ? bn254::fp::N : bls12_381::fp::N;
    return field == field_id::fr ? 4 : field == field_id::fp ? fp : 2 * fp;
}

Napi::Value variants(const Napi::CallbackInfo& info) {
    Napi::Array names = Napi::Array::New(info.Env());
    for (const isa variant : {isa::portable, isa::adx, isa::ifma})
        if (can_run(variant)) names.Set(names.Length(), name_of(variant));
    return names;
}

// field(curve, field, isa, op, a, b) -> bytes, or null for an operation that the variant has not got.
Napi::Value field(const Napi::CallbackInfo& info) {
    return hook(info, [&]() -> Napi::Value {
        const curve_id curve = curve_argument(info, 0);
        const field_id field = field_argument(info, 1);
        const element_table& table = table_argument(info, 2);
        const element_op op = choice_argument<element_op>(
            info, 3, {"add", "sub", "mul", "sqr", "neg", "dbl", "inverse", "fromCanonical", "toCanonical"});
        const words a = words_argument(info, 4), b = info[5].IsUndefined() ? a : words_argument(info, 5);
        if (a.size() != b.size() || a.size() % words_of(curve, field)) throw Napi::RangeError::New(info.Env(), "lengths do not match");
        words out(a.size());
        if (!table.apply(curve, field, op, a.data(), b.data(), a.size() / words_of(curve, field), out.data())) return info.Env().Null();
        return to_bytes(info.Env(), out);
    });
}

// multiplyNs(curve, field, isa) -> nanoseconds of one multiplication among independent ones, on one core.
Napi::Value multiply_ns(const Napi::CallbackInfo& info) {
    const curve_id curve = curve_argument(info, 0);
    const field_id field = field_argument(info, 1);
    const element_table& table = table_argument(info, 2);
    double best = 1e300;
    for (int round = 0; round < 5; round++) {
        constexpr size_t rounds = 20000;
        const auto start = std::chrono::steady_clock::now();
        const size_t width = table.multiply(curve, field, rounds);
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
        best = std::min(best, took.count() / static_cast<double>(rounds * width));
    }
    return Napi::Number::New(info.Env(), best);
}

}  // namespace

void define_fields(Napi::Env env, Napi::Object exports) {
    exports.Set("variants", Napi::Function::New(env, variants, "variants"));
    exports.Set("field", Napi::Function::New(env, field, "field"));
    exports.Set("multiplyNs", Napi::Function::New(env, multiply_ns, "multiplyNs"));
}

}  // namespace cuzk::test
