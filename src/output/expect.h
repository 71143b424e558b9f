// Judges a run by its scene's [[expect]] entries: expressions over the columns of stats.csv, held against bounds.
//
//   last(kinetic) / first(kinetic)     drift(mass)     max(abs(momentum_x - first(momentum_x)))     at(center_y, 0.5)
//
// A column stands inside one of first, last, min, max, mean, range, drift (largest |e - first(e)|) or at(e, time),
// which make one number of its rows; everything else is arithmetic.
#pragma once

#include "output/stats_csv.h"
#include "scene/scene.h"

#include <optional>

namespace knead {

struct Judgement {
  std::string name;
  std::string expression;
  double measured = 0;
  std::optional<double> min, max;
  bool pass = false;  // measured is a number within the bounds
  std::string source;
};

// Fails (bad_input) on a faulty expression, an unknown column, or a table without rows.
double evaluate_on_stats(std::string_view expression, const StatsTable& table);
Judgement judge(const Expect& expect, const StatsTable& table);
std::vector<Judgement> judge_all(const std::vector<Expect>& expects, const StatsTable& table);

// Bounds as the scene gives them, "at least 0.95"; what was measured in as many digits, at least four, as show on which
// side of them it is.
std::string bounds_text(const Judgement& judgement);
std::string measured_text(const Judgement& judgement);
std::string text_of(const Judgement& judgement);  // "'it breaks' is met: last(pieces) = 2, expected at least 2"

}  // namespace knead
