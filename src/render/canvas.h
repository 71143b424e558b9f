// A surface to draw lines, areas and words on; the same drawing code makes a PNG (pixels) or an SVG (text).
#pragma once

#include "render/image.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace knead {

enum class Align { left, center, right };

// How words are set. `size` is the height of a line of text in pixels; capitals are 0.7 of it.
struct TextStyle {
  double size = 14;
  Color color{40, 44, 52};
  Align align = Align::left;
  bool upright = false;  // written upwards, turned by a quarter
  bool bold = false;
};

// Positions are in pixels from the upper left corner, y down; pixel (i, j) covers [i, i + 1] x [j, j + 1].
class Canvas {
 public:
  virtual ~Canvas() = default;
  virtual int width() const = 0;
  virtual int height() const = 0;
  // A line through the points, with round ends and corners.
  virtual void line(std::span<const Vec2d> points, Color color, double line_width) = 0;
  virtual void fill(std::span<const Vec2d> polygon, Color color) = 0;
  // `at` is where the baseline starts, or its middle or end according to the alignment.
  virtual void text(const Vec2d& at, std::string_view words, const TextStyle& style = {}) = 0;
  // The file's bytes: PNG or SVG.
  virtual std::string bytes() const = 0;

  void segment(const Vec2d& a, const Vec2d& b, Color color, double line_width);
  void rectangle(const Vec2d& corner, const Vec2d& size, Color color);
};

// The width in pixels that words take on a raster canvas.
double text_width(std::string_view words, const TextStyle& style);

// Draws into an image that outlives the canvas.
std::unique_ptr<Canvas> raster_canvas(Image& image);
std::unique_ptr<Canvas> svg_canvas(int width, int height);

}  // namespace knead
