#include "base/error.h"
#include "geometry/mesh_checks.h"
#include "geometry/text_lines.h"

#include <cmath>
#include <cstdint>
#include <cstring>

namespace knead {

namespace {

constexpr std::size_t header = 84, record = 50;

void check_binary(std::string_view text, const std::string& name, std::uint32_t count) {
  if (count == 0) fail(Exit::bad_input, "{}: has no faces; a mesh needs triangles", name);
  for (std::uint32_t i = 0; i < count; ++i) {
    float x[9];
    const std::size_t at = header + record * i + 12;
    std::memcpy(x, text.data() + at, sizeof x);
    for (float c : x)
      if (!(std::abs(c) <= largest_coordinate))
        fail(Exit::bad_input, "{}: byte {}: triangle {} has a coordinate that is not finite or beyond {:g}", name, at,
             i + 1, largest_coordinate);
  }
}

// The triangles of a text file, written anew: normals are left to the geometry, since files often get them wrong.
std::string clean_text(std::string_view text, const std::string& name) {
  TextLines lines(text);
  std::string out = "solid mesh\n";
  int corners = 0;
  long triangles = 0;
  while (lines.next()) {
    if (lines.too_long())
      fail(Exit::bad_input, "{}:{}: is longer than {} bytes", name, lines.number(), TextLines::longest);
    std::string_view line = lines.line();
    const std::string_view keyword = take_word(line);
    if (keyword == "vertex") {
      if (++corners > 3) fail(Exit::bad_input, "{}:{}: a facet has more than 3 vertices", name, lines.number());
      if (corners == 1) out += "facet normal 0 0 0\nouter loop\n";
      out += "vertex";
      for (int k = 0; k < 3; ++k) {
        const std::string_view word = take_word(line);
        const std::optional<double> x = to_number<double>(word);
        if (!x)
          fail(Exit::bad_input, "{}:{}: a vertex needs three numbers, found '{:.40}'", name, lines.number(), word);
        if (!(std::abs(*x) <= largest_coordinate))
          fail(Exit::bad_input, "{}:{}: the coordinate {:.40} is not finite or beyond {:g}", name, lines.number(), word,
               largest_coordinate);
        out += fmt::format(" {}", *x);
      }
      out += '\n';
    } else if (keyword == "endfacet") {
      if (corners != 3)
        fail(Exit::bad_input, "{}:{}: a facet has {} vertices but needs 3", name, lines.number(), corners);
      out += "endloop\nendfacet\n";
      corners = 0;
      ++triangles;
    }
  }
  if (corners != 0) fail(Exit::bad_input, "{}:{}: the file ends within a facet", name, lines.number());
  if (triangles == 0) fail(Exit::bad_input, "{}: has no faces; a mesh needs triangles", name);
  return out + "endsolid mesh\n";
}

}  // namespace

// Whether a file is binary is told by its size, since binary files may begin with "solid" too.
std::string checked_stl(std::string text, const std::string& name) {
  std::uint32_t count = 0;
  if (text.size() >= header) std::memcpy(&count, text.data() + 80, 4);
  const std::uint64_t wanted = header + std::uint64_t(record) * count;
  if (text.size() >= header && wanted == text.size()) {
    check_binary(text, name, count);
    // The reader takes "solid" for text whatever the size says.
    if (text.starts_with("solid")) text[0] = 'b';
    return text;
  }
  if (text.empty()) fail(Exit::bad_input, "{}: is empty; a mesh needs triangles", name);
  std::string_view start = text;
  const bool says_text = take_word(start) == "solid";
  const std::string_view view = text;
  if (says_text && (view.find("facet") != view.npos || view.find("endsolid") != view.npos))
    return clean_text(text, name);
  if (text.size() < header) fail(Exit::bad_input, "{}: has {} bytes, too few for an STL file", name, text.size());
  fail(Exit::bad_input, "{}: {} triangles need {} bytes, but the file has {}; it is truncated or not an STL file", name,
       count, wanted, text.size());
}

}  // namespace knead
