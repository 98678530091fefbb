// The verification key inside a proving key.
#pragma once

#include <string>

#include "groth16/verify.hpp"

namespace cuzk {

// Reads only the header and IC. Throws the errors of formats/zkey.hpp, "ZkeyPointNotReduced", and "KeyPointOffCurve" for a point that is not
// on its curve.
verification_key read_verification_key(const std::string& zkey, const task& t = {});

}  // namespace cuzk
