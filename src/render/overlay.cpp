#include "render/overlay.h"

#include "render/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {

double word_size(int width, int height) {
  const double least = std::clamp(width / 48.0, 9.0, 13.0);  // smaller words cannot be read
  return std::clamp(0.021 * std::min<double>(height, 0.75 * width), least, 60.0);
}

std::string time_text(double time, double duration, long long frame) {
  struct Unit {
    const char* name;
    double seconds;
  };
  Unit unit{"s", 1};
  for (const Unit& smaller : {Unit{"ms", 1e-3}, Unit{"us", 1e-6}, Unit{"ns", 1e-9}})
    if (duration < 0.1 * unit.seconds) unit = smaller;
  return fmt::format("t = {:.3f} {}    frame {}", time / unit.seconds, unit.name, frame);
}

void draw_on_picture(Canvas& canvas, const Vec2d& at, std::string_view words, TextStyle style) {
  TextStyle shadow = style;
  shadow.color = {20, 24, 32, 110};
  const double d = std::max(1.0, 0.07 * style.size), near = 0.7 * d;
  for (const Vec2d& offset : {Vec2d{d, 0}, Vec2d{-d, 0}, Vec2d{0, d}, Vec2d{0, -d}, Vec2d{near, near},
                              Vec2d{-near, near}, Vec2d{near, -near}, Vec2d{-near, -near}})
    canvas.text(at + offset, words, shadow);
  style.color = {255, 255, 255};
  canvas.text(at, words, style);
}

namespace {

std::string legend_title(const Legend& legend) {
  return axis_title(legend.title, legend.unit, common_power(legend.low, legend.high));
}
// Of the ticks' labels and marks beside the bar.
constexpr double label_room = 4.2;  // lines of text

}  // namespace

double legend_width(const Legend& legend, double bar_width, double text_size) {
  return std::max(bar_width + label_room * text_size, text_width(legend_title(legend), {text_size}));
}

void draw_legend(Canvas& canvas, const Legend& legend, const Vec2d& near_corner, double bar_width, double bar_height,
                 Color ink, double text_size) {
  // On whole pixels, so that the slices meet without a seam.
  const Vec2d corner{std::round(near_corner[0]), std::round(near_corner[1])};
  bar_width = std::round(bar_width), bar_height = std::round(bar_height);
  // The bar, in slices thinner than the steps the eye sees.
  const int slices = std::clamp(int(bar_height), 32, 512);
  for (int i = 0; i < slices; ++i) {
    const double top = std::floor(bar_height * i / slices), bottom = std::floor(bar_height * (i + 1) / slices);
    canvas.rectangle(corner + Vec2d{0, top}, {bar_width, bottom - top}, legend.map(1 - (i + 0.5) / slices));
  }
  const int power = common_power(legend.low, legend.high);
  const Ticks ticks = nice_ticks(legend.low, legend.high, std::max(2, int(bar_height / (3.2 * text_size))));
  const double span = legend.high > legend.low ? legend.high - legend.low : 1;
  for (const double value : ticks.values) {
    const Vec2d at = corner + Vec2d{bar_width, bar_height * (1 - (value - legend.low) / span)};
    canvas.segment(at, at + Vec2d{0.35 * text_size, 0}, ink, 1.2);
    canvas.text(at + Vec2d{0.6 * text_size, 0.35 * text_size}, tick_label(value, ticks.step, power), {text_size, ink});
  }
  canvas.text(corner - Vec2d{0, 0.8 * text_size}, legend_title(legend), {text_size, ink});
}

}  // namespace knead
