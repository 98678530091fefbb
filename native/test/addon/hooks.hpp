// The groups of hooks, a file for each.
#pragma once

#include <napi.h>

namespace cuzk::test {

void define_fields(Napi::Env env, Napi::Object exports);
void define_sums(Napi::Env env, Napi::Object exports);
void define_transforms(Napi::Env env, Napi::Object exports);

}  // namespace cuzk::test
