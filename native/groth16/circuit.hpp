// A circuit whose proving key is in memory, ready to prove.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/buffer.hpp"
#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "formats/zkey.hpp"
#include "groth16/matrix.hpp"
#include "msm/kernels.hpp"

namespace cuzk {

struct circuit {
    std::string path;
    zkey_layout key;           // curve, sizes, single points; where everything stands in the file
    std::vector<uint64_t> ic;  // n_public + 1 points in file form
    matrices rows;
    // Imported form (msm/kernels.hpp): n_vars points in a, b1 and b2, n_vars - n_public - 1 in c, domain_size in h.
    buffer a, b1, b2, c, h;
    std::string insecure;  // why proofs of this key prove nothing; empty for a sound one
    std::optional<uint64_t> uncontributed_at;  // the byte of delta2 in the file where it equals gamma2: no contribution was made

    const kernels& compute() const { return kernels_for(key.curve); }
    uint64_t n_private() const { return key.n_vars - key.n_public - 1; }
    // What the key takes in memory.
    uint64_t resident_bytes() const;
    // The most that one proof takes besides, on so many threads.
    uint64_t proof_bytes(size_t threads) const;
};

struct load_options {
    bool check_points = true;         // that every point is what it should be: check_all_points() in key_check.hpp
    bool allow_insecure_key = false;  // load a key that anybody can forge proofs for
};

// Reads the whole key. Throws the errors of formats/zkey.hpp, matrix.hpp and key_check.hpp, and "ZkeyPointNotReduced" for a coordinate that is
// not below the field's modulus; each names the file and the offset.
std::shared_ptr<const circuit> load_circuit(const std::string& path, const load_options& options, thread_pool& pool, task& t);

}  // namespace cuzk
