// What the readers of mesh files share: the words of a text with their lines, and points and cells by the file's
// numbers.
#pragma once

#include "base/error.h"
#include "base/vec.h"
#include "geometry/mesh_checks.h"
#include "geometry/text_lines.h"

#include <array>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

namespace knead {

// The words of a text, one after the other; '#' starts a comment. What is wrong is said with the file and the line.
class TextWords {
 public:
  TextWords(std::string_view text, const std::string& name) : lines_(text), size_(text.size()), name_(name) {}

  template <class... Args>
  [[noreturn]] void wrong(fmt::format_string<Args...> format, Args&&... args) const {
    fail(Exit::bad_input, "{}:{}: {}", name_, lines_.number(), fmt::format(format, std::forward<Args>(args)...));
  }
  // The next word; empty at the end of the text.
  std::string_view next() {
    for (;;) {
      const std::string_view word = take_word(line_);
      if (!word.empty() && word[0] != '#') return word;
      if (!next_line()) return {};
    }
  }
  std::string_view next(const char* what) {
    const std::string_view word = next();
    if (word.empty()) wrong("the file ends where {} should be; it is truncated", what);
    return word;
  }
  bool next_line() {
    if (!lines_.next()) return line_ = {}, false;
    if (lines_.too_long()) wrong("is longer than {} bytes", TextLines::longest);
    line_ = lines_.line();
    return true;
  }
  long long integer(const char* what) {
    const std::string_view word = next(what);
    const std::optional<long long> n = to_number<long long>(word);
    if (!n) wrong("'{:.40}' stands where {} should, a whole number", word, what);
    return *n;
  }
  double number(const char* what) {
    const std::string_view word = next(what);
    const std::optional<double> x = to_number<double>(word);
    if (!x) wrong("'{:.40}' stands where {} should, a number", word, what);
    return *x;
  }
  // How many of something follow: not negative, and not more than the file has room for.
  std::size_t count(const char* what) {
    const long long n = integer(what);
    if (n < 0) wrong("{} is {}, but cannot be negative", what, n);
    if (n > static_cast<long long>(size_)) wrong("{} is {}, more than a file of {} bytes can hold", what, n, size_);
    return static_cast<std::size_t>(n);
  }

 private:
  TextLines lines_;
  std::size_t size_;
  std::string_view line_;
  const std::string& name_;
};

// What a file holds, before it is checked as a whole. Points have numbers of their own, in any order.
struct FileCells {
  std::vector<Vec3d> points;
  std::unordered_map<long long, int> by_number;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 4>> tetrahedra;
  std::size_t other_volumes = 0;  // cells with a volume that are no tetrahedra

  // `source` says where: it has wrong(...).
  template <class Source>
  void add_point(Source& source, long long number, const Vec3d& x) {
    if (number < 0) source.wrong("a point has the number {}, but numbers cannot be negative", number);
    for (int k = 0; k < 3; ++k)
      if (!(std::abs(x[k]) <= largest_coordinate))
        source.wrong("point {}: the coordinate {} is not finite or beyond {:g}", number, x[k], largest_coordinate);
    if (!by_number.try_emplace(number, static_cast<int>(points.size())).second)
      source.wrong("there is another point with the number {}; each must be given once", number);
    points.push_back(x);
  }
  template <class Source>
  int corner(Source& source, long long number) const {
    const auto found = by_number.find(number);
    if (found == by_number.end())
      source.wrong("a cell has the corner {}, but there is no such point among the {}", number, points.size());
    return found->second;
  }
  template <std::size_t n, class Source>
  std::array<int, n> corners(Source& source, const std::array<long long, n>& numbers) const {
    std::array<int, n> at{};
    for (std::size_t k = 0; k < n; ++k) {
      at[k] = corner(source, numbers[k]);
      for (std::size_t j = 0; j < k; ++j)
        if (at[j] == at[k]) source.wrong("a cell has the corner {} twice", numbers[k]);
    }
    return at;
  }
};

FileCells read_msh(std::string_view text, const std::string& name);
FileCells read_medit(std::string_view text, const std::string& name);
FileCells read_vtk(std::string_view text, const std::string& name);
FileCells read_tetgen(std::string_view nodes, const std::string& nodes_name, std::string_view cells,
                      const std::string& cells_name);

}  // namespace knead
