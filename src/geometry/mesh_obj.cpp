// Vertices, texture coordinates and faces of OBJ files; materials, normals, lines and curves are passed over.
#include "base/error.h"
#include "geometry/mesh_checks.h"
#include "geometry/polygon_triangles.h"
#include "geometry/text_lines.h"

#include <cmath>

namespace knead {

namespace {

class ObjReader {
 public:
  ObjReader(std::string_view text, const std::string& name) : lines_(text), name_(name) {}

  TriangleMesh read() {
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
    if (mesh_.triangles.empty())
      fail(Exit::bad_input, "{}: has no faces ({} vertices); a mesh needs triangles", name_, mesh_.vertices.size());
    return std::move(mesh_);
  }

 private:
  template <class... Args>
  [[noreturn]] void wrong(fmt::format_string<Args...> format, Args&&... args) const {
    fail(Exit::bad_input, "{}:{}: {}", name_, lines_.number(), fmt::format(format, std::forward<Args>(args)...));
  }

  void statement(std::string_view line) {
    const std::string_view keyword = take_word(line);
    if (keyword == "v") vertex(line);
    if (keyword == "vt") texture_coordinates(line);
    if (keyword == "f") face(line);
  }

  void vertex(std::string_view line) {
    const std::size_t number = mesh_.vertices.size() + 1;
    Vec3d x{};
    for (int k = 0; k < 3; ++k) {
      const std::string_view word = take_word(line);
      if (word.empty()) wrong("a vertex needs three coordinates");
      const std::optional<double> value = to_number<double>(word);
      if (!value) wrong("vertex {}: '{:.40}' is not a number", number, word);
      if (!(std::abs(*value) <= largest_coordinate))
        wrong("vertex {}: the coordinate {:.40} is not finite or beyond {:g}", number, word, largest_coordinate);
      x[k] = *value;
    }
    mesh_.vertices.push_back(x);
  }

  // vt u, vt u v or vt u v w; a v that is left out is 0.
  void texture_coordinates(std::string_view line) {
    Vec2d uv{};
    for (int k = 0; k < 2; ++k) {
      const std::string_view word = take_word(line);
      if (word.empty() || word[0] == '#') {
        if (k == 0) wrong("'vt' needs texture coordinates u v");
        break;
      }
      const std::optional<double> value = to_number<double>(word);
      if (!value || !std::isfinite(*value)) wrong("the texture coordinate '{:.40}' is not a finite number", word);
      uv[k] = *value;
    }
    texture_.push_back(uv);
  }

  // Corners are v, v/vt, v//vn or v/vt/vn.
  void face(std::string_view line) {
    corners_.clear(), uv_.clear();
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
      if (word[0] == '#') break;
      if (std::ssize(corners_) == most_corners) wrong("a face has more than {} corners", most_corners);
      std::string_view rest = word;
      const std::string_view v = before_slash(rest), vt = before_slash(rest), vn = before_slash(rest);
      if (!rest.empty() || (!vn.empty() && !to_number<long>(vn)))
        wrong("the face's corner '{:.40}' is not v, v/vt, v//vn or v/vt/vn", word);
      const std::optional<long> vertex = to_number<long>(v);
      if (!vertex) wrong("the face's corner '{:.40}' is not a vertex index", word);
      corners_.push_back(static_cast<int>(from_zero(*vertex, mesh_.vertices.size(), "face index", "vertices")));
      if (vt.empty()) continue;
      const std::optional<long> at = to_number<long>(vt);
      if (!at) wrong("the face's corner '{:.40}' has no index of texture coordinates behind its slash", word);
      uv_.push_back(texture_[from_zero(*at, texture_.size(), "texture index", "texture coordinates (vt)")]);
    }
    if (corners_.size() < 3)
      wrong("a face has {} corner{} but needs at least 3", corners_.size(), corners_.size() == 1 ? "" : "s");
    if (!uv_.empty() && uv_.size() != corners_.size())
      wrong("{} of the face's {} corners have texture coordinates; give them to all or to none", uv_.size(),
            corners_.size());
    faces_.add(corners_, uv_);
  }

  static std::string_view before_slash(std::string_view& rest) {
    const std::size_t end = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
  }

  // Indices count from 1, or back from -1, the last that stands above.
  std::size_t from_zero(long index, std::size_t count, const char* what, const char* of) const {
    if (index == 0) wrong("{} 0: indices count from 1 (or back from -1)", what);
    if (index > static_cast<long>(count)) wrong("{} {} but only {} {} stand above", what, index, count, of);
    if (index < -static_cast<long>(count)) wrong("relative {} {} but only {} {} stand above", what, index, count, of);
    return static_cast<std::size_t>(index > 0 ? index - 1 : static_cast<long>(count) + index);
  }

  TextLines lines_;
  const std::string& name_;
  TriangleMesh mesh_;
  FaceAppender faces_{mesh_};
  std::vector<Vec2d> texture_;
  std::vector<int> corners_;  // of a face
  std::vector<Vec2d> uv_;
};

}  // namespace

TriangleMesh obj_triangles(std::string_view text, const std::string& name) { return ObjReader(text, name).read(); }

}  // namespace knead
