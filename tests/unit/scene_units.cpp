#include "scene/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

using namespace knead;

namespace {

struct Case {
  const char* text;
  const char* unit;
  double value;
};

const double pi = std::numbers::pi;

TEST(SceneUnits, texts_become_si_values) {
  const Case cases[] = {
      {"140 kPa", "Pa", 140e3},
      {"2 cm", "m", 0.02},
      {"2cm", "m", 0.02},
      {"30 deg", "rad", pi / 6},
      {"30\u00b0", "rad", pi / 6},
      {"1 g/cm^3", "kg/m^3", 1000},
      {"1 g/cm3", "kg/m^3", 1000},
      {"1 g/cm\u00b3", "kg/m^3", 1000},
      {"0.5 ms", "s", 5e-4},
      {"60 rpm", "rad/s", 2 * pi},
      {"1 turn/s", "rad/s", 2 * pi},
      {"10 km/h", "m/s", 10 / 3.6},
      {"-9.81 m/s^2", "m/s^2", -9.81},
      {"-9.81 m/s/s", "m/s^2", -9.81},
      {"1 m s^-2", "m/s^2", 1},
      {"24 Hz", "1/s", 24},
      {"24 1/s", "1/s", 24},
      {"2 N/m^2", "Pa", 2},
      {"3 kg/(m s^2)", "Pa", 3},
      {"2 N*s/m^2", "Pa s", 2},
      {"2 N\u00b7s/m\u00b2", "Pa s", 2},
      {"5 \u00b5m", "m", 5e-6},
      {"5 um", "m", 5e-6},
      {"2 t", "kg", 2000},
      {"3 L", "m^3", 3e-3},
      {"1 atm", "Pa", 101325},
      {"12 in", "m", 0.3048},
      {"1.5e3 mm", "m", 1.5},
      {"+1 m", "m", 1},
      {" 1 m ", "m", 1},
      {"5", "m", 5},
      {".5", "", 0.5},
      {"95 %", "", 0.95},
      {"1 min", "s", 60},
      {"1 mm", "m", 1e-3},
      {"2 h", "s", 7200},
  };
  for (const Case& c : cases) {
    const ValueWithUnit q = parse_quantity_in(c.text, c.unit);
    EXPECT_EQ(q.problem, "") << c.text;
    // Factors are multiplied one after the other, which rounds a few times.
    EXPECT_NEAR(q.value, c.value, 4e-16 * std::abs(c.value)) << c.text;
  }
}

TEST(SceneUnits, wrong_dimensions_are_named_on_both_sides) {
  EXPECT_EQ(parse_quantity_in("140 kPa", "m").problem, "'140 kPa' is a pressure (Pa), not a length (m)");
  EXPECT_EQ(parse_quantity_in("3 s", "Pa").problem, "'3 s' is a time (s), not a pressure (Pa)");
  EXPECT_EQ(parse_quantity_in("5 deg", "").problem, "'5 deg' is an angle (rad), not a pure number");
  EXPECT_EQ(parse_quantity_in("5 %", "m").problem, "'5 %' is a pure number, not a length (m)");
  EXPECT_EQ(parse_quantity_in("5 Hz", "rad/s").problem, "'5 Hz' is a frequency (1/s), not a spin (rad/s)");
  EXPECT_EQ(parse_quantity_in("5 m^7", "m").problem, "'5 m^7' is in m^7, not a length (m)");
}

TEST(SceneUnits, what_is_not_a_quantity_is_refused) {
  const std::pair<const char*, const char*> cases[] = {
      {"fast", "'fast' does not start with a number"},
      {"", "'' does not start with a number"},
      {"nan", "'nan' does not start with a number"},
      {"-inf m", "'-inf m' does not start with a number"},
      {"0x10", "'x' is not a known unit"},
      {"1e999", "'1e999' is out of range"},
      {"1e300 Tm", "'1e300 Tm' is out of range"},
      {"5 cmm", "'cmm' is not a known unit (did you mean 'cm'?)"},
      {"5 m^", "'m^' has a power that is not a number from 1 to 9"},
      {"5 m/", "'m/' ends where a unit should follow"},
      {"5 (m", "'(m' lacks a closing parenthesis"},
      {"5 m)", "'m)' is not a unit"},
      {"5 1", "'1' is not a unit"},
      {"5 ((((((m))))))", "'((((((m))))))' has too many parentheses"},
  };
  for (const auto& [text, problem] : cases) {
    const std::string found = parse_quantity_in(text, "m").problem;
    EXPECT_TRUE(found.starts_with(problem)) << text << " gives: " << found;
  }
}

TEST(SceneUnits, an_unknown_unit_gets_the_nearest_of_the_wanted_quantity) {
  EXPECT_EQ(parse_quantity_in("20 kP", "Pa").problem, "'kP' is not a known unit (did you mean 'kPa'?)");
  EXPECT_EQ(parse_quantity_in("20 kPaa", "m").problem, "'kPaa' is not a known unit");
  EXPECT_EQ(parse_quantity_in("20 kmh", "m/s").problem, "'kmh' is not a known unit (did you mean 'km/h'?)");
  EXPECT_EQ(parse_quantity_in("20 cmm/s", "m/s").problem, "'cmm' is not a known unit (did you mean 'cm'?)");
}

TEST(SceneUnits, every_prefix_scales_by_its_power_of_ten) {
  const std::pair<const char*, double> prefixes[] = {{"T", 1e12}, {"G", 1e9},  {"M", 1e6},  {"k", 1e3},
                                                     {"h", 1e2},  {"d", 1e-1}, {"c", 1e-2}, {"m", 1e-3},
                                                     {"u", 1e-6}, {"n", 1e-9}, {"p", 1e-12}};
  for (const auto& [prefix, size] : prefixes) EXPECT_EQ(parse_unit(std::string(prefix) + "Pa").value, size) << prefix;
}

TEST(SceneUnits, dimensions_are_written_in_base_units) {
  EXPECT_EQ(dimension_symbols(parse_unit("Pa").of), "kg/(m s^2)");
  EXPECT_EQ(dimension_symbols(parse_unit("Hz").of), "1/s");
  EXPECT_EQ(dimension_symbols(parse_unit("m^2").of), "m^2");
}

}  // namespace
