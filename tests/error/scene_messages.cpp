// What a mistake in a scene file is answered with, to the letter.
#include "base/error.h"
#include "scene/read.h"

#include <gtest/gtest.h>

using namespace knead;

namespace {

const std::string good = R"([scene]
duration = 1
[solver]
dx = 0.1
[materials.snow]
model = "snow"
[[body]]
material = "snow"
shape = { type = "sphere", radius = 0.5 }
)";

// The good scene with one piece replaced; the piece is known to be there.
std::string with(const std::string& from, const std::string& to) {
  std::string text = good;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string answer(const std::string& text, const std::vector<std::string>& sets = {}, Exit code = Exit::bad_input) {
  try {
    read_scene_text(text, "a.toml", "/nowhere", sets);
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, code) << f.what();
    return f.what();
  }
  return "accepted";
}

TEST(SceneMessages, the_good_scene_is_accepted) { EXPECT_EQ(answer(good), "accepted"); }

TEST(SceneMessages, all_mistakes_are_reported_together_in_the_order_of_the_file) {
  EXPECT_EQ(answer(R"([scene]
duraton = 1
fps = 0
[solver]
dx = "2 kPa"
kernel = "quadratc"
[materials.snow]
model = "snow"
poisson = 0.5
[[body]]
material = "snwo"
shape = { type = "sphere", radius = -1 }
[[collider]]
frcition = 0.5
shape = { type = "sphre" }
)"),
            "a.toml:2:1: unknown key 'duraton' in scene (did you mean 'duration'?)\n"
            "a.toml:3:7: scene.fps is 0 1/s; it must be from 1e-6 to 1e9 1/s (the frame rate must be finite)\n"
            "a.toml:5:6: solver.dx: '2 kPa' is a pressure (Pa), not a length (m); it must be a number in m, or a text "
            "with a unit such as \"2 cm\"\n"
            "a.toml:6:10: solver.kernel is \"quadratc\"; it must be one of linear, quadratic, cubic (did you mean "
            "'quadratic'?)\n"
            "a.toml:9:11: materials.snow.poisson is 0.5; it must be in the open interval (-1, 0.5) (at 0.5 the bulk "
            "modulus is infinite, at -1 the shear modulus is)\n"
            "a.toml:11:12: body.0.material is \"snwo\", which is not a material of this scene; it has snow (did you "
            "mean 'snow'?)\n"
            "a.toml:12:37: body.0.shape.radius is -1 m; it must be > 0 m (a ball needs a size)\n"
            "a.toml:14:1: unknown key 'frcition' in collider.0 (did you mean 'friction'?)\n"
            "a.toml:15:18: collider.0.shape.type \"sphre\" is unknown; it must be one of box, rounded_box, sphere, "
            "ellipsoid, cylinder, capsule, cone, torus, plane, heightfield, polygon, star, union, difference, "
            "intersection, shell, transform, mesh (did you mean 'sphere'?)");
}

TEST(SceneMessages, a_name_that_several_have_is_listed_once) {
  const std::string body = "[[body]]\nname = \"b\"\nmaterial = \"snow\"\nshape = { type = \"sphere\", radius = 0.5 }\n";
  const std::string said = answer(good + body + body + "[[event]]\ntime = 0.5\nbody = \"zz\"\nmaterial = \"snow\"\n");
  EXPECT_NE(said.find("event.0.body is \"zz\", which is not a body of this scene; it has body0, b"), std::string::npos)
      << said;
}

TEST(SceneMessages, an_event_that_changes_gravity_says_by_how_much) {
  const auto event = [](const std::string& gravity) { return answer(good + "[[event]]\ntime = 0.5\n" + gravity); };
  EXPECT_EQ(event("gravity = [0, 0, -9.81]\n"), "accepted");
  EXPECT_EQ(event("gravity = [0, 0, 0]\n"), "accepted");
  EXPECT_EQ(event("gravity = -9.81\n"),
            "a.toml:12:11: event.0.gravity is the number -9.81; it must be a list of three numbers in m/s^2");
  EXPECT_EQ(event("gravity = [0, \"-9.81*t\", 0]\n"),
            "a.toml:12:15: event.0.gravity.1: '*t' is not a unit; it must be a number in m/s^2, or a text with a unit "
            "such as \"9.81 m/s^2\"");
  EXPECT_EQ(event("gravity = [0, 1e7, 0]\n"),
            "a.toml:12:15: event.0.gravity.1 is 1e7 m/s^2; it must be from -1e6 to 1e6 m/s^2 (no time step could "
            "follow a stronger pull)");
  EXPECT_EQ(event(""),
            "a.toml:10:1: event.0 changes nothing; give release, enable, material, reset, velocity or gravity");
}

struct Case {
  std::string from, to, message;
};

TEST(SceneMessages, each_mistake_has_its_answer) {
  const std::string dt_range =
      "; it must be from 1e-12 to 1 s (other steps do not advance the clock, or skip the motion)";
  const Case cases[] = {
      // Types
      {"dx = 0.1", "dx = true",
       "4:6: solver.dx is true; it must be a number in m, or a text with a unit such as \"2 cm\""},
      {"dx = 0.1", "dx = 0.1\ndt = \"fast\"",
       "5:6: solver.dt: 'fast' does not start with a number; it must be a number in s, or a text with a unit such as "
       "\"0.5 ms\""},
      {"duration = 1", "dimension = 2.5", "2:13: scene.dimension is the number 2.5; it must be an integer"},
      {"duration = 1", "name = 7", "2:8: scene.name is the integer 7; it must be a text in quotes"},
      {"duration = 1", "gravity = 9.81",
       "2:11: scene.gravity is the number 9.81; it must be a list of three numbers in m/s^2"},
      {"duration = 1", "gravity = [0, -9.81]",
       "2:11: scene.gravity is a list of 2; it must be a list of three numbers in m/s^2"},
      {"duration = 1", "up = 1", "2:6: scene.up is the integer 1; it must be one of y, z"},
      {"[[body]]", "[body]", "7:1: body is a table; it must be a list of tables, each headed [[body]]"},
      {"{ type = \"sphere\", radius = 0.5 }", "\"sphere\"",
       "9:9: body.0.shape is the text \"sphere\"; it must be a table such as { type = \"box\", ... }"},
      {"type = \"sphere\", ", "",
       "9:9: 'type' is missing in body.0.shape; it is one of box, rounded_box, sphere, ellipsoid, "
       "cylinder, capsule, cone, torus, plane, heightfield, polygon, star, union, difference, "
       "intersection, shell, transform, mesh"},
      // Missing
      {"dx = 0.1", "",
       "3:1: 'dx' is missing in solver: grid spacing or, in methods without a grid, particle spacing. A body must be "
       "several of these thick"},
      {"material = \"snow\"", "", "7:1: 'material' is missing in body.0: name of a material of this scene"},
      {"model = \"snow\"", "",
       "5:1: 'model' is missing in materials.snow; it is one of fixed-corotated, neo-hookean, hencky, snow, "
       "st-venant-kirchhoff, von-mises, rankine, rankine-von-mises, phase-field, sand, viscoplastic, fluid, "
       "yield-flow, "
       "yield-flow-st-venant-kirchhoff, strain-yield"},
      // Numbers
      {"dx = 0.1", "dx = nan", "4:6: solver.dx is nan; it must be a finite number"},
      {"dx = 0.1", "dx = -inf", "4:6: solver.dx is -inf; it must be a finite number"},
      {"dx = 0.1", "dx = NaN", "4:6: not valid TOML: a text must be quoted, and a number must be finite"},
      {"dx = 0.1", "dx = \"1e999\"",
       "4:6: solver.dx: '1e999' is out of range; it must be a number in m, or a text with a unit such as \"2 cm\""},
      {"dx = 0.1", "dx = 0", "4:6: solver.dx is 0 m; it must be > 0 m (a cell needs a size)"},
      {"dx = 0.1", "dx = 0.1\ndt = 0", "5:6: solver.dt is 0 s" + dt_range},
      {"dx = 0.1", "dx = 0.1\ndt = -1e-3", "5:6: solver.dt is -0.001 s" + dt_range},
      {"dx = 0.1", "dx = 0.1\ndt = 1e-320", "5:6: solver.dt is 9.999889e-321 s" + dt_range},
      {"duration = 1", "duration = 0",
       "2:12: scene.duration is 0 s; it must be from 1e-9 to 1e6 s (some time must pass)"},
      {"duration = 1", "start_frame = 4294967297",
       "2:15: scene.start_frame is 4294967297; it must be from 0 to 1e6 (frame numbers have few digits)"},
      {"duration = 1", "seed = -1", "2:8: scene.seed is -1; it must be >= 0 (seeds start at zero)"},
      {"duration = 1", "gravity = [0, -1e300, 0]",
       "2:15: scene.gravity.1 is -1e300 m/s^2; it must be from -1e6 to 1e6 m/s^2 (no time step could follow a stronger "
       "pull)"},
      {"model = \"snow\"", "model = \"snow\"\ndensity = 0",
       "7:11: materials.snow.density is 0 kg/m^3; it must be > 0 kg/m^3 (matter without mass cannot be accelerated)"},
      {"model = \"snow\"", "model = \"snow\"\nyoung = 0",
       "7:9: materials.snow.young is 0 Pa; it must be > 0 Pa (matter without stiffness has no shape to keep)"},
      {"model = \"snow\"", "model = \"snow\"\npoisson = -1",
       "7:11: materials.snow.poisson is -1; it must be in the open interval (-1, 0.5) (at 0.5 the bulk modulus is "
       "infinite, at -1 the shear modulus is)"},
      {"duration = 1", "domain = { min = [0, 0, 0], max = [1, 1, 1], friction = -1 }",
       "2:57: scene.domain.friction is -1; it must be >= 0 (friction never drives motion)"},
      {"[[body]]", "[[body]]\nparticles_per_cell = -3",
       "8:22: body.0.particles_per_cell is -3; it must be from 0.1 to 1000 (fewer leave holes in the matter, more only "
       "cost time)"},
      // The scene as a whole
      {"duration = 1", "duration = 1e5\nfps = 1e5",
       "2:12: scene.duration times scene.fps makes 1e+10 frames; at most 1e+07 are allowed"},
      {"duration = 1", "domain = { min = [2, 0, 0], max = [1, 2, 2] }",
       "2:10: scene.domain is empty along x: min is 2 m and max is 1 m; min must be < max"},
      {"duration = 1", "domain = { min = [0, 0, 0], max = [1, 0.1, 2] }",
       "2:10: scene.domain is 0.1 m wide along y, less than two cells (solver.dx is 0.1 m)"},
      {"duration = 1", "domain = { min = [5, 5, 5], max = [6, 6, 6] }",
       "9:9: body.0.shape lies entirely outside scene.domain"},
      {"duration = 1", "name = \"../../etc\"",
       "2:8: scene.name must be a plain name without slashes or leading dots, because a folder is named after it"},
      {"duration = 1", "name = \"a\\nb\"",
       "2:8: scene.name must be a plain name without slashes or leading dots, because a folder is named after it"},
      {"duration = 1", "name = \"a\\u0007b\"", "2:8: scene.name contains a control character"},
      {"duration = 1", "name = \"" + std::string(5000, 'x') + "\"",
       "2:8: scene.name has 5000 characters; at most 4000 are allowed"},
      {"radius = 0.5", "radius = 0.04",
       "9:9: body.0.shape is 0.08 m along x, less than a cell (solver.dx is 0.1 m); solver.dx must be at most 0.04 m"},
      {"type = \"sphere\", radius = 0.5", "type = \"plane\"",
       "9:9: body.0.shape is infinite; a body must be finite (cut it with an intersection)"},
      {"[[body]]", "[[body]]\nname = \"a\"\nmaterial = \"snow\"\nshape = { type = \"box\" }\n[[body]]\nname = \"a\"",
       "12:8: body.1.name is \"a\", which is also the name of body.0; names must differ"},
      {"type = \"sphere\", radius = 0.5", "type = \"box\", min = [0, 0, 0]",
       "9:9: body.0.shape: max is missing; a box has min and max, or center and size"},
      {"type = \"sphere\", radius = 0.5", "type = \"box\", min = [0, 0, 0], max = [1, 0, 1]",
       "9:9: body.0.shape: max must be above min along y: a box needs a volume"},
      {"type = \"sphere\", radius = 0.5", "type = \"box\", size = [1, 1, 1], max = [1, 1, 1], min = [0, 0, 0]",
       "9:49: 'max' and 'size' in body.0.shape say the same; give one of them\n"
       "a.toml:9:66: 'min' and 'size' in body.0.shape say the same; give one of them"},
      {"type = \"sphere\", radius = 0.5", "type = \"sphere\", rotatee = [0, 0, 1]",
       "9:28: unknown key 'rotatee' in body.0.shape (did you mean 'rotate'?)"},
      {"[[body]]", "[[body]]\npoints = \"p.csv\"",
       "8:10: body.0.points is given; then body.0.sampling must be \"file\""},
      {"[[body]]", "[[body]]\nsampling = \"file\"",
       "8:12: body.0.sampling is \"file\"; then body.0.points must name a CSV file"},
      {"[[body]]", "[[body]]\nsampling = \"file\"\npoints = \"p.csv\"",
       "9:10: body.0.points: there is no file /nowhere/p.csv"},
      {"[[body]]", "[[body]]\nsampling = \"file\"\npoints = \"/dev/zero\"",
       "9:10: body.0.points: /dev/zero is not a regular file"},
      {"[[body]]", "[[body]]\ncells = \"file\"",
       "8:9: body.0.cells = \"file\" and body.0.cells_file go together: give both or none"},
      {"[[body]]", "[[body]]\ncells = \"file\"\ncells_file = \"a.msh\"",
       "9:14: body.0.cells_file: there is no file /nowhere/a.msh"},
      {"dx = 0.1", "dx = 0.1\ndt = 0.1\ndt_max = 0.01", "5:6: solver.dt is 0.1 s, above solver.dt_max, 0.01 s"},
      {"dx = 0.1", "dx = 0.1\nkernel = \"linear\"\ntransfer = \"mls\"",
       "5:10: solver.kernel is \"linear\", which solver.transfer \"mls\" does not support; use transfer = \"flip\" (or "
       "\"pic\"), or a quadratic or cubic kernel"},
      {"[[body]]", "[output]\nformats = [\"vtk\"]\n[[body]]",
       "8:12: output.formats.0 is \"vtk\"; it must be one of vtp, ply, csv, npz, geo (did you mean 'vtp'?)"},
      {"[[body]]", "[output]\ncolumns = [\"../x\"]\n[[body]]",
       "8:12: output.columns.0 is \"../x\", which is not a column of this scene; it has x, v, mass, volume, id, body, "
       "F, "
       "tau, C, J_p"},
      {"[[body]]", "[camera]\ncolor = \"Jp\"\n[[body]]",
       "8:9: camera.color is \"Jp\", which is not a quantity of this scene; it has body, material, plain, x, y, z, vx, "
       "vy, "
       "vz, speed, mass, volume, J, pressure, von_mises, stress_xx, stress_yy, stress_zz, stress_xy, stress_xz and 31 "
       "more (did you mean 'J'?)"},
      {"[[body]]", "[camera]\ncolor = \"v.x +\"\n[[body]]",
       "8:9: camera.color: in the expression 'vx +', column 5: a number, a name or '(' is missing at the end"},
      {"[[body]]", "[camera]\ncolormap = \"virdis\"\n[[body]]",
       "8:12: camera.colormap is \"virdis\"; it must be one of viridis, magma, coolwarm, grey (did you mean "
       "'viridis'?)"},
      {"[[body]]", "[[expect]]\nname = \"a\"\nvalue = \"1\"\n[[body]]",
       "7:1: expect.0 has neither min nor max; give at least one"},
      {"[[body]]", "[[expect]]\nname = \"a\"\nvalue = \"1\"\nmin = 2\nmax = 1\n[[body]]",
       "10:7: expect.0.min is 2, above expect.0.max, 1"},
      {"duration = 1", "dimension = 2\nup = \"z\"", "3:6: scene.up is \"z\"; 2D scenes have y up"},
      {"[[body]]", "[[body]]\ncolor = [255, 0, 0]",
       "8:10: body.0.color.0 is 255; it must be from 0 to 1 (colour components are from 0 to 1)"},
      // Syntax
      {"duration = 1", "duration = 1\nduration = 2",
       "3:1: not valid TOML: 'duration' is defined twice (first on line 2)"},
      {"[[body]]", "[[body]]\nspin.x = 1\nspin.x = 2",
       "9:1: not valid TOML: 'spin.x' is defined twice (first on line 8)"},
      {"radius = 0.5", "radius = 0.5, radius = 1",
       "9:42: not valid TOML: 'radius' is defined twice (first in column 28)"},
      {"[[body]]", "[[body]]\ncolor = [\n  { a = 1, b = 2 }, { a = '#' , \"\\u0061\" = 3 } ]",
       "9:33: not valid TOML: 'a' is defined twice (first in column 23)"},
      {"duration = 1", "duration = 1\n\"dura\\u0074ion\" = 2",
       "3:1: not valid TOML: 'duration' is defined twice (first on line 2)"},
      {"dx = 0.1", "dx = 0.1\ndx.y = 1", "5:1: not valid TOML: 'dx' is defined twice (first on line 4)"},
      {"[[body]]", "[[body]]\n[body.damage]\n[[body]]\n[body.damage]\n[body.damage]",
       "11:1: not valid TOML: 'body.damage' is defined twice (first on line 10)"},
      {"duration = 1", "description = '''\nduration = 3'''\nduration = 1 # duration = 2\nduration = 4",
       "5:1: not valid TOML: 'duration' is defined twice (first on line 4)"},
      {"[[body]]", "[materials.snow]\n[[body]]",
       "7:1: not valid TOML: 'materials.snow' is defined twice (first on line 5)"},
      {"duration = 1", "name = \"open", "2:8: not valid TOML: this text is not closed"},
      {"duration = 1", "gravity = [0, 1", "2:11: not valid TOML: this '[' is not closed"},
      {"radius = 0.5 }", "radius = 0.5", "9:9: not valid TOML: this '{' is not closed"},
      {"duration = 1", "duration = 1,", "2:13: not valid TOML: expected the end of the line, found ','"},
      {"duration = 1", "gravity = [}", "2:12: not valid TOML: this '}' closes no '{'"},
      {"dx = 0.1", "dx = 1e999",
       "4:11: not valid TOML: '1e999' could not be interpreted as a value; it is not a number or out of range"},
      {"dx = 0.1", "dx = 9223372036854775808",
       "4:25: not valid TOML: '9223372036854775808' is not representable in 64 bits; it is out of range"},
      {"dx = 0.1", std::string(20, 'a') + ".b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t = 1",
       "4:51: a key of more than 16 parts"},
      {"[scene]", "format = 2\n[scene]", "1:10: format is 2; this program reads scene files with format = 1"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(answer(with(c.from, c.to)), "a.toml:" + c.message) << "with " << c.to.substr(0, 80);
}

TEST(SceneMessages, heat_and_melts_need_what_makes_them) {
  const auto scene = [](const std::string& solver, const std::string& material, const std::string& rest) {
    return "[solver]\ndx = 0.1\n" + solver + "[materials.wax]\n" + material +
           "[[body]]\nmaterial = \"wax\"\nshape = { type = \"sphere\", radius = 0.5 }\n" + rest;
  };
  const std::string mls = "method = \"mls\"\n", wax = "model = \"strain-yield\"\n";
  EXPECT_EQ(answer(scene(mls, wax + "conductivity = 1\nmelting_temperature = 330\n", "temperature = 300\n")),
            "accepted");
  EXPECT_EQ(answer(scene("", "model = \"hencky\"\n", "temperature = 300\n")),
            "a.toml:8:15: body.0.temperature is given; solver.method = \"mpm\" does not compute heat; leave it out, or "
            "use solver.method = \"mls\", \"embedded\" or \"composed\"");
  EXPECT_EQ(
      answer(scene(mls, wax, "temperature = 300\n")),
      "a.toml:4:1: materials.wax has no conductivity, and the scene has temperatures; give it one in W/(m K), such "
      "as 0.2 for plastic, or 0");
  EXPECT_EQ(answer(scene(mls, wax + "conductivity = 1\n", "temperature = -3\n")),
            "a.toml:10:15: body.0.temperature is -3 K; it must be > 0 K (temperatures are absolute)");
  EXPECT_EQ(
      answer(scene(mls, wax + "conductivity = 1\n", "[[collider]]\ntemperature = 300\nshape = { type = \"plane\" }\n")),
      "a.toml:11:15: collider.0 ('collider0') has a temperature and no heat_exchange; to heat or cool matter it needs "
      "both");
  EXPECT_EQ(
      answer(scene(mls, wax + "melting_temperature = 330\n", "")),
      "a.toml:6:23: materials.wax.melting_temperature is given and nothing has a temperature; give a [[body]] one");
  EXPECT_EQ(
      answer(scene(mls, wax + "conductivity = 1\nmelting_temperature = 330\nsolidifying_temperature = 340\n",
                   "temperature = 300\n")),
      "a.toml:4:12: materials.wax: solidifying_temperature, 340 K, is above melting_temperature, 330 K; what has just "
      "melted would set at once; lower it");
  EXPECT_EQ(answer(scene(mls, wax, "[[probe]]\nname = \"lost\"\ntype = \"losses\"\n")),
            "a.toml:11:8: probe.0 ('lost') measures energy lost between particles and a grid, but solver.method = "
            "\"mls\" has no grid; leave it out, or use solver.method = \"mpm\"");
}

TEST(SceneMessages, many_particles_per_cell_are_odd_without_a_grid_alone) {
  const auto warnings = [](const std::string& method, const std::string& body) {
    return read_scene_text("[scene]\nduration = 1\n[solver]\ndx = 0.1\nmethod = \"" + method +
                               "\"\n[materials.m]\nmodel = \"hencky\"\n[[body]]\nmaterial = \"m\"\nshape = { type = "
                               "\"box\" }\n" +
                               body,
                           "a.toml", "/nowhere", {})
        .warnings;
  };
  const std::string eight = "particles_per_cell = 8\n";
  EXPECT_EQ(warnings("mpm", eight).size(), 0u);
  for (const char* method : {"mls", "embedded", "composed"}) {
    EXPECT_EQ(warnings(method, "").size(), 0u) << method;
    ASSERT_EQ(warnings(method, eight).size(), 1u) << method;
    EXPECT_NE(warnings(method, eight)[0].find("a.toml:11:22: body.0.particles_per_cell is 8"), std::string::npos)
        << warnings(method, eight)[0];
  }
}

TEST(SceneMessages, strain_at_the_start_is_told_once_and_with_mpm) {
  const auto scene = [](const std::string& method, const std::string& body, const std::string& more = "") {
    return "[scene]\nduration = 1\n[solver]\ndx = 0.1\nmethod = \"" + method +
           "\"\n[materials.m]\nmodel = \"hencky\"\n[[body]]\nmaterial = \"m\"\nshape = { type = \"box\" }\n" + body +
           more;
  };
  const std::string moved = "displacement = [\"0.1*X\", 0, 0]\n", stress = "stress = { normal = [\"100*Y\", 0, 0] }\n";
  EXPECT_EQ(answer(scene("mpm", moved)), "accepted");
  EXPECT_EQ(answer(scene("mpm", stress)), "accepted");
  EXPECT_EQ(answer(scene("mpm", moved + stress)),
            "a.toml:11:16: body.0 has a displacement and a stress, which both define its strain; give one of them");
  EXPECT_EQ(answer(scene("mls", moved)),
            "a.toml:11:16: body.0.displacement needs solver.method = \"mpm\"; leave it out");
  EXPECT_EQ(answer(scene("mpm", moved + "cells = \"stuffed\"\n")),
            "a.toml:11:16: body.0.displacement strains particles, but the cells of this body bear its stress; leave "
            "out the cells, or give cells_bear = false");
  EXPECT_EQ(answer(scene("mpm", "damage = \"0.2*noise(X, Y, Z)\"\n")),
            "a.toml:11:10: body.0.damage needs a material that has a strength to lose, such as model \"von-mises\", "
            "\"rankine\" or \"rankine-von-mises\"; 'm' is \"hencky\"");
  EXPECT_EQ(answer(scene("mpm", "damage = \"0.2*x\"\n")),
            "a.toml:11:10: body.0.damage: in the expression '0.2*x', column 5: unknown name 'x'; it is an expression "
            "of X, Y and Z");
  EXPECT_EQ(
      answer(scene("mpm", "", "[[probe]]\nname = \"p\"\ntype = \"sums\"\nwhere = \"x > 0\"\n")),
      "a.toml:14:9: probe.0.where: in the expression 'x > 0', column 1: unknown name 'x'; it is an expression of X, Y "
      "and Z");
}

TEST(SceneMessages, a_grip_leads_by_places_at_the_start_only_where_matter_knows_them) {
  const auto scene = [](const std::string& method, const std::string& material, const std::string& grip,
                        const std::string& more = "") {
    return "[scene]\nduration = 1\n[solver]\ndx = 0.1\nmethod = \"" + method + "\"\n[materials.m]\n" + material +
           "\n[[body]]\nmaterial = \"m\"\nshape = { type = \"box\", size = [1, 1, 1] }\n" +
           "[[grip]]\nbody = \"body0\"\ndisplacement = [\"0.1*t*X\", 0, 0]\n" + grip + more;
  };
  const std::string elastic = "model = \"hencky\"";
  EXPECT_EQ(answer(scene("mls", elastic, "")), "accepted");
  EXPECT_EQ(answer(scene("mpm", elastic, "")), "accepted");
  EXPECT_EQ(answer(scene("mls", elastic, "motion = { velocity = [1, 0, 0] }\n")),
            "a.toml:13:16: grip.0 ('grip0') has a motion and a displacement; give one of them");
  EXPECT_EQ(answer(scene("mls", elastic, "", "[[event]]\ntime = 0.5\nbody = \"body0\"\nreset = true\n")),
            "a.toml:13:16: grip.0.displacement displaces matter from its initial position, which is unknown for matter "
            "that an event resets; give the grip a motion");
  EXPECT_EQ(answer(scene("mls", "model = \"strain-yield\"\nmelt = true", "")),
            "a.toml:14:16: grip.0.displacement displaces matter from its initial position, which is unknown for matter "
            "that melts; give the grip a motion");
  EXPECT_EQ(
      answer(
          "[scene]\nduration = 1\n[solver]\ndx = 0.1\nmethod = \"composed\"\n[solver.meshless]\nbasis = \"quadratic\"\n"
          "[materials.m]\nmodel = \"hencky\"\n[[body]]\nmaterial = \"m\"\nshape = { type = \"box\", size = [1, 1, 1] "
          "}\n"),
      "a.toml:7:9: solver.meshless.basis is \"quadratic\", which only explicit steps of solver.method = \"mls\" "
      "support; leave it out, or use these");
}

TEST(SceneMessages, liquids_have_what_liquids_have) {
  const auto liquid = [](const std::string& more, const std::string& solver = "", const std::string& water = "") {
    return "[scene]\ngravity = [0, -9.81, 0]\n[solver]\ndx = 0.1\nmethod = \"liquid\"\n" + solver +
           "[materials.w]\nmodel = \"fluid\"\n" + water +
           "[[body]]\nmaterial = \"w\"\nshape = { type = \"box\", size = [1, 1, 1] }\n" + more;
  };
  EXPECT_EQ(answer(liquid("")), "accepted");
  EXPECT_EQ(answer(liquid("", "integrator = \"implicit\"\n")),
            "a.toml:6:14: solver.integrator is for solids; leave it out with solver.method = \"liquid\"");
  EXPECT_EQ(
      answer(liquid("particles_per_cell = 10\n")),
      "a.toml:11:22: body.0.particles_per_cell is 10; with solver.method = \"liquid\" it must be a cubic number: 8, "
      "27, 64 ...");
  EXPECT_EQ(answer(liquid("", "liquid = { flow = [\"-y\", \"x\", \"cos(t)\"] }\n")), "accepted");
  EXPECT_EQ(
      answer(liquid("", "liquid = { flow = [\"-X\", \"x\", 0] }\n")),
      "a.toml:6:20: solver.liquid.flow.0: in the expression '-X', column 2: unknown name 'X'; it must be a number in "
      "m/s, or a text with a unit such as \"10 km/h\", or an expression of x, y, z, t");
  EXPECT_EQ(answer(liquid("", "liquid = { flow = [\"-y\", \"x\"] }\n")),
            "a.toml:6:19: solver.liquid.flow is a list of 2; it must be a list of three numbers in m/s");
  const std::string source = "[[source]]\nmaterial = \"w\"\nshape = { type = \"sphere\", radius = 0.3 }\n";
  EXPECT_EQ(
      answer(liquid(source + "velocity = [0, 0, 0]\n")),
      "a.toml:14:12: source.0.velocity is zero, so nothing would come out; give the speed and direction of the jet");
  EXPECT_EQ(answer(liquid(source + "velocity = [1, 0, 0]\nparticles_per_cell = 8\n")),
            "a.toml:15:22: source.0.particles_per_cell is 8, but that of the first liquid is 27; all liquid particles "
            "of a scene have the same mass");
  const std::string remedy =
      "leave it out, or use solver.method = \"mpm\", whose fluids have viscosity and adhere to walls";
  const std::string ball = "[[collider]]\nshape = { type = \"sphere\", center = [3, 0, 0], radius = 0.3 }\n";
  EXPECT_EQ(answer(liquid(ball)), "accepted");
  EXPECT_EQ(answer(liquid(ball + "contact = \"sticky\"\n")),
            "a.toml:13:11: collider.0.contact is \"sticky\"; with solver.method = \"liquid\" walls neither hold nor "
            "pull; " +
                remedy);
  EXPECT_EQ(answer(liquid(ball + "friction = 0.5\n")),
            "a.toml:13:12: collider.0.friction is 0.5; with solver.method = \"liquid\" walls are smooth; " + remedy);
  EXPECT_EQ(answer(liquid("[scene.domain]\nmin = [-1, -1, -1]\nmax = [1, 1, 1]\nfriction = 0.5\n")),
            "a.toml:14:12: scene.domain.friction is 0.5; with solver.method = \"liquid\" walls are smooth; " + remedy);
  EXPECT_EQ(answer(liquid("[[probe]]\nname = \"p\"\ntype = \"sums\"\nwhere = \"X > 0\"\n")),
            "a.toml:14:9: probe.0.where selects matter by its initial position, which solver.method = \"liquid\" does "
            "not keep; select by `body`, or use a probe of type region");
  for (const std::string contact : {"slip", "sticky"})
    EXPECT_EQ(answer(liquid("[scene.domain]\nmin = [-1, -1, -1]\nmax = [1, 1, 1]\ncontact = \"" + contact + "\"\n")),
              "a.toml:14:11: scene.domain.contact is \"" + contact +
                  "\"; with solver.method = \"liquid\" walls neither hold nor pull; " + remedy);
  EXPECT_EQ(answer(liquid("[[grip]]\nbody = \"body0\"\n")),
            "a.toml:11:1: grips hold solids; with solver.method = \"liquid\" use a [[collider]]");
  EXPECT_EQ(answer(liquid("[[explosion]]\ncenter = [0, 0, 0]\nradius = 0.3\nfirst = 0.4\n")),
            "a.toml:14:9: explosion.0.first is 0.4 m, not below explosion.0.radius, 0.3 m; the bubble must grow");
  EXPECT_EQ(
      answer(good + source + "velocity = [1, 0, 0]\n").find("need solver.method = \"liquid\"") != std::string::npos,
      true);
}

TEST(SceneMessages, missing_sections_are_named_as_they_are_headed) {
  EXPECT_EQ(answer("[scene]\nduration = 1\n"),
            "a.toml: [solver] is missing; it gives the method, resolution and time step\n"
            "a.toml: [[body]] is missing; it describes a piece of matter\n"
            "a.toml: there is no material; add one under [materials.NAME]");
}

TEST(SceneMessages, in_2d_nothing_leaves_the_plane) {
  const auto flat = [](const std::string& to) { return with("duration = 1", "dimension = 2\n" + to); };
  EXPECT_EQ(answer(flat("gravity = [0, -9.81]")), "accepted");
  EXPECT_EQ(answer(flat("gravity = [0, -9.81, 1]")),
            "a.toml:3:11: scene.gravity leaves the plane; in 2D its third number must be 0 or left out");
  EXPECT_EQ(answer(flat("") + "[[event]]\ntime = 0.5\ngravity = [1, 2, 3]\n"),
            "a.toml:13:11: event.0.gravity leaves the plane; in 2D its third number must be 0 or left out");
  EXPECT_EQ(answer(flat("domain = { min = [-1], max = [1, 1] }")),
            "a.toml:3:18: scene.domain.min is a list of 1; it must be a list of two numbers in m");
  const std::string spin = "spin = [1, 0, 0]\n[solver]";
  EXPECT_EQ(answer(flat("").append("spin = [1, 0, 0]\n")),
            "a.toml:11:8: body.0.spin turns out of the plane; in 2D only its third number may differ from 0");
}

TEST(SceneMessages, flags_are_named) {
  const auto set = [](const std::string& s, Exit code = Exit::bad_input) { return answer(good, {s}, code); };
  EXPECT_EQ(set("solver.dx", Exit::usage), "--set solver.dx: there is no '='; write it as in solver.dx=0.01");
  EXPECT_EQ(set("=1", Exit::usage), "--set =1: the path has an empty part; write it like solver.dx=0.01");
  EXPECT_EQ(set("solver.dx=", Exit::usage), "--set solver.dx=: there is no value after '='");
  EXPECT_EQ(set("solver.dx=[1", Exit::usage),
            "--set solver.dx=[1: the value is not valid TOML: this '[' is not closed");
  EXPECT_EQ(set("body.1.velocity=[0,0,0]", Exit::usage),
            "--set body.1.velocity=[0,0,0]: body has 1 entries, numbered from 0; there is no number 1");
  EXPECT_EQ(set("body.bal.velocity=[0,0,0]", Exit::usage),
            "--set body.bal.velocity=[0,0,0]: body has no entry named 'bal'; it has body0");
  EXPECT_EQ(
      set("collider.0.friction=1", Exit::usage),
      "--set collider.0.friction=1: the scene has no [[collider]]; a flag can give the whole list: collider=[{...}]");
  EXPECT_EQ(set("collider=[{shape={type=\"plane\", point=[0,-1,0]}}]"), "accepted");
  EXPECT_EQ(set("solver.dx.y=1", Exit::usage), "--set solver.dx.y=1: solver.dx is the number 0.1; it has no 'y'");
  EXPECT_EQ(set("solver.dxx=1"), "--set solver.dxx=1: unknown key 'dxx' in solver (did you mean 'dx'?)");
  EXPECT_EQ(set("solver.dx=2 s"),
            "--set solver.dx=2 s: solver.dx: '2 s' is a time (s), not a length (m); it must be a "
            "number in m, or a text with a unit such as \"2 cm\"");
  EXPECT_EQ(set("scene.fps=1e999"),
            "--set scene.fps=1e999: scene.fps: '1e999' is out of range; it must be a number in "
            "1/s, or a text with a unit such as \"24 Hz\"");
}

TEST(SceneMessages, very_many_mistakes_are_cut_short) {
  std::string text = good;
  for (int i = 0; i < 100; ++i) text += "[materials.m" + std::to_string(i) + "]\nmodel = \"snow\"\nyoung = -1\n";
  const std::string message = answer(text);
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 40);
  EXPECT_TRUE(message.ends_with("\nand 60 more"));
}

TEST(SceneMessages, too_many_bodies_are_a_resource_limit) {
  std::string text = good;
  for (int i = 0; i < 100001; ++i) text += "[[body]]\n";
  EXPECT_EQ(answer(text, {}, Exit::resources).substr(0, 60),
            "a.toml:7:1: body has 100002 entries; at most 100000 are allo");
}

TEST(SceneMessages, deep_nesting_is_refused) {
  std::string deep = "{ type = \"box\" }";
  for (int i = 0; i < 3000; ++i) deep = "{ type = \"shell\", of = " + deep + " }";
  EXPECT_NE(answer(with("{ type = \"sphere\", radius = 0.5 }", deep)), "accepted");
  std::string lists(5000, '[');
  EXPECT_NE(answer(with("duration = 1", "gravity = " + lists + std::string(5000, ']'))), "accepted");
}

}  // namespace
