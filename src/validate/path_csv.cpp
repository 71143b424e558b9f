#include "validate/path_csv.h"

#include "base/error.h"
#include "base/nearest.h"
#include "geometry/text_lines.h"
#include "geometry/whole_file.h"

#include <algorithm>
#include <cmath>

namespace knead {

namespace {

constexpr std::string_view separators = ",; \t";
constexpr std::size_t most_rows = 10'000'000;

// A word of a line and the column it begins at, from 1.
struct Word {
  std::string_view text;
  std::size_t column;
};

std::vector<Word> words_of(std::string_view line) {
  std::vector<Word> words;
  for (std::string_view rest = line, word = take_word(rest, separators); !word.empty();
       word = take_word(rest, separators))
    words.push_back({word, static_cast<std::size_t>(word.data() - line.data()) + 1});
  return words;
}

// What a column holds: an entry of F, or the time (row -1).
struct Entry {
  int row = -1, column = -1;
};

class PathReader {
 public:
  explicit PathReader(std::string name) : name_(std::move(name)) {}

  PathFile read(std::string_view text) {
    TextLines lines(text);
    while (lines.next()) {
      line_ = lines.number();
      if (lines.too_long()) wrong(1, fmt::format("is longer than {} bytes", TextLines::longest));
      const std::vector<Word> words = words_of(lines.line().substr(0, lines.line().find('#')));
      if (words.empty()) continue;
      if (entries_.empty())
        read_header(words);
      else
        path_.points.push_back(point_of(words));
      if (path_.points.size() > most_rows)
        fail(Exit::resources, "{}: has more than {} rows, which is the most allowed", name_, most_rows);
    }
    if (entries_.empty())
      fail(Exit::bad_input, "{}: is empty; the first line names the columns, such as t, F11, F12, F21, F22", name_);
    if (path_.points.empty()) fail(Exit::bad_input, "{}: has no rows below its header", name_);
    return path_;
  }

 private:
  [[noreturn]] void wrong(std::size_t column, const std::string& what) const {
    fail(Exit::bad_input, "{}:{}:{}: {}", name_, line_, column, what);
  }

  void read_header(const std::vector<Word>& words) {
    std::vector<std::string> known = {"t"};
    for (const char r : {'1', '2', '3'})
      for (const char c : {'1', '2', '3'}) known.push_back(std::string("F") + r + c);
    bool flat = true;
    for (const auto& [word, column] : words) {
      if (std::find(known.begin(), known.end(), word) == known.end())
        wrong(column, fmt::format("the first line must name the columns, t and F11 to F33; '{:.40}' is none of them{}",
                                  word, did_you_mean(std::string(word), known)));
      Entry entry;
      if (word != "t") entry = {word[1] - '1', word[2] - '1'};
      for (const Entry& other : entries_)
        if (other.row == entry.row && other.column == entry.column)
          wrong(column, fmt::format("the column '{}' is repeated", word));
      flat = flat && entry.row < 2 && entry.column < 2;
      path_.timed = path_.timed || word == "t";
      entries_.push_back(entry);
    }
    if (entries_.size() == 1 && path_.timed) wrong(1, "there is no column of F; name at least F11");
    path_.dimension = flat ? 2 : 3;
  }

  PathPoint point_of(const std::vector<Word>& words) {
    if (words.size() != entries_.size())
      wrong(words.size() > entries_.size() ? words[entries_.size()].column : words.back().column,
            fmt::format("has {} numbers; the header names {} columns", words.size(), entries_.size()));
    PathPoint p;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto& [word, column] = words[i];
      const auto [r, c] = entries_[i];
      if (word == "free") {
        if (r != c || r < 0) wrong(column, "only the stretches F11, F22 and F33 can be free");
        p.free[static_cast<std::size_t>(r)] = true;
        continue;
      }
      const std::optional<double> value = to_number<double>(word);
      if (!value || !std::isfinite(*value)) wrong(column, fmt::format("'{:.40}' is not a finite number", word));
      (r < 0 ? p.time : p.F(r, c)) = *value;
    }
    if (path_.timed && !path_.points.empty() && !(p.time > path_.points.back().time))
      wrong(words[0].column, fmt::format("t is {} after {}; times must increase", p.time, path_.points.back().time));
    const bool all_given = !p.free[0] && !p.free[1] && !p.free[2];
    if (all_given && !(determinant(p.F) > 0))
      wrong(words[0].column, fmt::format("det F is {:.6g}; a deformation of matter has det F > 0", determinant(p.F)));
    return p;
  }

  std::string name_;
  long line_ = 0;
  std::vector<Entry> entries_;
  PathFile path_;
};

}  // namespace

PathFile read_path_csv(const std::filesystem::path& file) {
  return PathReader(file.string()).read(read_whole_file(file, "path file"));
}

}  // namespace knead
