// cuzk_test.node: the arithmetic as functions of buffers, on every instruction set, for oracle tests and the benchmark's micro part.
// The functions' shapes are in test/oracle/native.ts.
#include "test/addon/hooks.hpp"

static Napi::Object start(Napi::Env env, Napi::Object exports) {
    cuzk::test::define_fields(env, exports);
    cuzk::test::define_sums(env, exports);
    cuzk::test::define_transforms(env, exports);
    return exports;
}
NODE_API_MODULE(cuzk_test, start)
