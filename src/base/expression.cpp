#include "base/expression.h"

#include "base/elementary.h"
#include "base/error.h"
#include "base/noise.h"

#include <array>
#include <cmath>
#include <numbers>

namespace knead {

namespace {

enum class Op : std::uint16_t {
  number,
  variable,
  one,
  two,
  noise,
  select,
  square,
  add,
  subtract,
  multiply,
  divide,
  negate
};

// The derivatives of a function of two numbers by each.
struct Slopes {
  double first, second;
};

// Built-in functions of one and two numbers with their derivatives (f is the function's value); min and max take two or
// more and are folded from the left.
struct One {
  const char* name;
  double (*function)(double);
  double (*slope)(double x, double f);
};
struct Two {
  const char* name;
  double (*function)(double, double);
  Slopes (*slopes)(double a, double b, double f);
};

double flat(double, double) { return 0; }
Slopes flat_in_both(double, double, double) { return {0, 0}; }
Slopes power_slopes(double a, double b, double f) {
  return {b == 0 ? 0 : b * elementary::pow(a, b - 1), a > 0 ? f * elementary::log(a) : 0};
}

double step(double x) { return x >= 0 ? 1.0 : 0.0; }
double sign(double x) { return (x > 0) - (x < 0); }
double fract(double x) { return x - std::floor(x); }

constexpr std::array one_table = {
    One{"sqrt", [](double x) { return std::sqrt(x); }, [](double, double f) { return 0.5 / f; }},
    One{"cbrt", elementary::cbrt, [](double, double f) { return 1 / (3 * f * f); }},
    One{"abs", [](double x) { return std::fabs(x); }, [](double x, double) { return sign(x); }},
    One{"exp", elementary::exp, [](double, double f) { return f; }},
    One{"log", elementary::log, [](double x, double) { return 1 / x; }},
    One{"log2", elementary::log2, [](double x, double) { return 1 / (x * std::numbers::ln2); }},
    One{"log10", elementary::log10, [](double x, double) { return 1 / (x * std::numbers::ln10); }},
    One{"sin", elementary::sin, [](double x, double) { return elementary::cos(x); }},
    One{"cos", elementary::cos, [](double x, double) { return -elementary::sin(x); }},
    One{"tan", elementary::tan, [](double, double f) { return 1 + f * f; }},
    One{"asin", elementary::asin, [](double x, double) { return 1 / std::sqrt(1 - x * x); }},
    One{"acos", elementary::acos, [](double x, double) { return -1 / std::sqrt(1 - x * x); }},
    One{"atan", elementary::atan, [](double x, double) { return 1 / (1 + x * x); }},
    One{"sinh", elementary::sinh, [](double x, double) { return elementary::cosh(x); }},
    One{"cosh", elementary::cosh, [](double x, double) { return elementary::sinh(x); }},
    One{"tanh", elementary::tanh, [](double, double f) { return 1 - f * f; }},
    One{"floor", [](double x) { return std::floor(x); }, flat},
    One{"ceil", [](double x) { return std::ceil(x); }, flat},
    One{"round", [](double x) { return std::round(x); }, flat},
    One{"fract", fract, [](double, double) { return 1.0; }},
    One{"sign", sign, flat},
    One{"step", step, flat},
};
constexpr std::array two_table = {
    Two{"^", elementary::pow, power_slopes},
    Two{"pow", elementary::pow, power_slopes},
    Two{"atan2", elementary::atan2,
        [](double a, double b, double) {
          return Slopes{b / (a * a + b * b), -a / (a * a + b * b)};
        }},
    Two{"hypot", elementary::hypot,
        [](double a, double b, double f) {
          return f > 0 ? Slopes{a / f, b / f} : Slopes{0, 0};
        }},
    Two{"mod", [](double a, double b) { return a - b * std::floor(a / b); },
        [](double a, double b, double) {
          return Slopes{1, -std::floor(a / b)};
        }},
    Two{"min", [](double a, double b) { return a < b || std::isnan(a) ? a : b; },
        [](double a, double b, double) {
          return a < b || std::isnan(a) ? Slopes{1, 0} : Slopes{0, 1};
        }},
    Two{"max", [](double a, double b) { return a > b || std::isnan(a) ? a : b; },
        [](double a, double b, double) {
          return a > b || std::isnan(a) ? Slopes{1, 0} : Slopes{0, 1};
        }},
    Two{"<", [](double a, double b) { return double(a < b); }, flat_in_both},
    Two{"<=", [](double a, double b) { return double(a <= b); }, flat_in_both},
    Two{">", [](double a, double b) { return double(a > b); }, flat_in_both},
    Two{">=", [](double a, double b) { return double(a >= b); }, flat_in_both},
    Two{"==", [](double a, double b) { return double(a == b); }, flat_in_both},
    Two{"!=", [](double a, double b) { return double(a != b); }, flat_in_both},
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
    if (f == "noise") return apply(Op::noise, 0, 3);
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

namespace {

// A value with its derivative. What does not change has the slope 0 also where the function is infinitely steep.
struct Sloped {
  double value, slope;
};
double times(double slope, double change) { return change == 0 ? 0 : slope * change; }

double call(const One& f, double x) { return f.function(x); }
Sloped call(const One& f, const Sloped& x) {
  const double value = f.function(x.value);
  return {value, times(f.slope(x.value, value), x.slope)};
}
double call(const Two& f, double a, double b) { return f.function(a, b); }
Sloped call(const Two& f, const Sloped& a, const Sloped& b) {
  const double value = f.function(a.value, b.value);
  const Slopes s = f.slopes(a.value, b.value, value);
  return {value, times(s.first, a.slope) + times(s.second, b.slope)};
}
double call_noise(double x, double y, double z) { return smooth_noise({x, y, z}); }
Sloped call_noise(const Sloped& x, const Sloped& y, const Sloped& z) {
  const SmoothNoise noise = smooth_noise_with_slope({x.value, y.value, z.value});
  return {noise.value,
          times(noise.slope[0], x.slope) + times(noise.slope[1], y.slope) + times(noise.slope[2], z.slope)};
}
bool is_true(double x) { return x != 0; }
bool is_true(const Sloped& x) { return x.value != 0; }
Sloped operator+(const Sloped& a, const Sloped& b) { return {a.value + b.value, a.slope + b.slope}; }
Sloped operator-(const Sloped& a, const Sloped& b) { return {a.value - b.value, a.slope - b.slope}; }
Sloped operator*(const Sloped& a, const Sloped& b) {
  return {a.value * b.value, times(b.value, a.slope) + times(a.value, b.slope)};
}
Sloped operator/(const Sloped& a, const Sloped& b) {
  const double q = a.value / b.value;
  return {q, times(1 / b.value, a.slope) - times(q / b.value, b.slope)};
}
Sloped operator-(const Sloped& a) { return {-a.value, -a.slope}; }

// Runs the program; number(x) and variable(i) make the values that it starts from.
template <class V, class Number, class Variable>
V run(std::span<const Expression::Instruction> program, Number&& number, Variable&& variable) {
  V stack[max_stack + 1];  // the first place stays empty, so that `top` always points into the array
  V* top = stack;
  for (const Expression::Instruction& i : program) {
    switch (static_cast<Op>(i.operation)) {
      case Op::number:
        *++top = number(i.number);
        break;
      case Op::variable:
        *++top = variable(i.variable);
        break;
      case Op::one:
        *top = call(one_table[i.variable], *top);
        break;
      case Op::two:
        --top, *top = call(two_table[i.variable], top[0], top[1]);
        break;
      case Op::noise:
        top -= 2, *top = call_noise(top[0], top[1], top[2]);
        break;
      case Op::select:
        top -= 2, *top = is_true(top[0]) ? top[1] : top[2];
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

}  // namespace

double Expression::evaluate(std::span<const double> variables) const {
  return run<double>(
      program_, [](double x) { return x; }, [&](std::uint16_t i) { return variables[i]; });
}

double Expression::slope(std::span<const double> variables, int variable) const {
  return run<Sloped>(
             program_,
             [](double x) {
               return Sloped{x, 0};
             },
             [&](std::uint16_t i) {
               return Sloped{variables[i], i == variable ? 1.0 : 0.0};
             })
      .slope;
}

bool Expression::uses(int variable) const {
  for (const Instruction& i : program_)
    if (static_cast<Op>(i.operation) == Op::variable && i.variable == variable) return true;
  return false;
}

std::vector<std::string> expression_functions() {
  std::vector<std::string> names;
  for (const One& f : one_table) names.push_back(f.name);
  for (const Two& f : two_table)
    if (std::isalpha(static_cast<unsigned char>(f.name[0]))) names.push_back(f.name);
  names.push_back("noise");
  names.push_back("if");
  return names;
}

}  // namespace knead
