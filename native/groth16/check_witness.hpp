// Whether a witness satisfies a circuit's constraints, and which one it fails first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "device/task.hpp"
#include "device/thread_pool.hpp"
#include "formats/file.hpp"

namespace cuzk {

struct signal_value {
    uint32_t index = 0;  // the wire's number
    std::string name;    // empty without a .sym, or where that has none
    std::string value;   // decimal
};

// The constraint a * b = c, evaluated; numbers in decimal.
struct failed_constraint {
    uint64_t index = 0;
    std::string a, b, c;
    std::vector<signal_value> signals;  // those that it names, in rising order
};

// The first constraint that fails, or nothing. `sym` may be null. Throws the errors of formats/r1cs.hpp, wtns.hpp and sym.hpp, and those of
// load_witness() for a witness that is not of this circuit.
std::optional<failed_constraint> check_witness(const input_file& r1cs, const input_file& witness, const input_file* sym,
                                               thread_pool& pool, task& t);

}  // namespace cuzk
