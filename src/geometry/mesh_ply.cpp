#include "base/error.h"
#include "geometry/mesh_checks.h"
#include "geometry/text_lines.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace knead {

namespace {

enum class Form { text, little, big };

struct Type {
  int bytes;
  char kind;  // i, u or f
};

struct Property {
  std::string name;
  Type type{};
  bool list = false;
  Type count{};  // of a list
};

struct Element {
  std::string name;
  long long count = 0;
  std::vector<Property> properties;
};

class PlyChecker {
 public:
  PlyChecker(std::string_view text, const std::string& name) : text_(text), name_(name), lines_(text) {}

  void check() {
    read_header();
    body_ = lines_.rest();
    for (const Element& e : elements_)
      for (record_ = 0; record_ < e.count; ++record_) read_record(e);
    if (faces_ == 0) fail(Exit::bad_input, "{}: has no faces ({} vertices); a mesh needs triangles", name_, vertices_);
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
      auto has = [&](const char* name) {
        return std::any_of(e.properties.begin(), e.properties.end(), [&](const Property& p) { return p.name == name; });
      };
      if (e.name == "vertex") {
        vertices_ = e.count;
        if (!has("x") || !has("y") || !has("z"))
          fail(Exit::bad_input, "{}: vertices need the properties x, y and z", name_);
      }
      if (e.name == "face" && e.count > 0 && !has("vertex_indices") && !has("vertex_index"))
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
    const bool vertex = e.name == "vertex", face = e.name == "face";
    for (const Property& p : e.properties) {
      const bool indices = face && p.list && (p.name == "vertex_indices" || p.name == "vertex_index");
      const bool coordinate = vertex && (p.name == "x" || p.name == "y" || p.name == "z");
      long long n = 1;
      if (p.list) {
        const double count = number(p.count, e);
        if (!(count >= 0 && count == std::floor(count) && count <= 1e9))
          wrong("{} {}: a list cannot have {} entries", e.name, record_ + 1, count);
        n = static_cast<long long>(count);
        if (indices && n < 3) wrong("face {} has {} corners but needs at least 3", record_ + 1, n);
        if (indices && n > most_corners) wrong("face {} has more than {} corners", record_ + 1, most_corners);
      }
      for (long long i = 0; i < n; ++i) {
        const double value = number(p.type, e);
        if (coordinate && !(std::abs(value) <= largest_coordinate))
          wrong("vertex {}: the coordinate {} is not finite or beyond {:g}", record_ + 1, value, largest_coordinate);
        if (indices && !(value >= 0 && value < static_cast<double>(vertices_)))
          wrong("face {}: vertex index {} but there are {} vertices (0 to {})", record_ + 1, value, vertices_,
                vertices_ - 1);
      }
      if (indices) ++faces_;
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
  long long record_ = 0, vertices_ = 0, faces_ = 0;
};

}  // namespace

void check_ply(std::string_view text, const std::string& name) { PlyChecker(text, name).check(); }

}  // namespace knead
