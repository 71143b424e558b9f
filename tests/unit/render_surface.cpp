// Surfaces in pictures: textures, which particles they stand for, and where their paint comes to lie.
#include "render/painted_surface.h"

#include "render/picture_3d.h"
#include "render/texture.h"
#include "support/output_support.h"
#include "support/picture_support.h"
#include "validate/crack_samples.h"

namespace knead {
namespace {

using test::TempFolder;

const Vec3f grey{0.5f, 0.5f, 0.5f};

TEST(Texture, a_png_is_laid_over_the_unit_square_and_repeats) {
  const TempFolder temp;
  Image image(2, 2);
  image.at(0, 0) = {255, 0, 0}, image.at(1, 0) = {0, 255, 0};
  image.at(0, 1) = {0, 0, 255}, image.at(1, 1) = {255, 255, 255};
  write_png(temp / "a.png", image);
  const Texture texture = make_texture((temp / "a.png").string(), false, grey);
  const auto at = [&](double u, double v) {
    const Vec2d uv{u, v};
    return texture({}, &uv);
  };
  // 0, 0 is the lower left.
  EXPECT_EQ(at(0.25, 0.75), (Vec3f{1, 0, 0}));
  EXPECT_EQ(at(0.75, 0.75), (Vec3f{0, 1, 0}));
  EXPECT_EQ(at(0.25, 0.25), (Vec3f{0, 0, 1}));
  EXPECT_EQ(at(-1.75, 3.25), (Vec3f{0, 0, 1}));
  // Half way, both count alike.
  EXPECT_EQ(at(0.5, 0.75), (Vec3f{0.5f, 0.5f, 0}));
}

TEST(Texture, colours_checkers_and_mistakes) {
  EXPECT_EQ(make_texture("#c08040", false, grey)({}, nullptr), light_of({0xc0, 0x80, 0x40}));
  EXPECT_EQ(make_texture("plain", true, grey)({}, nullptr), grey);
  const Texture checker = make_texture("checker", false, grey);
  const Vec2d a{0.05, 0.05}, b{0.05 + 0.125, 0.05}, c{0.05 + 0.125, 0.05 + 0.125};
  EXPECT_FALSE(checker({}, &a) == checker({}, &b));
  EXPECT_EQ(checker({}, &a), checker({}, &c));
  for (const char* name : {"wood", "orange", "bread"})
    for (const bool inside : {false, true}) {
      const Vec3f color = make_texture(name, inside, grey)({0.1, 0.2, -0.3}, nullptr);
      for (int k = 0; k < 3; ++k) EXPECT_TRUE(color[k] >= 0 && color[k] <= 1);
    }
  for (const char* wrong : {"woood", "#12345", "#12345g"}) EXPECT_THROW(make_texture(wrong, false, grey), Failure);
}

// Faces of boxes lie in planes between squares: the last digits of a place must not choose the colour.
TEST(Texture, a_checker_is_even_on_the_faces_of_a_box) {
  const Texture checker = make_texture("checker", false, grey);
  for (const double face : {-1., -0.5, 0.25, 1.})
    for (const double noise : {-1e-7, -1e-12, 1e-12, 1e-7})
      for (int axis = 0; axis < 3; ++axis) {
        Vec3d on{0.1, 0.4, -0.3}, beside = on;
        on[axis] = face, beside[axis] = face + noise;
        EXPECT_EQ(checker(on, nullptr), checker(beside, nullptr)) << face << " " << noise;
        const Vec2d uv{(face + 1) / 2, 0.1}, uv_beside{(face + 1) / 2 + noise, 0.1};
        EXPECT_EQ(checker({}, &uv), checker({}, &uv_beside)) << face << " " << noise;
      }
}

TEST(Texture, each_body_has_its_own) {
  const std::vector<std::string> said{"wood", "crumb=bread", "crumb=#ffffff"};
  EXPECT_EQ(texture_of("crust", said), "wood");
  EXPECT_EQ(texture_of("crumb", said), "#ffffff");
  EXPECT_EQ(texture_of("crumb", {"crumb=bread", "wood"}), "wood");  // the last words first
  EXPECT_EQ(texture_of("crust", {"crumb=bread"}), "plain");
}

// The ball of the scene as the surface of a cube, cut in two halves that have been moved apart.
SurfaceFrame opened_cube() {
  const CrackedBody<3> body = samples::uncracked(samples::box_of_tets(4, 4, 4));
  CoreMotion<3> motion = samples::at_rest(body.complex);
  for (std::size_t p = 0; p < motion.x.size(); ++p)
    motion.x[p] = motion.x[p] - Vec3d{0.5, 0.1, 0.5} + Vec3d::axis(0) * (motion.x[p][0] < 0.4 ? -0.5 : 0.5);
  return {1, 0, {{"cube", 0, crack_mesh<3>(body, samples::cut_at(body.complex, 0.4), motion)}}};
}

TEST(PaintedSurface, stands_for_the_particles_of_its_body) {
  const Scene scene = test::scene_3d();
  const Frame frame = test::lattice_frame<3>(scene, 0.1);
  const auto body = frame.particles.get<std::int32_t>("body");
  EXPECT_EQ(particles_shown(frame, nullptr).size(), frame.particles.count());
  const SurfaceFrame second{1, 0, {{"jelly", 1, {}}}};
  const auto shown = particles_shown(frame, &second);
  EXPECT_EQ(shown.size(), std::size_t(std::count(body.begin(), body.end(), 0)));
  for (const std::uint32_t i : shown) EXPECT_EQ(body[i], 0);
}

TEST(PaintedSurface, is_painted_outside_and_inside) {
  const Scene scene = test::scene_3d();
  const SurfaceFrame surfaces = opened_cube();
  RenderOptions options;
  options.surfaces = &surfaces;
  options.outside = {"#00ff00"}, options.inside = {"#ff0000"};
  const std::vector<PaintedSurface> painted = painted_surfaces(scene, options, {});
  ASSERT_EQ(painted.size(), 1u);
  const SurfaceMesh& mesh = surfaces.bodies[0].mesh;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    EXPECT_EQ(painted[0].paint(t, {0.2f, 0.3f, 0.5f}), t < mesh.outer ? (Vec3f{0, 1, 0}) : (Vec3f{1, 0, 0}));
  // Seen from the gap, the half to the right shows its inside; from the other end its outside.
  TraceScene traced;
  traced.size = 2;
  add_surface(traced, painted[0], {});
  ASSERT_EQ(traced.meshes.size(), 2u);
  const auto middle = [&](const Vec3d& eye) {
    return trace(traced, look_at(eye, {0.6, 0.4, 0}, {0, 1, 0}, 0.2, 32, 24), 4).at(16, 12);
  };
  const Color gap = middle({-0.1, 0.4, 0}), end = middle({3, 0.4, 0});
  EXPECT_GT(gap.r, 2 * gap.g);
  EXPECT_GT(end.g, 2 * end.r);
}

TEST(PaintedSurface, of_a_body_has_the_texture_of_that_body) {
  const Scene scene = test::scene_3d();
  SurfaceFrame surfaces = opened_cube();
  surfaces.bodies.push_back(surfaces.bodies[0]);
  surfaces.bodies[1].name = "other";
  RenderOptions options;
  options.surfaces = &surfaces;
  options.outside = {"#00ff00", "other=#0000ff"}, options.inside = {"other=#ff0000"};
  const std::vector<PaintedSurface> painted = painted_surfaces(scene, options, {});
  ASSERT_EQ(painted.size(), 2u);
  const auto crack = static_cast<std::uint32_t>(surfaces.bodies[0].mesh.outer);
  EXPECT_EQ(painted[0].paint(0, {0.2f, 0.3f, 0.5f}), (Vec3f{0, 1, 0}));
  EXPECT_EQ(painted[1].paint(0, {0.2f, 0.3f, 0.5f}), (Vec3f{0, 0, 1}));
  EXPECT_FALSE(painted[0].paint(crack, {0.2f, 0.3f, 0.5f}) == (Vec3f{1, 0, 0}));
  EXPECT_EQ(painted[1].paint(crack, {0.2f, 0.3f, 0.5f}), (Vec3f{1, 0, 0}));
  options.outside = {"othr=wood"};
  EXPECT_THROW(painted_surfaces(scene, options, {}), Failure);
}

TEST(PaintedSurface, has_the_colours_of_its_particles_where_it_is_plain) {
  const Scene scene = test::scene_3d();
  SurfaceFrame surfaces = opened_cube();
  const SurfaceMesh& mesh = surfaces.bodies[0].mesh;
  // Particles in the reverse order of the mesh's vertices.
  const int vertices = *std::max_element(mesh.vertex.begin(), mesh.vertex.end()) + 1;
  Coloring coloring;
  for (int i = 0; i < vertices; ++i) {
    surfaces.bodies[0].rows.push_back(std::size_t(vertices - 1 - i));
    coloring.colors.push_back({std::uint8_t(100 + i), 80, std::uint8_t(200 - i)});
  }
  RenderOptions options;
  options.surfaces = &surfaces;
  const auto expect_paint = [&](const auto& of_crack) {
    const PaintedSurface painted = painted_surfaces(scene, options, coloring).at(0);
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) {
        Vec3f corner{};
        corner[k] = 1;
        const int vertex = mesh.vertex[std::size_t(mesh.triangles[t][k])];
        const Vec3f own = light_of(coloring.colors[std::size_t(vertices - 1 - vertex)]);
        EXPECT_EQ(painted.paint(t, corner), t < mesh.outer ? own : of_crack(own));
      }
  };
  expect_paint([&](const Vec3f&) { return painted_surfaces(scene, options, coloring).at(0).crack_line; });
  coloring.legend.emplace(Legend{"p", "Pa", Colormap("viridis"), 0, 1});
  expect_paint([](const Vec3f& own) { return own * 0.4f; });
}

TEST(PaintedSurface, fills_its_body_in_2d) {
  const Scene scene = read_scene_text(R"(
format = 1
[scene]
name = "flat"
dimension = 2
[solver]
dx = 0.1
[materials.m]
model = "fixed-corotated"
[[body]]
material = "m"
shape = { type = "box", center = [0.5, 0.5], size = [1, 1] }
)",
                                      "test", ".");
  const Frame frame = test::lattice_frame<2>(scene, 0.1);
  const CrackedBody<2> body = samples::uncracked(samples::box_of_triangles(4, 4));
  CoreMotion<2> motion = samples::at_rest(body.complex);
  for (auto& x : motion.x) x[0] += x[0] < 0.4 ? -0.2 : 0.2;
  const SurfaceFrame surfaces{1, 0, {{"plate", 0, crack_mesh<2>(body, samples::cut_at(body.complex, 0.4), motion)}}};
  RenderOptions options;
  options.surfaces = &surfaces;
  options.outside = {"#00ff00"};
  options.words = false;
  options.width = 120, options.height = 120;
  options.film.emplace();
  options.film->bounds = Bounds::around({0.5, 0.5, 0}, {1, 1, 0});
  const Image image = render_frame(scene, frame, options);
  std::size_t green = 0;
  for (const Color& c : image.pixels) green += c == Color{0, 255, 0};
  // The body is one square metre, of which lines and pixels at its rim take a part.
  const double scale = 120 / 2.2;  // pixels a metre
  EXPECT_LT(double(green), scale * scale);
  EXPECT_GT(double(green), 0.8 * scale * scale);
  const auto at = [&](double x, double y) {
    return image.at(int(60 + (x - 0.5) * scale), int(60 - (y - 0.5) * scale));
  };
  EXPECT_EQ(at(0.375, 0.5), (Color{255, 255, 255}));  // in the gap, from 0.175 to 0.575
  EXPECT_EQ(at(0, 0.5), (Color{0, 255, 0}));
  EXPECT_EQ(at(0.9, 0.2), (Color{0, 255, 0}));
}

}  // namespace
}  // namespace knead
