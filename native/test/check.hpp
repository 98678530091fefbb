// A small test frame: named cases that register themselves, run by test/main.cpp.
#pragma once

#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "device/error.hpp"

namespace cuzk::test {

struct test_case {
    std::string name;
    std::function<void()> body;
};

inline std::vector<test_case>& all_cases() {
    static std::vector<test_case> cases;
    return cases;
}

struct registration {
    registration(std::string name, std::function<void()> body) { all_cases().push_back({std::move(name), std::move(body)}); }
};

[[noreturn]] inline void fail(const char* file, int line, const std::string& what) {
    std::ostringstream text;
    text << file << ":" << line << ": " << what;
    throw std::runtime_error(text.str());
}

template <class A, class B>
void check_equal(const A& a, const B& b, const char* text, const char* file, int line) {
    if (a == b) return;
    std::ostringstream out;
    out << text;
    if constexpr (requires { out << a << b; }) out << ": " << a << " is not " << b;
    fail(file, line, out.str());
}

template <class F>
void check_throws_code(F&& body, const std::string& code, const char* text, const char* file, int line) {
    try {
        body();
    } catch (const error& e) {
        if (e.code() != code) fail(file, line, std::string(text) + " threw " + e.code() + ", not " + code + ": " + e.message());
        return;
    }
    fail(file, line, std::string(text) + " threw nothing, expected " + code);
}

}  // namespace cuzk::test

#define CUZK_CONCAT_(a, b) a##b
#define CUZK_CONCAT(a, b) CUZK_CONCAT_(a, b)
#define TEST(name)                                                                                          \
    static void CUZK_CONCAT(test_body_, __LINE__)();                                                        \
    static const ::cuzk::test::registration CUZK_CONCAT(test_registration_, __LINE__)(name,                 \
                                                                                      CUZK_CONCAT(test_body_, __LINE__)); \
    static void CUZK_CONCAT(test_body_, __LINE__)()
#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition)) ::cuzk::test::fail(__FILE__, __LINE__, #condition);  \
    } while (0)
#define CHECK_EQ(a, b) ::cuzk::test::check_equal(a, b, #a " == " #b, __FILE__, __LINE__)
#define CHECK_THROWS_CODE(expression, code) \
    ::cuzk::test::check_throws_code([&] { (void)(expression); }, code, #expression, __FILE__, __LINE__)
