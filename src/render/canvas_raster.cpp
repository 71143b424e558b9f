// Drawing into pixels: how much of a pixel a line or an area covers decides how much of its colour is mixed in.
#include "render/canvas.h"
#include "render/font.h"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// The pixels a drawing may touch, and how much of each it covers.
class Coverage {
 public:
  Coverage(int x0, int y0, int x1, int y1)
      : x0_(x0),
        y0_(y0),
        x1_(std::max(x0, x1)),
        y1_(std::max(y0, y1)),
        values_(std::size_t(x1_ - x0_) * std::size_t(y1_ - y0_), 0.f) {}

  // A segment drawn with a round pen; where strokes cross, the ink is not laid twice.
  void stroke(const Vec2d& a, const Vec2d& b, double half_width) {
    const double reach = half_width + 1;
    const Vec2d along = b - a;
    const double length2 = dot(along, along);
    // A line thinner than a pixel covers at most its own width of it.
    const float most = float(std::min(1.0, 2 * half_width));
    for (int y = row(std::min(a[1], b[1]) - reach); y < row(std::max(a[1], b[1]) + reach + 1); ++y)
      for (int x = column(std::min(a[0], b[0]) - reach); x < column(std::max(a[0], b[0]) + reach + 1); ++x) {
        const Vec2d p = Vec2d{x + 0.5, y + 0.5} - a;
        const double t = length2 > 0 ? std::clamp(dot(p, along) / length2, 0.0, 1.0) : 0.0;
        const double inside = std::max(half_width, 0.5) + 0.5 - length(p - along * t);
        float& value = at(x, y);
        value = std::max(value, most * float(std::clamp(inside, 0.0, 1.0)));
      }
  }

  // One scan line of an area, from x = begin to x = end, that stands for a part of its pixels' height.
  void span(int y, double begin, double end, float part) {
    if (y < y0_ || y >= y1_) return;
    for (int x = column(begin); x < column(end) + 1 && x < x1_; ++x)
      at(x, y) += part * float(std::clamp(std::min(end, x + 1.0) - std::max(begin, double(x)), 0.0, 1.0));
  }

  void lay(Image& image, Color color) const {
    for (int y = y0_; y < y1_; ++y)
      for (int x = x0_; x < x1_; ++x)
        if (const float c = values_[index(x, y)]; c > 0) blend(image.at(x, y), color, std::min(c, 1.f));
  }

 private:
  int column(double x) const { return int(std::clamp(std::floor(x), double(x0_), double(x1_))); }
  int row(double y) const { return int(std::clamp(std::floor(y), double(y0_), double(y1_))); }
  std::size_t index(int x, int y) const { return std::size_t(y - y0_) * std::size_t(x1_ - x0_) + std::size_t(x - x0_); }
  float& at(int x, int y) { return values_[index(x, y)]; }

  int x0_, y0_, x1_, y1_;
  std::vector<float> values_;
};

class RasterCanvas : public Canvas {
 public:
  explicit RasterCanvas(Image& image) : image_(image) {}
  int width() const override { return image_.width; }
  int height() const override { return image_.height; }
  std::string bytes() const override { return png_bytes(image_); }

  void line(std::span<const Vec2d> points, Color color, double line_width) override {
    if (points.empty()) return;
    Coverage coverage = around(points, line_width / 2 + 2);
    for (std::size_t i = 0; i + 1 < points.size(); ++i) coverage.stroke(points[i], points[i + 1], line_width / 2);
    if (points.size() == 1) coverage.stroke(points[0], points[0], line_width / 2);
    coverage.lay(image_, color);
  }

  void fill(std::span<const Vec2d> polygon, Color color) override {
    if (polygon.size() < 3) return;
    Coverage coverage = around(polygon, 1);
    double top = polygon[0][1], bottom = top;
    for (const Vec2d& p : polygon) top = std::min(top, p[1]), bottom = std::max(bottom, p[1]);
    const int first = std::max(0, int(std::floor(top))), last = std::min(image_.height - 1, int(std::floor(bottom)));
    constexpr int lines = 8;  // scan lines a pixel: edges get eight levels downwards and are exact sideways
    std::vector<double> crossings;
    for (int i = first * lines; i < (last + 1) * lines; ++i) {
      const double y = (i + 0.5) / lines;
      crossings.clear();
      for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec2d &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        if ((a[1] <= y) != (b[1] <= y)) crossings.push_back(a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]));
      }
      std::sort(crossings.begin(), crossings.end());
      for (std::size_t k = 0; k + 1 < crossings.size(); k += 2)
        coverage.span(i / lines, crossings[k], crossings[k + 1], 1.f / lines);
    }
    coverage.lay(image_, color);
  }

  void text(const Vec2d& at, std::string_view words, const TextStyle& style) override {
    const double scale = style.size / font_em;
    const double shift = style.align == Align::left ? 0 : style.align == Align::center ? 0.5 : 1;
    double x = -shift * text_width(words, style);
    const double pen = font_pen * scale * (style.bold ? 1.45 : 1);
    for (const char32_t code : code_points(words)) {
      const Glyph& g = glyph(code);
      draw_glyph(g, at, x, scale, style, pen);
      x += (g.width + font_gap) * scale;
    }
  }

 private:
  void draw_glyph(const Glyph& g, const Vec2d& at, double x, double scale, const TextStyle& style, double pen) {
    auto place = [&](const Vec2d& p) {
      const Vec2d along{x + p[0] * scale, -p[1] * scale};
      return style.upright ? at + Vec2d{along[1], -along[0]} : at + along;
    };
    const Vec2d corners[] = {place({-1, -5}), place({g.width + 1, 16})};
    Coverage coverage = around(corners, pen + 2);
    for (const auto& stroke : g.strokes)
      for (std::size_t i = 0; i + 1 < stroke.size(); ++i)
        coverage.stroke(place(stroke[i]), place(stroke[i + 1]), pen / 2);
    coverage.lay(image_, style.color);
  }

  Coverage around(std::span<const Vec2d> points, double margin) const {
    Vec2d low = points[0], high = points[0];
    for (const Vec2d& p : points)
      for (int k = 0; k < 2; ++k) low[k] = std::min(low[k], p[k]), high[k] = std::max(high[k], p[k]);
    auto limited = [](double v, int size) { return int(std::clamp(v, 0.0, double(size))); };
    return {limited(std::floor(low[0] - margin), image_.width), limited(std::floor(low[1] - margin), image_.height),
            limited(std::ceil(high[0] + margin), image_.width), limited(std::ceil(high[1] + margin), image_.height)};
  }

  Image& image_;
};

}  // namespace

std::unique_ptr<Canvas> raster_canvas(Image& image) { return std::make_unique<RasterCanvas>(image); }

}  // namespace knead
