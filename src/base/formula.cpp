#include "base/formula.h"

namespace knead {

void Formula::set(int axis, double number) {
  numbers_[axis] = number;
  texts_[static_cast<std::size_t>(axis)].clear();
  expressions_[static_cast<std::size_t>(axis)].reset();
}

void Formula::set(int axis, const std::string& text, std::span<const std::string> variables) {
  expressions_[static_cast<std::size_t>(axis)].emplace(text, variables);
  texts_[static_cast<std::size_t>(axis)] = text;
  numbers_[axis] = 0;
}

Vec3d Formula::at(std::span<const double> variables) const {
  Vec3d v = numbers_;
  for (int a = 0; a < 3; ++a)
    if (const auto& e = expressions_[static_cast<std::size_t>(a)]) v[a] = e->evaluate(variables);
  return v;
}

Vec3d Formula::slope(std::span<const double> variables, int variable) const {
  Vec3d s{};
  for (int a = 0; a < 3; ++a)
    if (const auto& e = expressions_[static_cast<std::size_t>(a)]) s[a] = e->slope(variables, variable);
  return s;
}

}  // namespace knead
