// Drawing into an SVG file: lines stay lines and words stay words.
#include "render/canvas.h"
#include "render/font.h"

#include <fmt/format.h>

namespace knead {
namespace {

std::string color_text(Color c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); }

std::string opacity(const char* name, Color c) {
  return c.a == 255 ? std::string() : fmt::format(" {}=\"{:.3g}\"", name, c.a / 255.0);
}

std::string points_text(std::span<const Vec2d> points) {
  std::string s;
  for (const Vec2d& p : points) s += fmt::format("{}{:.2f},{:.2f}", s.empty() ? "" : " ", p[0], p[1]);
  return s;
}

void append_utf8(std::string& s, char32_t c) {
  if (c < 0x80) {
    s += char(c);
  } else if (c < 0x800) {
    s += {char(0xc0 | (c >> 6)), char(0x80 | (c & 0x3f))};
  } else if (c < 0x10000) {
    s += {char(0xe0 | (c >> 12)), char(0x80 | ((c >> 6) & 0x3f)), char(0x80 | (c & 0x3f))};
  } else {
    s += {char(0xf0 | (c >> 18)), char(0x80 | ((c >> 12) & 0x3f)), char(0x80 | ((c >> 6) & 0x3f)),
          char(0x80 | (c & 0x3f))};
  }
}

// The words as XML may hold them: marks escaped, control characters (which XML forbids) replaced.
std::string escaped(std::string_view words) {
  std::string s;
  for (const char32_t c : code_points(words)) {
    if (c == U'<')
      s += "&lt;";
    else if (c == U'>')
      s += "&gt;";
    else if (c == U'&')
      s += "&amp;";
    else
      append_utf8(s, c < 0x20 ? U'\ufffd' : c);
  }
  return s;
}

class SvgCanvas : public Canvas {
 public:
  SvgCanvas(int width, int height) : width_(width), height_(height) {}
  int width() const override { return width_; }
  int height() const override { return height_; }

  void line(std::span<const Vec2d> points, Color color, double line_width) override {
    body_ += fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\"{} stroke-width=\"{:.2f}\" stroke-linecap=\"round\" "
        "stroke-linejoin=\"round\"/>\n",
        points_text(points), color_text(color), opacity("stroke-opacity", color), line_width);
  }
  void fill(std::span<const Vec2d> polygon, Color color) override {
    body_ += fmt::format("<polygon points=\"{}\" fill=\"{}\"{}/>\n", points_text(polygon), color_text(color),
                         opacity("fill-opacity", color));
  }
  void text(const Vec2d& at, std::string_view words, const TextStyle& style) override {
    const char* anchor = style.align == Align::left ? "start" : style.align == Align::center ? "middle" : "end";
    const std::string turn =
        style.upright ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", at[0], at[1]) : std::string();
    body_ += fmt::format(
        "<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{:.2f}\"{} fill=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", at[0],
        at[1], style.size, style.bold ? " font-weight=\"bold\"" : "", color_text(style.color), anchor, turn,
        escaped(words));
  }
  std::string bytes() const override {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n{2}</svg>\n",
        width_, height_, body_);
  }

 private:
  int width_, height_;
  std::string body_;
};

}  // namespace

std::unique_ptr<Canvas> svg_canvas(int width, int height) { return std::make_unique<SvgCanvas>(width, height); }

}  // namespace knead
