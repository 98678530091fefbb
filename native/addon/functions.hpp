// The addon's functions, a file for each group; module.cpp puts them together.
#pragma once

#include <napi.h>

#include "addon/environment.hpp"
#include "addon/errors.hpp"
#include "addon/task_handle.hpp"

namespace cuzk::addon {

void define_devices(Napi::Env env, Napi::Object exports);  // devices, setThreads, allocatedBytes
void define_circuit(Napi::Env env, Napi::Object exports);  // loadCircuit, sizesOf
void define_prove(Napi::Env env, Napi::Object exports);    // synthesize, proveStart, proveAssemble, proveFinish, prove
void define_verify(Napi::Env env, Napi::Object exports);   // verify, verifyMany
void define_files(Napi::Env env, Napi::Object exports);    // exportVkey, inspect
void define_r1cs(Napi::Env env, Napi::Object exports);     // checkWitness, setup

}  // namespace cuzk::addon
