// How the program fails: one exception type that carries the exit code and a message written for the user.
#pragma once

#include "base/one_line.h"

#include <fmt/format.h>

#include <concepts>
#include <iterator>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace knead {

enum class Exit {
  done = 0,
  unexpected = 1,
  usage = 2,
  bad_input = 3,  // scene, mesh, cache: something the user wrote or gave
  file = 4,       // cannot read, cannot write, disk full
  numerical = 5,
  resources = 6,
  not_built = 7,
};

class Failure : public std::runtime_error {
 public:
  Failure(Exit exit_code, const std::string& message) : std::runtime_error(message), code(exit_code) {}
  Exit code;
};

// A value as a message shows it: names, paths and words of files stay in their line, each of a list. Literals and what
// another failure says (const char*) may have several lines.
template <class T>
decltype(auto) in_message(const T& value) {
  if constexpr (std::is_same_v<T, std::string> || std::is_same_v<T, std::string_view>)
    return one_line(value);
  else
    return (value);
}
template <class It, class End>
requires std::convertible_to<std::iter_reference_t<It>, std::string_view> std::string in_message(
    const fmt::join_view<It, End>& list) {
  std::string all;
  for (It at = list.begin; at != list.end; ++at) {
    if (at != list.begin) all.append(list.sep.data(), list.sep.size());
    all += one_line(*at);
  }
  return all;
}

template <class... Args>
[[noreturn]] void fail(Exit code, fmt::format_string<Args...> format, const Args&... args) {
  const auto say = [&](const auto&... shown) { return fmt::vformat(format, fmt::make_format_args(shown...)); };
  throw Failure(code, say(in_message(args)...));
}

}  // namespace knead
