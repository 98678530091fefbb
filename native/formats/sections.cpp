#include "formats/sections.hpp"

#include <algorithm>
#include <cstring>

namespace cuzk {

namespace {

constexpr uint32_t most_sections = 1024;  // real files have at most a dozen or two
constexpr const char* remedy = "copy the file again from where it comes from, or make it again";

std::string count_of(uint64_t n, const char* unit) { return std::to_string(n) + " " + unit + (n == 1 ? "" : "s"); }

}  // namespace

std::string describe_content(const input_file& file) {
    unsigned char head[8] = {};
    const size_t n = static_cast<size_t>(std::min<uint64_t>(file.size(), sizeof head));
    if (n == 0) return "empty";
    file.read(0, head, n);
    const auto starts = [&](const char* magic) { return n >= 4 && std::memcmp(head, magic, 4) == 0; };
    if (starts("zkey")) return "a .zkey file (a proving key)";
    if (starts("wtns")) return "a .wtns file (a witness)";
    if (starts("r1cs")) return "an .r1cs file (a circuit's constraints)";
    if (starts("ptau")) return "a .ptau file (a powers-of-tau ceremony)";
    if (n >= 4 && std::memcmp(head, "\0asm", 4) == 0) return "a WebAssembly module (a circuit's witness generator?)";
    if (n >= 2 && head[0] == 0x1f && head[1] == 0x8b) return "compressed with gzip: unpack it first";
    if (n >= 2 && head[0] == 'P' && head[1] == 'K') return "a zip archive: unpack it first";
    for (size_t i = 0; i < n; i++)
        if (head[i] == '{' || head[i] == '[') return "JSON text";
        else if (head[i] != ' ' && head[i] != '\n' && head[i] != '\r' && head[i] != '\t')
            break;
    return "of an unknown kind";
}

section_table::section_table(const input_file& file, const container_format& format) : file_(file), format_(format) {
    unsigned char head[12];
    const bool has_head = file.size() >= sizeof head;
    if (has_head) file.read(0, head, sizeof head);
    if (!has_head || std::memcmp(head, format.magic, 4) != 0)
        throw fault("NotThisFormat",
                    std::string("this is not a .") + format.magic + " file: it is " +
                        (file.size() && !has_head ? "only " + count_of(file.size(), "byte") + " long" : describe_content(file)),
                    std::string("choose a .") + format.magic + " file", 0);
    uint32_t version, count;
    std::memcpy(&version, head + 4, 4);
    std::memcpy(&count, head + 8, 4);
    if (version == 0 || version > format.newest_version)
        throw fault("Version",
                    "version " + std::to_string(version) + " of the format is not known, only up to " +
                        std::to_string(format.newest_version),
                    "write the file anew with a current tool", 4);
    if (count > most_sections)
        throw fault("SectionCount", std::to_string(count) + " sections are more than any such file has", remedy, 8);
    uint64_t at = sizeof head;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t left = file.size() - at;
        if (left < 12)
            throw fault("Truncated",
                        "the file ends in the header of section " + std::to_string(i + 1) + " of " + std::to_string(count) +
                            " in the file: 12 bytes expected, " + std::to_string(left) + " there",
                        remedy, at);
        unsigned char entry[12];
        file.read(at, entry, sizeof entry);
        section s;
        std::memcpy(&s.id, entry, 4);
        std::memcpy(&s.size, entry + 4, 8);
        s.offset = at + sizeof entry;
        if (s.size > file.size() - s.offset)
            throw fault("Truncated", describe(s.id) + " is cut off: " + count_of(s.size, "byte") + " expected, " +
                                         std::to_string(file.size() - s.offset) + " there",
                        remedy, s.offset);
        sections_.push_back(s);
        at = s.end();
    }
}

std::string section_table::describe(uint32_t id) const {
    const char* const name = format_.name_of(id);
    return "section " + std::to_string(id) + (name ? std::string(" (") + name + ")" : "");
}

bool section_table::has(uint32_t id) const {
    return std::any_of(sections_.begin(), sections_.end(), [id](const section& s) { return s.id == id; });
}

const section& section_table::only(uint32_t id) const {
    const section* found = nullptr;
    for (const section& s : sections_) {
        if (s.id != id) continue;
        if (found) throw fault("SectionRepeated", describe(id) + " stands twice in the file", remedy, s.offset);
        found = &s;
    }
    if (!found) throw fault("SectionMissing", describe(id) + " is missing", remedy, file_.size());
    return *found;
}

void section_table::expect_size(const section& s, uint64_t bytes, const std::string& why) const {
    if (s.size == bytes) return;
    throw fault("SectionSize",
                describe(s.id) + " has " + count_of(s.size, "byte") + ", but " + why + " needs " + std::to_string(bytes), remedy,
                s.offset);
}

void section_cursor::need(uint64_t size) const {
    if (size > left())
        throw table_.fault("Truncated", table_.describe(section_.id) + " ends early: " + count_of(size, "byte") + " expected, " +
                                            std::to_string(left()) + " there",
                           remedy, at_);
}

void section_cursor::read(void* to, size_t size) {
    need(size);
    table_.file().read(at_, to, size);
    at_ += size;
}

uint32_t section_cursor::u32() {
    uint32_t v;
    read(&v, sizeof v);
    return v;
}

uint64_t section_cursor::u64() {
    uint64_t v;
    read(&v, sizeof v);
    return v;
}

std::vector<uint64_t> section_cursor::words(size_t count) {
    need(uint64_t{count} * 8);
    std::vector<uint64_t> v(count);
    read(v.data(), count * 8);
    return v;
}

void section_cursor::skip(uint64_t size) {
    need(size);
    at_ += size;
}

}  // namespace cuzk
