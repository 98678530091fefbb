// What a circuit takes in memory, before anything of it is loaded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "device/task.hpp"
#include "formats/zkey.hpp"

namespace cuzk {

// In bytes; upper bounds but for the key's. Those of threads are for as many as were asked for.
struct circuit_sizes {
    uint64_t key = 0;        // what circuit::resident_bytes() is after loading
    uint64_t load = 0;       // the most that loading takes besides, all points checked
    uint64_t synthesis = 0;  // what a partition holds from its synthesis to the end of its device phase, reading its witness included
    // The most that the device phase takes besides. Points at infinity take no part in a multiplication, and keys have many in B1 and B2, for
    // the signals that B does not use; how many, only those columns tell, and so all points count. What that adds is bounded, because the
    // points of H are all there: measured at most 1.4 times what is used, where every point of B2 is at infinity, and 1.1 times with circuits
    // of hashes.
    uint64_t device = 0;
    uint64_t finish = 0;     // what a pending proof holds, and the most that finishing it takes
    uint64_t proof() const { return synthesis + device; }
};

// Of a key with that header, that many different coefficients (matrices::dictionary_size) and that many threads at work. A witness counts as
// a dense one of the worst kind.
circuit_sizes sizes_of(const zkey_layout& key, uint64_t coefficient_values, size_t threads);

struct sized_key {
    zkey_layout key;
    uint64_t coefficient_values = 0;
    circuit_sizes bytes;
};

// Reads the header, and the coefficients, which are held once for each different value: how many there are, only they tell. Who knows the
// number from another time gives it, and only the header is read; one that this header cannot have is not believed. Points are never read.
// Waits for no other computation: it starts a few threads of its own. Enters phase::load of t. Throws the errors of formats/zkey.hpp.
sized_key read_sizes(const std::string& zkey, size_t threads, std::optional<uint64_t> known_values, task& t);

}  // namespace cuzk
