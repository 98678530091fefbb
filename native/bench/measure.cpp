// `cuzk_bench_measure COMMAND [ARGUMENT...]`: runs a command and writes one line of JSON to file descriptor 3: its exit code, wall and
// processor seconds, and the peak resident memory of its largest process.
//
// A process of its own, because Linux copies the peak of the parent into the child at fork: a small parent leaves the child's own figure.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace {

double seconds(const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6; }

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: cuzk_bench_measure COMMAND [ARGUMENT...] 3>result.json\n");
        return 2;
    }
    const auto started = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child < 0) {
        std::perror("fork");
        return 1;
    }
    if (child == 0) {
        close(3);
        execvp(argv[1], argv + 1);
        std::fprintf(stderr, "%s: %s\n", argv[1], std::strerror(errno));
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    // wait4's figures cover the child and all of its descendants that it waited for.
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno == EINTR) continue;
        std::perror("wait4");
        return 1;
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
#ifdef __APPLE__
    const long peak_bytes = usage.ru_maxrss;
#else
    const long peak_bytes = usage.ru_maxrss * 1024L;
#endif
    dprintf(3, "{\"code\":%d,\"wallSeconds\":%.6f,\"cpuSeconds\":%.6f,\"peakBytes\":%ld}\n", code, wall.count(),
            seconds(usage.ru_utime) + seconds(usage.ru_stime), peak_bytes);
    return code;
}
