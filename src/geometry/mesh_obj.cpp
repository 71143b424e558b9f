#include "base/error.h"
#include "geometry/mesh_checks.h"
#include "geometry/text_lines.h"

#include <fmt/compile.h>

#include <cmath>
#include <iterator>

namespace knead {

namespace {

class ObjCleaner {
 public:
  ObjCleaner(std::string_view text, const std::string& name) : lines_(text), name_(name) {}

  std::string clean() {
    std::string joined;
    while (lines_.next()) {
      if (lines_.too_long()) wrong("is longer than {} bytes", TextLines::longest);
      std::string_view line = lines_.line();
      // A backslash at the end joins a line to the next.
      if (!joined.empty() || line.ends_with('\\')) {
        joined += line;
        if (joined.size() > TextLines::longest) wrong("goes on for more than {} bytes", TextLines::longest);
        if (joined.ends_with('\\')) {
          joined.back() = ' ';
          continue;
        }
        statement(joined);
        joined.clear();
        continue;
      }
      statement(line);
    }
    if (faces_ == 0) fail(Exit::bad_input, "{}: has no faces ({} vertices); a mesh needs triangles", name_, vertices_);
    return std::move(out_);
  }

 private:
  template <class... Args>
  [[noreturn]] void wrong(fmt::format_string<Args...> format, Args&&... args) const {
    fail(Exit::bad_input, "{}:{}: {}", name_, lines_.number(), fmt::format(format, std::forward<Args>(args)...));
  }

  void statement(std::string_view line) {
    const std::string_view keyword = take_word(line);
    if (keyword == "v") vertex(line);
    if (keyword == "f") face(line);
  }

  void vertex(std::string_view line) {
    double x[3];
    for (double& c : x) {
      const std::string_view word = take_word(line);
      if (word.empty()) wrong("a vertex needs three coordinates");
      const std::optional<double> number = to_number<double>(word);
      if (!number) wrong("vertex {}: '{:.40}' is not a number", vertices_ + 1, word);
      if (!(std::abs(*number) <= largest_coordinate))
        wrong("vertex {}: the coordinate {:.40} is not finite or beyond {:g}", vertices_ + 1, word, largest_coordinate);
      c = *number;
    }
    ++vertices_;
    fmt::format_to(std::back_inserter(out_), FMT_COMPILE("v {} {} {}\n"), x[0], x[1], x[2]);
  }

  // Corners are v, v/vt, v//vn or v/vt/vn; a negative v counts back from the last vertex.
  void face(std::string_view line) {
    long corners = 0;
    out_ += 'f';
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      if (word[0] == '#') break;
      if (++corners > most_corners) wrong("a face has more than {} corners", most_corners);
      const std::optional<long> index = to_number<long>(word.substr(0, word.find('/')));
      if (!index) wrong("the face's corner '{:.40}' is not a vertex index", word);
      if (*index == 0) wrong("face index 0: indices count from 1 (or back from -1)");
      if (*index > vertices_) wrong("face index {} but only {} vertices stand above", *index, vertices_);
      if (*index < -vertices_) wrong("relative face index {} but only {} vertices stand above", *index, vertices_);
      fmt::format_to(std::back_inserter(out_), FMT_COMPILE(" {}"), *index > 0 ? *index : vertices_ + 1 + *index);
    }
    if (corners < 3) wrong("a face has {} corner{} but needs at least 3", corners, corners == 1 ? "" : "s");
    out_ += '\n';
    ++faces_;
  }

  TextLines lines_;
  const std::string& name_;
  std::string out_ = "# vertices and faces\n";
  long vertices_ = 0, faces_ = 0;
};

}  // namespace

std::string checked_obj(std::string_view text, const std::string& name) { return ObjCleaner(text, name).clean(); }

}  // namespace knead
