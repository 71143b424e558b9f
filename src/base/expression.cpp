#include "base/expression.h"

#include "base/error.h"

#include <array>
#include <cmath>

namespace knead {

namespace {

enum class Op : std::uint16_t { number, variable, one, two, select, square, add, subtract, multiply, divide, negate };

// Built-in functions of one and two numbers; min and max take two or more and are folded from the left.
struct One {
  const char* name;
  double (*function)(double);
};
struct Two {
  const char* name;
  double (*function)(double, double);
};

double step(double x) { return x >= 0 ? 1.0 : 0.0; }
double sign(double x) { return (x > 0) - (x < 0); }
double fract(double x) { return x - std::floor(x); }

constexpr std::array one_table = {
    One{"sqrt", [](double x) { return std::sqrt(x); }},
    One{"cbrt", [](double x) { return std::cbrt(x); }},
    One{"abs", [](double x) { return std::fabs(x); }},
    One{"exp", [](double x) { return std::exp(x); }},
    One{"log", [](double x) { return std::log(x); }},
    One{"log2", [](double x) { return std::log2(x); }},
    One{"log10", [](double x) { return std::log10(x); }},
    One{"sin", [](double x) { return std::sin(x); }},
    One{"cos", [](double x) { return std::cos(x); }},
    One{"tan", [](double x) { return std::tan(x); }},
    One{"asin", [](double x) { return std::asin(x); }},
    One{"acos", [](double x) { return std::acos(x); }},
    One{"atan", [](double x) { return std::atan(x); }},
    One{"sinh", [](double x) { return std::sinh(x); }},
    One{"cosh", [](double x) { return std::cosh(x); }},
    One{"tanh", [](double x) { return std::tanh(x); }},
    One{"floor", [](double x) { return std::floor(x); }},
    One{"ceil", [](double x) { return std::ceil(x); }},
    One{"round", [](double x) { return std::round(x); }},
    One{"fract", fract},
    One{"sign", sign},
    One{"step", step},
};
constexpr std::array two_table = {
    Two{"^", [](double a, double b) { return std::pow(a, b); }},
    Two{"pow", [](double a, double b) { return std::pow(a, b); }},
    Two{"atan2", [](double a, double b) { return std::atan2(a, b); }},
    Two{"hypot", [](double a, double b) { return std::hypot(a, b); }},
    Two{"mod", [](double a, double b) { return a - b * std::floor(a / b); }},
    Two{"min", [](double a, double b) { return a < b || std::isnan(a) ? a : b; }},
    Two{"max", [](double a, double b) { return a > b || std::isnan(a) ? a : b; }},
    Two{"<", [](double a, double b) { return double(a < b); }},
    Two{"<=", [](double a, double b) { return double(a <= b); }},
    Two{">", [](double a, double b) { return double(a > b); }},
    Two{">=", [](double a, double b) { return double(a >= b); }},
    Two{"==", [](double a, double b) { return double(a == b); }},
    Two{"!=", [](double a, double b) { return double(a != b); }},
};

// Every level of the tree costs at most two numbers of the stack; the parser bounds the levels.
constexpr int max_stack = 256;

class Compiler {
 public:
  std::vector<Expression::Instruction> program;

  void emit(const ExpressionNode& node) {
    switch (node.kind) {
      case ExpressionNode::Kind::number:
        push({std::uint16_t(Op::number), 0, node.number});
        return;
      case ExpressionNode::Kind::variable:
        push({std::uint16_t(Op::variable), static_cast<std::uint16_t>(node.variable), 0});
        return;
      case ExpressionNode::Kind::call:
        call(node);
        return;
    }
  }

 private:
  void call(const ExpressionNode& node) {
    const auto& arguments = node.arguments;
    const std::string& f = node.function;
    const bool squared = f == "^" && arguments.size() == 2 && arguments[1].kind == ExpressionNode::Kind::number &&
                         arguments[1].number == 2;
    if (squared) {
      emit(arguments[0]);
      return apply(Op::square, 0, 1);
    }
    if ((f == "min" || f == "max") && arguments.size() > 2) return fold(node);
    for (const ExpressionNode& a : arguments) emit(a);
    if (f == "+") return apply(Op::add, 0, 2);
    if (f == "-") return arguments.size() == 1 ? apply(Op::negate, 0, 1) : apply(Op::subtract, 0, 2);
    if (f == "*") return apply(Op::multiply, 0, 2);
    if (f == "/") return apply(Op::divide, 0, 2);
    if (f == "if") return apply(Op::select, 0, 3);
    if (arguments.size() == 1) return apply(Op::one, index_of(one_table, f), 1);
    apply(Op::two, index_of(two_table, f), 2);
  }

  void fold(const ExpressionNode& node) {
    emit(node.arguments[0]);
    for (std::size_t i = 1; i < node.arguments.size(); ++i) {
      emit(node.arguments[i]);
      apply(Op::two, index_of(two_table, node.function), 2);
    }
  }

  template <class Functions>
  static std::uint16_t index_of(const Functions& functions, const std::string& name) {
    for (std::size_t i = 0; i < functions.size(); ++i)
      if (name == functions[i].name) return static_cast<std::uint16_t>(i);
    fail(Exit::unexpected, "the function '{}' has no meaning here", name);
  }

  void push(Expression::Instruction instruction) {
    program.push_back(instruction);
    if (++depth_ > max_stack) fail(Exit::bad_input, "the expression is nested too deeply");
  }
  void apply(Op op, std::uint16_t function, int taken) {
    program.push_back({std::uint16_t(op), function, 0});
    depth_ -= taken - 1;
  }

  int depth_ = 0;
};

}  // namespace

Expression::Expression(std::string_view text, std::span<const std::string> variables)
    : Expression(parse_expression(text, variables)) {}

Expression::Expression(const ExpressionNode& tree) {
  Compiler compiler;
  compiler.emit(tree);
  program_ = std::move(compiler.program);
}

double Expression::evaluate(std::span<const double> variables) const {
  double stack[max_stack + 1];  // the first place stays empty, so that `top` always points into the array
  double* top = stack;
  for (const Instruction& i : program_) {
    switch (static_cast<Op>(i.operation)) {
      case Op::number:
        *++top = i.number;
        break;
      case Op::variable:
        *++top = variables[i.variable];
        break;
      case Op::one:
        *top = one_table[i.variable].function(*top);
        break;
      case Op::two:
        --top, *top = two_table[i.variable].function(top[0], top[1]);
        break;
      case Op::select:
        top -= 2, *top = top[0] != 0 ? top[1] : top[2];
        break;
      case Op::square:
        *top = *top * *top;
        break;
      case Op::add:
        --top, *top = top[0] + top[1];
        break;
      case Op::subtract:
        --top, *top = top[0] - top[1];
        break;
      case Op::multiply:
        --top, *top = top[0] * top[1];
        break;
      case Op::divide:
        --top, *top = top[0] / top[1];
        break;
      case Op::negate:
        *top = -*top;
        break;
    }
  }
  return *top;
}

std::vector<std::string> expression_functions() {
  std::vector<std::string> names;
  for (const One& f : one_table) names.push_back(f.name);
  for (const Two& f : two_table)
    if (std::isalpha(static_cast<unsigned char>(f.name[0]))) names.push_back(f.name);
  names.push_back("if");
  return names;
}

}  // namespace knead
