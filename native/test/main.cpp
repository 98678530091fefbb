// Runs every registered case whose name or any argument's substring matches; the last line counts them.
#include <cstdio>
#include <cstring>

#include "test/check.hpp"

int main(int argc, char** argv) {
    size_t passed = 0, failed = 0;
    for (const auto& c : cuzk::test::all_cases()) {
        bool wanted = argc < 2;
        for (int i = 1; i < argc; i++) wanted |= c.name.find(argv[i]) != std::string::npos;
        if (!wanted) continue;
        try {
            c.body();
            passed++;
            std::printf("ok      %s\n", c.name.c_str());
        } catch (const std::exception& e) {
            failed++;
            std::printf("FAILED  %s\n        %s\n", c.name.c_str(), e.what());
        }
        std::fflush(stdout);
    }
    std::printf("%zu passed, %zu failed\n", passed, failed);
    return failed ? 1 : 0;
}
