#include "render/render.h"

#include "base/error.h"
#include "render/overlay.h"
#include "render/painted_surface.h"
#include "render/picture_2d.h"
#include "render/picture_3d.h"

#include <cmath>

namespace knead {
namespace {

// The range that colours span: the user's, else the film's; lengths start at zero.
std::pair<double, double> color_range(const Camera& camera, const FilmRange& film) {
  double low = std::isfinite(film.low) ? film.low : 0, high = std::isfinite(film.high) ? film.high : 1;
  if (low > 0 && low < 0.3 * high) low = 0;
  if (!(high - low > 1e-6 * std::max(std::abs(low), std::abs(high)))) {
    // All the same value: it stands in the middle of the bar.
    const double room = std::max(1e-6, 0.1 * std::abs(high));
    low -= room, high += room;
  }
  return {camera.low.value_or(low), camera.high.value_or(high)};
}

void draw_words_3d(Image& image, const Scene& scene, const Frame& frame, const Coloring& coloring) {
  const auto canvas = raster_canvas(image);
  const double size = word_size(image.width, image.height), edge = 1.5 * size;
  const TextStyle name{1.15 * size, {}, Align::left, false, true}, time{size, {}, Align::right};
  const std::string when = time_text(frame.time, scene.scene.duration, frame.number);
  // The name stands beside the time, or above it where there is no room.
  const bool beside = text_width(scene.scene.name, name) + text_width(when, time) + 3 * edge < image.width;
  const double bottom = image.height - edge;
  draw_on_picture(*canvas, {edge, beside ? bottom : bottom - 1.6 * size}, scene.scene.name, name);
  draw_on_picture(*canvas, {image.width - edge, bottom}, when, time);
  if (!coloring.legend) return;
  // The legend stands on a dark glass.
  const double width = legend_width(*coloring.legend, 1.1 * size, size) + 1.8 * size, height = 0.42 * image.height;
  const double left = image.width - width + 0.2 * size, top = 3.4 * size;
  canvas->rectangle({left - size, top - 2.2 * size}, {width, height + 3.4 * size}, {24, 28, 36, 150});
  draw_legend(*canvas, *coloring.legend, {left, top}, 1.1 * size, height, {255, 255, 255}, size);
}

}  // namespace

Image render_frame(const Scene& scene, const Frame& frame, const RenderOptions& options) {
  const Camera camera = camera_for(scene, options);
  FilmRange film;
  if (options.film)
    film = *options.film;
  else
    extend(film, scene, frame, options);
  const auto [low, high] = color_range(camera, film);
  Coloring colors = coloring(scene, camera, frame, low, high);
  // Where all is painted with textures nothing has the legend's colours.
  if (options.surfaces && !shows_particle_colors(options) && particles_shown(frame, options.surfaces).empty())
    colors.legend.reset();
  if (frame.dimension == 2) return picture_2d(scene, frame, camera, film, colors, options);
  Image image = picture_3d(scene, frame, camera, film, colors, options);
  if (options.words) draw_words_3d(image, scene, frame, colors);
  return image;
}

}  // namespace knead
