// Files that are not scenes: what is refused, how, and that it is refused without hanging.
#include "base/error.h"
#include "scene/help.h"
#include "scene/read.h"

#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <fstream>
#include <random>

using namespace knead;

namespace {

class SceneSources : public testing::Test {
 protected:
  SceneSources() {
    char name[] = "/tmp/knead_sources_XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~SceneSources() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path file(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  // The message without the folder's name.
  std::string answer(const std::filesystem::path& path, Exit code = Exit::bad_input) const {
    try {
      read_scene(path);
    } catch (const Failure& f) {
      EXPECT_EQ(f.code, code) << f.what();
      std::string what = f.what();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at; (at = what.find(prefix)) != std::string::npos;) what.erase(at, prefix.size());
      return what;
    }
    return "accepted";
  }
  std::string answer_to(const std::string& bytes) const { return answer(file("a.toml", bytes)); }

  std::filesystem::path folder_;
};

TEST_F(SceneSources, an_empty_file_is_an_empty_scene) {
  const std::string empty =
      "a.toml: empty scene; a scene needs [solver], [materials.NAME] and [[body]] (see: knead help scene)";
  EXPECT_EQ(answer_to(""), empty);
  EXPECT_EQ(answer_to("\n  \t\r\n"), empty);
  EXPECT_EQ(answer_to("# only a remark\n"), empty);
  EXPECT_EQ(answer_to("\xEF\xBB\xBF"), empty);
}

TEST_F(SceneSources, bytes_that_are_not_text_are_named_by_offset) {
  EXPECT_EQ(answer_to(std::string(1, '\0')), "a.toml:1:1: not text: a zero byte at offset 0");
  EXPECT_EQ(answer_to(std::string(65536, '\0')), "a.toml:1:1: not text: a zero byte at offset 0");
  EXPECT_EQ(answer_to(std::string("[scene]\nname = \"a\0b\"\n", 21)),
            "a.toml:2:10: not text: a zero byte at offset 17");
  EXPECT_EQ(answer_to("[scene]\nname = \"\xC3\x28\"\n"), "a.toml:2:9: not UTF-8 text: byte 0xC3 at offset 16");
  EXPECT_EQ(answer_to("[scene]\nname = \"\xED\xA0\x80\"\n"), "a.toml:2:9: not UTF-8 text: byte 0xED at offset 16");
  EXPECT_EQ(answer_to("a\xFF"), "a.toml:1:2: not UTF-8 text: byte 0xFF at offset 1");
}

TEST_F(SceneSources, utf16_is_named) {
  EXPECT_EQ(answer_to(std::string("\xFF\xFE[\0s\0", 6)), "a.toml: not UTF-8 but UTF-16 text; save it as UTF-8");
  EXPECT_EQ(answer_to(std::string("\xFE\xFF\0[\0s", 6)), "a.toml: not UTF-8 but UTF-16 text; save it as UTF-8");
  EXPECT_EQ(answer_to(std::string("[\0s\0", 4)),
            "a.toml:1:2: not text: a zero byte at offset 1 (UTF-16? it must be UTF-8)");
}

TEST_F(SceneSources, random_bytes_are_refused_with_a_place) {
  std::mt19937 random(3);
  for (int i = 0; i < 50; ++i) {
    std::string bytes(2000, ' ');
    for (char& c : bytes) c = static_cast<char>(random());
    EXPECT_TRUE(answer_to(bytes).starts_with("a.toml:")) << i;
  }
}

TEST_F(SceneSources, only_regular_files_are_opened) {
  EXPECT_EQ(answer(folder_), folder_.string() + ": this is a folder; a scene is a TOML file inside one");
  const auto pipe = folder_ / "pipe.toml";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(answer(pipe), "pipe.toml: not a regular file; a scene is read from a file on disk");
  EXPECT_EQ(answer("/dev/zero"), "/dev/zero: not a regular file; a scene is read from a file on disk");
}

TEST_F(SceneSources, a_missing_file_is_answered_with_its_neighbour) {
  file("snowball.toml", "");
  EXPECT_EQ(answer(folder_ / "snowbal.toml"), "snowbal.toml: no such file (did you mean 'snowball.toml'?)");
  EXPECT_EQ(answer(folder_ / "none" / "x.toml"), "none/x.toml: no such file");
}

TEST_F(SceneSources, an_unreadable_file_is_a_file_error) {
  const auto path = file("secret.toml", "x");
  chmod(path.c_str(), 0);
  // The superuser may read everything, so that the question is asked as nobody.
  const bool superuser = geteuid() == 0;
  if (superuser) {
    chmod(folder_.c_str(), 0755);
    ASSERT_EQ(seteuid(65534), 0);
  }
  EXPECT_EQ(answer(path, Exit::file), "secret.toml: cannot be opened: Permission denied");
  if (superuser) {
    ASSERT_EQ(seteuid(0), 0);
  }
}

TEST_F(SceneSources, an_overlong_name_is_a_file_error) {
  EXPECT_TRUE(answer(folder_ / std::string(10000, 'x'), Exit::file).ends_with("File name too long"));
}

TEST_F(SceneSources, a_huge_file_is_a_resource_limit) {
  const auto path = file("huge.toml", "");
  std::filesystem::resize_file(path, std::uintmax_t(1) << 40);  // sparse
  EXPECT_EQ(answer(path, Exit::resources),
            "huge.toml: the file has 1099511627776 bytes; a scene file may have at most 33554432");
}

TEST_F(SceneSources, a_link_to_a_scene_is_followed) {
  const auto target = file("target.toml", example_scene());
  std::filesystem::create_symlink(target, folder_ / "link.toml");
  EXPECT_EQ(answer(folder_ / "link.toml"), "accepted");
}

TEST_F(SceneSources, a_missing_mesh_is_named_with_its_place) {
  const auto path = file("a.toml",
                         "[solver]\ndx = 0.1\n[materials.m]\nmodel = \"snow\"\n[[body]]\nmaterial = \"m\"\n"
                         "shape = { type = \"mesh\", file = \"none.obj\" }\n");
  const std::string message = answer(path);
  EXPECT_TRUE(message.starts_with("a.toml:7:9: body.0.shape: ")) << message;
  EXPECT_NE(message.find("none.obj"), std::string::npos) << message;
}

}  // namespace
