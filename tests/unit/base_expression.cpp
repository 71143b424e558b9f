#include "base/expression.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace knead {
namespace {

const std::vector<std::string> names = {"x", "y", "kinetic"};

double value(std::string_view text, double x = 3, double y = 4, double kinetic = 5) {
  const double variables[] = {x, y, kinetic};
  return Expression(text, names).evaluate(variables);
}

std::string message(std::string_view text) {
  try {
    (void)Expression(text, names);
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, Exit::bad_input);
    return f.what();
  }
  return "no failure";
}

TEST(Expression, follows_the_usual_precedence) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("16 / 4 / 2"), 2);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("--2"), 2);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("1 + 1 < 3"), 1);
  EXPECT_EQ(value(" 1.5e3+.5 "), 1500.5);
}

TEST(Expression, reads_variables_and_functions) {
  EXPECT_EQ(value("sqrt(x^2 + y^2)"), 5);
  EXPECT_EQ(value("max(x, y, kinetic) - min(x, y)"), 2);
  EXPECT_EQ(value("if(x > y, 1, -1)"), -1);
  EXPECT_EQ(value("mod(-1, 3)"), 2);
  EXPECT_DOUBLE_EQ(value("cos(pi)"), -1);
  EXPECT_DOUBLE_EQ(value("atan2(y, x) - atan(y/x)"), 0);
  EXPECT_EQ(value("(x<=3) + (y!=4) + (kinetic==5)"), 2);
  EXPECT_TRUE(std::isnan(value("sqrt(-1)")));
  EXPECT_TRUE(std::isinf(value("1/0")));
}

TEST(Expression, a_nan_is_not_hidden_by_min_or_max) {
  EXPECT_TRUE(std::isnan(value("max(x/0*0, 1)")));
  EXPECT_TRUE(std::isnan(value("max(1, x/0*0)")));
  EXPECT_TRUE(std::isnan(value("min(1, x/0*0)")));
}

TEST(Expression, errors_name_the_column) {
  EXPECT_EQ(message("1 + kinetc"),
            "in the expression '1 + kinetc', column 5: unknown name 'kinetc' (did you mean 'kinetic'?)");
  EXPECT_EQ(message("sqr(2)"), "in the expression 'sqr(2)', column 1: unknown function 'sqr' (did you mean 'sqrt'?)");
  EXPECT_EQ(message("popen_all(2)"), "in the expression 'popen_all(2)', column 1: unknown function 'popen_all'");
  EXPECT_EQ(message("2 * (x + 1"), "in the expression '2 * (x + 1', column 5: this '(' is not closed");
  EXPECT_EQ(message("x +"), "in the expression 'x +', column 4: a number, a name or '(' is missing at the end");
  EXPECT_EQ(message("x y"), "in the expression 'x y', column 3: expected an operator or the end, found 'y'");
  EXPECT_EQ(message("x; 1"), "in the expression 'x; 1', column 2: expected an operator or the end, found ';'");
  EXPECT_EQ(message("pow(2)"), "in the expression 'pow(2)', column 1: 'pow' takes 2 arguments, not 1");
  EXPECT_EQ(message("max(2)"), "in the expression 'max(2)', column 1: 'max' takes 2 or more arguments, not 1");
  EXPECT_EQ(message("1e999"), "in the expression '1e999', column 1: this number cannot be read or is out of range");
  EXPECT_EQ(message("2x"), "in the expression '2x', column 2: expected an operator after the number, found 'x'");
  EXPECT_EQ(message("sin + 1"), "in the expression 'sin + 1', column 1: 'sin' is a function: 'sin(…)'");
  EXPECT_EQ(message("   "), "the expression is empty");
}

TEST(Expression, hostile_texts_end_in_a_message) {
  EXPECT_NE(message(std::string(5000, '(')).find("nested too deeply"), std::string::npos);
  EXPECT_NE(message(std::string(5000, '-') + "1").find("nested too deeply"), std::string::npos);
  EXPECT_NE(message(std::string(20'000, '1')).find("too long"), std::string::npos);
  std::string sum = "1", power = "1";
  for (int i = 0; i < 2400; ++i) sum += "+1", power += "^1";
  EXPECT_NE(message(sum).find("too many operators"), std::string::npos);
  EXPECT_NE(message(power).find("nested too deeply"), std::string::npos);
}

TEST(Expression, random_bytes_never_crash) {
  const std::string alphabet = "xy12.+-*/^()<=>!, sinmaxpe";
  std::mt19937 random(7);
  int good = 0;
  for (int trial = 0; trial < 50'000; ++trial) {
    std::string text;
    for (unsigned n = random() % 12; n > 0; --n) text += alphabet[random() % alphabet.size()];
    try {
      value(text);
      ++good;
    } catch (const Failure&) {
    }
  }
  EXPECT_GT(good, 100);
}

TEST(Expression, an_extra_function_hides_the_built_in_of_as_many_arguments) {
  const std::vector<ExtraFunction> extra = {{"max", 1}, {"last", 1}};
  EXPECT_EQ(parse_expression("max(x)", names, extra).arguments.size(), 1u);
  EXPECT_EQ(parse_expression("max(x, y)", names, extra).arguments.size(), 2u);
  EXPECT_THROW(parse_expression("last(x, y)", names, extra), Failure);
  EXPECT_THROW(parse_expression("lats(x)", names, extra), Failure);
}

TEST(Expression, noise_is_smooth_even_and_from_0_to_1) {
  const Expression noise("noise(x, y, kinetic)", names);
  double sum = 0, least = 1, most = 0;
  constexpr int n = 40;
  for (int i = 0; i < n * n * n; ++i) {
    const double at[] = {0.7 * (i % n) - 11, 0.7 * (i / n % n) - 13, 0.7 * (i / n / n)};  // NOLINT
    const double here = noise.evaluate(at);
    sum += here, least = std::min(least, here), most = std::max(most, here);
  }
  EXPECT_NEAR(sum / (n * n * n), 0.5, 0.01);
  EXPECT_GE(least, 0);
  EXPECT_LE(most, 1);
  EXPECT_LT(least, 0.1);
  EXPECT_GT(most, 0.9);
  EXPECT_NE(value("noise(0.5, 0.5, 0.5)"), value("noise(1.5, 0.5, 0.5)"));
  EXPECT_TRUE(std::isnan(value("noise(1/0, 0, 0)")));
  EXPECT_EQ(message("noise(x)"), "in the expression 'noise(x)', column 1: 'noise' takes 3 arguments, not 1");
}

// Every function's derivative against central differences, at places away from jumps and kinks.
TEST(Expression, slopes_are_derivatives) {
  const char* const texts[] = {"x^3 - 2*x*y + 7",        "x^y", "y^x", "-x/y", "if(x > y, x^2, y^2*x)",
                               "min(x, y)*x + max(x, y)"};
  std::vector<std::string> all(std::begin(texts), std::end(texts));
  for (const std::string& f : expression_functions()) {
    if (f == "if") continue;
    const bool two = f == "pow" || f == "atan2" || f == "hypot" || f == "mod" || f == "min" || f == "max";
    all.push_back(f == "noise" ? "noise(3*x - 2, 2*y, x*y)" : two ? f + "(2*x, y)" : f + "(0.3*x*y)");
  }
  const double h = 1e-6;
  for (const std::string& text : all)
    for (double x : {0.31, 1.13})
      for (double y : {0.47, 0.83}) {
        const double variables[] = {x, y, 0};
        const Expression e(text, names);
        EXPECT_NEAR(e.slope(variables, 0), (value(text, x + h, y) - value(text, x - h, y)) / (2 * h), 1e-7) << text;
        EXPECT_NEAR(e.slope(variables, 1), (value(text, x, y + h) - value(text, x, y - h)) / (2 * h), 1e-7) << text;
        EXPECT_EQ(e.slope(variables, 2), 0) << text;
      }
}

}  // namespace
}  // namespace knead
