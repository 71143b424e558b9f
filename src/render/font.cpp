#include "render/font.h"

#include "render/font_strokes.h"

#include <cstdlib>
#include <map>

namespace knead {
namespace {

Vec2d read_point(const char*& at) {
  char* end = nullptr;
  const double x = std::strtod(at, &end);
  const double y = std::strtod(end, &end);
  at = end;
  return {x, y};
}

// Eight pieces a curve are smooth up to letters of a few hundred pixels.
void append_curve(std::vector<Vec2d>& stroke, const Vec2d& control, const Vec2d& end) {
  const Vec2d start = stroke.back();
  for (int i = 1; i <= 8; ++i) {
    const double t = i / 8.0;
    stroke.push_back(start * ((1 - t) * (1 - t)) + control * (2 * t * (1 - t)) + end * (t * t));
  }
}

Glyph flattened(const GlyphStrokes& source) {
  Glyph result{source.width, {}};
  for (const char* at = source.path; *at;) {
    const char command = *at++;
    const Vec2d p = read_point(at);
    if (command == 'M') {
      result.strokes.push_back({p});
    } else if (command == 'L') {
      result.strokes.back().push_back(p);
    } else {
      append_curve(result.strokes.back(), p, read_point(at));
    }
  }
  return result;
}

char32_t raised(char32_t c) { return c == U'2' ? U'\u00b2' : c == U'3' ? U'\u00b3' : 0; }

}  // namespace

const Glyph& glyph(char32_t code) {
  static const std::map<char32_t, Glyph> glyphs = [] {
    std::map<char32_t, Glyph> m;
    for (const GlyphStrokes& s : glyph_strokes) m[s.code] = flattened(s);
    return m;
  }();
  const auto found = glyphs.find(code);
  return found != glyphs.end() ? found->second : glyphs.at(U'\ufffd');
}

std::vector<char32_t> code_points(std::string_view text) {
  std::vector<char32_t> result;
  for (std::size_t i = 0; i < text.size();) {
    // The length of a UTF-8 sequence stands in the leading ones of its first byte.
    const unsigned char lead = static_cast<unsigned char>(text[i]);
    const int length = lead < 0x80 ? 1 : (lead >> 5) == 6 ? 2 : (lead >> 4) == 14 ? 3 : (lead >> 3) == 30 ? 4 : 0;
    char32_t code = length == 1 ? lead : length ? lead & (0x7f >> length) : U'\ufffd';
    int used = 1;
    for (; used < length && i + used < text.size() && (text[i + used] & 0xc0) == 0x80; ++used)
      code = (code << 6) | (text[i + used] & 0x3f);
    if (length && used < length) code = U'\ufffd';
    i += used;
    if (!result.empty() && result.back() == U'^' && raised(code)) {
      result.back() = raised(code);
    } else {
      result.push_back(code);
    }
  }
  return result;
}

double text_width_units(std::string_view text) {
  double width = 0;
  for (const char32_t c : code_points(text)) width += glyph(c).width + font_gap;
  return width > 0 ? width - font_gap : 0;
}

}  // namespace knead
