// The handle classes: Circuit, Synthesis, Pending.
#pragma once

#include <mutex>

#include "addon/handle.hpp"
#include "groth16/circuit.hpp"
#include "groth16/prove.hpp"
#include "groth16/synthesis.hpp"

namespace cuzk::addon {

struct circuit_traits {
    using value_t = const circuit;
    static constexpr const char* name = "Circuit";
    static constexpr napi_type_tag tag = {0x5e2c84d1f06b4a97, 0x81f3a6b0d2c94e75};
    static Napi::FunctionReference& constructor(environment& e) { return e.circuit_class; }
};
struct synthesis_traits {
    using value_t = synthesis;
    static constexpr const char* name = "Synthesis";
    static constexpr napi_type_tag tag = {0xc7a01e5b93d84f26, 0x4b6d7f82e1a05c39};
    static Napi::FunctionReference& constructor(environment& e) { return e.synthesis_class; }
};
// A pending proof that calls may share: one at a time works on it.
struct shared_pending {
    explicit shared_pending(pending_proof p) : proof(std::move(p)) {}
    std::mutex working;
    pending_proof proof;
};
struct pending_traits {
    using value_t = shared_pending;
    static constexpr const char* name = "Pending";
    static constexpr napi_type_tag tag = {0x29b5d6c40e7f4831, 0xf80c3a915d7e62b4};
    static Napi::FunctionReference& constructor(environment& e) { return e.pending_class; }
};

using circuit_handle = handle<circuit_traits>;
using synthesis_handle = handle<synthesis_traits>;
using pending_handle = handle<pending_traits>;

}  // namespace cuzk::addon
