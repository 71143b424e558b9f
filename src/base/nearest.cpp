#include "base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace knead {

int edit_distance(std::string_view a, std::string_view b) {
  // Row i of the table holds the distances of a's first i letters to every beginning of b.
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string nearest_name(std::string_view word, std::span<const std::string> names) {
  // A third of the letters may be wrong; a word longer than any sensible name is not compared.
  if (word.empty() || word.size() > 64) return {};
  int best = 1 + std::max<int>(1, static_cast<int>(word.size()) / 3);
  std::string nearest;
  for (const std::string& name : names) {
    const int distance = edit_distance(word, name);
    if (distance < best) best = distance, nearest = name;
  }
  return nearest;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> names) {
  const std::string name = nearest_name(word, names);
  return name.empty() ? std::string() : fmt::format(" (did you mean '{}'?)", name);
}

}  // namespace knead
