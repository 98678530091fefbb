// From a witness to the values of A and B in the rows of the domain.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/buffer.hpp"
#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "formats/file.hpp"
#include "groth16/circuit.hpp"

namespace cuzk {

// One witness, made ready for the device. All its buffers are wiped when they are freed.
struct synthesis {
    std::shared_ptr<const circuit> of;
    std::string witness_name;  // for messages
    buffer witness;  // n_vars plain integers
    buffer a, b;     // domain_size values in Montgomery form, as quotient() takes them
    std::vector<uint64_t> public_signals;  // plain integers, four words each
    double milliseconds = 0;
};

// Reads the witness, multiplies it with the matrices. Throws the errors of load_witness() (witness.hpp). The file is given up as soon as it
// was read: where it is a copy in memory, that makes room for the products.
synthesis synthesize(std::shared_ptr<const circuit> c, std::shared_ptr<const input_file> witness, thread_pool& pool, task& t);
// The same with a file of the caller's.
synthesis synthesize(std::shared_ptr<const circuit> c, const input_file& witness, thread_pool& pool, task& t);

}  // namespace cuzk
