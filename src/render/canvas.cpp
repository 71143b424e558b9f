#include "render/canvas.h"

#include "render/font.h"

namespace knead {

void Canvas::segment(const Vec2d& a, const Vec2d& b, Color color, double line_width) {
  const Vec2d points[] = {a, b};
  line(points, color, line_width);
}

void Canvas::rectangle(const Vec2d& corner, const Vec2d& size, Color color) {
  const Vec2d points[] = {corner, {corner[0] + size[0], corner[1]}, corner + size, {corner[0], corner[1] + size[1]}};
  fill(points, color);
}

double text_width(std::string_view words, const TextStyle& style) {
  return text_width_units(words) * style.size / font_em;
}

}  // namespace knead
