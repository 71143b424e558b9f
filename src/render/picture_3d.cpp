#include "render/picture_3d.h"

#include "base/parallel.h"
#include "render/axes.h"
#include "render/cloud_normals.h"
#include "render/painted_surface.h"
#include "render/solids.h"
#include "render/trace.h"
#include "scene/presence.h"

#include <cmath>
#include <numbers>
#include <optional>

namespace knead {
namespace {

constexpr Vec3f ground_color{.235f, .22f, .20f};

Vec3d up_of(const Scene& scene) { return Vec3d::axis(scene.scene.up == Up::z ? 2 : 1); }

// The directions along which the camera may look, best first: from a third of the way round, slightly from above.
std::vector<Vec3d> looking_directions(const Vec3d& up) {
  const Vec3d front = up[1] > 0.5 ? Vec3d{0, 0, 1} : Vec3d{0, -1, 0};
  const Vec3d side = cross(up, front);
  std::vector<Vec3d> directions;
  for (const double degrees : {25., -25., 55., -55., 155., -155., 125., -125., 90., -90.}) {
    const double a = degrees * std::numbers::pi / 180;
    directions.push_back(-normalized(front * std::cos(a) + side * std::sin(a) + up * 0.32));
  }
  return directions;
}

double size_of(const Bounds& shown) { return shown.empty(3) ? 1 : std::max(1e-6, length(shown.size())); }

// Of a liquid, whose drops get everywhere in its domain, all of that is shown unless the liquid would be a speck in it.
std::optional<Bounds> shown_tank(const Scene& scene, const FilmRange& film) {
  if (!scene.scene.domain || !scene.solver.traits().inflow) return {};
  const Bounds tank{scene.scene.domain->min, scene.scene.domain->max};
  if (!film.bounds.empty(3) && size_of(tank) > 6 * size_of(film.bounds)) return {};
  return tank;
}

Bounds shown_in(const Scene& scene, const FilmRange& film) { return shown_tank(scene, film).value_or(film.bounds); }

// How much of the way from the eye to what is shown lies behind or inside colliders.
int hidden_part(const Scene& scene, const View& view, const Bounds& shown, double time) {
  int hidden = 0;
  for (const Collider& c : scene.colliders) {
    if (!c.visible || c.opacity < 1) continue;  // others do not hide what is behind them
    for (int corner = 0; corner < 8; ++corner) {
      Vec3d target{};
      for (int k = 0; k < 3; ++k) {
        const double t = (corner >> k) & 1 ? 0.75 : 0.25;
        target[k] = shown.lo[k] + t * (shown.hi[k] - shown.lo[k]);
      }
      for (int i = 0; i < 32; ++i)
        if (c.distance(view.eye + (target - view.eye) * (i / 32.0), time) < 0) ++hidden;
    }
  }
  return hidden;
}

void add_particles(TraceScene& scene, const Frame& frame, const Camera& camera, const Vec3d& origin,
                   const std::vector<Color>& colors, const std::vector<std::uint32_t>& shown) {
  const std::size_t count = shown.size();
  const Column *x = frame.particles.find("x"), *volume = frame.particles.find("volume");
  if (!x) return;
  const double fallback = 0.004 * scene.size;
  scene.balls.resize(count);
  scene.ball_colors.resize(count);
  parallel_for(count, 8192, [&](std::size_t at) {
    Ball& ball = scene.balls[at];
    const std::size_t i = shown[at];
    scene.ball_colors[at] = colors[i];
    for (int k = 0; k < 3; ++k) ball.center[k] = float(x->value(i, k) - origin[k]);
    const double v = volume ? volume->value(i) : 0;
    const double radius = v > 0 ? std::cbrt(3 * v / (4 * std::numbers::pi)) : fallback;
    ball.radius = float(1.2 * radius * camera.radius);  // a little more, so that beads close up
    // A particle that is nowhere is not drawn.
    if (!(length(ball.center) < 1e9f)) ball = {{0, 0, 0}, 0};
  });
  scene.ball_normals = cloud_normals(scene.balls);
}

// Where the scene has no floor of its own.
void add_ground(TraceScene& traced, const Scene& scene, const FilmRange& film, const Vec3d& origin) {
  const Vec3d up = up_of(scene);
  for (const TracedPlane& p : traced.planes)
    if (dot(p.normal, up) > 0.7) return;
  traced.planes.push_back({up * ground_height(scene, film) - origin, up, ground_color});
}

}  // namespace

double ground_height(const Scene& scene, const FilmRange& film) {
  const int axis = scene.scene.up == Up::z ? 2 : 1;
  if (scene.scene.domain) return scene.scene.domain->min[axis];
  return film.bounds.empty(3) ? 0 : film.bounds.lo[axis] - 0.002 * size_of(film.bounds);
}

View view_for(const Scene& scene, const Camera& camera, const FilmRange& film, double time) {
  const Vec3d up = up_of(scene);
  const Bounds shown = shown_in(scene, film);
  const Vec3d center = shown.empty(3) ? Vec3d{} : shown.center();
  if (camera.position)
    return look_at(*camera.position, camera.target.value_or(center), up, camera.fov, camera.width, camera.height);

  // All points, and a small cube in the middle that keeps the frame from closing in on a single one.
  std::vector<Vec3d> points = film.points;
  if (const auto tank = shown_tank(scene, film)) add_corners(points, *tank);
  add_corners(points, Bounds::around(camera.target.value_or(center), Vec3d::filled(0.1 * size_of(shown))));
  View best;
  int least = -1;
  for (const Vec3d& direction : looking_directions(up)) {
    const View view = framed(points, direction, up, camera.fov, camera.width, camera.height, 0.1, camera.target);
    const int hidden = hidden_part(scene, view, shown, time);
    if (least < 0 || hidden < least) best = view, least = hidden;
    if (least == 0) break;
  }
  return best;
}

Image picture_3d(const Scene& scene, const Frame& frame, const Camera& camera, const FilmRange& film,
                 const Coloring& coloring, const RenderOptions& options) {
  // The tracer works in single precision, so that it gets coordinates about the middle.
  const Bounds shown = shown_in(scene, film);
  const Vec3d origin = shown.empty(3) ? Vec3d{} : shown.center();
  TraceScene traced;
  traced.up = up_of(scene);
  traced.size = size_of(shown);
  traced.grid_step = nice_ticks(0, traced.size, 3).step;
  add_particles(traced, frame, camera, origin, coloring.colors, particles_shown(frame, options.surfaces));
  if (options.surfaces)
    for (const PaintedSurface& s : painted_surfaces(scene, options, coloring)) add_surface(traced, s, origin);
  const Bounds box = Bounds::around({}, Vec3d::filled(4 * traced.size));
  for (const Collider& c : scene.colliders)
    if (c.is_drawn() && is_there(scene, c, frame.time)) add_solid(traced, c, frame.time, origin, box);
  for (TracedPlane& p : traced.planes)
    if (dot(p.normal, traced.up) > 0.7) p.color = ground_color;
  if (const auto tank = shown_tank(scene, film); tank && camera.ground.value_or(true)) add_edges(traced, *tank, origin);
  if (camera.ground.value_or(can_land(scene, -up_of(scene)))) add_ground(traced, scene, film, origin);

  // Colliders are judged where they stand at first, so that the view stays the same over the film.
  View view = view_for(scene, camera, film, 0);
  view.eye = view.eye - origin;
  return trace(traced, view, camera.samples);
}

}  // namespace knead
