// Files, read by position and written whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cuzk {

// A file, or a block of memory that stands for one. Reads are positional and may be made from many threads. Files are not mapped:
// when another process cuts a mapped file short, the reader dies of a signal; here it gets the error "FileChanged".
class input_file {
public:
    // Throws "FileNotFound", "FileIsDirectory", "FileUnreadable".
    explicit input_file(const std::string& path);
    // Bytes in memory under a name for messages. The bytes are not copied and must outlive the object.
    input_file(const void* bytes, size_t size, std::string name);
    ~input_file();
    input_file(const input_file&) = delete;
    input_file& operator=(const input_file&) = delete;

    const std::string& name() const { return name_; }
    uint64_t size() const { return size_; }

    // Reads exactly `size` bytes at `offset`. The caller has checked that they lie within size(); if the file has become shorter
    // meanwhile, throws "FileChanged"; "FileUnreadable" for errors of the device.
    void read(uint64_t offset, void* to, size_t size) const;

private:
    std::string name_;
    uint64_t size_ = 0;
    int descriptor_ = -1;
    const unsigned char* memory_ = nullptr;
};

// A file that appears under its name only when it is complete: written beside it, synced, renamed by commit(). Without commit()
// nothing is left behind. A link is followed. Throws "FileUnwritable" (no such folder, no permission, disk full; at once where a
// folder, a device or a pipe has that name), naming the cause.
class output_file {
public:
    explicit output_file(std::string path);
    ~output_file();
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;

    uint64_t position() const { return position_; }
    void write(const void* from, size_t size);
    void write_at(uint64_t offset, const void* from, size_t size);  // over what has been written
    void write_u32(uint32_t v) { write(&v, sizeof v); }
    void write_u64(uint64_t v) { write(&v, sizeof v); }
    void commit();

private:
    void flush();
    std::string path_, final_, temporary_;  // as given, with links followed, while it is written
    int descriptor_ = -1;
    uint64_t position_ = 0;  // of the next write, buffered bytes included
    std::vector<unsigned char> pending_;
};

}  // namespace cuzk
