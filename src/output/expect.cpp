#include "output/expect.h"

#include "base/error.h"
#include "base/expression.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace knead {

namespace {

const std::vector<ExtraFunction> aggregates = {{"first", 1}, {"last", 1},  {"min", 1},   {"max", 1},
                                               {"mean", 1},  {"range", 1}, {"drift", 1}, {"at", 2}};

bool is_aggregate(const ExpressionNode& node) {
  return node.kind == ExpressionNode::Kind::call &&
         std::any_of(aggregates.begin(), aggregates.end(), [&](const auto& a) {
           return a.name == node.function && a.arguments == static_cast<int>(node.arguments.size());
         });
}

// Unlike std::min and std::max, a row that is not a number makes the result not a number.
template <class Better>
double extreme(const std::vector<double>& rows, Better better) {
  double best = rows[0];
  for (double r : rows) best = std::isnan(best) || better(best, r) ? best : r;
  return best;
}
double smallest(const std::vector<double>& rows) {
  return extreme(rows, [](double a, double b) { return a <= b; });
}
double largest(const std::vector<double>& rows) {
  return extreme(rows, [](double a, double b) { return a >= b; });
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const StatsTable& table) : text_(text), table_(table) {}

  double evaluate() const {
    if (table_.rows() == 0) fail(Exit::bad_input, "the statistics have no rows to evaluate '{}' on", text_);
    return single(parse_expression(text_, table_.names, aggregates));
  }

 private:
  // The value of an expression in which every column stands inside an aggregate.
  double single(const ExpressionNode& node) const {
    const ExpressionNode arithmetic = without_aggregates(node);
    refuse_columns(arithmetic);
    return Expression(arithmetic).evaluate({});
  }

  // The same expression with each aggregate replaced by its number.
  ExpressionNode without_aggregates(const ExpressionNode& node) const {
    ExpressionNode result = node;
    if (is_aggregate(node)) {
      result.kind = ExpressionNode::Kind::number;
      result.number = aggregate(node);
      result.arguments.clear();
    }
    for (ExpressionNode& argument : result.arguments) argument = without_aggregates(argument);
    return result;
  }

  void refuse_columns(const ExpressionNode& node) const {
    if (node.kind == ExpressionNode::Kind::variable) {
      const std::string& name = table_.names[static_cast<std::size_t>(node.variable)];
      fail(Exit::bad_input,
           "in the expression '{}', column {}: '{}' has one value per frame; choose one: last({}), max({}), …", text_,
           node.column, name, name, name);
    }
    for (const ExpressionNode& argument : node.arguments) refuse_columns(argument);
  }

  double aggregate(const ExpressionNode& node) const {
    const std::vector<double> rows = each_row(node.arguments[0]);
    const std::string& f = node.function;
    if (f == "first") return rows.front();
    if (f == "last") return rows.back();
    if (f == "min") return smallest(rows);
    if (f == "max") return largest(rows);
    if (f == "range") return largest(rows) - smallest(rows);
    if (f == "mean") return mean(rows);
    if (f == "drift") return drift(rows);
    return at(rows, single(node.arguments[1]));
  }

  static double mean(const std::vector<double>& rows) {
    double sum = 0;
    for (double r : rows) sum += r;
    return sum / static_cast<double>(rows.size());
  }
  static double drift(std::vector<double> rows) {
    const double start = rows.front();
    for (double& r : rows) r = std::fabs(r - start);
    return largest(rows);
  }

  // Between two rows, the straight line through them.
  double at(const std::vector<double>& rows, double time) const {
    const std::vector<double>& times = table_.column("time");
    const double slack =
        1e-9 * std::max(1.0, std::fabs(times.back()));  // times are printed exactly; the user's sum may not be
    if (!(time >= times.front() - slack && time <= times.back() + slack))
      fail(Exit::bad_input, "in the expression '{}': the time {} lies outside the run, {} to {} s", text_, time,
           times.front(), times.back());
    std::size_t i = 1;
    while (i + 1 < times.size() && times[i] < time) ++i;
    if (times.size() == 1) return rows[0];
    const double share = std::clamp((time - times[i - 1]) / (times[i] - times[i - 1]), 0.0, 1.0);
    return share == 1 ? rows[i] : rows[i - 1] + share * (rows[i] - rows[i - 1]);
  }

  std::vector<double> each_row(const ExpressionNode& node) const {
    const Expression expression(without_aggregates(node));
    std::vector<double> rows(table_.rows()), variables(table_.names.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t c = 0; c < variables.size(); ++c) variables[c] = table_.values[c][r];
      rows[r] = expression.evaluate(variables);
    }
    return rows;
  }

  std::string_view text_;
  const StatsTable& table_;
};

}  // namespace

double evaluate_on_stats(std::string_view expression, const StatsTable& table) {
  return Evaluator(expression, table).evaluate();
}

Judgement judge(const Expect& expect, const StatsTable& table) {
  Judgement result{expect.name, expect.value, evaluate_on_stats(expect.value, table), expect.min, expect.max,
                   false,       expect.source};
  // Written so that a measured NaN never passes.
  const double low = expect.min.value_or(-std::numeric_limits<double>::infinity());
  const double high = expect.max.value_or(std::numeric_limits<double>::infinity());
  result.pass = result.measured >= low && result.measured <= high;
  return result;
}

std::vector<Judgement> judge_all(const std::vector<Expect>& expects, const StatsTable& table) {
  std::vector<Judgement> results;
  for (const Expect& e : expects) results.push_back(judge(e, table));
  return results;
}

std::string bounds_text(const Judgement& judgement) {
  // 15 digits give a decimal number back as it was written, though it went through a unit.
  if (judgement.min && judgement.max) return fmt::format("{:.15g} to {:.15g}", *judgement.min, *judgement.max);
  if (judgement.min) return fmt::format("at least {:.15g}", *judgement.min);
  if (judgement.max) return fmt::format("at most {:.15g}", *judgement.max);
  return "any";
}

std::string measured_text(const Judgement& judgement) {
  const double measured = judgement.measured;
  for (int digits = 4; digits < 17; ++digits) {
    std::string text = fmt::format("{:.{}g}", measured, digits);
    const double shown = std::strtod(text.c_str(), nullptr);
    const auto same_side = [&](const std::optional<double>& bound) {
      return !bound || ((shown < *bound) == (measured < *bound) && (shown > *bound) == (measured > *bound));
    };
    if (!std::isfinite(measured) || (same_side(judgement.min) && same_side(judgement.max))) return text;
  }
  return fmt::format("{}", measured);
}

std::string text_of(const Judgement& judgement) {
  return fmt::format("'{}' is {}: {} = {}, expected {}", judgement.name, judgement.pass ? "met" : "not met",
                     judgement.expression, measured_text(judgement), bounds_text(judgement));
}

}  // namespace knead
