// Numbers with units, such as "140 kPa" or "60 rpm", turned into SI values of the dimension that is wanted.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace knead {

// Exponents of metre, kilogram, second, kelvin and radian. Angles count as a dimension of their own, so that degrees
// are not taken for pure numbers.
using Dimensions = std::array<int, 5>;

struct ValueWithUnit {
  double value = 0;     // in SI units
  Dimensions of{};      // what it measures
  std::string problem;  // empty when the text was understood
};

// A unit by itself: the size of "km/h" is 1/3.6 and its dimensions are m s^-1. An unknown one gets the nearest that
// measures what is wanted, where that is known.
ValueWithUnit parse_unit(std::string_view unit, const std::optional<Dimensions>& wanted = {});

// "2 cm", "10 km/h", "1 g/cm^3", "0.5", whatever it measures.
ValueWithUnit parse_quantity(std::string_view text, const std::optional<Dimensions>& wanted = {});

// The same, as a value in `unit`: a text of other dimensions is a problem that names both. A number without a unit is
// in `unit`.
ValueWithUnit parse_quantity_in(std::string_view text, std::string_view unit);

// What a unit measures, in words: "pressure" for Pa; empty where there is no common word.
std::string dimension_word(const Dimensions&);
// In SI base units: "kg/(m s^2)".
std::string dimension_symbols(const Dimensions&);

}  // namespace knead
