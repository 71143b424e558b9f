#include "scene/mistakes.h"

#include <algorithm>
#include <tuple>

namespace knead {

namespace {
// Beyond this many, a further line says how many more there are.
constexpr std::size_t most_lines = 40;
constexpr std::size_t most_kept = 1000;
}  // namespace

void Mistakes::add(const Place& place, std::string what, Exit code) {
  if (full())
    ++more_;
  else
    found_.push_back({place, std::move(what), code});
}

bool Mistakes::full() const { return found_.size() >= most_kept; }

void Mistakes::add(const Place& place, const std::string& path, std::string what, Exit code) {
  add(place, std::move(what), code);
  wrong_paths_.insert(path);
}

bool Mistakes::sound(std::string_view path) const {
  // What stands below a path follows it in the set's order, with at most names that share its letters between.
  const std::string inside = std::string(path) + ".";
  const auto below = wrong_paths_.lower_bound(inside);
  if (below != wrong_paths_.end() && below->starts_with(inside)) return false;
  for (std::string_view above = path; !above.empty();) {
    if (wrong_paths_.contains(above)) return false;
    const std::size_t dot = above.rfind('.');
    above = dot == std::string_view::npos ? std::string_view{} : above.substr(0, dot);
  }
  return true;
}

void Mistakes::warn(const Place& place, const std::string& what) {
  if (warnings_.size() < most_lines) return warnings_.push_back(say(place, what));
  if (warnings_.size() == most_lines) warnings_.push_back(fmt::format("{}: further warnings are omitted", file_));
}

std::string Mistakes::where(const Place& place) const {
  if (!place.flag.empty()) return place.flag;
  return place.line == 0 ? file_ : fmt::format("{}:{}:{}", file_, place.line, place.column);
}

std::string Mistakes::say(const Place& place, const std::string& what) const {
  return one_line(where(place) + ": " + what);
}

void Mistakes::report() {
  if (found_.empty()) return;
  std::stable_sort(found_.begin(), found_.end(), [](const Mistake& a, const Mistake& b) {
    return std::tie(a.place.flag, a.place.line, a.place.column) < std::tie(b.place.flag, b.place.line, b.place.column);
  });
  std::string text;
  Exit code = Exit::bad_input;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (i < most_lines) text += (i ? "\n" : "") + say(found_[i].place, found_[i].what);
    if (found_[i].code != Exit::bad_input) code = found_[i].code;
  }
  if (found_.size() > most_lines) text += fmt::format("\nand {} more", found_.size() - most_lines + more_);
  throw Failure(code, text);
}

}  // namespace knead
