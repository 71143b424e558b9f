// A number that a case measured, beside the one it should be.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace knead {

// Where a measured number may lie: about the reference, or on one side of it only.
enum class Side { both, at_most, at_least };

struct Measured {
  std::string metric, unit;
  double measured = 0, reference = 0;
  double tolerance = 0;  // largest difference allowed from the reference, in the same unit
  Side side = Side::both;

  // A number that is not one never passes.
  bool pass() const {
    const double over = measured - reference;
    switch (side) {
      case Side::both:
        return std::abs(over) <= tolerance;
      case Side::at_most:
        return over <= tolerance;
      case Side::at_least:
        return over >= -tolerance;
    }
    return false;
  }
};

inline Measured within(std::string metric, std::string unit, double measured, double reference, double tolerance) {
  return {std::move(metric), std::move(unit), measured, reference, tolerance, Side::both};
}
// `share` is a share of the reference.
inline Measured relative(std::string metric, std::string unit, double measured, double reference, double share) {
  return within(std::move(metric), std::move(unit), measured, reference, share * std::abs(reference));
}
// Anywhere from low to high: the reference is their middle.
inline Measured between(std::string metric, std::string unit, double measured, double low, double high) {
  return within(std::move(metric), std::move(unit), measured, 0.5 * (low + high), 0.5 * (high - low));
}
// A size that should be zero.
inline Measured at_most(std::string metric, std::string unit, double measured, double limit) {
  return {std::move(metric), std::move(unit), measured, 0, limit, Side::at_most};
}
// Such as an order of convergence: `least` is accepted, `reference` is what theory promises.
inline Measured at_least(std::string metric, std::string unit, double measured, double reference, double least) {
  return {std::move(metric), std::move(unit), measured, reference, reference - least, Side::at_least};
}

// An error on a finer grid must not be larger than on the coarser one, but for a tenth; errors below a twentieth of
// what is allowed count as that much, since there is nothing left to converge.
inline Measured does_not_grow(const std::string& what, double coarse, double fine, double allowed) {
  const double floor = 0.05 * allowed;
  return {what + ", on the finer grid over the coarser",
          "",
          std::max(fine, floor) / std::max(coarse, floor),
          1,
          0.1,
          Side::at_most};
}

// Whether a case went as it should: all gates hold, or with the wrong input at least one does not. What broke off has
// judged nothing, and is no proof that a gate works.
inline bool went_as_it_should(const std::vector<Measured>& gates, bool broke_off, bool wrong_input) {
  const bool all_hold = std::all_of(gates.begin(), gates.end(), [](const Measured& m) { return m.pass(); });
  return !broke_off && all_hold != wrong_input;
}

// Twice the mean time between changes of sign, from lines between the rows.
inline double mean_period(const std::vector<double>& time, const std::vector<double>& value) {
  std::vector<double> crossings;
  for (std::size_t i = 1; i < time.size(); ++i)
    if (value[i - 1] * value[i] < 0)
      crossings.push_back(time[i - 1] + (time[i] - time[i - 1]) * value[i - 1] / (value[i - 1] - value[i]));
  if (crossings.size() < 3) return std::nan("");
  return 2 * (crossings.back() - crossings.front()) / double(crossings.size() - 1);
}

// The slope of a straight line through the rows from one time to another, by least squares.
inline double slope_between(const std::vector<double>& time, const std::vector<double>& value, double from, double to) {
  double n = 0, st = 0, sv = 0, stt = 0, stv = 0;
  for (std::size_t i = 0; i < time.size(); ++i)
    if (time[i] >= from - 1e-9 && time[i] <= to + 1e-9)
      n += 1, st += time[i], sv += value[i], stt += time[i] * time[i], stv += time[i] * value[i];
  return (n * stv - st * sv) / (n * stt - st * st);
}

inline double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / double(values.size());
}

// How much of what the values vary by a straight line explains: R^2 of the least squares.
inline double straightness(const std::vector<double>& time, const std::vector<double>& value) {
  const double slope = slope_between(time, value, time.front(), time.back());
  const double t = mean_of(time), v = mean_of(value);
  double left = 0, all = 0;
  for (std::size_t i = 0; i < time.size(); ++i) {
    const double off = value[i] - v - slope * (time[i] - t);
    left += off * off, all += (value[i] - v) * (value[i] - v);
  }
  return 1 - left / all;
}

}  // namespace knead
