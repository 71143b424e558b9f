// A small safe expression language: numbers, variables, arithmetic, comparison and mathematical functions; nothing else
// can happen.
//
//   Expression e("sqrt(x^2 + y^2) - 1", std::vector<std::string>{"x", "y"});
//   e.evaluate(std::array{3.0, 4.0});   // 4
//
// From weakest to strongest: == != < <= > >= (1 if true, 0 if not), + -, * /, unary + -, ^ (from the right; -2^2 is
// -4). Names are resolved when the text is read; evaluation is a loop over a flat postfix program and never allocates.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace knead {

// The parsed text. Operators are calls too: "+" with two arguments, "-" with one or two.
struct ExpressionNode {
  enum class Kind { number, variable, call };
  Kind kind = Kind::number;
  double number = 0;
  int variable = 0;  // index into the given names
  std::string function;
  std::vector<ExpressionNode> arguments;
  int column = 1;  // where it stands in the text, from 1
};

// A function that the caller gives a meaning; one with as many arguments as a built-in of its name hides that.
struct ExtraFunction {
  std::string name;
  int arguments = 1;
};

// Fails (bad_input) with the text, the column and, for an unknown name, the nearest valid one.
ExpressionNode parse_expression(std::string_view text, std::span<const std::string> variables,
                                std::span<const ExtraFunction> extra = {});

class Expression {
 public:
  Expression(std::string_view text, std::span<const std::string> variables);
  explicit Expression(const ExpressionNode& tree);  // without extra functions

  // variables[i] is the value of the i-th name.
  double evaluate(std::span<const double> variables) const;
  // The exact derivative by one of the variables, carried along with the value; 0 across jumps (floor, comparisons).
  double slope(std::span<const double> variables, int variable) const;
  // Whether the value can depend on this variable.
  bool uses(int variable) const;

  // What a step of the program does to the stack of numbers.
  struct Instruction {
    std::uint16_t operation = 0;
    std::uint16_t variable = 0;
    double number = 0;
  };

 private:
  std::vector<Instruction> program_;
};

// The names of the built-in functions, for help pages.
std::vector<std::string> expression_functions();

}  // namespace knead
