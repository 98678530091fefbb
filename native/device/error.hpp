// What a refusal looks like everywhere in native code: a code, a sentence, the file and the place in it, and what to do.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace cuzk {

// A refusal that a person can act on. `code` is stable and listed in docs/errors.md; `message` says what happened and, where a
// file is to blame, which value at which byte; `remedy` says what to do about it.
class error : public std::exception {
public:
    error(std::string code, std::string message, std::string remedy = {})
        : code_(std::move(code)), message_(std::move(message)), remedy_(std::move(remedy)) {}

    // Names the file that is to blame, once: the innermost reader knows the offset, the outermost caller knows the path.
    error& in_file(const std::string& path) {
        if (file_.empty()) file_ = path;
        return *this;
    }
    // The byte offset in that file at which the bad value stands.
    error& at(uint64_t offset) {
        offset_ = offset;
        has_offset_ = true;
        return *this;
    }

    const char* what() const noexcept override { return message_.c_str(); }
    const std::string& code() const { return code_; }
    const std::string& message() const { return message_; }
    const std::string& remedy() const { return remedy_; }
    const std::string& file() const { return file_; }
    bool has_offset() const { return has_offset_; }
    uint64_t offset() const { return offset_; }

private:
    std::string code_, message_, remedy_, file_;
    uint64_t offset_ = 0;
    bool has_offset_ = false;
};

// Thrown by every long computation within 100 ms of task::abort().
class aborted : public std::exception {
public:
    const char* what() const noexcept override { return "aborted"; }
};

}  // namespace cuzk
