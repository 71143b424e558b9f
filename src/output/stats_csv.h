// stats.csv: a row of numbers a frame, under a header of column names, readable by any spreadsheet.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace knead {

// A number, printed with the fewest digits that read back to the same bits, or a word (such as the bound that set dt).
using StatsCell = std::variant<double, std::string>;

// Appends rows, each in one write, so that a reader never sees half a line of a finished row.
class StatsCsv {
 public:
  // A new file with its header only. One column must be `frame`.
  static StatsCsv create(const std::filesystem::path& path, std::vector<std::string> columns);
  // Goes on with a file: rows of frames after `last_frame` and an unfinished last line are dropped. Fails (bad_input)
  // where the header differs. A missing file is made anew.
  static StatsCsv resume(const std::filesystem::path& path, std::vector<std::string> columns, std::int64_t last_frame);
  ~StatsCsv();
  StatsCsv(StatsCsv&& other) noexcept;
  StatsCsv& operator=(StatsCsv&&) = delete;

  void append(std::span<const StatsCell> row);
  // A checksum of all that the file holds, by which a later change of it shows.
  std::uint64_t sum() const { return sum_; }
  const std::vector<std::string>& columns() const { return columns_; }

 private:
  StatsCsv(const std::filesystem::path& path, std::vector<std::string> columns, std::string_view text);
  std::filesystem::path path_;
  std::vector<std::string> columns_;
  std::uint64_t sum_ = 0;
  int file_ = -1;
};

// The sum that a run had when the rows up to `last_frame` were its last; 0 where there is no such file.
std::uint64_t stats_sum(const std::filesystem::path& path, std::int64_t last_frame);

struct StatsTable {
  std::vector<std::string> names;
  std::vector<std::vector<double>> values;      // values[column][row]; NaN where the cell is a word
  std::vector<std::vector<std::string>> words;  // words[column][row], as in the file
  std::size_t first = 0;                        // rows of the file that were passed over

  std::size_t rows() const { return values.empty() ? 0 : values[0].size(); }
  int find(std::string_view name) const;  // -1 where there is none
  // The values of a column; fails (bad_input) with the nearest name.
  const std::vector<double>& column(std::string_view name) const;
};

// From this row on, or none where there are fewer. Fails (bad_input) with the line where the file is not such a table;
// an unfinished last line is left out.
StatsTable read_stats(const std::filesystem::path& path, std::size_t first_row = 0);

}  // namespace knead
