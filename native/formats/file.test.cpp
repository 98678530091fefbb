#include "formats/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "test/check.hpp"
#include "test/format_bytes.hpp"

using namespace cuzk;
using test::temporary_folder;

namespace {

std::string content_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST("missing files, folders, pipes and files that shrink while they are read have their own errors") {
    const temporary_folder folder;
    CHECK_THROWS_CODE(input_file(folder / "none"), "FileNotFound");
    CHECK_THROWS_CODE(input_file(folder.path.string()), "FileIsDirectory");
    mkfifo((folder / "pipe").c_str(), 0600);
    CHECK_THROWS_CODE(input_file(folder / "pipe"), "FileUnreadable");
    CHECK_THROWS_CODE(input_file("/dev/zero"), "FileUnreadable");
    std::ofstream(folder / "some") << "0123456789";
    const input_file file(folder / "some");
    CHECK_EQ(file.size(), 10u);
    std::filesystem::resize_file(folder / "some", 4);
    char to[10];
    CHECK_THROWS_CODE(file.read(0, to, 10), "FileChanged");
}

TEST("a file that may not be read says so") {
    if (geteuid() == 0) return;  // root may read everything
    const temporary_folder folder;
    std::ofstream(folder / "secret") << "x";
    chmod((folder / "secret").c_str(), 0);
    CHECK_THROWS_CODE(input_file(folder / "secret"), "FileUnreadable");
}

TEST("bytes in memory are read like a file, never beyond their end") {
    const std::string text = "0123456789";
    const input_file file(text.data(), text.size(), "memory");
    char to[4] = {};
    file.read(7, to, 3);
    CHECK_EQ(std::string(to), std::string("789"));
    CHECK_THROWS_CODE(file.read(8, to, 3), "FileChanged");
    CHECK_THROWS_CODE(file.read(~uint64_t{0}, to, 2), "FileChanged");
}

TEST("an output file appears only when it is complete") {
    const temporary_folder folder;
    {
        output_file out(folder / "a");
        out.write("lost", 4);
    }
    CHECK(std::filesystem::is_empty(folder.path));
    output_file out(folder / "b");
    std::vector<char> much(3 << 20, 'x');
    out.write(much.data(), much.size());
    out.write_at(0, "y", 1);
    CHECK(!std::filesystem::exists(folder / "b"));
    out.commit();
    CHECK_EQ(std::filesystem::file_size(folder / "b"), much.size());
    CHECK_EQ(content_of(folder / "b")[0], 'y');
    CHECK_EQ(std::distance(std::filesystem::directory_iterator(folder.path), {}), 1);
}

TEST("an output file refuses at once what it cannot replace: a folder, a device, a place that does not exist") {
    const temporary_folder folder;
    CHECK_THROWS_CODE(output_file(folder / "no/such/folder"), "FileUnwritable");
    CHECK_THROWS_CODE(output_file(folder.path.string()), "FileUnwritable");
    CHECK_THROWS_CODE(output_file("/dev/null"), "FileUnwritable");
}

TEST("an output file keeps a link and replaces what it leads to") {
    const temporary_folder folder;
    std::filesystem::create_directory(folder / "elsewhere");
    std::ofstream(folder / "elsewhere/target") << "old";
    std::filesystem::create_symlink("elsewhere/target", folder / "link");
    output_file out(folder / "link");
    out.write("new", 3);
    out.commit();
    CHECK(std::filesystem::is_symlink(folder / "link"));
    CHECK_EQ(content_of(folder / "elsewhere/target"), std::string("new"));
}

TEST("an output file has the permissions that the process gives to new files") {
    const temporary_folder folder;
    const mode_t before = umask(027);
    output_file out(folder / "a");
    umask(before);
    out.commit();
    struct stat info {};
    stat((folder / "a").c_str(), &info);
    CHECK_EQ(info.st_mode & 0777, 0640u);
}
