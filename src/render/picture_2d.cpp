#include "render/picture_2d.h"

#include "base/parallel.h"
#include "render/axes.h"
#include "render/canvas.h"
#include "render/overlay.h"
#include "render/painted_surface.h"
#include "scene/presence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace knead {
namespace {

constexpr Color paper{255, 255, 255}, ink{52, 58, 68}, grid_line{232, 235, 239}, frame_line{150, 157, 168};

// The part of the plane that is shown, and where on the picture.
struct Window {
  int left, top, width, height;  // pixels
  Vec2d low;                     // m, of the lower left corner
  double scale;                  // pixels a metre

  Vec2d high() const { return {low[0] + width / scale, low[1] + height / scale}; }
  // Pixels from the window's own upper left corner.
  Vec2d place(double x, double y) const { return {(x - low[0]) * scale, height - (y - low[1]) * scale}; }
};

// The colour bar beside the window, in lines of text: where it begins and how wide it is.
constexpr double legend_gap = 1.4, legend_bar = 1.2;

Window window_for(const Scene& scene, const Camera& camera, const FilmRange& film, bool words,
                  const std::optional<Legend>& legend) {
  const double size = word_size(camera.width, camera.height);
  Window w{};
  w.left = words ? int(4.6 * size) : 0;
  w.top = words ? int(2.6 * size) : 0;
  const double right = legend ? legend_width(*legend, legend_bar * size, size) + (legend_gap + 0.6) * size : 1.6 * size;
  w.width = camera.width - w.left - int(words ? right : 0);
  w.height = camera.height - w.top - int(words ? 3.6 * size : 0);

  Bounds b = film.bounds;
  if (scene.scene.domain) {
    b.add(scene.scene.domain->min);
    b.add(scene.scene.domain->max);
  }
  if (b.empty(2)) b = Bounds::around({}, Vec3d::filled(0.5));
  Vec2d center{0.5 * (b.lo[0] + b.hi[0]), 0.5 * (b.lo[1] + b.hi[1])};
  if (camera.target) center = {(*camera.target)[0], (*camera.target)[1]};
  const double least = 1e-3 * std::max(b.hi[0] - b.lo[0], b.hi[1] - b.lo[1]) + 1e-9;
  const double width = std::max(b.hi[0] - b.lo[0], least), height = std::max(b.hi[1] - b.lo[1], least);
  // Equal scales on both axes, and a little room around.
  w.scale = std::min(w.width / width, w.height / height) / 1.1;
  w.low = center - Vec2d{0.5 * w.width, 0.5 * w.height} / w.scale;
  return w;
}

void draw_grid(Canvas& canvas, const Window& w, const Ticks& x, const Ticks& y) {
  for (const double v : x.values) {
    const double at = std::floor(w.place(v, 0)[0]) + 0.5;
    canvas.segment({at, 0}, {at, double(w.height)}, grid_line, 1);
  }
  for (const double v : y.values) {
    const double at = std::floor(w.place(0, v)[1]) + 0.5;
    canvas.segment({0, at}, {double(w.width), at}, grid_line, 1);
  }
}

// Filled by how much of each pixel lies inside, with a darker rim. Of one that is not opaque what was drawn before
// shows through.
void draw_collider(Image& image, const Window& w, const Collider& collider, double time) {
  const Color fill = collider.color ? color_of(*collider.color) : Color{200, 205, 212};
  const Color rim = mixed(fill, {0, 0, 0}, 0.45);
  parallel_for(std::size_t(image.height), 4, [&](std::size_t row) {
    const double y = w.low[1] + (w.height - (double(row) + 0.5)) / w.scale;
    for (int i = 0; i < image.width; ++i) {
      const double d = collider.distance({w.low[0] + (i + 0.5) / w.scale, y, 0}, time) * w.scale;
      if (d > 1) continue;
      Color& pixel = image.at(i, int(row));
      blend(pixel, fill, collider.opacity * std::clamp(0.5 - d, 0.0, 1.0));
      blend(pixel, rim, collider.opacity * std::clamp(1.2 - std::abs(d + 0.7), 0.0, 1.0));
    }
  });
}

// Discs in the order of the particles, in bands of rows that do not share pixels.
void draw_particles(Image& image, const Window& w, const Frame& frame, const Camera& camera,
                    const std::vector<Color>& colors, const std::vector<std::uint32_t>& shown) {
  const Column *x = frame.particles.find("x"), *volume = frame.particles.find("volume");
  if (!x) return;
  struct Disc {
    float x, y, radius;
    std::uint32_t particle;
  };
  constexpr int band = 32;
  std::vector<std::vector<Disc>> bands(std::size_t(image.height + band - 1) / band);
  for (const std::uint32_t i : shown) {
    const Vec2d p = w.place(x->value(i, 0), x->value(i, 1));
    const double area = volume ? volume->value(i) : 0;
    const double radius = (area > 0 ? std::sqrt(area / std::numbers::pi) * w.scale : 2) * camera.radius;
    const double reach = radius + 1;
    if (!(p[0] > -reach && p[0] < image.width + reach && p[1] > -reach && p[1] < image.height + reach)) continue;
    const int first = std::max(0, int((p[1] - reach) / band));
    const int last = std::min(int(bands.size()) - 1, int((p[1] + reach) / band));
    for (int b = first; b <= last; ++b) bands[std::size_t(b)].push_back({float(p[0]), float(p[1]), float(radius), i});
  }
  parallel_for(bands.size(), 1, [&](std::size_t b) {
    const int begin = int(b) * band, end = std::min(image.height, begin + band);
    for (const Disc& d : bands[b]) {
      // Discs smaller than a pixel keep their area.
      const float drawn = std::max(d.radius, 0.5f), most = std::min(1.f, d.radius * d.radius / (drawn * drawn));
      for (int j = std::max(begin, int(d.y - drawn - 1)); j < std::min(end, int(d.y + drawn + 2)); ++j)
        for (int i = std::max(0, int(d.x - drawn - 1)); i < std::min(image.width, int(d.x + drawn + 2)); ++i) {
          const float away = std::hypot(float(i) + 0.5f - d.x, float(j) + 0.5f - d.y);
          const float cover = std::clamp(drawn + 0.5f - away, 0.f, 1.f) * most;
          if (cover > 0) blend(image.at(i, j), colors[d.particle], cover);
        }
    }
  });
}

// The triangles that fill a body, by three times three places of each pixel; then its cracks and its outline.
void draw_surface(Image& image, Canvas& canvas, const Window& w, const PaintedSurface& surface) {
  constexpr int fine = 3;
  const SurfaceMesh& mesh = *surface.mesh;
  const int width = fine * image.width, height = fine * image.height;
  std::vector<std::int32_t> seen(std::size_t(width) * std::size_t(height), -1);
  const auto place = [&](int point) {
    const Vec3d& p = mesh.points[std::size_t(point)];
    return w.place(p[0], p[1]) * double(fine);
  };
  const auto shares_at = [&](std::size_t t, double i, double j) {
    const Vec2d a = place(mesh.triangles[t][0]), u = place(mesh.triangles[t][1]) - a,
                v = place(mesh.triangles[t][2]) - a, at = Vec2d{i + 0.5, j + 0.5} - a;
    const double all = u[0] * v[1] - u[1] * v[0];
    const double s = (at[0] * v[1] - at[1] * v[0]) / all, r = (u[0] * at[1] - u[1] * at[0]) / all;
    return Vec3f{float(1 - s - r), float(s), float(r)};
  };
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    Vec2d low = Vec2d::filled(1e300), high = Vec2d::filled(-1e300);
    for (int k = 0; k < 3; ++k)
      for (int c = 0; c < 2; ++c) {
        const double at = place(mesh.triangles[t][k])[c];
        low[c] = std::min(low[c], at), high[c] = std::max(high[c], at);
      }
    if (!(high[0] >= 0 && high[1] >= 0 && low[0] < width && low[1] < height)) continue;
    for (int j = std::max(0, int(low[1])); j <= std::min(height - 1, int(high[1])); ++j)
      for (int i = std::max(0, int(low[0])); i <= std::min(width - 1, int(high[0])); ++i) {
        const Vec3f shares = shares_at(t, i, j);
        if (shares[0] >= 0 && shares[1] >= 0 && shares[2] >= 0)
          seen[std::size_t(j) * std::size_t(width) + std::size_t(i)] = std::int32_t(t);
      }
  }
  parallel_for(std::size_t(image.height), 4, [&](std::size_t row) {
    for (int i = 0; i < image.width; ++i) {
      Vec3f light{};
      int covered = 0;
      for (int k = 0; k < fine * fine; ++k) {
        const int x = fine * i + k % fine, y = fine * int(row) + k / fine;
        const std::int32_t t = seen[std::size_t(y) * std::size_t(width) + std::size_t(x)];
        if (t < 0) continue;
        light += surface.paint(std::uint32_t(t), shares_at(std::size_t(t), x, y));
        ++covered;
      }
      if (covered)
        blend(image.at(i, int(row)), color_of_light(light / float(covered)), double(covered) / (fine * fine));
    }
  });
  for (std::size_t i = 0; i < mesh.lines.size(); ++i)
    canvas.segment(place(mesh.lines[i][0]) / double(fine), place(mesh.lines[i][1]) / double(fine),
                   i < mesh.outer_lines ? ink : color_of_light(surface.crack_line), 1.4);
}

constexpr Color arrow_color{214, 40, 40, 215};

// The time, a round number, in which the fastest of the film goes at most a tenth of the picture: an arrow shows how
// far its particle goes in it. 0 where nothing moves.
double arrow_time(const Window& w, double highest) {
  return highest > 0 ? nice_ticks(0, std::min(w.width, w.height) / w.scale / highest, 20).step : 0;
}

void draw_arrow(Canvas& canvas, const Vec2d& from, const Vec2d& way) {
  const Vec2d tip = from + way;
  canvas.segment(from, tip, arrow_color, 1.3);
  const double size = std::min(4.5, 0.5 * length(way));
  if (size < 1) return;
  const Vec2d along = normalized(way) * size, across{-0.5 * along[1], 0.5 * along[0]};
  const Vec2d head[] = {tip + along * 0.3, tip - along + across, tip - along - across};
  canvas.fill(head, arrow_color);
}

// One arrow for each 16 x 16 pixels that hold a particle.
void draw_velocities(Image& image, const Window& w, const Frame& frame, double seconds) {
  const Column *x = frame.particles.find("x"), *v = frame.particles.find("v");
  if (!x || !v || !(seconds > 0)) return;
  constexpr int cell_size = 16;
  const double scale = seconds * w.scale;
  const auto canvas = raster_canvas(image);
  const int columns = image.width / cell_size + 1;
  std::vector<char> taken(std::size_t(columns) * std::size_t(image.height / cell_size + 1));
  for (std::size_t i = 0; i < frame.particles.count(); ++i) {
    const Vec2d p = w.place(x->value(i, 0), x->value(i, 1));
    if (!(p[0] >= 0 && p[1] >= 0 && p[0] < image.width && p[1] < image.height)) continue;
    const int at = int(p[1]) / cell_size * columns + int(p[0]) / cell_size;
    char& cell = taken[std::size_t(at)];
    if (cell) continue;
    cell = 1;
    draw_arrow(*canvas, p, Vec2d{v->value(i, 0), -v->value(i, 1)} * scale);
  }
}

void draw_outline(Canvas& canvas, const Vec2d& a, const Vec2d& b, Color color, double width) {
  const Vec2d points[] = {a, {b[0], a[1]}, b, {a[0], b[1]}, a};
  canvas.line(points, color, width);
}

void draw_axes(Canvas& canvas, const Window& w, const Ticks& x, const Ticks& y, double size) {
  const double bottom = w.top + w.height, mark = 0.35 * size;
  draw_outline(canvas, {w.left + 0.5, w.top + 0.5}, {w.left + w.width - 0.5, bottom - 0.5}, frame_line, 1);
  for (const double v : x.values) {
    const double at = w.left + std::floor(w.place(v, 0)[0]) + 0.5;
    canvas.segment({at, bottom}, {at, bottom + mark}, frame_line, 1);
    canvas.text({at, bottom + mark + 1.05 * size}, tick_label(v, x.step, 0), {size, ink, Align::center});
  }
  for (const double v : y.values) {
    const double at = w.top + std::floor(w.place(0, v)[1]) + 0.5;
    canvas.segment({double(w.left), at}, {w.left - mark, at}, frame_line, 1);
    canvas.text({w.left - 1.7 * mark, at + 0.35 * size}, tick_label(v, y.step, 0), {size, ink, Align::right});
  }
  canvas.text({w.left + 0.5 * w.width, bottom + 2.75 * size}, "x [m]", {size, ink, Align::center});
  canvas.text({1.25 * size, w.top + 0.5 * w.height}, "y [m]", {size, ink, Align::center, true});
}

// Under the axis, at its right end.
void draw_scale_bar(Canvas& canvas, const Window& w, double size) {
  const double metres = nice_ticks(0, w.width / w.scale, 8).step, pixels = metres * w.scale;
  const Vec2d end{double(w.left + w.width), w.top + w.height + 2.45 * size};
  const Vec2d start = end - Vec2d{pixels, 0}, tip{0, 0.3 * size};
  const Vec2d bar[] = {start - tip, start + tip, start, end, end - tip, end + tip};
  canvas.line(bar, ink, 1.4);
  const std::string words = metres < 1e-3 - 1e-12  ? fmt::format("{:.3g} mm", metres * 1e3)
                            : metres < 0.1 - 1e-12 ? fmt::format("{:.3g} cm", metres * 100)
                                                   : fmt::format("{:.3g} m", metres);
  canvas.text(start + Vec2d{-0.6 * size, 0.3 * size}, words, {size, ink, Align::right});
}

}  // namespace

Image picture_2d(const Scene& scene, const Frame& frame, const Camera& camera, const FilmRange& film,
                 const Coloring& coloring, const RenderOptions& options) {
  Window w = window_for(scene, camera, film, options.words, coloring.legend);
  const bool words = options.words && w.width >= 32 && w.height >= 32;  // a picture too small for words has none
  if (!words) w = window_for(scene, camera, film, false, {});
  const double size = word_size(camera.width, camera.height);
  const Vec2d high = w.high();
  const Ticks x = nice_ticks(w.low[0], high[0], std::max(2, int(w.width / (7 * size))));
  const Ticks y = nice_ticks(w.low[1], high[1], std::max(2, int(w.height / (5 * size))));

  // The scene, in its own window.
  Image inside(w.width, w.height, paper);
  const auto canvas = raster_canvas(inside);
  if (words) draw_grid(*canvas, w, x, y);
  for (const Collider& c : scene.colliders)
    if (c.is_drawn() && is_there(scene, c, frame.time)) draw_collider(inside, w, c, frame.time);
  draw_particles(inside, w, frame, camera, coloring.colors, particles_shown(frame, options.surfaces));
  if (options.surfaces)
    for (const PaintedSurface& s : painted_surfaces(scene, options, coloring)) draw_surface(inside, *canvas, w, s);
  if (scene.scene.domain) {
    const Domain& d = *scene.scene.domain;
    draw_outline(*canvas, w.place(d.min[0], d.min[1]), w.place(d.max[0], d.max[1]), {90, 97, 108}, 1.5);
  }
  const double seconds = options.velocity ? arrow_time(w, film.speed) : 0;
  draw_velocities(inside, w, frame, seconds);
  if (!words) return inside;

  // The words around it.
  Image image(camera.width, camera.height, paper);
  paste(image, inside, w.left, w.top);
  const auto page = raster_canvas(image);
  draw_axes(*page, w, x, y, size);
  draw_scale_bar(*page, w, size);
  if (seconds > 0)
    page->text({0.6 * size, w.top + w.height + 2.75 * size}, fmt::format("arrow = v * {:.3g} s", seconds),
               {size, {arrow_color.r, arrow_color.g, arrow_color.b}});
  page->text({double(w.left), w.top - 0.8 * size}, scene.scene.name, {1.15 * size, ink, Align::left, false, true});
  page->text({double(w.left + w.width), w.top - 0.8 * size}, time_text(frame.time, scene.scene.duration, frame.number),
             {size, ink, Align::right});
  if (coloring.legend)
    draw_legend(*page, *coloring.legend, {w.left + w.width + legend_gap * size, w.top + 2.5 * size}, legend_bar * size,
                w.height - 4.0 * size, ink, size);
  return image;
}

}  // namespace knead
