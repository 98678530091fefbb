// The container that .zkey, .wtns and .r1cs files share: a magic word, a version, and numbered sections.
//
// Layout (iden3's binary format): 4 bytes of magic, u32 version, u32 count, then per section u32 id, u64 size, and its bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/error.hpp"
#include "formats/file.hpp"

namespace cuzk {

struct section {
    uint32_t id = 0;
    uint64_t offset = 0, size = 0;  // of its bytes, in the file
    uint64_t end() const { return offset + size; }
};

// What one of the formats is called, and what its sections are.
struct container_format {
    const char magic[5];
    uint32_t newest_version;
    const char* prefix;                    // of the error codes: "Zkey", "Wtns", "R1cs"
    const char* (*name_of)(uint32_t id);   // for messages: "A points"; null for a section that the format does not know
};

// The table of sections, checked against the file: every section lies within it. Sections follow one another, so that none overlap;
// bytes behind the last are not looked at.
class section_table {
public:
    // Throws the format's prefix + "NotThisFormat" (saying what the file is, as far as its first bytes tell), "Version",
    // "SectionCount", "Truncated".
    section_table(const input_file& file, const container_format& format);

    const input_file& file() const { return file_; }
    bool has(uint32_t id) const;
    // The only section of that id; throws prefix + "SectionMissing" or "SectionRepeated".
    const section& only(uint32_t id) const;
    // Throws prefix + "SectionSize" unless the section has exactly that many bytes; `why` tells what determines the size.
    void expect_size(const section& s, uint64_t bytes, const std::string& why) const;
    // "section 5 (A points)"
    std::string describe(uint32_t id) const;

    error fault(const char* code, const std::string& message, const std::string& remedy, uint64_t offset) const {
        return error(std::string(format_.prefix) + code, message, remedy).in_file(file_.name()).at(offset);
    }

private:
    const input_file& file_;
    const container_format& format_;
    std::vector<section> sections_;
};

// Reads little-endian values of one section in order, never beyond its end.
class section_cursor {
public:
    section_cursor(const section_table& table, const section& s) : table_(table), section_(s), at_(s.offset) {}

    uint64_t offset() const { return at_; }
    uint64_t left() const { return section_.end() - at_; }
    void read(void* to, size_t size);
    uint32_t u32();
    uint64_t u64();
    std::vector<uint64_t> words(size_t count);
    void skip(uint64_t size);

private:
    void need(uint64_t size) const;
    const section_table& table_;
    const section& section_;
    uint64_t at_;
};

// What the first bytes of a file that was not expected say it is: "a .wtns file", "JSON text", "empty"...
std::string describe_content(const input_file& file);

}  // namespace cuzk
