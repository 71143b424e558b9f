#include "base/error.h"
#include "geometry/text_lines.h"
#include "geometry/whole_file.h"
#include "sample/sample.h"

#include <utility>

namespace knead {

namespace {

constexpr std::string_view separators = ",; \t";

// Letters where numbers should be are the names of the columns, which must be those of a point, in order.
bool is_header(std::string_view line, int dim, const std::string& name, long number) {
  std::string words;
  for (std::string_view word = take_word(line, separators); !word.empty(); word = take_word(line, separators)) {
    if (to_number<double>(word)) return false;
    for (const char c : word)
      if (c != '"' && c != '\'') words += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    words += ' ';
  }
  if (words != "x y z " && !(dim == 2 && words == "x y "))
    fail(Exit::bad_input, "{}:{}: the header is '{:.60}' but must be x, y{}", name, number,
         words.substr(0, words.size() - 1), dim == 3 ? ", z" : "");
  return true;
}

Vec3d point_of(std::string_view line, int dim, const std::string& name, long number) {
  Vec3d p{};
  int count = 0;
  for (std::string_view word = take_word(line, separators); !word.empty(); word = take_word(line, separators)) {
    const std::optional<double> value = to_number<double>(word);
    if (!value) fail(Exit::bad_input, "{}:{}: '{:.40}' is not a number", name, number, word);
    if (!(std::abs(*value) <= 1e12))
      fail(Exit::bad_input, "{}:{}: the coordinate {:.40} is not finite or beyond 1e12 m", name, number, word);
    if (count == 3) fail(Exit::bad_input, "{}:{}: has more than 3 numbers; a line is one point", name, number);
    p[count++] = *value;
  }
  if (count < dim)
    fail(Exit::bad_input, "{}:{}: has {} numbers but a point in {}D has {}", name, number, count, dim, dim);
  if (dim == 2 && p[2] != 0)
    fail(Exit::bad_input, "{}:{}: z is {} but must be 0 or left out in 2D", name, number, p[2]);
  return p;
}

}  // namespace

std::vector<Vec3d> read_points_csv(const std::filesystem::path& file, int dim, std::int64_t max_count) {
  const std::string name = file.string(), text = read_whole_file(file, "point file");
  std::vector<Vec3d> points;
  TextLines lines(text);
  bool first = true;
  while (lines.next()) {
    if (lines.too_long())
      fail(Exit::bad_input, "{}:{}: is longer than {} bytes", name, lines.number(), TextLines::longest);
    const std::string_view line = lines.line().substr(0, lines.line().find('#'));
    if (line.find_first_not_of(separators) == line.npos) continue;
    if (!std::exchange(first, false) || !is_header(line, dim, name, lines.number()))
      points.push_back(point_of(line, dim, name, lines.number()));
    if (static_cast<std::int64_t>(points.size()) > max_count)
      fail(Exit::resources, "{}: has more than {} points, the most allowed", name, max_count);
  }
  if (points.empty())
    fail(Exit::bad_input, "{}: has no points; write one per line: x, y{}", name, dim == 3 ? ", z" : "");
  return points;
}

}  // namespace knead
