#include "base/formula.h"

namespace knead {

void Formula::set(int axis, double number) {
  numbers_[axis] = number;
  texts_[static_cast<std::size_t>(axis)].clear();
  expressions_[static_cast<std::size_t>(axis)].reset();
  used_[static_cast<std::size_t>(axis)] = 0;
}

void Formula::set(int axis, const std::string& text, std::span<const std::string> variables) {
  const Expression& expression = expressions_[static_cast<std::size_t>(axis)].emplace(text, variables);
  std::uint64_t& used = used_[static_cast<std::size_t>(axis)] = 0;
  for (std::size_t i = 0; i < variables.size(); ++i) used |= std::uint64_t(expression.uses(static_cast<int>(i))) << i;
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
    if (used_[static_cast<std::size_t>(a)] >> variable & 1)
      s[a] = expressions_[static_cast<std::size_t>(a)]->slope(variables, variable);
  return s;
}

}  // namespace knead
