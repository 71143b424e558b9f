// Numbers on axes: round steps, and labels with just the digits they need.
#pragma once

#include <string>
#include <vector>

namespace knead {

struct Ticks {
  std::vector<double> values;
  double step = 1;
};

// Multiples of 1, 2 or 5 times a power of ten within [low, high], about `wanted` of them (two at least where possible).
Ticks nice_ticks(double low, double high, int wanted);
// Ticks to be labelled with this power of ten taken out: one alone where the labels of several would be the same, since
// the numbers are equal but for rounding.
Ticks labelled_ticks(double low, double high, int wanted, int power);
// Large and small numbers are shared out as a power of ten: labels of 12000, 14000 are "12", "14" and the factor is 3.
int common_power(double low, double high);
// The label of a tick: value / 10^power, with the digits that tell neighbours apart.
std::string tick_label(double value, double step, int power);
// "x10^3 J" as text: an axis name with its power of ten and its unit, such as "kinetic [10^3 J]".
std::string axis_title(const std::string& name, const std::string& unit, int power);

}  // namespace knead
