#include "output/stats_csv.h"

#include "base/error.h"
#include "base/fnv.h"
#include "base/nearest.h"
#include "output/whole_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace knead {

namespace {

constexpr std::size_t max_size = std::size_t(1) << 30;

// A word between quotes where it holds a comma or a quote (RFC 4180); a line break would end the row and becomes a
// space.
std::string quoted(std::string word) {
  std::replace_if(
      word.begin(), word.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (word.find_first_of(",\"") == std::string::npos) return word;
  std::string result = "\"";
  for (char c : word) result.append(c == '"' ? 2 : 1, c);
  return result + '"';
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> cells(1);
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && inside && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[i++];
    else if (line[i] == '"')
      inside = !inside;
    else if (line[i] == ',' && !inside)
      cells.emplace_back();
    else
      cells.back() += line[i];
  }
  return cells;
}

std::string header_line(const std::vector<std::string>& columns) {
  std::string line;
  for (const std::string& c : columns) line += (line.empty() ? "" : ",") + quoted(c);
  return line + '\n';
}

void need_frame_column(const std::vector<std::string>& columns) {
  if (std::find(columns.begin(), columns.end(), "frame") == columns.end())
    fail(Exit::unexpected, "statistics without a column 'frame' cannot be resumed");
}

double number(const std::string& word) {
  double value = 0;
  const char* end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  return stop == end && error == std::errc() ? value : std::numeric_limits<double>::quiet_NaN();
}

// The finished lines of a text, without their line breaks.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t end; (end = text.find('\n')) != std::string_view::npos; text.remove_prefix(end + 1)) {
    lines.push_back(text.substr(0, end));
    if (lines.back().ends_with('\r')) lines.back().remove_suffix(1);
  }
  return lines;
}

// What a run that goes on after `last_frame` keeps of the rows below the header. A line cut short is none.
std::string rows_until(std::int64_t last_frame, const std::vector<std::string_view>& lines,
                       const std::vector<std::string>& columns) {
  const auto frame = static_cast<std::size_t>(std::find(columns.begin(), columns.end(), "frame") - columns.begin());
  std::string rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::vector<std::string> cells = split(lines[i]);
    if (cells.size() == columns.size() && frame < cells.size() &&
        number(cells[frame]) <= static_cast<double>(last_frame))
      rows.append(lines[i]) += '\n';
  }
  return rows;
}

}  // namespace

StatsCsv::StatsCsv(const std::filesystem::path& path, std::vector<std::string> columns, std::string_view text)
    : path_(path),
      columns_(std::move(columns)),
      sum_(fnv(text)),
      file_(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC)) {
  if (file_ < 0) fail(Exit::file, "cannot write '{}': {}", path_.string(), write_trouble(errno));
}

StatsCsv::StatsCsv(StatsCsv&& other) noexcept
    : path_(std::move(other.path_)),
      columns_(std::move(other.columns_)),
      sum_(other.sum_),
      file_(std::exchange(other.file_, -1)) {}

StatsCsv::~StatsCsv() {
  if (file_ >= 0) ::close(file_);
}

StatsCsv StatsCsv::create(const std::filesystem::path& path, std::vector<std::string> columns) {
  need_frame_column(columns);
  const std::string header = header_line(columns);
  write_whole(path, header);
  return StatsCsv(path, std::move(columns), header);
}

StatsCsv StatsCsv::resume(const std::filesystem::path& path, std::vector<std::string> columns,
                          std::int64_t last_frame) {
  if (!std::filesystem::exists(path)) return create(path, std::move(columns));
  need_frame_column(columns);
  const std::string text = read_whole(path, max_size);
  const std::vector<std::string_view> lines = lines_of(text);
  std::string kept = header_line(columns);
  if (lines.empty() || split(lines[0]) != columns)
    fail(Exit::bad_input, "'{}' has other columns than this run:\n  it has  {}\n  the run {}", path.string(),
         lines.empty() ? "" : lines[0], kept.substr(0, kept.size() - 1));
  kept += rows_until(last_frame, lines, columns);
  if (kept != text) write_whole(path, kept);
  return StatsCsv(path, std::move(columns), kept);
}

std::uint64_t stats_sum(const std::filesystem::path& path, std::int64_t last_frame) {
  if (!std::filesystem::exists(path)) return 0;
  const std::string text = read_whole(path, max_size);
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines.empty()) return 0;
  const std::vector<std::string> columns = split(lines[0]);
  return fnv(header_line(columns) + rows_until(last_frame, lines, columns));
}

void StatsCsv::append(std::span<const StatsCell> row) {
  if (row.size() != columns_.size())
    fail(Exit::unexpected, "a row of {} cells for the {} columns of '{}'", row.size(), columns_.size(), path_.string());
  std::string line;
  for (const StatsCell& cell : row) {
    if (!line.empty()) line += ',';
    if (const double* value = std::get_if<double>(&cell))
      fmt::format_to(std::back_inserter(line), "{}", *value);
    else
      line += quoted(std::get<std::string>(cell));
  }
  line += '\n';
  sum_ = fnv(line, sum_);
  for (std::string_view left = line; !left.empty();) {
    const ssize_t n = ::write(file_, left.data(), left.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(Exit::file, "cannot write '{}': {}", path_.string(), write_trouble(errno));
    left.remove_prefix(static_cast<std::size_t>(n));
  }
  if (::fdatasync(file_) != 0 && errno != EINVAL)
    fail(Exit::file, "cannot write '{}': {}", path_.string(), write_trouble(errno));
}

int StatsTable::find(std::string_view name) const {
  const auto it = std::find(names.begin(), names.end(), name);
  return it == names.end() ? -1 : static_cast<int>(it - names.begin());
}

const std::vector<double>& StatsTable::column(std::string_view name) const {
  const int i = find(name);
  if (i < 0) {
    const std::string near = did_you_mean(name, names);
    fail(Exit::bad_input, "the statistics have no column '{}'{}", name,
         near.empty() ? fmt::format("; they have {}", fmt::join(names, ", ")) : near);
  }
  return values[static_cast<std::size_t>(i)];
}

StatsTable read_stats(const std::filesystem::path& path, std::size_t first_row) {
  const std::string text = read_whole(path, max_size);
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines.empty()) fail(Exit::bad_input, "'{}' is empty; a header of column names was expected", path.string());
  StatsTable table;
  table.names = split(lines[0]);
  table.values.resize(table.names.size());
  table.words.resize(table.names.size());
  table.first = std::min(first_row, lines.size() - 1);
  for (std::size_t i = 1 + table.first; i < lines.size(); ++i) {
    std::vector<std::string> cells = split(lines[i]);
    if (cells.size() != table.names.size())
      fail(Exit::bad_input, "{}:{}: {} values, but the header names {} columns", path.string(), i + 1, cells.size(),
           table.names.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
      table.values[c].push_back(number(cells[c]));
      table.words[c].push_back(std::move(cells[c]));
    }
  }
  return table;
}

}  // namespace knead
