// Houdini's ASCII .geo (version 5), positions and a few attributes, written and read back: one file of particle
// positions per frame, as in Fumoto.
#include "output/components.h"
#include "output/exporter_list.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace knead {

namespace {

// The columns written beside the positions, as far as a frame has them, as attributes of the points.
constexpr const char* attribute_names[] = {"v", "id", "body", "mass"};

// Name, size, type and default.
std::string definition(const Column& c) {
  const char* type = c.scalar == Scalar::i32 ? "int" : c.components == 3 ? "vector" : "float";
  std::string line = fmt::format("{} {} {}", c.name, c.components, type);
  for (int k = 0; k < c.components; ++k) line += " 0";
  return line + "\n";
}

class Geo final : public Exporter {
 public:
  std::string name() const override { return "geo"; }
  std::string doc() const override { return "Houdini ASCII geometry: positions, v, id, body and mass"; }

  void write(const Frame& frame, WholeFile& file) const override {
    const Column x = padded_to_3d(*frame.particles.find("x"), frame.dimension);
    std::vector<Column> attributes;
    for (const char* wanted : attribute_names)
      if (const Column* c = frame.particles.find(wanted)) attributes.push_back(padded_to_3d(*c, frame.dimension));
    file.write(
        fmt::format("PGEOMETRY V5\nNPoints {} NPrims 0\nNPointGroups 0 NPrimGroups 0\n"
                    "NPointAttrib {} NVertexAttrib 0 NPrimAttrib 0 NAttrib 0\n",
                    frame.particles.count(), attributes.size()));
    if (!attributes.empty()) file.write("PointAttrib\n");
    for (const Column& c : attributes) file.write(definition(c));
    std::string line;
    for (std::size_t i = 0; i < frame.particles.count(); ++i) {
      line.clear();
      for (int k = 0; k < 3; ++k) append_number(line, x, i, k), line += ' ';
      line += '1';
      const char* before = " (";
      for (const Column& c : attributes)
        for (int k = 0; k < c.components; ++k) line += before, append_number(line, c, i, k), before = " ";
      file.write(line += attributes.empty() ? "\n" : ")\n");
    }
    file.write("beginExtra\nendExtra\n");
  }
};

// Words of a text, one after another, with the line they stand on. Parentheses are words of their own.
class Words {
 public:
  Words(const std::string& text, std::string name) : text_(text), name_(std::move(name)) {}

  std::string_view next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) line_ += text_[at_++] == '\n';
    const std::size_t begin = at_;
    if (at_ < text_.size() && (text_[at_] == '(' || text_[at_] == ')')) ++at_;
    if (at_ == begin)
      while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_])) && text_[at_] != '(' &&
             text_[at_] != ')')
        ++at_;
    return std::string_view(text_).substr(begin, at_ - begin);
  }
  void expect(std::string_view word) {
    if (const std::string_view found = next(); found != word)
      stop("expected '{}', found '{}'", word, found.substr(0, 40));
  }
  // The number after its label.
  std::int64_t count(std::string_view label) {
    expect(label);
    return number<std::int64_t>();
  }
  template <class T>
  T number() {
    const std::string_view word = next();
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || word.empty())
      stop("expected a number, found '{}'", word.substr(0, 40));
    if constexpr (std::is_floating_point_v<T>)
      if (!std::isfinite(value)) stop("'{}' is not a finite number", word.substr(0, 40));
    return value;
  }
  template <class... Args>
  [[noreturn]] void stop(fmt::format_string<Args...> format, Args&&... args) const {
    fail(Exit::bad_input, "{}:{}: {}", name_, line_, fmt::format(format, std::forward<Args>(args)...));
  }
  std::size_t left() const { return text_.size() - at_; }

 private:
  const std::string& text_;
  std::string name_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

const Exporter& geo_exporter() {
  static const Geo exporter;
  return exporter;
}

namespace {

// An attribute of the points: vectors of 3 become those of the dimension.
struct Attribute {
  std::string name;
  bool whole = false;  // int, else double
  int size = 0;        // in the file
  int kept = 0;        // in the column
};

std::vector<Attribute> read_attributes(Words& words, std::int64_t count, int dimension) {
  if (count < 0 || count > 64) words.stop("NPointAttrib must be 0 to 64");
  if (count > 0) words.expect("PointAttrib");
  std::vector<Attribute> attributes;
  for (std::int64_t i = 0; i < count; ++i) {
    Attribute a;
    a.name = std::string(words.next());
    a.size = words.number<int>();
    if (a.name.empty() || a.name == "x" || a.size < 1 || a.size > 16)
      words.stop("an attribute must have a name other than 'x' and 1 to 16 numbers");
    for (const Attribute& other : attributes)
      if (other.name == a.name) words.stop("there are two attributes '{}'", a.name);
    const std::string_view type = words.next();
    if (type != "int" && type != "float" && type != "vector")
      words.stop("the type of '{}' must be int, float or vector, not '{}'", a.name, type.substr(0, 40));
    a.whole = type == "int";
    a.kept = type == "vector" && a.size == 3 ? dimension : a.size;
    for (int k = 0; k < a.size; ++k) words.number<double>();  // the default, which every point overrides
    attributes.push_back(std::move(a));
  }
  return attributes;
}

void read_attribute(Words& words, const Attribute& a, Column& column, std::size_t point) {
  auto read = [&]<class T>(T) {
    for (int k = 0; k < a.size; ++k)
      if (const T value = words.number<T>(); k < a.kept)
        std::memcpy(column.data.data() + point * column.stride() + static_cast<std::size_t>(k) * sizeof value, &value,
                    sizeof value);
  };
  a.whole ? read(std::int32_t{}) : read(double{});
}

}  // namespace

Frame read_geo(const std::filesystem::path& path, int dimension) {
  const std::string text = read_whole(path, std::size_t(8) << 30);
  Words words(text, path.string());
  words.expect("PGEOMETRY"), words.expect("V5");
  const std::int64_t points = words.count("NPoints");
  auto expect_none = [&](std::initializer_list<const char*> labels) {
    for (const char* label : labels)
      if (words.count(label) != 0) words.stop("only files of bare points can be read; {} must be 0", label);
  };
  expect_none({"NPrims", "NPointGroups", "NPrimGroups"});
  const std::int64_t attribute_count = words.count("NPointAttrib");
  expect_none({"NVertexAttrib", "NPrimAttrib", "NAttrib"});
  const std::vector<Attribute> attributes = read_attributes(words, attribute_count, dimension);
  // A point takes at least eight characters and each number of its attributes two, so that a false count is found
  // before memory is taken for it.
  std::size_t least = 8;
  for (const Attribute& a : attributes) least += 2 * static_cast<std::size_t>(a.size);
  if (points < 0 || static_cast<std::uint64_t>(points) > words.left() / least)
    words.stop("the file is too short for {} points", points);
  Frame frame;
  frame.dimension = dimension;
  frame.particles.resize(static_cast<std::size_t>(points));
  frame.particles.add("x", Scalar::f64, dimension, "m");
  for (const Attribute& a : attributes) frame.particles.add(a.name, a.whole ? Scalar::i32 : Scalar::f64, a.kept);
  std::vector<Column*> columns;
  for (const Attribute& a : attributes) columns.push_back(frame.particles.find(a.name));
  auto* out = reinterpret_cast<double*>(frame.particles.find("x")->data.data());
  for (std::int64_t i = 0; i < points; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double value = words.number<double>();
      if (k < dimension) *out++ = value;
    }
    if (words.number<double>() != 1) words.stop("the fourth number of a point must be 1");
    if (attributes.empty()) continue;
    words.expect("(");
    for (std::size_t a = 0; a < attributes.size(); ++a)
      read_attribute(words, attributes[a], *columns[a], static_cast<std::size_t>(i));
    words.expect(")");
  }
  words.expect("beginExtra"), words.expect("endExtra");
  return frame;
}

}  // namespace knead
