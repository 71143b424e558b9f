// Gmsh's .msh, versions 2.2 and 4.1, as text and binary (Gmsh reference manual, "MSH file format").
#include "geometry/simplex_files.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <map>

namespace knead {

namespace {

// Corners of the kinds of elements, by Gmsh's number; with points on edges more than the corners that count here.
struct Kind {
  int points, dim, corners;
};
const std::map<long long, Kind>& kinds() {
  static const std::map<long long, Kind> all{
      {1, {2, 1, 2}},   {2, {3, 2, 3}},   {3, {4, 2, 4}},   {4, {4, 3, 4}},  {5, {8, 3, 8}},   {6, {6, 3, 6}},
      {7, {5, 3, 5}},   {8, {3, 1, 2}},   {9, {6, 2, 3}},   {10, {9, 2, 4}}, {11, {10, 3, 4}}, {12, {27, 3, 8}},
      {13, {18, 3, 6}}, {14, {14, 3, 5}}, {15, {1, 0, 1}},  {16, {8, 2, 4}}, {17, {20, 3, 8}}, {18, {15, 3, 6}},
      {19, {13, 3, 5}}, {20, {9, 2, 3}},  {21, {10, 2, 3}}, {26, {4, 1, 2}}, {27, {5, 1, 2}},  {29, {20, 3, 4}}};
  return all;
}

// Text or bytes, asked for the same things.
class MshSource {
 public:
  MshSource(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  template <class... Args>
  [[noreturn]] void wrong(fmt::format_string<Args...> format, Args&&... args) const {
    const std::string what = fmt::format(format, std::forward<Args>(args)...);
    if (binary_) fail(Exit::bad_input, "{}: at byte {}: {}", name_, at_, what);
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    fail(Exit::bad_input, "{}:{}: {}", name_, line, what);
  }
  std::string_view word() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    const std::size_t begin = at_;
    while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  // Numbers that are text in binary files too.
  template <class Number>
  Number written(const char* what) {
    const std::string_view w = word();
    if (w.empty()) wrong("the file ends where {} should be; it is truncated", what);
    const std::optional<Number> n = to_number<Number>(w);
    if (!n) wrong("found '{:.40}' where {} should be", w, what);
    return *n;
  }
  // Numbers that are bytes in binary files, of this type.
  template <class Stored>
  Stored stored(const char* what) {
    if (!binary_) return written<Stored>(what);
    if (text_.size() - at_ < sizeof(Stored)) wrong("the file ends where {} should be; it is truncated", what);
    Stored value;
    std::memcpy(&value, text_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  template <class Stored>
  std::size_t count(const char* what) {
    return checked_count(static_cast<long long>(stored<Stored>(what)), what);
  }
  std::size_t written_count(const char* what) { return checked_count(written<long long>(what), what); }
  // In binary files numbers begin right after the line's end.
  void end_line() {
    if (!binary_) return;
    const std::size_t end = text_.find('\n', at_);
    if (end == text_.npos) wrong("the file ends in the middle of a line; it is truncated");
    at_ = end + 1;
  }
  void set_binary() { binary_ = true; }
  bool binary() const { return binary_; }
  // On to the next section; empty at the end. What does not belong to a section is passed by.
  std::string_view next_section() {
    for (;;) {
      at_ = text_.find('$', at_);
      if (at_ == text_.npos) return at_ = text_.size(), std::string_view();
      if (at_ > 0 && text_[at_ - 1] != '\n') {
        ++at_;
        continue;
      }
      return word();
    }
  }
  void end_section(std::string_view begin) {
    const std::string_view end = word();
    if (!end.starts_with("$End") || end.substr(4) != begin.substr(1))
      wrong("found '{:.40}' where $End{:.40} should be", end, begin.substr(1));
  }

 private:
  std::size_t checked_count(long long n, const char* what) const {
    if (n < 0) wrong("{} is {}, but cannot be negative", what, n);
    if (n > static_cast<long long>(text_.size()))
      wrong("{} is {}, more than a file of {} bytes can hold", what, n, text_.size());
    return static_cast<std::size_t>(n);
  }
  std::string_view text_;
  const std::string& name_;
  std::size_t at_ = 0;
  bool binary_ = false;
};

const Kind& kind_of(const MshSource& in, long long type) {
  const auto found = kinds().find(type);
  if (found == kinds().end()) in.wrong("element type {} is not known; mesh with triangles and tetrahedra", type);
  return found->second;
}

void add_element(FileCells& cells, const MshSource& in, long long number, long long type,
                 const std::vector<long long>& nodes) {
  if (number < 0) in.wrong("an element has the number {}, but numbers cannot be negative", number);
  const Kind& kind = kind_of(in, type);
  if (kind.dim == 2 && kind.corners == 3)
    cells.triangles.push_back(cells.corners(in, std::array{nodes[0], nodes[1], nodes[2]}));
  if (kind.dim == 3 && kind.corners == 4)
    cells.tetrahedra.push_back(cells.corners(in, std::array{nodes[0], nodes[1], nodes[2], nodes[3]}));
  cells.other_volumes += kind.dim == 3 && kind.corners != 4;
}

Vec3d read_point(MshSource& in) {
  Vec3d x{};
  for (int k = 0; k < 3; ++k) x[k] = in.stored<double>("a coordinate");
  return x;
}

void read_nodes_2(MshSource& in, FileCells& cells) {
  const std::size_t n = in.written_count("the number of nodes");
  in.end_line();
  for (std::size_t i = 0; i < n; ++i) {
    const long long number = in.stored<std::int32_t>("the number of a node");
    cells.add_point(in, number, read_point(in));
  }
}

// As bytes, elements of one kind follow each other after a common head.
void read_elements_2(MshSource& in, FileCells& cells) {
  const std::size_t n = in.written_count("the number of elements");
  in.end_line();
  std::vector<long long> nodes;
  for (std::size_t i = 0; i < n;) {
    std::int32_t number = in.binary() ? 0 : in.stored<std::int32_t>("the number of an element");
    const auto type = in.stored<std::int32_t>("the type of an element");
    const std::size_t together = in.binary() ? in.count<std::int32_t>("the number of elements in a block") : 1;
    const std::size_t tags = in.count<std::int32_t>("the number of tags");
    if (together == 0) in.wrong("a block of elements is empty");
    for (std::size_t j = 0; j < together; ++j, ++i) {
      if (in.binary()) number = in.stored<std::int32_t>("the number of an element");
      for (std::size_t k = 0; k < tags; ++k)
        if (const auto tag = in.stored<std::int32_t>("a tag"); k < 2 && tag < 0)
          in.wrong("element {} has the tag {}, but tags of groups and bodies cannot be negative", number, tag);
      nodes.resize(static_cast<std::size_t>(kind_of(in, type).points));
      for (long long& p : nodes) p = in.stored<std::int32_t>("a corner");
      add_element(cells, in, number, type, nodes);
    }
  }
}

void read_nodes_4(MshSource& in, FileCells& cells) {
  in.end_line();
  const std::size_t blocks = in.count<std::uint64_t>("the number of blocks");
  for (int k = 0; k < 3; ++k) in.stored<std::uint64_t>("a count");
  for (std::size_t b = 0; b < blocks; ++b) {
    const int dim = in.stored<std::int32_t>("a dimension");
    in.stored<std::int32_t>("a tag");
    const bool parametric = in.stored<std::int32_t>("whether nodes have parameters") != 0;
    const std::size_t n = in.count<std::uint64_t>("the number of nodes");
    if (dim < 0 || dim > 3) in.wrong("a block has the dimension {}, but it must be 0 to 3", dim);
    std::vector<long long> numbers(n);
    for (long long& number : numbers) number = in.stored<std::int64_t>("the number of a node");
    for (long long number : numbers) {
      cells.add_point(in, number, read_point(in));
      for (int k = 0; parametric && k < dim; ++k) in.stored<double>("a parameter");
    }
  }
}

void read_elements_4(MshSource& in, FileCells& cells) {
  in.end_line();
  const std::size_t blocks = in.count<std::uint64_t>("the number of blocks");
  for (int k = 0; k < 3; ++k) in.stored<std::uint64_t>("a count");
  std::vector<long long> nodes;
  for (std::size_t b = 0; b < blocks; ++b) {
    in.stored<std::int32_t>("a dimension");
    in.stored<std::int32_t>("a tag");
    const auto type = in.stored<std::int32_t>("the type of elements");
    const std::size_t n = in.count<std::uint64_t>("the number of elements");
    nodes.resize(static_cast<std::size_t>(kind_of(in, type).points));
    for (std::size_t i = 0; i < n; ++i) {
      const long long number = in.stored<std::int64_t>("the number of an element");
      for (long long& p : nodes) p = in.stored<std::int64_t>("a corner");
      add_element(cells, in, number, type, nodes);
    }
  }
}

}  // namespace

FileCells read_msh(std::string_view text, const std::string& name) {
  MshSource in(text, name);
  FileCells cells;
  bool nodes = false, elements = false;
  if (in.next_section() != "$MeshFormat")
    fail(Exit::bad_input, "{}:1: is not a Gmsh file: it must begin with $MeshFormat", name);
  const std::string_view version = in.word();
  const bool v2 = version == "2.2" || version == "2", v4 = version == "4.1";
  if (!v2 && !v4)
    in.wrong("has the Gmsh version {:.10}, but only 2.2 and 4.1 can be read; save it as one of these", version);
  const auto kind = in.written<int>("0 for text or 1 for bytes");
  const auto size = in.written<int>("the size of numbers");
  if ((kind != 0 && kind != 1) || size != 8)
    in.wrong("the format must be 0 (text) or 1 (bytes), with numbers of size 8");
  if (kind == 1) {
    in.set_binary();
    in.end_line();
    if (in.stored<std::int32_t>("the number one") != 1)
      in.wrong("was written on a machine with another byte order; save it as text");
  }
  in.end_section("$MeshFormat");
  for (std::string_view section = in.next_section(); !section.empty(); section = in.next_section()) {
    if (section == "$Nodes") {
      v2 ? read_nodes_2(in, cells) : read_nodes_4(in, cells);
      in.end_section(section);
      nodes = true;
    } else if (section == "$Elements") {
      if (!nodes) in.wrong("$Elements comes before $Nodes");
      v2 ? read_elements_2(in, cells) : read_elements_4(in, cells);
      in.end_section(section);
      elements = true;
    }
  }
  if (!nodes || !elements)
    fail(Exit::bad_input, "{}: has no section {}; it is truncated, or not a mesh", name,
         nodes ? "$Elements" : "$Nodes");
  return cells;
}

}  // namespace knead
