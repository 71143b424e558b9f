// Small helpers to print results: aligned tables, quantities for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace knead {

// Rows of cells in columns as wide as their widest cell; the first row is the header where `header` is set. Columns
// named in `right` (by index) are aligned to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows, bool header, const std::vector<int>& right = {});

// Four significant digits, for tables.
std::string short_number(double value);

// "knead: warning: TEXT" and a line end, on stderr.
void print_message(const char* kind, std::string_view text);

// Text in bold or colour where stdout is a terminal and NO_COLOR is not set; plain otherwise.
std::string bold(const std::string& text);
std::string green(const std::string& text);
std::string red(const std::string& text);

// One line redrawn on a terminal, nothing elsewhere and when quiet: "rendering 12 of 48".
class Counter {
 public:
  Counter(std::string what, bool quiet);
  ~Counter();
  Counter(const Counter&) = delete;
  void show(std::int64_t done, std::int64_t total);

 private:
  std::string what_;
  bool on_;
};

}  // namespace knead
