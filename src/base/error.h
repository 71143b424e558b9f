// How the program fails: one exception type that carries the exit code and a message written for the user.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

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

template <class... Args>
[[noreturn]] void fail(Exit code, fmt::format_string<Args...> format, Args&&... args) {
  throw Failure(code, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace knead
