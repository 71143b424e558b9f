// Every scene of the tree is read, and damaged scenes never do more than fail with a message.
#include "base/error.h"
#include "output/export.h"
#include "render/colormap.h"
#include "scene/help.h"
#include "scene/read.h"
#include "scene/write.h"

#include <gtest/gtest.h>

#include <random>

using namespace knead;

namespace {

std::vector<std::filesystem::path> scene_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& e : std::filesystem::recursive_directory_iterator(KNEAD_SOURCE_DIR "/scenes"))
    if (e.path().extension() == ".toml") files.push_back(e.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(SceneFiles, all_scenes_of_the_tree_are_read_without_warnings) {
  ASSERT_FALSE(scene_files().empty());
  for (const auto& file : scene_files()) {
    SCOPED_TRACE(file.string());
    try {
      const Scene s = read_scene(file);
      EXPECT_TRUE(s.warnings.empty()) << s.warnings[0];
      EXPECT_EQ(to_toml(read_scene_text(to_toml(s), file.string(), s.folder)), to_toml(s));
    } catch (const Failure& f) {
      ADD_FAILURE() << f.what();
    }
  }
}

// The reader may not look into later folders, so that the lists it knows are compared here.
TEST(SceneFiles, formats_and_colormaps_are_those_of_the_exporters_and_pictures) {
  std::vector<std::string> formats;
  for (const Exporter* e : exporters()) formats.push_back(e->name());
  EXPECT_EQ(std::vector<std::string>(output_formats().begin(), output_formats().end()), formats);
  EXPECT_EQ(std::vector<std::string>(camera_colormaps().begin(), camera_colormaps().end()),
            std::vector<std::string>(colormap_names().begin(), colormap_names().end()));
}

// Small random damage of the kinds that people and disks do: bytes changed, removed, doubled, pieces swapped.
std::string damaged(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t n) { return n ? random() % n : 0; };
  const std::string_view spice = "[]{}\"'=.,#\n\\ -0123456789eE_x\t";
  const int edits = 1 + static_cast<int>(below(4));
  for (int i = 0; i < edits && !text.empty(); ++i) {
    const std::size_t at = below(text.size());
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text[at] = spice[below(spice.size())];
        break;
      case 2:
        text.erase(at, 1 + below(20));
        break;
      case 3:
        text.insert(at, text.substr(below(text.size()), below(40)));
        break;
      case 4:
        text.insert(at, 1, spice[below(spice.size())]);
        break;
      case 5:
        std::swap(text[at], text[below(text.size())]);
        break;
    }
  }
  return text;
}

TEST(SceneFiles, damaged_scenes_are_read_or_refused_with_a_place) {
  const std::string good = to_toml(read_scene_text(
      example_scene() +
          "[[collider]]\nshape = { type = \"shell\", of = { type = \"polygon\", points = [[0,0,0],[1,0,0],"
          "[0,1,0]] }, thickness = 0.1 }\nmotion = { keyframes = [{ time = 0 }, { time = 1 }] }\n",
      "good.toml", "."));
  std::mt19937 random(7);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = damaged(good, random);
    try {
      read_scene_text(text, "bad.toml", "/nowhere");
    } catch (const Failure& f) {
      ++refused;
      EXPECT_TRUE(f.code == Exit::bad_input || f.code == Exit::resources) << f.what() << "\n" << text;
      EXPECT_TRUE(std::string(f.what()).starts_with("bad.toml:")) << f.what();
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(SceneFiles, damaged_flags_are_taken_or_refused_by_name) {
  const std::string good[] = {"solver.dx=0.1", "body.0.velocity=[1, \"2 m/s\", 3]", "materials.snow.young=\"200 kPa\"",
                              "scene.domain={min=[0,0,0], max=[1,1,1]}", "body.body0.shape.radius=5 cm"};
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const std::string set = damaged(good[static_cast<std::size_t>(i) % 5], random);
    try {
      read_scene_text(example_scene(), "good.toml", ".", {set});
    } catch (const Failure& f) {
      const std::string what = f.what();
      EXPECT_TRUE(what.find("--set ") != std::string::npos || what.starts_with("good.toml:")) << what;
    }
  }
}

}  // namespace
