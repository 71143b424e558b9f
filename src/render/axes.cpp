#include "render/axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace knead {

Ticks nice_ticks(double low, double high, int wanted) {
  if (!(high > low)) return {{low}, 1};
  const double rough = (high - low) / std::max(1, wanted);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double lead = rough / power;
  const double step = power * (lead <= 1.0001 ? 1 : lead <= 2.0001 ? 2 : lead <= 5.0001 ? 5 : 10);
  Ticks ticks{{}, step};
  // A hair of slack keeps ticks that stand on the ends.
  const double slack = 1e-9 * (high - low) / step;
  const double first = std::ceil(low / step - slack), last = std::floor(high / step + slack);
  // Counted in whole numbers: far from zero, k + 1 may be k.
  for (int i = 0; i <= last - first; ++i) {
    const double k = first + i;
    ticks.values.push_back(k == 0 ? 0.0 : k * step);
  }
  return ticks;
}

Ticks labelled_ticks(double low, double high, int wanted, int power) {
  Ticks ticks = nice_ticks(low, high, wanted);
  for (std::size_t i = 1; i < ticks.values.size(); ++i)
    if (tick_label(ticks.values[i - 1], ticks.step, power) == tick_label(ticks.values[i], ticks.step, power))
      return {{0.5 * (low + high)}, 1e-5 * std::pow(10.0, power)};
  return ticks;
}

int common_power(double low, double high) {
  const double largest = std::max(std::abs(low), std::abs(high));
  if (!(largest > 0) || !std::isfinite(largest)) return 0;
  const int exponent = int(std::floor(std::log10(largest)));
  if (exponent > -3 && exponent < 4) return 0;
  return 3 * int(std::floor(exponent / 3.0));
}

std::string tick_label(double value, double step, int power) {
  const double scale = std::pow(10.0, power);
  const int digits = std::clamp(int(-std::floor(std::log10(std::abs(step / scale)) + 1e-9)), 0, 9);
  std::string s = fmt::format("{:.{}f}", value / scale, digits);
  // A minus of the length of a plus, and no minus before zero.
  if (s[0] != '-') return s;
  return s.find_first_of("123456789") == std::string::npos ? s.substr(1) : "\u2212" + s.substr(1);
}

std::string axis_title(const std::string& name, const std::string& unit, int power) {
  if (power == 0) return unit.empty() ? name : fmt::format("{} [{}]", name, unit);
  return fmt::format("{} [1e{}{}{}]", name, power, unit.empty() ? "" : " ", unit);
}

}  // namespace knead
