#include "apps/print.h"

#include "base/one_line.h"
#include "base/printable.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace knead {
namespace {

// Columns a cell takes on a terminal: UTF-8 continuation bytes and colour codes take none.
std::size_t width_of(const std::string& cell) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    if (cell[i] == '\033') {
      while (i < cell.size() && cell[i] != 'm') ++i;
    } else if ((static_cast<unsigned char>(cell[i]) & 0xC0) != 0x80) {
      ++width;
    }
  }
  return width;
}

std::string styled(const char* code, const std::string& text) {
  static const bool on = [] {
    const char* no_color = std::getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no_color && *no_color);
  }();
  return on ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

}  // namespace

std::string aligned(const std::vector<std::vector<std::string>>& rows, bool header, const std::vector<int>& right) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c == widths.size()) widths.push_back(0);
      widths[c] = std::max(widths[c], width_of(row[c]));
    }
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string& cell = rows[r][c];
      const std::string space(widths[c] - width_of(cell), ' ');
      const bool to_right = std::find(right.begin(), right.end(), static_cast<int>(c)) != right.end();
      const std::string shown = header && r == 0 ? bold(cell) : cell;
      line += to_right ? space + shown + "  " : shown + space + "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += "  " + line + "\n";
  }
  return text;
}

std::string short_number(double value) { return fmt::format("{:.4g}", value); }

std::string bold(const std::string& text) { return styled("1", text); }
std::string green(const std::string& text) { return styled("32", text); }
std::string red(const std::string& text) { return styled("31", text); }

Counter::Counter(std::string what, bool quiet) : what_(std::move(what)), on_(!quiet && isatty(STDERR_FILENO)) {}
Counter::~Counter() {
  if (on_) fmt::print(stderr, "\r\033[K");
}
void Counter::show(std::int64_t done, std::int64_t total) {
  if (on_) fmt::print(stderr, "\r{} {} of {}\033[K", what_, done, total);
}

void print_message(const char* kind, std::string_view text) {
  const bool error = std::string_view(kind) == "error";
  fmt::print(stderr, "knead: {}: {}\n", kind, printable_message(error ? std::string(text) : one_line(text)));
}

}  // namespace knead
