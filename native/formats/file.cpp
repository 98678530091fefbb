#include "formats/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "device/error.hpp"

namespace cuzk {

namespace {

constexpr size_t write_block = size_t{1} << 20;

std::string reason() { return std::strerror(errno); }

}  // namespace

input_file::input_file(const std::string& path) : name_(path) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) {
        if (errno == ENOENT || errno == ENOTDIR)
            throw error("FileNotFound", "there is no such file", "check the path").in_file(path);
        throw error("FileUnreadable", "the file cannot be opened: " + reason(), "check the file's permissions").in_file(path);
    }
    struct stat info {};
    const bool known = ::fstat(descriptor_, &info) == 0;
    if (!known || !S_ISREG(info.st_mode)) {
        const std::string why = known ? "" : reason();
        ::close(descriptor_);
        descriptor_ = -1;
        if (!known) throw error("FileUnreadable", "the file cannot be examined: " + why, "check the file").in_file(path);
        if (S_ISDIR(info.st_mode)) throw error("FileIsDirectory", "this is a folder, not a file", "name the file in it").in_file(path);
        throw error("FileUnreadable", "this is a device or a pipe: the reader needs a file that it can read at any place",
                    "write the data to a file first")
            .in_file(path);
    }
    size_ = static_cast<uint64_t>(info.st_size);
}

input_file::input_file(const void* bytes, size_t size, std::string name)
    : name_(std::move(name)), size_(size), memory_(static_cast<const unsigned char*>(bytes)) {}

input_file::~input_file() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void input_file::read(uint64_t offset, void* to, size_t size) const {
    if (size == 0) return;
    if (memory_) {
        if (offset > size_ || size > size_ - offset)
            throw error("FileChanged", "the data ended while it was read", "try again").in_file(name_).at(offset);
        std::memcpy(to, memory_ + offset, size);
        return;
    }
    auto* at = static_cast<unsigned char*>(to);
    while (size) {
        const ssize_t got = ::pread(descriptor_, at, std::min(size, size_t{1} << 30), static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw error("FileUnreadable", "reading failed: " + reason(), "check the disk").in_file(name_).at(offset);
        if (got == 0)
            throw error("FileChanged", "the file became shorter while it was read", "do not change the file while it is in use, then try again")
                .in_file(name_)
                .at(offset);
        at += got;
        offset += static_cast<uint64_t>(got);
        size -= static_cast<size_t>(got);
    }
}

output_file::output_file(std::string path) : path_(std::move(path)), temporary_(path_ + ".XXXXXX") {
    std::vector<char> name(temporary_.begin(), temporary_.end());
    name.push_back('\0');
    descriptor_ = ::mkstemp(name.data());
    if (descriptor_ < 0)
        throw error("FileUnwritable", "the file cannot be written: " + reason(), "check that the folder exists and may be written to").in_file(path_);
    temporary_ = name.data();
    ::fchmod(descriptor_, 0644);
}

output_file::~output_file() {
    if (descriptor_ < 0) return;
    ::close(descriptor_);
    ::unlink(temporary_.c_str());
}

void output_file::write(const void* from, size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(from);
    pending_.insert(pending_.end(), bytes, bytes + size);
    position_ += size;
    if (pending_.size() >= write_block) flush();
}

void output_file::write_at(uint64_t offset, const void* from, size_t size) {
    flush();
    const auto* bytes = static_cast<const unsigned char*>(from);
    while (size) {
        const ssize_t put = ::pwrite(descriptor_, bytes, std::min(size, size_t{1} << 30), static_cast<off_t>(offset));
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) throw error("FileUnwritable", "writing failed: " + reason(), "free space on the disk, then try again").in_file(path_);
        bytes += put;
        offset += static_cast<uint64_t>(put);
        size -= static_cast<size_t>(put);
    }
}

void output_file::flush() {
    if (pending_.empty()) return;
    std::vector<unsigned char> block;
    block.swap(pending_);
    write_at(position_ - block.size(), block.data(), block.size());
}

void output_file::commit() {
    flush();
    const bool synced = ::fsync(descriptor_) == 0;
    const std::string why = synced ? "" : reason();
    ::close(descriptor_);
    descriptor_ = -1;
    if (!synced || ::rename(temporary_.c_str(), path_.c_str()) != 0) {
        const std::string cause = synced ? reason() : why;
        ::unlink(temporary_.c_str());
        throw error("FileUnwritable", "the file cannot be completed: " + cause, "check the folder and the space on the disk").in_file(path_);
    }
}

}  // namespace cuzk
