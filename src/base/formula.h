// A vector whose components are numbers or expressions of named variables: velocity = ["-y", "x", 0].
#pragma once

#include "base/expression.h"
#include "base/vec.h"

#include <array>
#include <optional>

namespace knead {

class Formula {
 public:
  Formula() = default;
  Formula(const Vec3d& numbers) : numbers_(numbers) {}
  Formula(double x, double y, double z) : numbers_{x, y, z} {}

  // Makes a component a number, or an expression of the variables; a faulty one is a Failure (bad_input).
  void set(int axis, double number);
  void set(int axis, const std::string& text, std::span<const std::string> variables);

  bool is_number(int axis) const { return texts_[static_cast<std::size_t>(axis)].empty(); }
  bool is_constant() const { return is_number(0) && is_number(1) && is_number(2); }
  bool is_zero() const { return is_constant() && numbers_ == Vec3d{}; }
  double operator[](int axis) const { return numbers_[axis]; }  // of a component that is a number
  const std::string& text(int axis) const { return texts_[static_cast<std::size_t>(axis)]; }

  // variables[i] is the value of the i-th name; slope is the exact derivative by one of them.
  Vec3d at(std::span<const double> variables) const;
  Vec3d slope(std::span<const double> variables, int variable) const;
  // Whether some component can depend on this variable; where not, its slope is 0.
  bool uses(int variable) const { return (used_[0] | used_[1] | used_[2]) >> variable & 1; }

  friend bool operator==(const Formula& a, const Formula& b) {
    return a.numbers_ == b.numbers_ && a.texts_ == b.texts_;
  }

  std::string place;  // where it stands, for messages: "scene.toml:12:9"; set by the reader

 private:
  Vec3d numbers_{};
  std::array<std::string, 3> texts_;
  std::array<std::optional<Expression>, 3> expressions_;
  std::array<std::uint64_t, 3> used_{};  // a bit for each variable of the component
};

}  // namespace knead
