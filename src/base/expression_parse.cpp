// From the text of an expression to its tree: recursive descent, one function a level of precedence.
#include "base/error.h"
#include "base/expression.h"
#include "base/nearest.h"

#include <charconv>
#include <cmath>
#include <numbers>

namespace knead {

namespace {

constexpr std::size_t max_text = 10'000;
constexpr int max_levels = 100;  // far beyond what people write, far below what the call stack holds

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// How many arguments a built-in function takes; 0 where there is no such function. min and max take two or more.
int argument_count(std::string_view name) {
  if (name == "if" || name == "noise") return 3;
  for (const char* two : {"pow", "atan2", "hypot", "mod", "min", "max"})
    if (name == two) return 2;
  for (const std::string& one : expression_functions())
    if (name == one) return 1;
  return 0;
}

class Parser {
 public:
  Parser(std::string_view text, std::span<const std::string> variables, std::span<const ExtraFunction> extra)
      : text_(text), variables_(variables), extra_(extra) {}

  ExpressionNode parse() {
    if (text_.size() > max_text) fail(Exit::bad_input, "an expression of {} characters is too long", text_.size());
    skip_space();
    if (at_end()) fail(Exit::bad_input, "the expression is empty");
    ExpressionNode tree = comparison();
    if (!at_end()) stop(at_, "expected an operator or the end, found '{}'", text_[at_]);
    return tree;
  }

 private:
  template <class... Args>
  [[noreturn]] void stop(std::size_t at, fmt::format_string<Args...> format, Args&&... args) const {
    fail(Exit::bad_input, "in the expression '{}', column {}: {}", text_, at + 1,
         fmt::format(format, std::forward<Args>(args)...));
  }

  bool at_end() const { return at_ >= text_.size(); }
  void skip_space() {
    while (!at_end() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
  }
  bool take(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    skip_space();
    return true;
  }

  ExpressionNode call(std::string_view function, std::size_t at, std::vector<ExpressionNode> arguments) const {
    ExpressionNode node;
    node.kind = ExpressionNode::Kind::call;
    node.function = function;
    node.arguments = std::move(arguments);
    node.column = static_cast<int>(at) + 1;
    return node;
  }

  // One level of left-associative operators; `next` reads what binds tighter. A long chain makes a deep tree, so it is
  // bounded too.
  template <class Next>
  ExpressionNode chain(std::initializer_list<std::string_view> operators, Next&& next) {
    ExpressionNode left = next();
    for (int length = 0;; ++length) {
      const std::size_t at = at_;
      std::string_view found;
      for (std::string_view o : operators)
        if (found.empty() && take(o)) found = o;
      if (found.empty()) return left;
      if (length >= 10 * max_levels) stop(at, "too many operators in a row");
      std::vector<ExpressionNode> arguments;
      arguments.push_back(std::move(left));
      arguments.push_back(next());
      left = call(found, at, std::move(arguments));
    }
  }

  ExpressionNode comparison() {
    const Level level(*this);
    return chain({"==", "!=", "<=", ">=", "<", ">"}, [&] { return sum(); });
  }
  ExpressionNode sum() {
    return chain({"+", "-"}, [&] { return product(); });
  }
  ExpressionNode product() {
    return chain({"*", "/"}, [&] { return signed_power(); });
  }
  ExpressionNode signed_power() {
    const Level level(*this);
    const std::size_t at = at_;
    if (take("+")) return signed_power();
    if (take("-")) return call("-", at, {signed_power()});
    return power();
  }
  ExpressionNode power() {
    ExpressionNode base = primary();
    const std::size_t at = at_;
    if (!take("^")) return base;
    std::vector<ExpressionNode> arguments;
    arguments.push_back(std::move(base));
    arguments.push_back(signed_power());
    return call("^", at, std::move(arguments));
  }

  ExpressionNode primary() {
    if (at_end()) stop(at_, "a number, a name or '(' is missing at the end");
    const std::size_t at = at_;
    if (take("(")) {
      ExpressionNode inside = comparison();
      if (!take(")")) stop(at, "this '(' is not closed");
      return inside;
    }
    if (is_digit(text_[at_]) || text_[at_] == '.') return number();
    if (is_letter(text_[at_])) return name();
    stop(at_, "expected a number, a name or '(', found '{}'", text_[at_]);
  }

  ExpressionNode number() {
    ExpressionNode node;
    node.column = static_cast<int>(at_) + 1;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), node.number);
    if (error != std::errc() || !std::isfinite(node.number)) stop(at_, "this number cannot be read or is out of range");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (!at_end() && is_letter(text_[at_])) stop(at_, "expected an operator after the number, found '{}'", text_[at_]);
    skip_space();
    return node;
  }

  ExpressionNode name() {
    const std::size_t at = at_;
    while (!at_end() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string word(text_.substr(at, at_ - at));
    skip_space();
    if (take("(")) return function(word, at);
    ExpressionNode node;
    node.column = static_cast<int>(at) + 1;
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (variables_[i] == word) {
        node.kind = ExpressionNode::Kind::variable;
        node.variable = static_cast<int>(i);
        return node;
      }
    if (word == "pi") return node.number = std::numbers::pi, node;
    unknown_name(word, at);
  }

  [[noreturn]] void unknown_name(const std::string& word, std::size_t at) const {
    std::vector<std::string> names(variables_.begin(), variables_.end());
    names.push_back("pi");
    if (argument_count(word) > 0) stop(at, "'{}' is a function: '{}(…)'", word, word);
    stop(at, "unknown name '{}'{}", word, did_you_mean(word, names));
  }

  ExpressionNode function(const std::string& word, std::size_t at) {
    std::vector<ExpressionNode> arguments;
    if (!take(")")) {
      do arguments.push_back(comparison());
      while (take(","));
      if (!take(")")) stop(at, "the '(' after '{}' is not closed", word);
    }
    check_arguments(word, at, static_cast<int>(arguments.size()));
    return call(word, at, std::move(arguments));
  }

  void check_arguments(const std::string& word, std::size_t at, int given) const {
    int wanted = argument_count(word);
    for (const ExtraFunction& f : extra_)
      if (f.name == word) {
        if (f.arguments == given) return;
        if (wanted == 0) wanted = f.arguments;
      }
    if (wanted == 0) {
      std::vector<std::string> names = expression_functions();
      for (const ExtraFunction& f : extra_) names.push_back(f.name);
      stop(at, "unknown function '{}'{}", word, did_you_mean(word, names));
    }
    const bool folds = word == "min" || word == "max";
    if (folds ? given < 2 : given != wanted)
      stop(at, "'{}' takes {}{} argument{}, not {}", word, wanted, folds ? " or more" : "", wanted == 1 ? "" : "s",
           given);
  }

  // Counts how deep the text is nested, so that a hostile one ends in a message and not in a full stack.
  struct Level {
    explicit Level(Parser& p) : parser(p) {
      if (++parser.level_ > max_levels) parser.stop(parser.at_, "nested too deeply");
    }
    ~Level() { --parser.level_; }
    Level(const Level&) = delete;
    Parser& parser;
  };

  std::string_view text_;
  std::span<const std::string> variables_;
  std::span<const ExtraFunction> extra_;
  std::size_t at_ = 0;
  int level_ = 0;
};

}  // namespace

ExpressionNode parse_expression(std::string_view text, std::span<const std::string> variables,
                                std::span<const ExtraFunction> extra) {
  return Parser(text, variables, extra).parse();
}

}  // namespace knead
