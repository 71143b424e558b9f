// Houdini's ASCII .geo (version 5), positions only: Fumoto's "one file of particle positions a frame", written and read
// back.
#include "output/components.h"
#include "output/exporter_list.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace knead {

namespace {

class Geo final : public Exporter {
 public:
  std::string name() const override { return "geo"; }
  std::string doc() const override { return "Houdini ASCII geometry, positions only"; }

  void write(const Frame& frame, WholeFile& file) const override {
    const Column x = padded_to_3d(*frame.particles.find("x"), frame.dimension);
    file.write(
        fmt::format("PGEOMETRY V5\nNPoints {} NPrims 0\nNPointGroups 0 NPrimGroups 0\n"
                    "NPointAttrib 0 NVertexAttrib 0 NPrimAttrib 0 NAttrib 0\n",
                    frame.particles.count()));
    std::string line;
    for (std::size_t i = 0; i < frame.particles.count(); ++i) {
      line.clear();
      for (int k = 0; k < 3; ++k) append_number(line, x, i, k), line += ' ';
      file.write(line += "1\n");
    }
    file.write("beginExtra\nendExtra\n");
  }
};

// Words of a text, one after another, with the line they stand on.
class Words {
 public:
  Words(const std::string& text, std::string name) : text_(text), name_(std::move(name)) {}

  std::string_view next() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) line_ += text_[at_++] == '\n';
    const std::size_t begin = at_;
    while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
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

Frame read_geo(const std::filesystem::path& path, int dimension) {
  const std::string text = read_whole(path, std::size_t(8) << 30);
  Words words(text, path.string());
  words.expect("PGEOMETRY"), words.expect("V5");
  const std::int64_t points = words.count("NPoints");
  for (const char* label :
       {"NPrims", "NPointGroups", "NPrimGroups", "NPointAttrib", "NVertexAttrib", "NPrimAttrib", "NAttrib"})
    if (words.count(label) != 0) words.stop("only files of bare points can be read; {} must be 0", label);
  // A point takes at least eight characters, so that a false count is found before memory is taken for it.
  if (points < 0 || static_cast<std::uint64_t>(points) > words.left() / 8)
    words.stop("the file is too short for {} points", points);
  Frame frame;
  frame.dimension = dimension;
  frame.particles.resize(static_cast<std::size_t>(points));
  Column& x = frame.particles.add("x", Scalar::f64, dimension, "m");
  auto* out = reinterpret_cast<double*>(x.data.data());
  for (std::int64_t i = 0; i < points; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double value = words.number<double>();
      if (k < dimension) *out++ = value;
    }
    if (words.number<double>() != 1) words.stop("the fourth number of a point must be 1");
  }
  words.expect("beginExtra"), words.expect("endExtra");
  return frame;
}

}  // namespace knead
