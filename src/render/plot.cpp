#include "render/plot.h"

#include "render/axes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace knead {
namespace {

constexpr Color plot_ink{52, 58, 68}, plot_grid{232, 235, 239}, plot_frame{150, 157, 168};
constexpr double text_size = 15;

// The range of the numbers with a little room, never empty.
void fit(double& low, double& high, double room) {
  if (!(low <= high)) low = 0, high = 1;
  double margin = room * (high - low);
  if (!(high - low > 1e-12 * std::max(std::abs(low), std::abs(high)))) margin = high == 0 ? 1 : 0.1 * std::abs(high);
  low -= margin, high += margin;
}

PlotFrame frame_for(const Canvas& canvas, const std::vector<Series>& series, double label_width, double legend_width) {
  const double inf = std::numeric_limits<double>::infinity();
  PlotFrame f{0, 0, 0, 0, inf, -inf, inf, -inf, inf, -inf};
  bool right = false;
  for (const Series& s : series) {
    double &low = s.right ? f.right_low : f.y_low, &high = s.right ? f.right_high : f.y_high;
    right = right || s.right;
    for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
      if (!std::isfinite(s.x[i]) || !std::isfinite(s.y[i])) continue;
      f.x_low = std::min(f.x_low, s.x[i]), f.x_high = std::max(f.x_high, s.x[i]);
      low = std::min(low, s.y[i]), high = std::max(high, s.y[i]);
    }
  }
  fit(f.x_low, f.x_high, 0);
  fit(f.y_low, f.y_high, 0.06);
  fit(f.right_low, f.right_high, 0.06);
  f.left = 2.6 * text_size + label_width;
  f.top = 3.0 * text_size;
  f.right = canvas.width() - 2.2 * text_size - legend_width - (right ? 2.4 * text_size + label_width : 0);
  f.bottom = canvas.height() - 3.9 * text_size;
  return f;
}

// The labels and the name of an axis that stands upright; ticks of its own where it is not the first.
void draw_upright_axis(Canvas& canvas, const PlotFrame& f, const std::string& name, const std::string& unit,
                       bool right) {
  const double low = right ? f.right_low : f.y_low, high = right ? f.right_high : f.y_high;
  const int power = common_power(low, high);
  const Ticks ticks = labelled_ticks(low, high, std::max(2, int((f.bottom - f.top) / 60)), power);
  const double edge = right ? f.right : f.left, way = right ? 1 : -1;
  for (const double v : ticks.values) {
    const double at = std::floor((right ? f.place_right(f.x_low, v) : f.place(f.x_low, v))[1]) + 0.5;
    if (right)
      canvas.segment({edge, at}, {edge + 0.4 * text_size, at}, plot_frame, 1.2);
    else
      canvas.segment({f.left, at}, {f.right, at}, v == 0 ? plot_frame : plot_grid, 1);
    canvas.text({edge + way * 0.6 * text_size, at + 0.35 * text_size}, tick_label(v, ticks.step, power),
                {text_size, plot_ink, right ? Align::left : Align::right});
  }
  const double middle = 0.5 * (f.top + f.bottom), label = text_width("0000.0", {text_size});
  canvas.text({right ? f.right + label + 2.2 * text_size : 1.5 * text_size, middle}, axis_title(name, unit, power),
              {text_size, plot_ink, Align::center, true});
}

void draw_axes(Canvas& canvas, const PlotFrame& f, const PlotWords& words) {
  const int x_power = common_power(f.x_low, f.x_high);
  const Ticks x = labelled_ticks(f.x_low, f.x_high, std::max(2, int((f.right - f.left) / 90)), x_power);
  for (const double v : x.values) {
    const double at = std::floor(f.place(v, f.y_low)[0]) + 0.5;
    canvas.segment({at, f.top}, {at, f.bottom}, plot_grid, 1);
    canvas.text({at, f.bottom + 1.5 * text_size}, tick_label(v, x.step, x_power), {text_size, plot_ink, Align::center});
  }
  draw_upright_axis(canvas, f, words.y_name, words.y_unit, false);
  const bool right = !words.right_name.empty();
  if (right) draw_upright_axis(canvas, f, words.right_name, words.right_unit, true);
  std::vector<Vec2d> corners{{f.left, f.top}, {f.left, f.bottom}, {f.right, f.bottom}};
  if (right) corners.push_back({f.right, f.top});
  canvas.line(corners, plot_frame, 1.2);
  canvas.text({0.5 * (f.left + f.right), f.bottom + 3.2 * text_size}, axis_title(words.x_name, words.x_unit, x_power),
              {text_size, plot_ink, Align::center});
  canvas.text({f.left, f.top - text_size}, words.title, {1.2 * text_size, plot_ink, Align::left, false, true});
}

void draw_curve(Canvas& canvas, const PlotFrame& f, const Series& s, Color color) {
  std::vector<Vec2d> points;
  auto flush = [&] {
    if (!points.empty()) canvas.line(points, color, 2.2);
    points.clear();
  };
  for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
    if (std::isfinite(s.x[i]) && std::isfinite(s.y[i]))
      points.push_back(s.right ? f.place_right(s.x[i], s.y[i]) : f.place(s.x[i], s.y[i]));
    else
      flush();
  }
  flush();
}

// Beside the curves, in the order in which they end, so that the eye goes straight across.
void draw_legend(Canvas& canvas, const PlotFrame& f, const std::vector<Series>& series, double left) {
  std::vector<std::size_t> order(series.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  auto end = [&](std::size_t i) {
    const Series& s = series[i];
    if (s.y.empty() || std::isnan(s.y.back())) return 1e300;
    return (s.right ? f.place_right(0, s.y.back()) : f.place(0, s.y.back()))[1];
  };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return end(a) < end(b); });
  double y = f.top + 0.5 * text_size;
  for (const std::size_t i : order) {
    canvas.segment({left + text_size, y}, {left + 2.4 * text_size, y}, series_color(i), 3);
    canvas.text({left + 3.0 * text_size, y + 0.35 * text_size}, series[i].name, {text_size, plot_ink});
    y += 1.7 * text_size;
  }
}

}  // namespace

Color series_color(std::size_t i) {
  constexpr Color colors[] = {{214, 66, 52}, {24, 140, 150}, {232, 158, 20}, {106, 81, 163},
                              {45, 52, 64},  {88, 160, 64},  {210, 90, 150}, {62, 120, 214}};
  return colors[i % std::size(colors)];
}

PlotFrame plot_series(Canvas& canvas, const PlotWords& words, const std::vector<Series>& series) {
  canvas.rectangle({0, 0}, {double(canvas.width()), double(canvas.height())}, {255, 255, 255});
  double legend = 0;
  for (const Series& s : series) legend = std::max(legend, text_width(s.name, {text_size}));
  if (legend > 0) legend += 3.0 * text_size;
  const PlotFrame f = frame_for(canvas, series, text_width("0000.0", {text_size}), legend);
  draw_axes(canvas, f, words);
  for (std::size_t i = 0; i < series.size(); ++i) draw_curve(canvas, f, series[i], series_color(i));
  draw_legend(canvas, f, series, canvas.width() - 2.2 * text_size - legend);
  return f;
}

}  // namespace knead
