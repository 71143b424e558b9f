// What cases of the methods without a grid set in their scenes.
#pragma once

#include "validate/scene_runs.h"

#include <fmt/format.h>

namespace knead {

inline constexpr const char* methods[] = {"mls", "embedded", "composed"};
inline constexpr const char* quadratic_basis = "solver.meshless.basis=\"quadratic\"";
inline std::string method_is(const std::string& method) { return fmt::format("solver.method=\"{}\"", method); }

// The methods by the names that they have in metrics: "mls, quadratic basis".
inline std::vector<std::string> sets_of(const std::string& name) {
  std::vector<std::string> sets{method_is(name.substr(0, name.find(',')))};
  if (name.find(',') != std::string::npos) sets.push_back(quadratic_basis);
  return sets;
}

}  // namespace knead
