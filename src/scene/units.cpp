#include "scene/units.h"

#include "base/elementary.h"
#include "scene/mistakes.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <numbers>

namespace knead {

namespace {

struct Unit {
  std::string_view symbol;
  double size;
  Dimensions of;
  bool prefixed;  // whether SI prefixes may stand before it
};

constexpr double pi = std::numbers::pi;
constexpr Unit units[] = {
    {"m", 1, {1, 0, 0, 0, 0}, true},
    {"g", 1e-3, {0, 1, 0, 0, 0}, true},
    {"s", 1, {0, 0, 1, 0, 0}, true},
    {"K", 1, {0, 0, 0, 1, 0}, true},
    {"rad", 1, {0, 0, 0, 0, 1}, true},
    {"N", 1, {1, 1, -2, 0, 0}, true},
    {"Pa", 1, {-1, 1, -2, 0, 0}, true},
    {"J", 1, {2, 1, -2, 0, 0}, true},
    {"W", 1, {2, 1, -3, 0, 0}, true},
    {"Hz", 1, {0, 0, -1, 0, 0}, true},
    {"bar", 1e5, {-1, 1, -2, 0, 0}, true},
    {"L", 1e-3, {3, 0, 0, 0, 0}, true},
    {"l", 1e-3, {3, 0, 0, 0, 0}, true},
    {"t", 1e3, {0, 1, 0, 0, 0}, false},
    {"min", 60, {0, 0, 1, 0, 0}, false},
    {"h", 3600, {0, 0, 1, 0, 0}, false},
    {"deg", pi / 180, {0, 0, 0, 0, 1}, false},
    {"\u00b0", pi / 180, {0, 0, 0, 0, 1}, false},
    {"turn", 2 * pi, {0, 0, 0, 0, 1}, false},
    {"turns", 2 * pi, {0, 0, 0, 0, 1}, false},
    {"rev", 2 * pi, {0, 0, 0, 0, 1}, false},
    {"rpm", 2 * pi / 60, {0, 0, -1, 0, 1}, false},
    {"mph", 0.44704, {1, 0, -1, 0, 0}, false},
    {"in", 0.0254, {1, 0, 0, 0, 0}, false},
    {"ft", 0.3048, {1, 0, 0, 0, 0}, false},
    {"lb", 0.45359237, {0, 1, 0, 0, 0}, false},
    {"psi", 6894.757293168361, {-1, 1, -2, 0, 0}, false},
    {"atm", 101325, {-1, 1, -2, 0, 0}, false},
    {"%", 1e-2, {0, 0, 0, 0, 0}, false},
};

struct Prefix {
  std::string_view symbol;
  double size;
};
constexpr Prefix prefixes[] = {
    {"T", 1e12}, {"G", 1e9},  {"M", 1e6},       {"k", 1e3},       {"h", 1e2},  {"d", 1e-1},  {"c", 1e-2},
    {"m", 1e-3}, {"u", 1e-6}, {"\u00b5", 1e-6}, {"\u03bc", 1e-6}, {"n", 1e-9}, {"p", 1e-12},
};

bool find_symbol(std::string_view symbol, double& size, Dimensions& of) {
  for (const Unit& u : units)
    if (u.symbol == symbol) return size = u.size, of = u.of, true;
  for (const Prefix& p : prefixes)
    for (const Unit& u : units)
      if (u.prefixed && symbol.starts_with(p.symbol) && symbol.substr(p.symbol.size()) == u.symbol)
        return size = p.size * u.size, of = u.of, true;
  return false;
}

// With the nearest unit, of what is wanted where that is known.
std::string unknown_symbol(std::string_view symbol, const std::optional<Dimensions>& wanted) {
  std::vector<std::string> common = {"cm", "mm", "km",  "kg",   "ms",    "kPa",    "MPa",   "GPa",
                                     "kN", "kJ", "m/s", "km/h", "m/s^2", "kg/m^3", "g/cm^3"};
  for (const Unit& u : units) common.emplace_back(u.symbol);
  if (wanted) std::erase_if(common, [&](const std::string& unit) { return parse_unit(unit).of != *wanted; });
  return fmt::format("'{}' is not a known unit{}", symbol, did_you_mean(symbol, common));
}

bool is_symbol_char(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) || c == '%' || (static_cast<unsigned char>(c) & 0x80);
}

// Reads "kg/(m s^2)" from left to right: factors, each with a power, multiplied (blank, * or a middle dot) or divided.
class UnitParser {
 public:
  UnitParser(std::string_view text, const std::optional<Dimensions>& wanted) : text_(text), wanted_(wanted) {}

  ValueWithUnit parse() {
    ValueWithUnit product{1, {}, ""};
    product_of(product, 1, 0);
    if (product.problem.empty() && at_ < text_.size()) complain(product, "is not a unit");
    return product;
  }

 private:
  void product_of(ValueWithUnit& product, int sign, int depth) {
    int power_sign = sign;
    for (bool first = true; product.problem.empty(); first = false) {
      skip_blanks();
      if (at_ == text_.size() || text_[at_] == ')') {
        if (first || wants_factor_) complain(product, "ends where a unit should follow");
        return;
      }
      wants_factor_ = false;
      factor(product, power_sign, depth);
      skip_blanks();
      power_sign = sign;
      if (take("/"))
        power_sign = -sign, wants_factor_ = true;
      else if (take("*") || take("\u00b7"))
        wants_factor_ = true;
    }
  }

  void factor(ValueWithUnit& product, int sign, int depth) {
    if (depth > 4) return complain(product, "has too many parentheses");
    if (take("(")) {
      product_of(product, sign, depth + 1);
      if (product.problem.empty() && !take(")")) complain(product, "lacks a closing parenthesis");
      return;
    }
    if (text_.substr(at_).starts_with("1/")) return void(++at_);  // as in 1/s
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_symbol_char(text_[at_]) && !superscript_ahead() && !dot_ahead()) ++at_;
    const std::string_view symbol = text_.substr(begin, at_ - begin);
    double size = 1;
    Dimensions of{};
    if (symbol.empty()) return complain(product, "is not a unit");
    if (!find_symbol(symbol, size, of)) {
      // A part of a unit may measure anything.
      const bool alone = symbol.size() == text_.size();
      return void(product.problem = unknown_symbol(symbol, alone ? wanted_ : std::nullopt));
    }
    const int exponent = sign * power(product);
    product.value *= elementary::pow(size, exponent);
    for (std::size_t i = 0; i < of.size(); ++i) product.of[i] += exponent * of[i];
  }

  int power(ValueWithUnit& product) {
    if (take("\u00b2")) return 2;
    if (take("\u00b3")) return 3;
    const bool caret = take("^");
    const bool negative = caret && take("-");
    if (at_ < text_.size() && text_[at_] >= '1' && text_[at_] <= '9') {
      const int n = text_[at_++] - '0';
      return negative ? -n : n;
    }
    if (caret) complain(product, "has a power that is not a number from 1 to 9");
    return 1;
  }

  void complain(ValueWithUnit& product, std::string_view what) const {
    if (product.problem.empty()) product.problem = fmt::format("'{}' {}", text_, what);
  }
  bool superscript_ahead() const {
    const std::string_view rest = text_.substr(at_);
    return rest.starts_with("\u00b2") || rest.starts_with("\u00b3");
  }
  bool dot_ahead() const { return text_.substr(at_).starts_with("\u00b7"); }
  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string_view text_;
  const std::optional<Dimensions> wanted_;
  std::size_t at_ = 0;
  bool wants_factor_ = false;
};

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

// "a pressure (Pa)"; the unit is the one given, or else SI base units.
std::string describe(const Dimensions& of, std::string_view unit) {
  std::string word = dimension_word(of);
  if (of == Dimensions{}) return "a pure number";
  std::string symbol(unit);
  if (symbol.empty()) symbol = dimension_symbols(of);
  if (unit.empty() && word == "pressure") symbol = "Pa";
  if (unit.empty() && word == "force") symbol = "N";
  if (unit.empty() && word == "energy") symbol = "J";
  if (unit.empty() && word == "power") symbol = "W";
  if (word.empty()) return fmt::format("in {}", symbol);
  const bool vowel = std::string_view("aeiou").find(word[0]) != std::string_view::npos;
  return fmt::format("{} {} ({})", vowel ? "an" : "a", word, symbol);
}

}  // namespace

std::string dimension_word(const Dimensions& of) {
  struct Word {
    Dimensions of;
    const char* word;
  };
  static constexpr Word words[] = {
      {{0, 0, 0, 0, 0}, "pure number"}, {{1, 0, 0, 0, 0}, "length"},        {{2, 0, 0, 0, 0}, "area"},
      {{3, 0, 0, 0, 0}, "volume"},      {{0, 1, 0, 0, 0}, "mass"},          {{0, 0, 1, 0, 0}, "time"},
      {{1, 0, -1, 0, 0}, "velocity"},   {{1, 0, -2, 0, 0}, "acceleration"}, {{1, 1, -2, 0, 0}, "force"},
      {{-1, 1, -2, 0, 0}, "pressure"},  {{2, 1, -2, 0, 0}, "energy"},       {{2, 1, -3, 0, 0}, "power"},
      {{-3, 1, 0, 0, 0}, "density"},    {{0, 0, 0, 0, 1}, "angle"},         {{0, 0, -1, 0, 1}, "spin"},
      {{0, 0, -1, 0, 0}, "frequency"},  {{-1, 1, -1, 0, 0}, "viscosity"},   {{0, 1, -2, 0, 0}, "surface tension"},
      {{0, 0, 0, 1, 0}, "temperature"},
  };
  for (const Word& w : words)
    if (w.of == of) return w.word;
  return "";
}

std::string dimension_symbols(const Dimensions& of) {
  static constexpr const char* symbols[] = {"m", "kg", "s", "K", "rad"};
  std::string above, below;
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (of[i] == 0) continue;
    std::string& side = of[i] > 0 ? above : below;
    if (!side.empty()) side += ' ';
    side += symbols[i];
    if (std::abs(of[i]) != 1) side += fmt::format("^{}", std::abs(of[i]));
  }
  if (below.empty()) return above;
  if (below.find(' ') != std::string::npos) below = "(" + below + ")";
  return (above.empty() ? "1" : above) + "/" + below;
}

ValueWithUnit parse_unit(std::string_view unit, const std::optional<Dimensions>& wanted) {
  unit = trimmed(unit);
  if (unit.empty()) return {1, {}, ""};
  if (unit.size() > 64) return {0, {}, "the unit is too long"};
  return UnitParser(unit, wanted).parse();
}

ValueWithUnit parse_quantity(std::string_view text, const std::optional<Dimensions>& wanted) {
  const std::string_view all = text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  // from_chars would take "inf" and "nan", which are no quantities.
  if (digits.empty() || !(std::isdigit(static_cast<unsigned char>(digits[0])) || digits[0] == '.') ||
      error == std::errc::invalid_argument)
    return {0, {}, fmt::format("'{}' does not start with a number", all)};
  if (error == std::errc::result_out_of_range) return {0, {}, fmt::format("'{}' is out of range", all)};
  ValueWithUnit q = parse_unit(text.substr(static_cast<std::size_t>(end - text.data())), wanted);
  q.value *= value;
  if (q.problem.empty() && !std::isfinite(q.value)) q.problem = fmt::format("'{}' is out of range", all);
  return q;
}

ValueWithUnit parse_quantity_in(std::string_view text, std::string_view unit) {
  const ValueWithUnit wanted = parse_unit(unit);
  ValueWithUnit q = parse_quantity(text, wanted.of);
  if (!q.problem.empty()) return q;
  const bool bare = q.of == Dimensions{} && text.find('%') == std::string_view::npos;
  if (bare) return {q.value, wanted.of, ""};  // already in the wanted unit
  if (q.of != wanted.of)
    q.problem = fmt::format("'{}' is {}, not {}", trimmed(text), describe(q.of, ""), describe(wanted.of, unit));
  q.value /= wanted.value;
  return q;
}

}  // namespace knead
