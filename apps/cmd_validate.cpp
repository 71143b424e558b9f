// `knead validate`: the validation suite, each number beside its reference.
#include "apps/commands.h"
#include "apps/print.h"
#include "apps/scenes_folder.h"
#include "base/error.h"
#include "validate/suite.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace knead {
namespace {

std::string with_unit(double value, const std::string& unit) {
  return fmt::format("{:.6g}{}{}", value, unit.empty() ? "" : " ", unit);
}

std::string allowed(const Measured& m) {
  const std::string size = with_unit(m.tolerance, m.unit);
  if (m.side == Side::at_most && m.reference == 0) return "at most " + size;
  if (m.side == Side::at_most) return "at most " + with_unit(m.reference + m.tolerance, m.unit);
  if (m.side == Side::at_least) return "at least " + with_unit(m.reference - m.tolerance, m.unit);
  if (m.reference != 0 && m.tolerance > 0 && m.tolerance < 0.2 * std::abs(m.reference))
    return fmt::format("± {:.3g} %", 100 * m.tolerance / std::abs(m.reference));
  return "± " + size;
}

void print_json(const CaseVerdict& verdict, bool control) {
  const auto line = [&](const std::string& metric, const std::string& unit) {
    return nlohmann::ordered_json{{"case", verdict.of->name}, {"metric", metric}, {"unit", unit}};
  };
  const auto finish = [&](nlohmann::ordered_json json) {
    json["source"] = verdict.of->source;
    json["seconds"] = verdict.seconds;
    if (control) json["control"] = verdict.of->control;
    fmt::print("{}\n", json.dump());
  };
  for (const Measured& m : verdict.measured) {
    nlohmann::ordered_json json = line(m.metric, m.unit);
    json["measured"] = m.measured;
    json["reference"] = m.reference;
    json["tolerance"] = m.tolerance;
    json["side"] = m.side == Side::both ? "both" : m.side == Side::at_most ? "at most" : "at least";
    json["pass"] = m.pass();
    finish(json);
  }
  if (verdict.trouble.empty()) return;
  nlohmann::ordered_json json = line("the run ends", "");
  json["measured"] = nullptr, json["reference"] = nullptr, json["tolerance"] = nullptr, json["pass"] = false;
  json["why"] = verdict.trouble;
  finish(json);
}

void print_table(const CaseVerdict& verdict, bool control) {
  const Case& c = *verdict.of;
  fmt::print("{}  {}  ({:.1f} s)\n", bold(c.name), c.title, verdict.seconds);
  if (control) fmt::print("  wrong input: {}\n", c.control);
  std::vector<std::vector<std::string>> rows;
  for (const Measured& m : verdict.measured)
    rows.push_back({m.pass() ? green("pass") : red("FAIL"), m.metric, with_unit(m.measured, m.unit),
                    m.side == Side::at_most && m.reference == 0 ? "" : "ref " + with_unit(m.reference, m.unit),
                    allowed(m)});
  fmt::print("{}", aligned(rows, false, {2}));
  if (!verdict.trouble.empty()) fmt::print("  {} {}\n", red("FAIL"), verdict.trouble);
  fmt::print("  source: {}\n", c.source);
  if (!control) return;
  const auto tripped =
      std::count_if(verdict.measured.begin(), verdict.measured.end(), [](const Measured& m) { return !m.pass(); });
  const std::string gates = fmt::format("{} of {} gates fail", tripped, verdict.measured.size());
  fmt::print("  {}\n", verdict.as_it_should      ? green(gates + ", as it should be")
                       : verdict.trouble.empty() ? red("PASSES WITH A WRONG INPUT")
                                                 : red("ENDS BEFORE A GATE IS JUDGED"));
}

void print_list(const std::vector<Case>& cases, bool json) {
  std::vector<std::vector<std::string>> rows = {{"case", "", "what", "wrong input that must fail"}};
  for (const Case& c : cases) {
    rows.push_back({c.name, c.quick ? "quick" : "", c.title, c.control});
    if (json)
      fmt::print(
          "{}\n",
          nlohmann::ordered_json{
              {"case", c.name}, {"quick", c.quick}, {"title", c.title}, {"source", c.source}, {"control", c.control}}
              .dump());
  }
  if (!json) fmt::print("{}", aligned(rows, true));
}

}  // namespace

int run_command(const ValidateCommand& command) {
  SuiteOptions options = command.suite;
  options.scenes = scenes_folder() / "validate";
  const std::vector<Case> cases = chosen_cases(options);
  if (command.list) {
    print_list(cases, command.json);
    return static_cast<int>(Exit::done);
  }
  try {
    double seconds = 0;
    const std::vector<CaseVerdict> verdicts = run_suite(cases, options, [&](const CaseVerdict& verdict) {
      seconds += verdict.seconds;
      command.json ? print_json(verdict, options.control) : print_table(verdict, options.control);
    });
    const auto bad = std::count_if(verdicts.begin(), verdicts.end(), [](const auto& v) { return !v.as_it_should; });
    if (!command.json)
      fmt::print("{}\n",
                 bold(fmt::format("{} of {} cases {} ({:.0f} s)", verdicts.size() - static_cast<std::size_t>(bad),
                                  verdicts.size(),
                                  options.control ? "fail with their wrong input, as they should" : "pass", seconds)));
    return static_cast<int>(bad == 0 ? Exit::done : Exit::numerical);
  } catch (const Stopped& stopped) {
    return stopped.code;
  }
}

}  // namespace knead
