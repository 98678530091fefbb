#include "formats/sym.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <unordered_map>

#include "device/error.hpp"

namespace cuzk {

namespace {

constexpr size_t block = size_t{1} << 18;
constexpr size_t longest_line = size_t{1} << 16;  // component paths are long, but not that long

// Splits off the text up to the next comma.
std::string_view field(std::string_view& line) {
    const size_t comma = line.find(',');
    const std::string_view head = line.substr(0, comma);
    line = comma == std::string_view::npos ? std::string_view{} : line.substr(comma + 1);
    return head;
}

template <class Number>
bool parse(std::string_view text, Number& value) {
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    return failure == std::errc{} && end == text.data() + text.size() && !text.empty();
}

bool parse_line(std::string_view text, sym_line& line) {
    if (std::count(text.begin(), text.end(), ',') < 3) return false;
    const std::string_view label = field(text), wire = field(text), component = field(text);
    line.name = text;
    return parse(label, line.label) && parse(wire, line.wire) && line.wire >= -1 && parse(component, line.component) &&
           !text.empty();
}

}  // namespace

void for_each_symbol(const input_file& file, const std::function<bool(const sym_line&)>& body) {
    std::vector<char> window;
    uint64_t at = 0, line_number = 0;
    const auto fault = [&](const char* code, const std::string& message) {
        return error(code, message, "choose the .sym file that the compiler wrote with the circuit (circom --sym)")
            .in_file(file.name())
            .at(at);
    };
    uint64_t read = 0;
    size_t begin = 0;  // of the current line in the window
    while (true) {
        const char* const newline = static_cast<const char*>(
            begin < window.size() ? std::memchr(window.data() + begin, '\n', window.size() - begin) : nullptr);
        size_t end;
        if (newline) {
            end = static_cast<size_t>(newline - window.data());
        } else {
            if (window.size() - begin > longest_line)
                throw fault("SymNotText", "line " + std::to_string(line_number + 1) + " is too long for a line of a .sym file");
            if (read < file.size()) {
                window.erase(window.begin(), window.begin() + static_cast<ptrdiff_t>(begin));
                begin = 0;
                const size_t more = static_cast<size_t>(std::min<uint64_t>(block, file.size() - read)), kept = window.size();
                window.resize(kept + more);
                file.read(read, window.data() + kept, more);
                read += more;
                continue;
            }
            if (begin == window.size()) return;
            end = window.size();
        }
        std::string_view text(window.data() + begin, end - begin);
        if (text.ends_with('\r')) text.remove_suffix(1);
        line_number++;
        if (!text.empty()) {
            if (text.find('\0') != std::string_view::npos) throw fault("SymNotText", "this is binary data, not a .sym file");
            sym_line line;
            if (!parse_line(text, line))
                throw fault("SymLine", "line " + std::to_string(line_number) + " is not `label,wire,component,name`");
            if (!body(line)) return;
        }
        at += end - begin + 1;
        begin = newline ? end + 1 : end;
    }
}

std::vector<std::string> wire_names(const input_file& file, const std::vector<uint32_t>& wires, const task& t) {
    std::unordered_map<int64_t, std::vector<size_t>> wanted;
    for (size_t i = 0; i < wires.size(); i++) wanted[wires[i]].push_back(i);
    std::vector<std::string> names(wires.size());
    uint64_t lines = 0;
    for_each_symbol(file, [&](const sym_line& line) {
        if (lines++ % 65536 == 0) t.check();
        if (const auto found = wanted.find(line.wire); found != wanted.end())
            for (const size_t i : found->second)
                if (names[i].empty()) names[i] = line.name;
        return true;
    });
    return names;
}

}  // namespace cuzk
