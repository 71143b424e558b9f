#include "scene/hash.h"
#include "scene/read.h"
#include "scene/topics.h"
#include "scene/write.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace knead;

namespace {

Scene read(const std::string& text, const std::vector<std::string>& sets = {}) {
  return read_scene_text(text, "test.toml", "/nowhere", sets);
}

std::string scene_in(int dimension, const std::string& shape) {
  return "[scene]\ndimension = " + std::to_string(dimension) +
         "\n[solver]\ndx = 0.05\n[materials.\"wet snow\"]\nmodel = \"snow\"\n[[body]]\nmaterial = \"wet snow\"\n"
         "name = \"a \\\"quoted\\\"\\tname\"\nshape = { type = \"box\" }\n[[collider]]\nshape = " +
         shape + "\n";
}

const char* const shapes_3d[] = {
    R"({ type = "box", center = [0.1, 0.2, 0.3], size = [1, 2, 3] })",
    R"({ type = "rounded_box", radius = 0.1 })",
    R"({ type = "sphere", radius = 0.3333333333333333 })",
    R"({ type = "ellipsoid", radii = [1, 0.5, 0.25] })",
    R"({ type = "cylinder", axis = [1, 1, 0] })",
    R"({ type = "capsule" })",
    R"({ type = "cone", top = 0.1 })",
    R"({ type = "torus" })",
    R"({ type = "plane", normal = [1, 1, 0] })",
    R"({ type = "heightfield", heights = [0, 1, 2, 3, 1, 0], columns = 3 })",
    R"({ type = "polygon", points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]] })",
    R"({ type = "star", points = 6, rotation = "10 deg" })",
    R"({ type = "union", of = [{ type = "box" }, { type = "sphere" }] })",
    R"({ type = "difference", of = [{ type = "box" }, { type = "sphere" }] })",
    R"({ type = "intersection", of = [{ type = "box" }, { type = "sphere" }] })",
    R"({ type = "shell", of = { type = "sphere" }, thickness = 0.1 })",
    R"({ type = "transform", of = { type = "torus" }, rotate = [0, 0, "90 deg"], scale = 2 })",
};
const char* const shapes_2d[] = {
    R"({ type = "box", center = [0.1, 0.2], size = [1, 2] })",
    R"({ type = "rounded_box", radius = 0.1 })",
    R"({ type = "disc", center = [1, 1], radius = 0.3 })",
    R"({ type = "ellipsoid", radii = [1, 0.5] })",
    R"({ type = "capsule", from = [0, 0], to = [1, 0] })",
    R"({ type = "plane", point = [0, 0], normal = [1, 1] })",
    R"({ type = "heightfield", heights = [0, 1, 2] })",
    R"({ type = "polygon", points = [[0, 0], [1, 0], [0, 1]] })",
    R"({ type = "star", points = 6, rotation = "10 deg" })",
    R"({ type = "union", of = [{ type = "box" }, { type = "sphere" }] })",
    R"({ type = "difference", of = [{ type = "box" }, { type = "sphere" }] })",
    R"({ type = "shell", of = { type = "sphere" }, thickness = 0.1 })",
    R"({ type = "transform", of = { type = "box" }, rotate = "30 deg", translate = [1, 2] })",
};

void expect_round_trip(const std::string& text) {
  const Scene first = read(text);
  const std::string written = to_toml(first);
  const Scene second = read(written);
  EXPECT_EQ(to_toml(second), written);
  EXPECT_EQ(scene_hash(second), scene_hash(first));
  EXPECT_TRUE(differences(second, first).empty());
}

TEST(SceneWrite, every_shape_reads_back_in_3d) {
  for (const char* shape : shapes_3d) {
    SCOPED_TRACE(shape);
    expect_round_trip(scene_in(3, shape));
  }
}

TEST(SceneWrite, every_flat_shape_reads_back_in_2d) {
  for (const char* shape : shapes_2d) {
    SCOPED_TRACE(shape);
    expect_round_trip(scene_in(2, shape));
  }
}

TEST(SceneWrite, every_material_reads_back) {
  for (const Alternative& a : Material::alternatives().alternatives) {
    SCOPED_TRACE(a.table->name);
    const std::string method = a.table->name == "strain-yield" ? "mls" : "mpm";
    expect_round_trip("[solver]\nmethod = \"" + method + "\"\ndx = 0.1\n[materials.m]\nmodel = \"" + a.table->name +
                      "\"\n[[body]]\nmaterial = \"m\"\nshape = { type = \"box\" }\n");
  }
}

TEST(SceneWrite, what_is_scripted_and_measured_reads_back) {
  for (const char* dimension : {"2", "3"})
    expect_round_trip(std::string("[scene]\ndimension = ") + dimension + R"(
body_force = ["-x + X - vy", "2*t", 0]
[solver]
dx = 0.05
[materials.m]
model = "snow"
[[body]]
name = "b"
material = "m"
velocity = ["-y", "x", 0]
shape = { type = "box" }
[[collider]]
name = "lid"
enabled = false
shape = { type = "box" }
contact = "sticky"
motion = { translate = ["t", "1 cm", 0], rotate = [0, 0, "t"], keyframes = [{ time = 1 }, { time = 2 }] }
[[grip]]
body = "b"
axes = ["y"]
release = 0.5
[[grip]]
name = "other"
shape = { type = "sphere" }
[[event]]
time = 1
release = ["lid"]
enable = ["other"]
body = "b"
velocity = ["x", 0, 0]
reset = true
[[event]]
time = 1.5
material = "m"
set = { young = "1 kPa", hardening = 3 }
[[probe]]
name = "f"
type = "force"
on = "other"
about = [0, 1, 0]
[[probe]]
name = "r"
type = "region"
shape = { type = "box" }
[[probe]]
name = "m"
type = "mean"
column = "J_p"
body = "b"
)");
}

// A later setting of one material starts from what the earlier ones left.
TEST(SceneEvents, settings_follow_each_other_in_time) {
  const Scene s = read(scene_in(3, shapes_3d[0]) +
                       "[[event]]\ntime = 2\nmaterial = \"wet snow\"\nset = { poisson = 0.1 }\n"
                       "[[event]]\ntime = 1\nmaterial = \"wet snow\"\nset = { young = \"1 MPa\" }\n");
  const std::vector<Event> events = s.events_in_order();
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].time, 1);
  const auto moduli = [](const Event& e) {
    const auto& law = std::get<Elastoplastic<FixedCorotated, SnowFlow, SnowModel>>(e.changed->value);
    return std::pair(law.elastic.young, law.elastic.poisson);
  };
  EXPECT_EQ(moduli(events[0]), std::pair(1e6, moduli(events[0]).second));
  EXPECT_EQ(moduli(events[1]), std::pair(1e6, 0.1));
}

TEST(SceneWrite, numbers_keep_their_bits) {
  const double awkward[] = {0.1, 1.0 / 3, 1e-7 + 1e-23, 123456.789012345678, 5e-12, 0.3 - 0.1};
  for (const double x : awkward) {
    Scene s = read(scene_in(3, shapes_3d[0]));
    s.bodies[0].velocity = {x, -x, 7 * x};
    EXPECT_EQ(read(to_toml(s)).bodies[0].velocity, s.bodies[0].velocity);
  }
}

TEST(SceneWrite, every_key_with_a_default_is_written_out) {
  const std::string written = "\n" + to_toml(read(scene_in(3, shapes_3d[0])));
  for (const Topic& t : topics()) {
    if (t.name != "solver" && t.name != "scene" && t.name != "camera" && t.name != "output") continue;
    for_each_field(t, [&](const Field& f, void*) {
      if (!f.type.optional) {
        EXPECT_NE(written.find("\n" + f.name + " = "), std::string::npos) << t.name << "." << f.name;
      }
    });
  }
  EXPECT_NE(written.find("\ngravity = [0.0, -9.81, 0.0]\n"), std::string::npos);
  EXPECT_NE(written.find("\nelastic_cfl = 0.4\n"), std::string::npos);
  EXPECT_NE(written.find("\nparticles_per_cell = 8.0\n"), std::string::npos);
}

TEST(SceneHash, changes_with_what_changes_results_only) {
  const std::string text = scene_in(3, shapes_3d[2]);
  const Scene plain = read(text);
  const char* const without_effect[] = {
      "scene.duration=5",     "scene.name=other",      "scene.description=other",  "body.0.name=other",
      "camera.width=640",     "output.every=2",        "output.formats=[\"ply\"]", "collider.0.visible=false",
      "body.0.color=[1,0,0]", "collider.0.opacity=0.3"};
  for (const char* set : without_effect) EXPECT_EQ(scene_hash(read(text, {set})), scene_hash(plain)) << set;
  const char* const with_effect[] = {"solver.dx=0.04",
                                     "scene.fps=25",
                                     "scene.seed=2",
                                     "body.0.velocity=[0,0,1e-9]",
                                     "materials.\"wet snow\".young=1",
                                     "scene.gravity=[0,0,0]",
                                     "solver.cfl=0.4",
                                     "collider.0.shape.radius=0.4",
                                     "solver.precision=double"};
  for (const char* set : with_effect) EXPECT_NE(scene_hash(read(text, {set})), scene_hash(plain)) << set;
}

TEST(SceneHash, an_explicit_default_changes_nothing) {
  const std::string text = scene_in(3, shapes_3d[2]);
  EXPECT_EQ(
      scene_hash(read(text, {"scene.gravity=[0,-9.81,0]", "solver.transfer=apic", "body.0.particles_per_cell=8"})),
      scene_hash(read(text)));
}

TEST(SceneHash, differences_are_named_by_path) {
  const std::string text = scene_in(3, shapes_3d[2]);
  const Scene before = read(text);
  EXPECT_EQ(differences(read(text, {"solver.dx=0.04"}), before),
            std::vector<std::string>{"solver.dx is 0.04, was 0.05"});
  EXPECT_EQ(differences(read(text, {"collider.0.shape={type=\"box\"}"}), before),
            (std::vector<std::string>{"collider.0.shape.type is \"box\", was \"sphere\"",
                                      "collider.0.shape.size is [1.0, 1.0, 1.0], was not there",
                                      "collider.0.shape.radius was 0.3333333333333333, is no longer there"}));
}

TEST(SceneWrite, a_file_of_cells_is_named_by_its_absolute_path) {
  Scene scene = read_scene_text(scene_in(3, shapes_3d[0]), "t.toml", "/somewhere");
  scene.bodies[0].cells_file = "cells.msh";
  EXPECT_NE(to_toml(scene).find("cells_file = \"/somewhere/cells.msh\""), std::string::npos);
}

TEST(SceneHash, a_point_file_counts_by_its_contents) {
  const auto folder = std::filesystem::temp_directory_path() / "knead_scene_hash";
  std::filesystem::create_directories(folder / "elsewhere");
  const auto write = [](const std::filesystem::path& p, const char* text) { std::ofstream(p) << text; };
  write(folder / "p.csv", "0,0,0\n");
  write(folder / "elsewhere" / "p.csv", "0,0,0\n");
  const std::string text = scene_in(3, shapes_3d[0]);
  const auto hash = [&](const std::filesystem::path& in) {
    return scene_hash(read_scene_text(text, "t.toml", in, {"body.0.sampling=file", "body.0.points=p.csv"}));
  };
  const std::uint64_t here = hash(folder);
  EXPECT_EQ(hash(folder / "elsewhere"), here);
  // Written out, the file is named by its absolute path, so that the text can be read from anywhere.
  const Scene s = read_scene_text(text, "t.toml", folder, {"body.0.sampling=file", "body.0.points=p.csv"});
  EXPECT_EQ(scene_hash(read_scene_text(to_toml(s), "t.toml", "/nowhere")), here);
  write(folder / "p.csv", "0,0,1\n");
  EXPECT_NE(hash(folder), here);
  std::filesystem::remove_all(folder);
}

}  // namespace
