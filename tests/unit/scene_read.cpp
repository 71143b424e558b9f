#include "base/error.h"
#include "geometry/rotation.h"
#include "scene/read.h"

#include <gtest/gtest.h>

#include <numbers>

using namespace knead;

namespace {

const std::string small = R"([solver]
dx = 0.1
[materials.jelly]
model = "neo-hookean"
[[body]]
material = "jelly"
shape = { type = "box", size = [1, 1, 1] }
)";

Scene read(const std::string& text, const std::vector<std::string>& sets = {}) {
  return read_scene_text(text, "test.toml", "/nowhere", sets);
}

TEST(SceneRead, what_is_left_out_takes_its_default) {
  const Scene s = read(small);
  EXPECT_EQ(s.scene.name, "test");
  EXPECT_EQ(s.scene.dimension, 3);
  EXPECT_EQ(s.gravity(), (Vec3d{0, -9.81, 0}));
  EXPECT_EQ(s.frames(), 48);
  EXPECT_EQ(s.solver.elastic_cfl_number(), 0.4);
  EXPECT_EQ(s.bodies.at(0).name, "body0");
  EXPECT_EQ(s.bodies.at(0).material_index, 0);
  EXPECT_EQ(s.particles_per_cell(s.bodies[0]), 8);
  EXPECT_EQ(name_of(s.materials.at(0).material), "neo-hookean");
  EXPECT_FALSE(s.scene.domain);
  EXPECT_TRUE(s.warnings.empty());
}

TEST(SceneRead, values_of_every_kind_are_read) {
  const Scene s = read(R"toml(
format = 1
[scene]
name = "all"
gravity = [0, 0, "-10 m/s^2"]
up = "z"
seed = 9007199254740993
domain = { min = [-2, -2, -2], max = [2, 2, 2], contact = "sticky", friction = 0.25 }
[solver]
dx = "10 cm"
kernel = "cubic"
transfer = "flip"
flip = "97 %"
precision = "double"
dt = "0.1 ms"
[materials.snow]
model = "snow"
young = "140 kPa"
[materials.jelly]
model = "neo-hookean"
[[body]]
name = "ball"
material = "jelly"
shape = { type = "ball", center = [0, "50 cm", 0], radius = 0.5 }
velocity = ["36 km/h", 0, 0]
spin = [0, 0, "60 rpm"]
sampling = "poisson"
particles_per_cell = 6
color = [0.1, 0.2, 0.3]
[[body]]
material = "snow"
shape.type = "union"
shape.of = [{ type = "box", center = [-1, 0, 0] }, { type = "sphere", center = [1, 0, 0] }]
[[collider]]
contact = "slip"
shape = { type = "plane", point = [0, 0, -1], normal = [0, 0, 1] }
[collider.motion]
spin = [0, 0, 1]
[[collider.motion.keyframes]]
time = 0
[[collider.motion.keyframes]]
time = "500 ms"
rotate = [0, 0, "90 deg"]
[output]
formats = ["vtp", "npz"]
columns = ["x", "v"]
[camera]
ground = false
[[expect]]
name = "it falls"
value = "last(com_z) - first(com_z)"
max = 0
)toml");
  EXPECT_EQ(s.gravity(), (Vec3d{0, 0, -10}));
  EXPECT_EQ(s.scene.seed, 9007199254740993);
  EXPECT_EQ(s.scene.domain->contact, Contact::sticky);
  EXPECT_EQ(s.solver.dx, 0.1);
  EXPECT_EQ(s.solver.kernel, Kernel::cubic);
  EXPECT_EQ(s.solver.transfer, Transfer::flip);
  EXPECT_DOUBLE_EQ(s.solver.flip, 0.97);
  EXPECT_EQ(s.solver.precision, Precision::f64);
  EXPECT_DOUBLE_EQ(*s.solver.dt, 1e-4);
  EXPECT_EQ(s.solver.elastic_cfl_number(), 0.5);
  ASSERT_EQ(s.materials.size(), 2u);
  EXPECT_EQ(s.materials[0].name, "snow") << "materials keep the order of the file";
  EXPECT_EQ(s.bodies[0].material_index, 1);
  EXPECT_DOUBLE_EQ(s.bodies[0].velocity[0], 10);
  EXPECT_DOUBLE_EQ(s.bodies[0].spin[2], 2 * std::numbers::pi);
  EXPECT_EQ(s.bodies[0].sampling, Sampling::poisson);
  EXPECT_EQ(std::get<Sphere>(s.bodies[0].shape.value).center[1], 0.5);
  EXPECT_EQ(std::get<Union>(s.bodies[1].shape.value).of.size(), 2u);
  EXPECT_EQ(s.colliders[0].contact, Contact::slip);
  ASSERT_EQ(s.colliders[0].motion.keyframes.size(), 2u);
  EXPECT_DOUBLE_EQ(s.colliders[0].motion.keyframes[1].rotate[2], std::numbers::pi / 2);
  EXPECT_EQ(s.camera.ground, false);
  EXPECT_EQ(*s.expects[0].max, 0);
  EXPECT_FALSE(s.expects[0].min);
}

// A scene of one collider of that shape.
Shape shape_of(const std::string& text, int dimension) {
  const Scene scene =
      read_scene_text("format = 1\n[scene]\ndimension = " + std::to_string(dimension) +
                          "\n[solver]\ndx = 0.1\n[materials.a]\nmodel = \"snow\"\n[[body]]\nmaterial = \"a\"\n"
                          "shape = { type = \"box\" }\n[[collider]]\nshape = { " +
                          text + " }\n",
                      "shape.toml", ".");
  return scene.colliders[0].shape;
}

TEST(SceneRead, a_box_may_be_said_by_its_corners) {
  for (const char* type : {"box", "rounded_box"}) {
    const std::string start = "type = \"" + std::string(type) + "\", ";
    const Shape flat = shape_of(start + "min = [1, \"20 cm\"], max = [2, 0.8]", 2);
    const Shape same = shape_of(start + "center = [1.5, 0.5], size = [1, 0.6]", 2);
    for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{1.4, 0.6, 0}, Vec3d{3, 0.5, 0}})
      EXPECT_DOUBLE_EQ(flat.distance(p), same.distance(p)) << type;
  }
  const Shape deep = shape_of("type = \"box\", min = [1, 2, 3], max = [2, 4, 6]", 3);
  EXPECT_EQ(std::get<Box>(deep.value).center, (Vec3d{1.5, 3, 4.5}));
  EXPECT_EQ(std::get<Box>(deep.value).size, (Vec3d{1, 2, 3}));
}

// Turned by R about the middle c and moved by t: the distance at R (p - c) + c + t is that of the shape itself at p.
TEST(SceneRead, any_shape_may_be_turned_about_its_middle_and_moved) {
  const struct {
    const char* text;
    Vec3d middle;
  } shapes[] = {
      {"type = \"box\", center = [1, 2, 3], size = [1, 2, 0.5]", {1, 2, 3}},
      {"type = \"box\", min = [0, 1, 2], max = [1, 2, 4]", {0.5, 1.5, 3}},
      {"type = \"rounded_box\", center = [1, 2, 3]", {1, 2, 3}},
      {"type = \"sphere\", center = [1, 2, 3]", {1, 2, 3}},
      {"type = \"ellipsoid\", center = [1, 2, 3], radii = [1, 2, 0.5]", {1, 2, 3}},
      {"type = \"cylinder\", center = [1, 2, 3]", {1, 2, 3}},
      {"type = \"capsule\", from = [0, 0, 0], to = [2, 0, 0]", {1, 0, 0}},
      {"type = \"cone\", base = [0, 0, 0], apex = [0, 2, 0], radius = 1", {0, 1, 0}},
      {"type = \"torus\", center = [1, 2, 3]", {1, 2, 3}},
      {"type = \"plane\", point = [1, 2, 3], normal = [0, 1, 0]", {1, 2, 3}},
      {"type = \"polygon\", points = [[0, 0], [2, 0], [0, 2]], z = 3", {1, 1, 3}},
      {"type = \"star\", center = [1, 2, 3], points = 4", {1, 2, 3}},
      {"type = \"union\", of = [{ type = \"sphere\" }, { type = \"sphere\", center = [2, 0, 0] }]", {1, 0, 0}},
      {"type = \"difference\", of = [{ type = \"box\" }, { type = \"sphere\", radius = 0.4 }]", {}},
      {"type = \"intersection\", of = [{ type = \"box\" }, { type = \"sphere\" }]", {}},
      {"type = \"shell\", of = { type = \"box\", center = [1, 2, 3] }", {1, 2, 3}},
  };
  const Mat3d R = rotation_matrix({0.3, -0.5, 0.7});
  const Vec3d t{0.25, -1, 2};
  for (const auto& [text, c] : shapes) {
    const Shape plain = shape_of(text, 3);
    const Shape placed = shape_of(std::string(text) + ", rotate = [0.3, -0.5, 0.7], translate = [0.25, -1, 2]", 3);
    for (const Vec3d& p : {Vec3d{0, 0, 0}, Vec3d{1, 2, 2.7}, Vec3d{-1, 3, 0.5}, Vec3d{1.3, 0.2, 3.1}})
      EXPECT_NEAR(placed.distance(R * (p - c) + c + t), plain.distance(p), 1e-12) << text;
  }
  const Shape turned = shape_of("type = \"box\", center = [1, 1], size = [2, 0.2], rotate = \"90 deg\"", 2);
  EXPECT_NEAR(turned.distance({1, 1.9, 0}), -0.1, 1e-12);
}

TEST(SceneRead, two_numbers_make_a_vector_in_2d) {
  const Scene s = read(R"(
[scene]
dimension = 2
domain = { min = [0, 0], max = [3, 3] }
[solver]
dx = 0.1
[materials.m]
model = "snow"
[[body]]
material = "m"
shape = { type = "box", center = [1, 2], size = [1, 0.5] }
velocity = [1, 0]
spin = "1 rpm"
)");
  EXPECT_EQ(s.particles_per_cell(s.bodies[0]), 4);
  EXPECT_EQ(s.bodies[0].velocity, (Vec3d{1, 0, 0}));
  EXPECT_EQ(s.bodies[0].spin[0], 0);
  EXPECT_GT(s.bodies[0].spin[2], 0);
  EXPECT_DOUBLE_EQ(s.bodies[0].shape.volume(2), 0.5);
  EXPECT_EQ(s.gravity(), (Vec3d{0, -9.81, 0}));
}

TEST(SceneRead, the_corners_of_a_polygon_need_two_numbers_in_3d_too) {
  for (const char* corners : {"[[0, 0], [2, 0], [0, 2]]", "[[0, 0, 0], [2, 0, 0], [0, 2, 0]]"}) {
    const Scene s = read(std::string(R"([solver]
dx = 0.1
[materials.jelly]
model = "neo-hookean"
[[body]]
material = "jelly"
shape = { type = "polygon", depth = 0.5, points = )") +
                         corners + " }\n");
    EXPECT_DOUBLE_EQ(s.bodies.at(0).shape.volume(3), 1.0) << corners;
  }
}

TEST(SceneRead, a_byte_order_mark_tabs_and_mixed_line_ends_are_accepted) {
  std::string text = "\xEF\xBB\xBF";
  bool windows = false;
  for (const char c : small) {
    if (c == '\n' && (windows = !windows)) text += '\r';
    if (c == ' ') text += '\t';
    text += c;
  }
  EXPECT_EQ(read(text).bodies.size(), 1u);
}

TEST(SceneRead, brackets_and_quotes_inside_texts_open_nothing) {
  const std::string text = R"toml([scene]
description = """a "[{ text""""
name = '}].'
)toml" + small + "# ]}\"\n";
  EXPECT_EQ(read(text).scene.description, "a \"[{ text\"");
}

TEST(SceneRead, long_lines_are_accepted) {
  EXPECT_EQ(read(small + "# " + std::string(10 << 20, 'x') + "\n").bodies.size(), 1u);
}

TEST(SceneRead, flags_override_the_file) {
  const Scene s = read(small, {"scene.duration=1", "solver.dx=5 cm", "materials.jelly.young=200 kPa",
                               "body.0.velocity=[1, 0, \"36 km/h\"]", "body.body0.name=cube", "solver.kernel=cubic",
                               "scene.domain={min=[-1,-1,-1], max=[1,1,1]}", "camera.ground=false",
                               "scene.gravity=[0,0,0]", "scene.gravity.1=-2", "body.0.shape.size.0 = 2"});
  EXPECT_EQ(s.scene.duration, 1);
  EXPECT_EQ(s.solver.dx, 0.05);
  EXPECT_EQ(s.solver.kernel, Kernel::cubic);
  EXPECT_DOUBLE_EQ(s.bodies[0].velocity[2], 10);
  EXPECT_EQ(s.bodies[0].name, "cube");
  EXPECT_TRUE(s.scene.domain);
  EXPECT_EQ(s.camera.ground, false);
  EXPECT_EQ(s.gravity()[1], -2);
  EXPECT_THROW(read(small, {"body.0.shape.size=[2,1,1]", "body.0.shape.size.3=2"}), Failure);
}

TEST(SceneRead, frames_cover_the_duration) {
  EXPECT_EQ(read(small, {"scene.duration=0.1", "scene.fps=24"}).frames(), 3);
  EXPECT_EQ(read(small, {"scene.duration=0.125", "scene.fps=24"}).frames(), 3);
  EXPECT_EQ(read(small, {"scene.duration=1", "scene.fps=30"}).frames(), 30);
  EXPECT_EQ(read(small, {"scene.duration=0.001", "scene.fps=24"}).frames(), 1);
}

TEST(SceneRead, odd_things_are_warned_about) {
  const Scene s = read(small + "[materials.spare]\nmodel = \"snow\"\n",
                       {"scene.domain={min=[-1,-1,-1], max=[1,0.25,1]}", "body.0.shape.size.2=0.15"});
  ASSERT_EQ(s.warnings.size(), 3u);
  EXPECT_EQ(s.warnings[0], "test.toml:8:1: material 'spare' is not used");
  EXPECT_EQ(s.warnings[1],
            "test.toml:7:9: body.0.shape is 0.15 m along z, less than two cells (solver.dx is 0.1 m); it will be stiff "
            "and rough");
  EXPECT_EQ(s.warnings[2],
            "test.toml:7:9: body.0.shape reaches 0.25 m out of scene.domain along y; that part starts inside the wall "
            "and cannot move freely; move the body or enlarge scene.domain");
}

std::vector<std::string> warnings_of(const std::vector<std::string>& sets) { return read(small, sets).warnings; }

TEST(SceneRead, walls_that_matter_may_pass_are_warned_about) {
  const auto with_wall = [](const std::string& shape) {
    return warnings_of({"collider=[{shape=" + shape + ", contact=\"sticky\"}]"});
  };
  EXPECT_TRUE(with_wall("{type=\"box\", center=[0,-1,0], size=[2,0.2,2]}").empty());
  EXPECT_TRUE(with_wall("{type=\"plane\", point=[0,-1,0]}").empty());
  for (const char* thin : {"{type=\"box\", center=[0,-1,0], size=[2,0.15,2]}",
                           "{type=\"shell\", thickness=0.15, of={type=\"box\", size=[9,9,9]}}",
                           "{type=\"transform\", scale=0.5, of={type=\"shell\", thickness=0.3, of={type=\"box\", "
                           "size=[9,9,9]}}}"}) {
    const std::vector<std::string> w = with_wall(thin);
    ASSERT_EQ(w.size(), 1u) << thin;
    EXPECT_TRUE(
        w[0].ends_with("collider.0.shape is 0.15 m thick, less than two cells (solver.dx is 0.1 m); matter may "
                       "pass through; make it thicker or solver.dx smaller"))
        << w[0];
  }
}

TEST(SceneRead, bodies_that_start_inside_a_collider_are_warned_about) {
  EXPECT_TRUE(warnings_of({"collider=[{shape={type=\"plane\", point=[0,-0.5,0]}}]"}).empty()) << "it rests on it";
  EXPECT_TRUE(warnings_of({"collider=[{shape={type=\"plane\"}, contact=\"sticky\"}]"}).empty()) << "it is held";
  const std::vector<std::string> w =
      warnings_of({"collider=[{name=\"floor\", shape={type=\"plane\", point=[0,-0.45,0]}}]"});
  ASSERT_EQ(w.size(), 1u);
  EXPECT_EQ(w[0],
            "test.toml:7:9: body.0.shape starts partly inside collider.0 ('floor'), where matter cannot move freely; "
            "move one of them, or cut the body with a \"difference\"");
}

TEST(SceneRead, settings_without_effect_and_coarse_positions_are_warned_about) {
  std::vector<std::string> w =
      warnings_of({"scene.domain={min=[-1,-1,-1], max=[1,1,1], contact=\"slip\", friction=0.5}"});
  ASSERT_EQ(w.size(), 1u);
  EXPECT_TRUE(w[0].ends_with(
      "scene.domain.friction has no effect with contact = \"slip\"; leave it out, or use contact = \"separate\""));
  w = warnings_of(
      {"solver.method=composed", "materials.jelly={model=\"yield-flow\", young=1e5}", "solver.elastic_cfl=0.2"});
  ASSERT_EQ(w.size(), 1u);
  EXPECT_TRUE(
      w[0].ends_with("solver.elastic_cfl has no effect with solver.method = \"composed\"; it is for \"mpm\"; "
                     "solver.dt_max limits the step"));
  w = warnings_of({"body.0.shape.center=[2000, 0, 0]"});
  ASSERT_EQ(w.size(), 1u);
  EXPECT_EQ(w[0],
            "test.toml:7:9: body.0.shape lies 2e+04 cells from the origin; float positions are too coarse there; use "
            "solver.precision = \"double\" or move the scene to the origin");
  EXPECT_TRUE(warnings_of({"body.0.shape.center=[2000, 0, 0]", "solver.precision=double"}).empty());
}

TEST(SceneRead, expectations_know_their_place) {
  const Scene s = read(small + "[[expect]]\nname = \"a\"\nvalue = \"last(kinetic)\"\nmax = 1\n");
  EXPECT_EQ(s.expects.at(0).place, "test.toml:10:9");
}

}  // namespace
