#include "formats/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "device/error.hpp"

namespace cuzk {

namespace {

constexpr size_t write_block = size_t{1} << 20;

std::atomic<unsigned> next_number{0};  // of temporary files in this process

std::string reason() { return std::strerror(errno); }

// The system would take what stands before it for the path.
bool has_zero_byte(const std::string& path) { return path.find('\0') != std::string::npos; }

// The new name survives a power cut only when the folder is synced too. Where that fails the file itself is whole all the same.
void sync_folder_of(const std::string& path) {
    const size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

}  // namespace

input_file::input_file(const std::string& path) : name_(path) {
    if (has_zero_byte(path)) throw error("FileNotFound", "a path has no zero byte in it", "check the path").in_file(path);
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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
        if (S_ISDIR(info.st_mode))
            throw error("FileIsDirectory", "this is a folder, not a file", "name the file in it").in_file(path);
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
            throw error("FileChanged", "the file became shorter while it was read",
                        "do not change the file while it is in use, then try again")
                .in_file(name_)
                .at(offset);
        at += got;
        offset += static_cast<uint64_t>(got);
        size -= static_cast<size_t>(got);
    }
}

output_file::output_file(std::string path) : path_(std::move(path)) {
    const auto refuse = [&](const std::string& why, const char* remedy) {
        throw error("FileUnwritable", why, remedy).in_file(path_);
    };
    if (has_zero_byte(path_)) refuse("a path has no zero byte in it", "check the path");
    struct stat info {};
    std::string target = path_;
    if (::stat(path_.c_str(), &info) == 0) {
        // Said now, not after hours of work; and a rename would put a plain file in the place of a device such as /dev/null.
        if (S_ISDIR(info.st_mode)) refuse("a folder of this name is in the way", "choose another name");
        if (!S_ISREG(info.st_mode)) refuse("this is a device or a pipe: the file is written in parts", "write to a file");
        // A link stays a link: what it leads to is replaced.
        std::error_code none;
        if (const auto real = std::filesystem::canonical(path_, none); !none) target = real.string();
    }
    final_ = target;
    for (unsigned attempt = 0; descriptor_ < 0 && attempt < 100; attempt++) {
        temporary_ = target + "." + std::to_string(::getpid()) + "." + std::to_string(next_number.fetch_add(1)) + ".part";
        descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ < 0 && errno != EEXIST) break;
    }
    if (descriptor_ < 0) refuse("the file cannot be written: " + reason(), "check that the folder exists and may be written to");
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
        if (put <= 0)
            throw error("FileUnwritable", "writing failed: " + reason(), "free space on the disk, then try again").in_file(path_);
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
    const auto refuse = [&] {
        const std::string why = reason();
        ::unlink(temporary_.c_str());
        throw error("FileUnwritable", "the file cannot be completed: " + why, "check the folder and the space on the disk")
            .in_file(path_);
    };
    const bool synced = ::fsync(descriptor_) == 0;
    const int failure = errno;
    ::close(descriptor_);
    descriptor_ = -1;
    errno = failure;
    if (!synced) refuse();
    if (::rename(temporary_.c_str(), final_.c_str()) != 0) refuse();
    sync_folder_of(final_);
}

}  // namespace cuzk
