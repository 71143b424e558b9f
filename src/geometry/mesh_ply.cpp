// PLY files: vertices with x, y, z, faces, and texture coordinates of the vertices or of the faces' corners.
#include "base/error.h"
#include "geometry/mesh_checks.h"
#include "geometry/polygon_triangles.h"
#include "geometry/text_lines.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace knead {

namespace {

enum class Form { text, little, big };

struct Type {
  int bytes;
  char kind;  // i, u or f
};

// What a property is to a mesh.
enum class Role { none, x, y, z, u, v, indices, corner_uv };

struct Property {
  std::string name;
  Type type{};
  bool list = false;
  Type count{};  // of a list
  Role role = Role::none;
};

Role role_of(const std::string& element, const Property& p) {
  struct Known {
    std::string_view element, name;
    bool list;
    Role role;
  };
  static constexpr Known known[] = {{"vertex", "x", false, Role::x},
                                    {"vertex", "y", false, Role::y},
                                    {"vertex", "z", false, Role::z},
                                    {"vertex", "s", false, Role::u},
                                    {"vertex", "t", false, Role::v},
                                    {"vertex", "u", false, Role::u},
                                    {"vertex", "v", false, Role::v},
                                    {"vertex", "texture_u", false, Role::u},
                                    {"vertex", "texture_v", false, Role::v},
                                    {"face", "vertex_indices", true, Role::indices},
                                    {"face", "vertex_index", true, Role::indices},
                                    {"face", "texcoord", true, Role::corner_uv}};
  for (const Known& k : known)
    if (k.element == element && k.name == p.name && k.list == p.list) return k.role;
  return Role::none;
}

struct Face {
  long long corners = 0, uv = 0;  // numbers in its lists
};

struct Element {
  std::string name;
  long long count = 0;
  std::vector<Property> properties;
};

class PlyReader {
 public:
  PlyReader(std::string_view text, const std::string& name) : text_(text), name_(name), lines_(text) {}

  TriangleMesh read() {
    read_header();
    body_ = lines_.rest();
    for (const Element& e : elements_)
      for (record_ = 0; record_ < e.count; ++record_) read_record(e);
    if (faces_.empty())
      fail(Exit::bad_input, "{}: has no faces ({} vertices); a mesh needs triangles", name_, vertices_);
    add_faces();
    return std::move(mesh_);
  }

 private:
  template <class... Args>
  [[noreturn]] void wrong(fmt::format_string<Args...> format, Args&&... args) const {
    const std::string place =
        form_ == Form::text ? fmt::format(":{}", lines_.number()) : fmt::format(": byte {}", offset());
    fail(Exit::bad_input, "{}{}: {}", name_, place, fmt::format(format, std::forward<Args>(args)...));
  }
  std::size_t offset() const { return static_cast<std::size_t>(body_.data() - text_.data()); }

  Type type_of(std::string_view word) const {
    struct Known {
      std::string_view name;
      Type type;
    };
    static constexpr Known known[] = {
        {"char", {1, 'i'}},  {"int8", {1, 'i'}},    {"uchar", {1, 'u'}},  {"uint8", {1, 'u'}},
        {"short", {2, 'i'}}, {"int16", {2, 'i'}},   {"ushort", {2, 'u'}}, {"uint16", {2, 'u'}},
        {"int", {4, 'i'}},   {"int32", {4, 'i'}},   {"uint", {4, 'u'}},   {"uint32", {4, 'u'}},
        {"float", {4, 'f'}}, {"float32", {4, 'f'}}, {"double", {8, 'f'}}, {"float64", {8, 'f'}}};
    for (const Known& k : known)
      if (k.name == word) return k.type;
    wrong("'{:.40}' is not a PLY type (char, uchar, short, ushort, int, uint, float, double)", word);
  }

  void read_header() {
    if (!lines_.next() || lines_.line() != "ply")
      fail(Exit::bad_input, "{}:1: a PLY file begins with the line 'ply'", name_);
    bool ended = false, formed = false;
    Form form = Form::text;
    while (!ended && lines_.next()) {
      if (lines_.too_long()) wrong("is longer than {} bytes", TextLines::longest);
      std::string_view line = lines_.line();
      const std::string_view keyword = take_word(line);
      if (keyword == "format") {
        const std::string_view word = take_word(line);
        if (word == "ascii")
          form = Form::text;
        else if (word == "binary_little_endian")
          form = Form::little;
        else if (word == "binary_big_endian")
          form = Form::big;
        else
          wrong("the format '{:.40}' is not ascii, binary_little_endian or binary_big_endian", word);
        formed = true;
      } else if (keyword == "element") {
        Element e{std::string(take_word(line)), 0, {}};
        const std::optional<long long> count = to_number<long long>(take_word(line));
        if (!count || *count < 0 || *count > most_elements)
          wrong("element '{:.40}' needs a count from 0 to {}", e.name, most_elements);
        e.count = *count;
        elements_.push_back(e);
      } else if (keyword == "property") {
        if (elements_.empty()) wrong("a property stands before the first element");
        Property p;
        std::string_view word = take_word(line);
        if (word == "list") {
          p.list = true;
          p.count = type_of(take_word(line));
          if (p.count.kind == 'f') wrong("the count of a list must be an integer");
          word = take_word(line);
        }
        p.type = type_of(word);
        p.name = std::string(take_word(line));
        p.role = role_of(elements_.back().name, p);
        elements_.back().properties.push_back(p);
      } else if (keyword == "end_header") {
        ended = true;
      } else if (keyword != "comment" && keyword != "obj_info" && !keyword.empty()) {
        wrong("'{:.40}' is not a word of a PLY header", keyword);
      }
    }
    if (!ended) fail(Exit::bad_input, "{}: the header has no 'end_header'", name_);
    if (!formed) fail(Exit::bad_input, "{}: the header has no 'format'", name_);
    check_elements();
    form_ = form;
  }

  void check_elements() {
    for (const Element& e : elements_) {
      auto has = [&](Role role) {
        return std::any_of(e.properties.begin(), e.properties.end(), [&](const Property& p) { return p.role == role; });
      };
      if (e.name == "vertex") {
        vertices_ = e.count;
        if (!has(Role::x) || !has(Role::y) || !has(Role::z))
          fail(Exit::bad_input, "{}: vertices need the properties x, y and z", name_);
        vertices_have_uv_ = has(Role::u) && has(Role::v);
      }
      if (e.name == "face" && e.count > 0 && !has(Role::indices))
        fail(Exit::bad_input, "{}: faces need the property vertex_indices", name_);
      if (e.properties.empty() && e.count > 0)
        fail(Exit::bad_input, "{}: element '{:.40}' has no properties", name_, e.name);
    }
  }

  void read_record(const Element& e) {
    if (form_ == Form::text) {
      // Text records stand on a line each; empty lines and comments between them are skipped.
      do {
        if (!lines_.next())
          wrong("the file ends within element '{:.40}': {} of {} are there", e.name, record_, e.count);
        if (lines_.too_long()) wrong("is longer than {} bytes", TextLines::longest);
        line_ = lines_.line();
      } while (line_.find_first_not_of(" \t") == line_.npos || line_.starts_with("comment"));
    }
    Vec3d x{};
    Vec2d uv{};
    Face face;
    for (const Property& p : e.properties) {
      long long n = 1;
      if (p.list) {
        const double count = number(p.count, e);
        if (!(count >= 0 && count == std::floor(count) && count <= 1e9))
          wrong("{} {}: a list cannot have {} entries", e.name, record_ + 1, count);
        n = static_cast<long long>(count);
        if (p.role == Role::indices && n < 3) wrong("face {} has {} corners but needs at least 3", record_ + 1, n);
        if (p.role == Role::indices && n > most_corners)
          wrong("face {} has more than {} corners", record_ + 1, most_corners);
      }
      for (long long i = 0; i < n; ++i) {
        const double value = number(p.type, e);
        if (p.role >= Role::x && p.role <= Role::z) x[int(p.role) - int(Role::x)] = coordinate(value);
        if (p.role == Role::u || p.role == Role::v) uv[p.role == Role::v] = texture_coordinate(value, e);
        if (p.role == Role::indices) indices_.push_back(index(value));
        if (p.role == Role::corner_uv) corner_uv_.push_back(texture_coordinate(value, e));
      }
      if (p.role == Role::indices) face.corners += n;
      if (p.role == Role::corner_uv) face.uv += n;
    }
    if (e.name == "vertex") mesh_.vertices.push_back(x);
    if (e.name == "vertex" && vertices_have_uv_) vertex_uv_.push_back(uv);
    if (e.name != "face") return;
    if (face.uv != 0 && face.uv != 2 * face.corners)
      wrong("face {} has {} numbers as texcoord, but its {} corners need {}", record_ + 1, face.uv, face.corners,
            2 * face.corners);
    faces_.push_back(face);
  }

  double coordinate(double value) const {
    if (!(std::abs(value) <= largest_coordinate))
      wrong("vertex {}: the coordinate {} is not finite or beyond {:g}", record_ + 1, value, largest_coordinate);
    return value;
  }
  double texture_coordinate(double value, const Element& e) const {
    if (!std::isfinite(value)) wrong("{} {}: the texture coordinate {} is not finite", e.name, record_ + 1, value);
    return value;
  }
  int index(double value) const {
    if (!(value >= 0 && value < static_cast<double>(vertices_)))
      wrong("face {}: vertex index {} but there are {} vertices (0 to {})", record_ + 1, value, vertices_,
            vertices_ - 1);
    return static_cast<int>(value);
  }

  // Texture coordinates of corners count before those of vertices, which know no seams.
  void add_faces() {
    FaceAppender appender(mesh_);
    std::span<const int> indices = indices_;
    std::span<const double> of_corners = corner_uv_;
    std::vector<Vec2d> uv;
    for (const Face& face : faces_) {
      uv.clear();
      for (long long i = 0; i < face.uv; i += 2)
        uv.push_back({of_corners[static_cast<std::size_t>(i)], of_corners[static_cast<std::size_t>(i) + 1]});
      const auto corners = indices.first(static_cast<std::size_t>(face.corners));
      if (uv.empty() && vertices_have_uv_)
        for (const int v : corners) uv.push_back(vertex_uv_[static_cast<std::size_t>(v)]);
      appender.add(corners, uv);
      indices = indices.subspan(corners.size());
      of_corners = of_corners.subspan(static_cast<std::size_t>(face.uv));
    }
  }

  double number(const Type& type, const Element& e) {
    if (form_ == Form::text) {
      const std::string_view word = take_word(line_);
      if (word.empty()) wrong("{} {} has too few numbers", e.name, record_ + 1);
      const std::optional<double> value = to_number<double>(word);
      if (!value) wrong("{} {}: '{:.40}' is not a number", e.name, record_ + 1, word);
      return *value;
    }
    const std::size_t n = static_cast<std::size_t>(type.bytes);
    if (body_.size() < n) wrong("the file ends within {} {} of {}", e.name, record_ + 1, e.count);
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < n; ++i)
      bits = bits << 8 | static_cast<unsigned char>(body_[form_ == Form::big ? i : n - 1 - i]);
    body_.remove_prefix(n);
    if (type.kind == 'f')
      return n == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits)) : std::bit_cast<double>(bits);
    if (type.kind == 'u') return static_cast<double>(bits);
    const int shift = 64 - 8 * type.bytes;
    return static_cast<double>(static_cast<std::int64_t>(bits << shift) >> shift);
  }

  std::string_view text_;
  const std::string& name_;
  TextLines lines_;
  std::string_view line_;  // what is left of a text record
  std::string_view body_;  // what is left of binary records
  Form form_ = Form::text;
  std::vector<Element> elements_;
  long long record_ = 0, vertices_ = 0;
  TriangleMesh mesh_;
  bool vertices_have_uv_ = false;
  std::vector<Vec2d> vertex_uv_;
  std::vector<Face> faces_;
  std::vector<int> indices_;  // of all faces
  std::vector<double> corner_uv_;
};

}  // namespace

TriangleMesh ply_triangles(std::string_view text, const std::string& name) { return PlyReader(text, name).read(); }

}  // namespace knead
