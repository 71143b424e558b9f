// `knead stats`: the columns of stats.csv in short, as curves, and judged by what the scene expects of them.
#include "apps/commands.h"
#include "apps/print.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/one_line.h"
#include "base/printable.h"
#include "output/expect.h"
#include "output/run_frames.h"
#include "output/stats_csv.h"
#include "render/plot.h"
#include "run/stats_row.h"
#include "scene/read.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace knead {
namespace {

// JSON has no infinities and no NaN: the library writes null for them.
nlohmann::ordered_json json_number(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

// An expectation held against the run, or not, where it needs a time that the run did not reach.
struct Verdict {
  Judgement judgement;
  bool judged = true;
};

std::vector<Verdict> verdicts_on(const Scene& scene, const StatsTable& table) {
  check_expectations(scene);  // what fails after this fails for want of rows
  const bool cut_short = table.column("time").back() < scene.frames() / scene.scene.fps * (1 - 1e-9);
  std::vector<Verdict> verdicts;
  for (const Expect& e : scene.expects) {
    try {
      verdicts.push_back({judge(e, table)});
    } catch (const Failure&) {
      if (!cut_short) throw;
      verdicts.push_back({{e.name, e.value, std::nan(""), e.min, e.max, true, e.source}, false});
    }
  }
  return verdicts;
}

constexpr const char* not_judged = "not judged: the run was cut short";

void print_verdicts(const std::vector<Verdict>& verdicts) {
  std::vector<std::vector<std::string>> rows = {{"expected", "measured", "bounds", "", "source"}};
  for (const auto& [j, judged] : verdicts)
    rows.push_back({printable(j.name), judged ? measured_text(j) : "", bounds_text(j),
                    !judged  ? not_judged
                    : j.pass ? green("met")
                             : red("NOT MET"),
                    printable(j.source)});
  fmt::print("{}", aligned(rows, true, {1}));
}

void print_verdict_json(const Verdict& verdict) {
  const Judgement& j = verdict.judgement;
  nlohmann::ordered_json json{
      {"expect", j.name},          {"value", j.expression},     {"measured", json_number(j.measured)},
      {"min", json_number(j.min)}, {"max", json_number(j.max)}, {"met", j.pass},
      {"source", j.source}};
  if (!verdict.judged) json["met"] = nullptr, json["why"] = not_judged;
  fmt::print("{}\n", json.dump());
}

// The columns asked for, or those that hold numbers; `all`: also those that are zero throughout.
std::vector<std::string> chosen_columns(const StatsTable& table, const std::vector<std::string>& asked, bool all) {
  for (const std::string& name : asked) table.column(name);  // fails on an unknown one
  if (!asked.empty()) return asked;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < table.names.size(); ++c)
    if (std::any_of(table.values[c].begin(), table.values[c].end(),
                    [&](double v) { return !std::isnan(v) && (all || v != 0); }))
      names.push_back(table.names[c]);
  return names;
}

// A plot's title: the scene's name, or the folder's where its scene cannot be read.
std::string title_of(const RunFolder& folder) {
  try {
    return read_scene(folder.scene()).scene.name;
  } catch (const Failure&) {
    return folder.path().filename().string();
  }
}

// Of the columns, or of those that every run has where the scene cannot be read.
std::map<std::string, std::string> units_in(const RunFolder& folder) {
  try {
    return stats_units(read_scene(folder.scene()));
  } catch (const Failure&) {
    return stats_units({});
  }
}

void print_columns(const PlottedRun& run, const std::vector<std::string>& names, bool json) {
  std::vector<std::vector<std::string>> rows = {{"column", "unit", "first", "last", "least", "largest"}};
  for (const std::string& name : names) {
    const std::vector<double>& values = run.stats.column(name);
    const auto [least, largest] = std::minmax_element(values.begin(), values.end());
    if (json) {
      const nlohmann::ordered_json line{{"column", name},
                                        {"unit", run.unit_of(name)},
                                        {"first", json_number(values.front())},
                                        {"last", json_number(values.back())},
                                        {"least", json_number(*least)},
                                        {"largest", json_number(*largest)}};
      fmt::print("{}\n", line.dump());
    }
    rows.push_back({printable(name), run.unit_of(name), short_number(values.front()), short_number(values.back()),
                    short_number(*least), short_number(*largest)});
  }
  if (!json) fmt::print("{}", aligned(rows, true, {2, 3, 4, 5}));
}

}  // namespace

bool show_expectations(const Scene& scene, const RunFolder& folder, Show show) {
  if (scene.expects.empty()) return true;
  const std::vector<Verdict> verdicts = verdicts_on(scene, read_stats(folder.stats()));
  if (show == Show::table) print_verdicts(verdicts);
  for (const Verdict& v : verdicts) {
    if (show == Show::json) print_verdict_json(v);
    if (show == Show::failed && !v.judgement.pass) print_message("error", one_line(text_of(v.judgement)));
  }
  return std::all_of(verdicts.begin(), verdicts.end(), [](const Verdict& v) { return v.judgement.pass; });
}

int run_command(const StatsCommand& command) {
  if (command.runs.size() > 1 && command.plot.empty())
    fail(Exit::usage, "knead stats shows one run folder, not {}; to plot several together, add --plot FILE",
         command.runs.size());
  std::vector<RunFolder> folders;
  std::vector<PlottedRun> runs;
  for (const std::filesystem::path& path : command.runs) {
    folders.push_back(folder_with_run(path));
    if (!std::filesystem::exists(folders.back().stats()))
      fail(Exit::bad_input, "{} has no statistics: {}", path.string(),
           is_imported(folders.back()) ? "it was imported, and only a simulation writes stats.csv"
                                       : "there is no stats.csv in it, which the simulation wrote");
    runs.push_back({path.lexically_normal().string(), read_stats(folders.back().stats()), units_in(folders.back())});
    if (runs.back().stats.rows() == 0) fail(Exit::bad_input, "{} has no rows yet", folders.back().stats().string());
  }
  const RunFolder& folder = folders[0];
  if (!command.plot.empty()) {
    const std::string odd =
        plot_stats(runs, runs.size() == 1 ? title_of(folder) : "", command.columns, command.x, command.plot);
    if (!odd.empty()) print_message("warning", odd);
    if (command.json)
      fmt::print("{}\n", nlohmann::ordered_json{{"plot", command.plot.string()}}.dump());
    else
      fmt::print("{}\n", printable(command.plot.string()));
    if (!command.judge || runs.size() > 1) return static_cast<int>(Exit::done);
  } else {
    const StatsTable& stats = runs[0].stats;
    const std::vector<std::string> names = chosen_columns(stats, command.columns, command.all || command.json);
    print_columns(runs[0], names, command.json);
    const std::size_t zero = chosen_columns(stats, {}, true).size() - names.size();
    if (!command.json && !command.all && command.columns.empty() && zero > 0)
      fmt::print("{0} that {1} zero throughout {1} left out; --all shows {2}\n", counted(zero, "column"),
                 zero == 1 ? "is" : "are", zero == 1 ? "it" : "them");
  }
  const bool met = show_expectations(read_scene(folder.scene()), folder, command.json ? Show::json : Show::table);
  return static_cast<int>(met || !command.judge ? Exit::done : Exit::numerical);
}

}  // namespace knead
