// The engine's own stroke font: letters are curves drawn with a round pen, so they are sharp at every size.
#pragma once

#include "base/vec.h"

#include <string_view>
#include <vector>

namespace knead {

// Font units: 20 a line height, capitals are 14 high, small letters 10, the baseline is y = 0 and y points up.
inline constexpr double font_em = 20;
inline constexpr double font_gap = 3.7;   // between the ink of neighbouring letters
inline constexpr double font_pen = 1.75;  // width of the strokes

struct Glyph {
  double width = 0;                         // of the ink's centre lines; the advance is width + font_gap
  std::vector<std::vector<Vec2d>> strokes;  // each a polyline, curves already flattened
};

// The glyph of a code point; a box for what the font does not have.
const Glyph& glyph(char32_t code);
// The code points of UTF-8 text. "^2" and "^3" become raised digits; broken bytes become U+FFFD.
std::vector<char32_t> code_points(std::string_view text);
// In font units.
double text_width_units(std::string_view text);

}  // namespace knead
