// The module's entry: one set of functions and classes per JavaScript environment.
#include "addon/errors.hpp"
#include "addon/functions.hpp"
#include "addon/handles.hpp"
#include "device/cpu_features.hpp"

namespace cuzk::addon {

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
    // Before anything is computed: a wrong CUZK_ISA is told at once.
    guarded(env, [] { return chosen_isa(); });
    environment::create(env);
    task_handle::define(env, exports);
    circuit_handle::define(env);
    synthesis_handle::define(env);
    pending_handle::define(env);
    define_devices(env, exports);
    define_circuit(env, exports);
    define_prove(env, exports);
    define_verify(env, exports);
    define_files(env, exports);
    define_r1cs(env, exports);
    return exports;
}

}  // namespace cuzk::addon

static Napi::Object start(Napi::Env env, Napi::Object exports) { return cuzk::addon::initialize(env, exports); }
NODE_API_MODULE(cuzk, start)
