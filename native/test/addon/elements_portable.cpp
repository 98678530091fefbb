#include "test/addon/elements_scalar.hpp"

namespace cuzk::test {
const element_table elements_portable{apply_scalar, multiply_scalar};
}
