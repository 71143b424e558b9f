// The valid name that a mistyped one most likely meant.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace knead {

// How many letters must be inserted, removed, replaced or swapped with their neighbour to get from one word to the
// other (optimal string alignment).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

// The nearest of `names`, or an empty string where none is near: more than a third of the letters and one, or more than
// half of them, differ.
template <class Names>
std::string nearest_name(std::string_view name, const Names& names) {
  std::string best;
  if (name.size() > 64) return best;
  std::size_t least = name.size() / 3 + 2;
  for (const auto& candidate : names) {
    const std::string_view c(candidate);
    const std::size_t d = edit_distance(name, c);
    if (d < least && 2 * d <= std::max(name.size(), c.size())) {
      least = d;
      best = std::string(c);
    }
  }
  return best;
}

// " (did you mean 'friction'?)" or nothing, to stand behind a wrong name in a message.
template <class Names>
std::string did_you_mean(std::string_view name, const Names& names) {
  const std::string best = nearest_name(name, names);
  return best.empty() ? best : " (did you mean '" + best + "'?)";
}

}  // namespace knead
