#include "base/parallel.h"
#include "render/picture_3d.h"
#include "render/render.h"
#include "render/samples.h"
#include "render/solids.h"
#include "render/trace.h"
#include "support/picture_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

using namespace knead;

namespace {

// Part of the picture that differs from the same picture without the thing.
double covered(const Image& with, const Image& without) {
  double sum = 0;
  for (std::size_t i = 0; i < with.pixels.size(); ++i) sum += !(with.pixels[i] == without.pixels[i]);
  return sum;
}

}  // namespace

TEST(Trace, a_ball_covers_the_disc_that_geometry_says) {
  // One ray a pixel, at a random place in it: a pixel on the outline counts as often as it is covered, so that the
  // count is the area, up to a scatter of about ten pixels in 25 000.
  const View view = look_at({0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 0.6, 400, 300);
  TraceScene scene;
  const Image empty = trace(scene, view, 1);
  scene.balls = {{{0, 0, 0}, 0.9f}};
  scene.ball_colors = {{255, 40, 40}};
  // The outline is where rays touch the ball: the tangent of asin(r / d).
  const double radius = std::tan(std::asin(0.9 / 5.0)) / view.pixel_angle();
  const double area = std::numbers::pi * radius * radius;
  EXPECT_NEAR(covered(trace(scene, view, 1), empty) / area, 1, 0.01);
  RecordProperty("ratio", std::to_string(covered(trace(scene, view, 1), empty) / area));
}

TEST(Trace, a_field_and_a_ball_of_one_size_cover_the_same_pixels) {
  const View view = look_at({0, 0, 5}, {0, 0, 0}, {0, 1, 0}, 0.6, 200, 150);
  const Image empty = trace({}, view, 4);
  TraceScene ball, field;
  ball.balls = {{{0.2f, 0.1f, 0}, 0.7f}};
  ball.ball_colors = {{255, 40, 40}};
  field.fields.push_back({[](const Vec3d& p) {
                            return length(p - Vec3d{0.2, 0.1, 0}) - 0.7;
                          },
                          {-0.5, -0.6, -0.7},
                          {0.9, 0.8, 0.7},
                          {1, 0, 0}});
  const double a = covered(trace(ball, view, 4), empty), b = covered(trace(field, view, 4), empty);
  EXPECT_NEAR(a, b, 0.01 * a);
}

TEST(Trace, a_plane_is_lit_where_nothing_stands_and_dark_under_a_ball) {
  const View view = look_at({0, 8, 0.01}, {0, 0, 0}, {0, 1, 0}, 0.6, 160, 120);
  TraceScene scene;
  scene.size = 4;
  scene.planes.push_back({{0, 0, 0}, {0, 1, 0}, {.3f, .3f, .3f}});
  const Image open = trace(scene, view, 16);
  scene.balls = {{{0, 1, 0}, 0.5f}};
  scene.ball_colors = {{255, 255, 255}};
  const Image image = trace(scene, view, 16);
  int darker = 0;
  for (std::size_t i = 0; i < image.pixels.size(); ++i) darker += image.pixels[i].r + 30 < open.pixels[i].r;
  EXPECT_GT(darker, 100);
  EXPECT_GT(open.at(5, 5).r, 60);
}

TEST(Trace, a_solid_that_is_not_opaque_is_mixed_with_what_is_behind_it_and_throws_no_shadow) {
  const View view = look_at({0, 3, 4}, {0, 0.5, 0}, {0, 1, 0}, 0.6, 120, 90);
  TraceScene scene;
  scene.size = 4;
  scene.planes.push_back({{0, 0, 0}, {0, 1, 0}, {.3f, .3f, .3f}});
  const Image without = trace(scene, view, 16);
  scene.fields.push_back({[](const Vec3d& p) {
                            return length(p - Vec3d{0, 0.6, 0}) - 0.5;
                          },
                          {-0.6, 0, -0.6},
                          {0.6, 1.2, 0.6},
                          {1, 0, 0}});
  const Image opaque = trace(scene, view, 16);
  scene.fields[0].opacity = 0.4f;
  const Image glass = trace(scene, view, 16);
  const Vec2d middle = view.project({0, 0.6, 0});
  const Color behind = without.at(int(middle[0]), int(middle[1])), front = opaque.at(int(middle[0]), int(middle[1])),
              mixed = glass.at(int(middle[0]), int(middle[1]));
  EXPECT_LT(mixed.b, behind.b - 20);
  EXPECT_GT(mixed.b, front.b + 20);
  // Beside the ball the plane is as it was; the opaque one darkens some of it.
  int darker = 0, shadowed = 0;
  for (int y = 0; y < 90; ++y)
    for (int x = 0; x < 120; ++x) {
      if (std::hypot(x - middle[0], y - middle[1]) < 0.55 / view.pixel_angle() / 4.6) continue;
      darker += opaque.at(x, y).g + 15 < without.at(x, y).g;
      shadowed += glass.at(x, y).g + 15 < without.at(x, y).g;
    }
  EXPECT_GT(darker, 50);
  EXPECT_EQ(shadowed, 0);
}

// Each way in which colliders are drawn: triangles, a distance, a plane. The matter is red, the collider blue.
TEST(Solids, matter_behind_a_see_through_collider_is_seen_through_it) {
  for (const char* shape :
       {"type = \"box\", center = [0, 0, 1], size = [3, 3, 0.1]", "type = \"sphere\", center = [0, 0, 2], radius = 1",
        "type = \"plane\", point = [0, 0, 1], normal = [0, 0, 1]"}) {
    const auto picture = [&](const std::string& more) {
      const Scene scene = read_scene_text(
          "format = 1\n[scene]\n[solver]\ndx = 0.1\n[materials.jelly]\nmodel = \"fixed-corotated\"\n"
          "[[body]]\nmaterial = \"jelly\"\ncolor = [1, 0, 0]\nshape = { type = \"sphere\", radius = 0.6 }\n"
          "[[collider]]\ncolor = [0, 0, 1]\nshape = { " +
              std::string(shape) + " }\n" + more +
              "\n[camera]\nposition = [0, 0, 6]\ntarget = [0, 0, 0]\nwidth = 96\nheight = 72\n",
          "glass.toml", ".");
      RenderOptions options;
      options.words = false;
      return render_frame(scene, test::lattice_frame<3>(scene, 0.05), options);
    };
    const Color none = picture("visible = false").at(48, 36), clear = picture("opacity = 0").at(48, 36),
                glass = picture("opacity = 0.4").at(48, 36), opaque = picture("").at(48, 36);
    EXPECT_EQ(clear, none) << shape;
    EXPECT_GT(none.r, none.b + 60) << shape;
    EXPECT_GT(opaque.b, opaque.r + 60) << shape;
    EXPECT_LT(glass.r, none.r - 10) << shape;
    EXPECT_GT(glass.r, opaque.r + 40) << shape;
    EXPECT_GT(glass.b, none.b + 20) << shape;
    EXPECT_LT(glass.b, opaque.b - 10) << shape;
  }
}

TEST(Solids, a_see_through_collider_in_2d_is_mixed_with_the_paper) {
  Scene scene = test::scene_2d();
  const auto inside = [&] {
    RenderOptions options;
    options.width = 200, options.height = 100;
    options.words = false;
    const Frame frame = test::lattice_frame<2>(scene, 0.05);
    const Image image = render_frame(scene, frame, options);
    // The corner (0.2, 0), (1, 0), (0.2, 0.3) of a domain of 2 x 1, drawn with a little room around.
    return image.at(60, 92 - 5);
  };
  const Color opaque = inside();
  scene.colliders[0].opacity = 0.5;
  const Color half = inside();
  scene.colliders[0].opacity = 0;
  const Color none = inside();
  EXPECT_EQ(none, (Color{255, 255, 255}));
  EXPECT_LT(opaque.r, 230);
  EXPECT_NEAR(half.r, 0.5 * (opaque.r + none.r), 2);
}

// A ball of flat triangles is lit much like a ball.
TEST(Solids, meshes_are_lit_smoothly) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "ball.obj";
  {
    std::ofstream obj(file);
    constexpr int across = 24, down = 12;
    obj << "v 0 1 0\n";
    for (int i = 1; i < down; ++i)
      for (int j = 0; j < across; ++j) {
        const double a = std::numbers::pi * i / down, b = 2 * std::numbers::pi * j / across;
        obj << "v " << std::sin(a) * std::sin(b) << " " << std::cos(a) << " " << std::sin(a) * std::cos(b) << "\n";
      }
    obj << "v 0 -1 0\n";
    const auto at = [&](int i, int j) { return 2 + (i - 1) * across + j % across; };
    for (int j = 0; j < across; ++j) {
      obj << "f 1 " << at(1, j) << " " << at(1, j + 1) << "\n";
      for (int i = 1; i + 1 < down; ++i)
        obj << "f " << at(i, j) << " " << at(i + 1, j) << " " << at(i + 1, j + 1) << " " << at(i, j + 1) << "\n";
      obj << "f " << at(down - 1, j) << " " << 2 + (down - 1) * across << " " << at(down - 1, j + 1) << "\n";
    }
  }
  Collider collider;
  MeshShape mesh;
  mesh.file = file.string();
  collider.shape = Shape{mesh};
  collider.shape.prepare(3, ".");
  const View view = look_at({0, 1, 5}, {0, 0, 0}, {0, 1, 0}, 0.6, 160, 120);
  const Bounds box = Bounds::around({}, Vec3d::filled(4));
  TraceScene smooth, exact;
  add_solid(smooth, collider, 0, {}, box);
  collider.shape = Shape{Sphere{{}, 1}};
  add_solid(exact, collider, 0, {}, box);
  ASSERT_EQ(smooth.meshes.size(), 1u);
  ASSERT_EQ(smooth.meshes[0].normals.size(), smooth.meshes[0].triangles.size());
  TraceScene flat = smooth;
  flat.meshes[0].normals.clear();
  const Image ball = trace(exact, view, 16);
  const auto error = [&](const TraceScene& scene) {
    const Image image = trace(scene, view, 16);
    double sum = 0;
    for (int y = 0; y < 120; ++y)
      for (int x = 0; x < 160; ++x)
        if (std::hypot(x - 80, y - 60) < 28) sum += std::pow(double(image.at(x, y).g) - ball.at(x, y).g, 2);
    return std::sqrt(sum);
  };
  EXPECT_LT(error(smooth), 0.5 * error(flat));
}

TEST(Trace, same_picture_on_any_number_of_threads) {
  const Scene scene = test::scene_3d();
  const Frame frame = test::lattice_frame<3>(scene, 0.05);
  RenderOptions options;
  options.width = 160, options.height = 90;
  Image one, two, seven;
  {
    const ThreadLimit limit(1);
    one = render_frame(scene, frame, options);
  }
  {
    const ThreadLimit limit(2);
    two = render_frame(scene, frame, options);
  }
  {
    const ThreadLimit limit(7);
    seven = render_frame(scene, frame, options);
  }
  EXPECT_TRUE(one.pixels == two.pixels);
  EXPECT_TRUE(one.pixels == seven.pixels);
}

TEST(Trace, no_particles_or_lost_ones_still_give_a_picture) {
  const Scene scene = test::scene_3d();
  RenderOptions options;
  options.width = 64, options.height = 48;
  Frame frame;
  EXPECT_EQ(render_frame(scene, frame, options).width, 64);
  frame = test::lattice_frame<3>(scene, 0.1);
  const auto x = frame.particles.get<Vec3f>("x");
  x[0] = {NAN, 0, 0}, x[1] = {INFINITY, 1, 2}, x[2] = {1e30f, 0, 0};
  EXPECT_EQ(render_frame(scene, frame, options).height, 48);
}

TEST(View, points_project_to_where_their_rays_go) {
  const View view = look_at({3, 2, 5}, {0, 0.5, 0}, {0, 1, 0}, 0.6, 640, 360);
  for (const Vec2d& pixel : {Vec2d{10, 20}, Vec2d{320, 180}, Vec2d{600, 350}}) {
    const Vec2d back = view.project(view.eye + view.direction(pixel[0], pixel[1]) * 3.7);
    EXPECT_NEAR(back[0], pixel[0], 1e-9);
    EXPECT_NEAR(back[1], pixel[1], 1e-9);
  }
}

TEST(View, framing_holds_all_points_and_touches_the_margin) {
  const std::vector<Vec3d> points{{-1, 0, 0.3}, {2, 1, 0}, {0.5, 3, 1}, {0, 0.2, -4}};
  for (const Vec3d& up : {Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}) {
    const View view = framed(points, {-0.4, -0.3, -1}, up, 0.6, 640, 360, 0.1);
    double nearest = 1e9;
    for (const Vec3d& p : points) {
      const Vec2d at = view.project(p);
      const double room = std::min(std::min(at[0], 640 - at[0]) / 640, std::min(at[1], 360 - at[1]) / 360);
      EXPECT_GE(room, 0.1 - 1e-9);
      nearest = std::min(nearest, room);
    }
    EXPECT_NEAR(nearest, 0.1, 1e-9);
  }
}

TEST(View, the_camera_does_not_stand_behind_a_wall) {
  Scene scene = test::scene_3d();
  FilmRange film;
  extend(film, scene, test::lattice_frame<3>(scene, 0.1), {});
  for (const Vec3d& normal : {Vec3d{-1, 0, 0}, Vec3d{1, 0, 0}, Vec3d{0, 0, 1}, Vec3d{0, 0, -1}}) {
    scene.colliders.assign(1, Collider{});
    scene.colliders[0].shape.value = Plane{normal * -1.5, normal};
    EXPECT_GT(scene.colliders[0].distance(view_for(scene, scene.camera, film, 0).eye, 0), 0);
  }
}

// 27 000 particles in a box, and 12 that a wall throws to the ceiling between the frames that the camera was shown.
TEST(View, the_splashes_of_a_liquid_are_in_the_picture) {
  const auto seen = [](const std::string& domain, bool splash_known) {
    const Scene scene = read_scene_text("format = 1\n[scene]\ndomain = " + domain +
                                            "\n[solver]\nmethod = \"liquid\"\ndx = 0.1\n"
                                            "[materials.water]\nmodel = \"fluid\"\n[[body]]\nmaterial = \"water\"\n"
                                            "shape = { type = \"box\", center = [0.5, 0.5, 0.5], size = [1, 1, 1] }\n",
                                        "splash.toml", ".");
    Frame frame = test::lattice_frame<3>(scene, 1 / 30.);
    FilmRange film;
    extend(film, scene, frame, {});
    const auto x = frame.particles.get<Vec3f>("x");
    for (std::size_t i = 0; i < 12; ++i) x[i] = {3.9f, 2.0f + 0.1f * float(i), 0.5f};
    if (splash_known) extend(film, scene, frame, {});
    const View view = view_for(scene, scene.camera, film, 0);
    double left = view.width, right = 0;
    for (const Vec3f& p : x) {
      const Vec2d at = view.project(resized<double, 3>(p));
      if (!(at[0] > 0 && at[0] < view.width && at[1] > 0 && at[1] < view.height)) return 0.0;
      left = std::min(left, at[0]), right = std::max(right, at[0]);
    }
    return (right - left) / view.width;
  };
  EXPECT_GT(seen("{ min = [0, 0, 0], max = [4, 3.2, 1] }", false), 0.3);
  // A tank in which all of it would be a speck is not shown whole.
  EXPECT_GT(seen("{ min = [-90, 0, -90], max = [90, 90, 90] }", true), 0.3);
}

TEST(Samples, every_prefix_of_a_power_of_two_is_spread_over_all_strips) {
  const SampleTable table(16);
  for (std::uint32_t page = 0; page < SampleTable::pages; ++page)
    for (int square = 0; square < SampleTable::squares; ++square)
      for (const int n : {4, 16}) {
        std::vector<int> columns(n), rows(n);
        for (int i = 0; i < n; ++i) {
          const Vec2f p = table.alone(page, i, square);
          ++columns[int(p[0] * n)], ++rows[int(p[1] * n)];
        }
        for (int i = 0; i < n; ++i) ASSERT_TRUE(columns[i] == 1 && rows[i] == 1);
      }
}
