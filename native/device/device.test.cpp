#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#ifdef __linux__
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "device/buffer.hpp"
#include "device/cpu_features.hpp"
#include "device/error.hpp"
#include "device/thread_pool.hpp"
#include "test/check.hpp"

using namespace cuzk;

namespace {

// Long enough that all indices would take seconds: a thread that is held up for a while does not look like a loop that did not stop.
void linger() { std::this_thread::sleep_for(std::chrono::microseconds(100)); }

}  // namespace

TEST("a pool runs every index once, whatever its size, and passes worker numbers below it") {
    for (const size_t threads : {1, 2, 5}) {
        thread_pool pool(threads);
        CHECK_EQ(pool.size(), threads);
        for (const size_t count : {0, 1, 7, 1000}) {
            std::vector<std::atomic<int>> seen(count);
            std::atomic<bool> in_range{true};
            pool.parallel_for(task{}, count, [&](size_t i, size_t worker) {
                seen[i]++;
                if (worker >= threads) in_range = false;
            });
            for (const auto& times : seen) CHECK_EQ(times.load(), 1);
            CHECK(in_range.load());
        }
        size_t covered = 0;
        std::atomic<size_t> sum{0};
        pool.parallel_ranges(task{}, 1003, 100, [&](size_t begin, size_t end, size_t) { sum += end - begin; });
        covered = sum;
        CHECK_EQ(covered, 1003u);
    }
}

TEST("a progress report never has one phase's work beside another's total") {
    task t;
    std::atomic<bool> over{false};
    std::thread worker([&] {
        for (int i = 0; i < 200000; i++) {
            t.enter(phase::ntt, 1000000);
            t.advance(1000000);
            t.enter(phase::finish, 1);
            t.advance(1);
        }
        over = true;
    });
    bool torn = false;
    while (!over) {
        const progress_t p = t.progress();
        torn |= p.done > p.total || (p.now == phase::finish && p.total != 1) || (p.now == phase::ntt && p.total != 1000000);
    }
    worker.join();
    CHECK(!torn);
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST("a pool that cannot have its threads is refused, and those that it had are ended") {
    const pid_t child = ::fork();
    if (child == 0) {
        // A thread's stack takes 8 MB of address space.
        size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        const rlim_t bytes = pages * 4096 + (size_t{256} << 20);
        const rlimit limit{bytes, bytes};
        ::setrlimit(RLIMIT_AS, &limit);
        try {
            thread_pool pool(1024);
        } catch (const error& e) {
            try {
                thread_pool few(3);
                ::_exit(e.code() == "ThreadUnavailable" ? 0 : 2);
            } catch (...) {
            }
        }
        ::_exit(1);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK_EQ(status, 0);
}
#endif

TEST("an exception of one body ends the loop, reaches the caller, and leaves the pool usable") {
    thread_pool pool(3);
    std::atomic<size_t> ran{0};
    bool thrown = false;
    try {
        pool.parallel_for(task{}, 100000, [&](size_t i, size_t) {
            ran++;
            if (i == 5) throw std::runtime_error("five");
            linger();
        });
    } catch (const std::runtime_error& e) {
        thrown = std::strcmp(e.what(), "five") == 0;
    }
    CHECK(thrown);
    CHECK(ran.load() < 100000);
    ran = 0;
    pool.parallel_for(task{}, 10, [&](size_t, size_t) { ran++; });
    CHECK_EQ(ran.load(), 10u);
}

TEST("a loop inside a loop's body runs on its own thread, with that thread's worker number") {
    thread_pool pool(2);
    std::atomic<bool> same{true};
    pool.parallel_for(task{}, 8, [&](size_t, size_t outer) {
        const auto thread = std::this_thread::get_id();
        pool.parallel_for(task{}, 8, [&](size_t, size_t inner) {
            if (inner != outer || std::this_thread::get_id() != thread) same = false;
        });
    });
    CHECK(same.load());
}

TEST("an aborted task ends a loop before its next index") {
    thread_pool pool(2);
    task t;
    std::atomic<size_t> ran{0};
    bool thrown = false;
    try {
        pool.parallel_for(t, 1000000, [&](size_t, size_t) {
            if (++ran == 10) t.abort();
            linger();
        });
    } catch (const aborted&) {
        thrown = true;
    }
    CHECK(thrown);
    CHECK(ran.load() < 100000);
}

TEST("buffers are aligned, movable, and may be empty; a secret one is wiped before its memory is given back") {
    for (const size_t bytes : {1, 100, 5000, 3 << 20}) {
        buffer b(bytes);
        CHECK_EQ(reinterpret_cast<uintptr_t>(b.data()) % 64, 0u);
        std::memset(b.data(), 1, bytes);
        buffer moved(std::move(b));
        CHECK_EQ(b.bytes(), 0u);
        CHECK_EQ(moved.bytes(), bytes);
    }
    CHECK(buffer(0).data() == nullptr);
    unsigned char memory[64];
    std::memset(memory, 7, sizeof memory);
    wipe(memory, sizeof memory);
    for (const unsigned char byte : memory) CHECK_EQ(static_cast<int>(byte), 0);
}

TEST("the best arithmetic is chosen, or the one wished for; a wish that cannot be met is refused with what is possible") {
    const isa possible[] = {isa::portable, isa::adx};
    CHECK(choose_isa(nullptr, possible) == isa::adx);
    CHECK(choose_isa("", possible) == isa::adx);
    CHECK(choose_isa("portable", possible) == isa::portable);
    for (const char* wish : {"ifma", "avx", "ADX"}) {
        std::string code, message, remedy;
        try {
            choose_isa(wish, possible);
        } catch (const error& e) {
            code = e.code(), message = e.message(), remedy = e.remedy();
        }
        CHECK_EQ(code, "IsaUnavailable");
        CHECK(message.starts_with("CUZK_ISA is " + std::string(wish)));
        CHECK(remedy.ends_with(": portable, adx"));
    }
}
