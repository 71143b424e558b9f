// The elementary functions are exact to the last bit or its neighbour, and give the same bits everywhere.
#include "base/elementary.h"

#include "base/math.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <vector>

namespace knead {
namespace {

using Limits = std::numeric_limits<double>;
using Wide = long double;
constexpr double infinity = Limits::infinity(), nan = Limits::quiet_NaN(), pi = std::numbers::pi;
constexpr double smallest = Limits::denorm_min(), least_normal = Limits::min(), largest = Limits::max();

// Distance in units of the last place of the exact value, which is given with more digits.
double ulps(double value, Wide exact) {
  const double near = std::abs(static_cast<double>(exact));
  if (!std::isfinite(value) || near == infinity || exact == 0)
    return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(static_cast<double>(exact)) ? 0 : 1e9;
  const Wide unit = near == 0 ? Wide(smallest) : std::ldexp(Wide(1), std::max(std::ilogb(near), -1022) - 52);
  return static_cast<double>(std::abs(Wide(value) - exact) / unit);
}

// Numbers that the standard library has no part in.
class Numbers {
 public:
  double between(double low, double high) { return low + (high - low) * unit(); }
  // Of either sign, with the same chance for every power of two from 2^low to 2^(high - 1).
  double of_size(int low, int high) {
    const int exponent = low + static_cast<int>(unit() * (high - low));
    return std::ldexp(random_() & 1 ? 1 + unit() : -1 - unit(), exponent);
  }
  double any() {
    const double x = std::bit_cast<double>(random_());
    return std::isfinite(x) ? x : 0;
  }

 private:
  double unit() { return static_cast<double>(random_() >> 11) * 0x1p-53; }
  std::mt19937_64 random_{11};
};

struct OfOne {
  const char* name;
  double (*ours)(double);
  Wide (*exact)(Wide);
  // Where it is not flat, infinite or without a value.
  double low, high;
  std::uint64_t hash;  // of many results, see below
};
constexpr OfOne of_one[] = {
    {"exp", elementary::exp, std::exp, -708, 709.7, 0x91ed5c202ccbb316},
    {"exp2", elementary::exp2, std::exp2, -1022, 1023.9, 0x070f45f03f6faebb},
    {"log", elementary::log, std::log, 0, largest, 0x28f7de43b4c5410e},
    {"log2", elementary::log2, std::log2, 0, largest, 0x12cf1d89c5f7e405},
    {"log10", elementary::log10, std::log10, 0, largest, 0x7a14633e2763b7a1},
    {"sin", elementary::sin, std::sin, -largest, largest, 0x448b08af861d9d32},
    {"cos", elementary::cos, std::cos, -largest, largest, 0x7d2229e5b83b022b},
    {"tan", elementary::tan, std::tan, -largest, largest, 0x6a382b804ee0ca28},
    {"asin", elementary::asin, std::asin, -1, 1, 0xc2329ae88e07bf78},
    {"acos", elementary::acos, std::acos, -1, 1, 0x01a3fee96aa53368},
    {"atan", elementary::atan, std::atan, -largest, largest, 0xc2fd7ddee80550cc},
    {"sinh", elementary::sinh, std::sinh, -710, 710, 0xb606487c08d2835c},
    {"cosh", elementary::cosh, std::cosh, -710, 710, 0xa0f334568d1e0162},
    {"tanh", elementary::tanh, std::tanh, -largest, largest, 0xd50617bf7d1de1ff},
    {"cbrt", elementary::cbrt, std::cbrt, -largest, largest, 0x1a349ac47059b480},
};
struct OfTwo {
  const char* name;
  double (*ours)(double, double);
  Wide (*exact)(Wide, Wide);
  std::uint64_t hash;
};
constexpr OfTwo of_two[] = {
    {"pow", elementary::pow, std::pow, 0x2519022d961bed5a},
    {"atan2", elementary::atan2, std::atan2, 0xd06386fd7aa7e3c0},
    {"hypot", elementary::hypot, std::hypot, 0x2b6751a23ea0d597},
};

// Ordinary numbers, small and large ones, the neighbourhood of 1, of whole numbers and of multiples of pi/2.
std::vector<double> arguments(double low, double high) {
  Numbers numbers;
  std::vector<double> all = {0.0, -0.0, 1, -1, 0.5, 2, 10, smallest, -smallest, least_normal, low, high};
  for (int i = 0; i < 4000; ++i) {
    all.push_back(numbers.between(-1, 1));
    all.push_back(numbers.between(-10, 10));
    all.push_back(numbers.between(std::max(low, -1000.0), std::min(high, 1000.0)));
    all.push_back(numbers.of_size(-40, 20));
    all.push_back(numbers.any());
    all.push_back(1 + numbers.of_size(-52, -2));
    const double whole = std::round(numbers.between(-300, 300)), quarters = std::round(numbers.of_size(0, 18));
    all.push_back(whole + numbers.of_size(-52, -10));
    all.push_back(quarters * (pi / 2) * (1 + numbers.of_size(-53, -20)));
  }
  std::erase_if(all, [&](double x) { return !(x >= low && x <= high); });
  return all;
}

struct Pair {
  double a, b;
};
std::vector<Pair> pairs() {
  Numbers numbers;
  std::vector<Pair> all;
  for (int i = 0; i < 4000; ++i) {
    all.push_back({numbers.between(-10, 10), numbers.between(-10, 10)});
    all.push_back({numbers.between(0, 3), numbers.between(-300, 300)});
    all.push_back({numbers.between(0, 1000), numbers.between(-1, 1)});
    all.push_back({1 + numbers.of_size(-50, -2), numbers.of_size(0, 50)});
    all.push_back({numbers.of_size(-40, 40), numbers.of_size(-40, 40)});
    all.push_back({numbers.of_size(-1074, -1010), numbers.of_size(-1074, -1010)});
    all.push_back({numbers.of_size(1000, 1023), numbers.of_size(1000, 1023)});
    all.push_back({numbers.between(-20, 20), std::round(numbers.between(-60, 60))});
    all.push_back({numbers.any(), numbers.any()});
  }
  return all;
}

// Half a unit is the rounding to double. Results below the normal numbers are rounded twice.
double allowed(Wide exact) { return std::abs(exact) < Wide(least_normal) ? 0.76 : 0.6; }

TEST(Elementary, functions_of_one_number_are_within_0_6_units_in_the_last_place) {
  for (const OfOne& f : of_one) {
    int failures = 0;
    for (const double x : arguments(f.low, f.high)) {
      const Wide exact = f.exact(x);
      const double error = ulps(f.ours(x), exact);
      if (error > allowed(exact) && ++failures <= 5)
        ADD_FAILURE() << f.name << "(" << x << ") = " << f.ours(x) << " is off by " << error;
    }
  }
}

TEST(Elementary, functions_of_two_numbers_are_within_0_6_units_in_the_last_place) {
  for (const OfTwo& f : of_two) {
    int failures = 0;
    for (const auto& [a, b] : pairs()) {
      const Wide exact = f.exact(a, b);
      const double result = f.ours(a, b);
      if (std::isnan(exact) && std::isnan(result)) continue;
      const double error = ulps(result, exact);
      // Larger than any double: the digits of long double end elsewhere.
      if (std::isinf(result) && std::abs(exact) > Wide(largest)) continue;
      if (!(error <= allowed(exact)) && ++failures <= 5)
        ADD_FAILURE() << f.name << "(" << a << ", " << b << ") = " << result << " is off by " << error;
    }
  }
}

TEST(Elementary, exponentials_fade_out_through_the_subnormal_numbers) {
  Numbers numbers;
  for (int i = 0; i < 20000; ++i) {
    const double x = numbers.between(-746, -708), y = numbers.between(-1076, -1022);
    EXPECT_LE(ulps(elementary::exp(x), std::exp(Wide(x))), 0.76) << x;
    EXPECT_LE(ulps(elementary::exp2(y), std::exp2(Wide(y))), 0.76) << y;
  }
  EXPECT_EQ(elementary::exp(-745.13), smallest);
  EXPECT_EQ(elementary::exp(-745.14), 0);
  EXPECT_EQ(elementary::exp2(-1074), smallest);
  EXPECT_EQ(elementary::exp2(-1075), 0);
  EXPECT_LT(elementary::exp(709.78), infinity);
  EXPECT_EQ(elementary::exp(709.79), infinity);
  EXPECT_EQ(elementary::exp2(1024), infinity);
}

// The same number, also in the sign of a zero, or both not one.
void expect_same(double value, double expected, const std::string& what) {
  const bool same =
      std::isnan(expected) ? std::isnan(value) : value == expected && std::signbit(value) == std::signbit(expected);
  EXPECT_TRUE(same) << what << " is " << value << ", not " << expected;
}

TEST(Elementary, limits_are_those_of_the_c_standard) {
  for (const OfOne& f : of_one) expect_same(f.ours(nan), nan, std::string(f.name) + "(nan)");
  struct Known {
    double (*f)(double);
    const char* name;
    double x, value;
  };
  const Known known[] = {
      {elementary::exp, "exp", 0.0, 1},
      {elementary::exp, "exp", -0.0, 1},
      {elementary::exp, "exp", infinity, infinity},
      {elementary::exp, "exp", -infinity, 0},
      {elementary::exp, "exp", smallest, 1},
      {elementary::exp, "exp", largest, infinity},
      {elementary::exp2, "exp2", 0.0, 1},
      {elementary::exp2, "exp2", infinity, infinity},
      {elementary::exp2, "exp2", -infinity, 0},
      {elementary::log, "log", 1, 0},
      {elementary::log, "log", 0.0, -infinity},
      {elementary::log, "log", -0.0, -infinity},
      {elementary::log, "log", -1, nan},
      {elementary::log, "log", -smallest, nan},
      {elementary::log, "log", -infinity, nan},
      {elementary::log, "log", infinity, infinity},
      {elementary::log2, "log2", 1, 0},
      {elementary::log2, "log2", 0.0, -infinity},
      {elementary::log2, "log2", smallest, -1074},
      {elementary::log2, "log2", -1, nan},
      {elementary::log10, "log10", 1, 0},
      {elementary::log10, "log10", 0.0, -infinity},
      {elementary::log10, "log10", -1, nan},
      {elementary::sin, "sin", 0.0, 0.0},
      {elementary::sin, "sin", -0.0, -0.0},
      {elementary::sin, "sin", infinity, nan},
      {elementary::sin, "sin", -smallest, -smallest},
      {elementary::cos, "cos", 0.0, 1},
      {elementary::cos, "cos", -infinity, nan},
      {elementary::tan, "tan", -0.0, -0.0},
      {elementary::tan, "tan", infinity, nan},
      {elementary::asin, "asin", -0.0, -0.0},
      {elementary::asin, "asin", 1, pi / 2},
      {elementary::asin, "asin", -1, -pi / 2},
      {elementary::asin, "asin", 1.5, nan},
      {elementary::acos, "acos", 1, 0},
      {elementary::acos, "acos", -1, pi},
      {elementary::acos, "acos", 0.0, pi / 2},
      {elementary::acos, "acos", -infinity, nan},
      {elementary::atan, "atan", -0.0, -0.0},
      {elementary::atan, "atan", infinity, pi / 2},
      {elementary::atan, "atan", -infinity, -pi / 2},
      {elementary::atan, "atan", 1, pi / 4},
      {elementary::sinh, "sinh", -0.0, -0.0},
      {elementary::sinh, "sinh", -infinity, -infinity},
      {elementary::sinh, "sinh", 1000, infinity},
      {elementary::cosh, "cosh", 0.0, 1},
      {elementary::cosh, "cosh", -infinity, infinity},
      {elementary::cosh, "cosh", 1000, infinity},
      {elementary::tanh, "tanh", -0.0, -0.0},
      {elementary::tanh, "tanh", -infinity, -1},
      {elementary::tanh, "tanh", 25, 1},
      {elementary::cbrt, "cbrt", -0.0, -0.0},
      {elementary::cbrt, "cbrt", -infinity, -infinity},
      {elementary::cbrt, "cbrt", smallest, 0x1p-358},
  };
  for (const auto& [f, name, x, value] : known)
    expect_same(f(x), value, std::string(name) + "(" + std::to_string(x) + ")");
}

TEST(Elementary, pow_has_the_special_values_of_the_c_standard) {
  const auto expect = [](double x, double y, double value) {
    expect_same(elementary::pow(x, y), value, std::to_string(x) + "^" + std::to_string(y));
  };
  for (const double x : {0.0, -0.0, 2.0, -2.0, infinity, -infinity, nan}) expect(x, 0, 1), expect(x, -0.0, 1);
  for (const double y : {0.5, -3.0, infinity, -infinity, nan}) expect(1, y, 1);
  expect(nan, 2, nan), expect(2, nan, nan), expect(nan, nan, nan);
  expect(0.0, 3, 0), expect(-0.0, 3, -0.0), expect(-0.0, 2, 0), expect(-0.0, 2.5, 0);
  expect(0.0, -3, infinity), expect(-0.0, -3, -infinity), expect(-0.0, -2, infinity), expect(-0.0, -0.5, infinity);
  expect(0.0, infinity, 0), expect(-0.0, -infinity, infinity);
  expect(-1, infinity, 1), expect(-1, -infinity, 1), expect(-1, 3, -1), expect(-1, 1e300, 1);
  expect(0.5, infinity, 0), expect(-0.5, infinity, 0), expect(0.5, -infinity, infinity);
  expect(2, infinity, infinity), expect(-2, infinity, infinity), expect(2, -infinity, 0);
  expect(infinity, 0.5, infinity), expect(infinity, -0.5, 0), expect(infinity, infinity, infinity);
  expect(-infinity, 3, -infinity), expect(-infinity, 2, infinity), expect(-infinity, 0.5, infinity);
  expect(-infinity, -3, -0.0), expect(-infinity, -2, 0), expect(-infinity, -0.5, 0);
  expect(-8, 1.0 / 3, nan), expect(-2, 0.5, nan), expect(-2, 3, -8), expect(-2, -1, -0.5);
  // An odd number, an even one, and one so large that it cannot be odd.
  expect(-1.5, 0x1p53 - 1, -infinity), expect(-0.5, 0x1p53 - 1, -0.0), expect(-1.5, 0x1p53, infinity);
  expect(10, 400, infinity), expect(10, -400, 0), expect(-10, -401, -0.0), expect(2, -1074, smallest);
  expect(1 + 0x1p-52, 1e300, infinity), expect(1 - 0x1p-53, 1e300, 0), expect(1 + 0x1p-52, smallest, 1);
  expect(largest, smallest, 1), expect(smallest, 0.5, 0x1p-537);
}

TEST(Elementary, atan2_has_the_special_values_of_the_c_standard) {
  const auto expect = [](double y, double x, double value) {
    const std::string what = "atan2(" + std::to_string(y) + ", " + std::to_string(x) + ")";
    expect_same(elementary::atan2(y, x), value, what);
    expect_same(elementary::atan2(-y, x), -value, "minus " + what);
  };
  expect(0, -0.0, pi), expect(0, 0.0, 0), expect(0, -1, pi), expect(0, 1, 0), expect(1, 0, pi / 2),
      expect(1, -0.0, pi / 2);
  expect(1, -infinity, pi), expect(1, infinity, 0), expect(infinity, 1, pi / 2), expect(infinity, -1, pi / 2);
  expect(infinity, infinity, pi / 4), expect(infinity, -infinity, 3 * pi / 4);
  expect(0, infinity, 0), expect(0, -infinity, pi), expect(infinity, 0, pi / 2);
  expect(smallest, largest, 0), expect(largest, smallest, pi / 2), expect(smallest, -largest, pi);
  expect(smallest, smallest, pi / 4), expect(largest, -largest, 3 * pi / 4);
  expect(nan, 1, nan), expect(1, nan, nan);
}

TEST(Elementary, hypot_neither_overflows_nor_vanishes_before_its_result) {
  EXPECT_EQ(elementary::hypot(3, -4), 5);
  EXPECT_EQ(elementary::hypot(0x1.8p1000, 0x1p1001), 0x1.4p1001);
  EXPECT_EQ(elementary::hypot(3 * smallest, 4 * smallest), 5 * smallest);
  EXPECT_EQ(elementary::hypot(largest, largest), infinity);
  EXPECT_EQ(elementary::hypot(infinity, nan), infinity);
  EXPECT_EQ(elementary::hypot(nan, -infinity), infinity);
  EXPECT_TRUE(std::isnan(elementary::hypot(nan, 1)));
  expect_same(elementary::hypot(-0.0, -0.0), 0, "hypot(-0, -0)");
  EXPECT_EQ(elementary::hypot(-2, 0), 2);
}

TEST(Elementary, results_that_are_doubles_are_exact) {
  for (int k = -1074; k < 1024; ++k) {
    const double power = std::ldexp(1.0, k);
    EXPECT_EQ(elementary::exp2(k), power);
    EXPECT_EQ(elementary::log2(power), k);
    EXPECT_EQ(elementary::pow(2, k), power);
  }
  double ten = 1;
  for (int k = 0; k <= 22; ++k, ten *= 10) {
    EXPECT_EQ(elementary::log10(ten), k);
    EXPECT_EQ(elementary::pow(10, k), ten);
  }
  for (double n = 1; n < 2000; ++n) {
    EXPECT_EQ(elementary::pow(n, 2), n * n);
    EXPECT_EQ(elementary::pow(n * n, 0.5), n);
    EXPECT_EQ(elementary::cbrt(n * n * n), n);
    EXPECT_EQ(elementary::cbrt(-n * n * n), -n);
  }
}

// Values found with 1500 bits of pi. No double is nearer to a multiple of pi/2 than the last.
TEST(Elementary, angles_of_any_size_are_reduced_exactly) {
  EXPECT_EQ(elementary::sin(1e22), -0.8522008497671888);
  EXPECT_EQ(elementary::cos(1e22), 0.52321478539513899);
  EXPECT_EQ(elementary::sin(pi), 1.2246467991473532e-16);
  EXPECT_EQ(elementary::cos(6381956970095103 * 0x1p797), -4.6871659242546277e-19);
}

TEST(Elementary, odd_and_even_functions_are_so_to_the_last_bit) {
  for (const double x : arguments(-largest, largest)) {
    for (auto* odd : {elementary::sin, elementary::tan, elementary::asin, elementary::atan, elementary::sinh,
                      elementary::tanh, elementary::cbrt})
      expect_same(odd(-x), -odd(x), std::to_string(x));
    for (auto* even : {elementary::cos, elementary::cosh}) expect_same(even(-x), even(x), std::to_string(x));
  }
}

TEST(Elementary, inverses_lead_back) {
  Numbers numbers;
  for (int i = 0; i < 10000; ++i) {
    const double x = numbers.between(-1.5, 1.5), y = numbers.between(-1, 1), z = numbers.between(0.1, 10);
    // A relative error of one rounding, times what the outer function makes of it.
    EXPECT_NEAR(elementary::log(elementary::exp(x)), x, 3e-16);
    EXPECT_NEAR(elementary::exp(elementary::log(z)), z, 1e-15 * z);
    EXPECT_NEAR(elementary::atan(elementary::tan(x)), x, 5e-16);
    EXPECT_NEAR(elementary::sin(elementary::asin(y)), y, 3e-16);
    EXPECT_NEAR(elementary::cos(elementary::acos(y)), y, 5e-16);
    EXPECT_NEAR(square(elementary::sin(x)) + square(elementary::cos(x)), 1, 5e-16);
    EXPECT_NEAR(square(elementary::cosh(x)) - square(elementary::sinh(x)), 1, 5e-15);
  }
}

TEST(Elementary, power_is_a_product) {
  static_assert(elementary::power(3.0, 4) == 81 && elementary::power(0.5, 3) == 0.125);
  static_assert(elementary::power(2.0, -2) == 0.25 && elementary::power(0.0, 0) == 1);
  EXPECT_EQ(elementary::power(0.3, 2), 0.3 * 0.3);
  EXPECT_EQ(elementary::power(0.3f, 3), 0.3f * 0.3f * 0.3f);
  EXPECT_EQ(elementary::power(0.3, -1), 1 / 0.3);
  EXPECT_NEAR(elementary::power(1.1, 100), std::pow(1.1, 100), 1e-10);
}

TEST(Elementary, exp_and_log_of_laws_are_these) {
  EXPECT_EQ(exp(0.7), elementary::exp(0.7));
  EXPECT_EQ(log(0.7), elementary::log(0.7));
  EXPECT_EQ(exp(0.7f), static_cast<float>(elementary::exp(double(0.7f))));
  EXPECT_EQ(log(0.7f), static_cast<float>(elementary::log(double(0.7f))));
  EXPECT_EQ(exp(1), elementary::exp(1.0));
  static_assert(std::is_same_v<decltype(exp(1.0f)), float> && std::is_same_v<decltype(log(1)), double>);
}

// FNV-1a over whole results. Those that are no numbers count alike, since machines differ in their signs.
class Hash {
 public:
  void add(double x) {
    value_ = (value_ ^ (std::isnan(x) ? 1 : std::bit_cast<std::uint64_t>(x))) * 0x100000001b3, mix();
  }
  std::uint64_t value() const { return value_; }

 private:
  void mix() { value_ ^= value_ >> 29; }
  std::uint64_t value_ = 0xcbf29ce484222325;
};

// Found on an x86-64 with and without fused multiply-adds and on an aarch64. Change them only with the functions, and
// say so in CHANGELOG.md: results of scenes change with them.
TEST(Elementary, every_machine_gives_these_bits) {
  const auto compare = [](const auto& f, const Hash& hash) {
    EXPECT_EQ(hash.value(), f.hash) << f.name << " gives other bits here: 0x" << std::hex << hash.value();
  };
  for (const OfOne& f : of_one) {
    Hash hash;
    for (const double x : arguments(-largest, largest)) hash.add(f.ours(x));
    compare(f, hash);
  }
  for (const OfTwo& f : of_two) {
    Hash hash;
    for (const auto& [a, b] : pairs()) hash.add(f.ours(a, b));
    compare(f, hash);
  }
}

}  // namespace
}  // namespace knead
