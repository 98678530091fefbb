// ntt, quotient.
#include <bit>

#include "ntt/ntt.hpp"
#include "ntt/quotient.hpp"
#include "test/addon/arguments.hpp"
#include "test/addon/hooks.hpp"

namespace cuzk::test {

namespace {

isa variant_argument(const Napi::CallbackInfo& info, size_t i) {
    const isa variant = choice_argument<isa>(info, i, {"portable", "adx", "ifma"});
    if (!can_run(variant)) throw Napi::Error::New(info.Env(), "this CPU cannot run that variant");
    return variant;
}

unsigned log_size(const words& values) { return static_cast<unsigned>(std::bit_width(values.size() / 4)) - 1; }

// ntt(curve, isa, values, 'forward' | 'inverse', threads) -> {out, ms}.
Napi::Value transform(const Napi::CallbackInfo& info) {
    return hook(info, [&] {
        const curve_id curve = curve_argument(info, 0);
        const isa variant = variant_argument(info, 1);
        words values = words_argument(info, 2);
        const ntt_direction direction = text_argument(info, 3) == "inverse" ? ntt_direction::inverse : ntt_direction::forward;
        thread_pool pool(count_argument(info, 4));
        task t;
        return timed(info.Env(), values, [&] { ntt(curve, pool, t, values.data(), log_size(values), direction, variant); });
    });
}

// quotient(curve, isa, a, b, threads) -> {out: plain integers, ms}.
Napi::Value quotient_of(const Napi::CallbackInfo& info) {
    return hook(info, [&] {
        const curve_id curve = curve_argument(info, 0);
        const isa variant = variant_argument(info, 1);
        words a = words_argument(info, 2), b = words_argument(info, 3), h(a.size());
        thread_pool pool(count_argument(info, 4));
        task t;
        return timed(info.Env(), h, [&] { quotient(curve, pool, t, a.data(), b.data(), h.data(), log_size(a), variant); });
    });
}

}  // namespace

void define_transforms(Napi::Env env, Napi::Object exports) {
    exports.Set("ntt", Napi::Function::New(env, transform, "ntt"));
    exports.Set("quotient", Napi::Function::New(env, quotient_of, "quotient"));
}

}  // namespace cuzk::test
