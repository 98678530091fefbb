#include "groth16/random.hpp"

#include <cerrno>
#include <cstring>

#if defined(__linux__)
#include <sys/random.h>
#else
#include <unistd.h>
#include <sys/random.h>
#endif

#include "device/error.hpp"

namespace cuzk {

void random_bytes(void* out, size_t bytes) {
    auto* to = static_cast<unsigned char*>(out);
    while (bytes > 0) {
#if defined(__linux__)
        const ssize_t got = getrandom(to, bytes, 0);
        if (got < 0 && errno == EINTR) continue;
#else
        const size_t step = bytes < 256 ? bytes : 256;
        const ssize_t got = getentropy(to, step) == 0 ? static_cast<ssize_t>(step) : -1;
#endif
        if (got <= 0) throw error("RandomUnavailable", std::string("the operating system gives no random bytes: ") + std::strerror(errno));
        to += got;
        bytes -= static_cast<size_t>(got);
    }
}

}  // namespace cuzk
