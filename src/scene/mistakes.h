// The mistakes of a scene file, collected with their places and reported together.
#pragma once

#include "base/error.h"
#include "base/nearest.h"

#include <set>
#include <string>
#include <vector>

namespace knead {

// Where something stands: in a line of the scene file, or in a --set flag.
struct Place {
  int line = 0, column = 0;
  std::string flag{};  // "--set solver.dx=0.1"; empty for the file
};

class Mistakes {
 public:
  explicit Mistakes(std::string file) : file_(std::move(file)) {}

  void add(const Place& place, std::string what, Exit code = Exit::bad_input);
  // The same, of the value at a path ("body.0.shape.radius"), which is not to be relied on from here on.
  void add(const Place& place, const std::string& path, std::string what, Exit code = Exit::bad_input);
  // Whether the value at a path, what it is part of and what is part of it are free of mistakes so far.
  bool sound(std::string_view path) const;
  void warn(const Place& place, const std::string& what);
  bool empty() const { return found_.empty(); }
  // So many that a further one is only counted, and need not be put into careful words.
  bool full() const;
  // Throws one Failure that lists every mistake, a line each, in the order of the file.
  void report();
  const std::vector<std::string>& warnings() const { return warnings_; }
  const std::string& file() const { return file_; }
  std::string where(const Place&) const;  // "scene.toml:3:1", or the flag

 private:
  struct Mistake {
    Place place;
    std::string what;
    Exit code;
  };
  std::string say(const Place&, const std::string& what) const;

  std::string file_;
  std::vector<Mistake> found_;
  std::size_t more_ = 0;  // beyond those in found_
  std::vector<std::string> warnings_;
  std::set<std::string, std::less<>> wrong_paths_;
};

}  // namespace knead
