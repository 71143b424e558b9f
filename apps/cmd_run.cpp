// `knead run` and `knead check`: simulate a scene, or tell what that would cost.
#include "apps/commands.h"
#include "apps/print.h"
#include "apps/scenes_folder.h"
#include "apps/terminal.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/printable.h"
#include "base/shell_word.h"
#include "run/check.h"
#include "run/stats_row.h"
#include "scene/read.h"

#include <nlohmann/json.hpp>

namespace knead {
namespace {

// Where the results are, and what can be done with them.
void show_results(const RunCommand& command, const RunFolder& folder) {
  const std::size_t frames = folder.frames().size();
  if (command.show.json) {
    nlohmann::ordered_json json{{"event", "results"}, {"folder", folder.path().string()}, {"frames", frames}};
    if (command.film) json["film"] = (folder.path() / "film.mp4").string();
    fmt::print("{}\n", json.dump());
    return;
  }
  const std::string out = printable(shell_word(folder.path().string()));
  fmt::print("Results: {} ({} frames, stats.csv)\n", printable(folder.path().string()), frames);
  if (command.film) fmt::print("Film:    {}\n", printable((folder.path() / "film.mp4").string()));
  fmt::print("Next:\n");
  std::vector<std::vector<std::string>> next;
  next.push_back({"knead view " + out, "watch it in the browser"});
  if (!command.film) next.push_back({"knead render " + out, "a film of it"});
  next.push_back({"knead render " + out + " --skin", "a film of its surfaces"});
  next.push_back({"knead stats " + out + " --plot energy.svg", "energies over time"});
  next.push_back({"knead export " + out + " --to vtp", "frames for ParaView"});
  if (std::filesystem::exists(folder.rest_mesh()))
    next.push_back({"knead mesh " + out + " --cracks", "surfaces of what tore"});
  fmt::print("{}", aligned(next, false));
}

// The scene meant, which is named where it is one of those that come with Knead.
std::filesystem::path scene_meant(const std::filesystem::path& name, bool quiet) {
  std::filesystem::path file = find_scene(name);
  if (file != name && !quiet) print_message("note", "the scene is " + file.string());
  return file;
}

}  // namespace

int run_command(const RunCommand& command) {
  const Terminal::Options& show = command.show;
  Terminal terminal(show);
  RunOptions run = command.run;
  run.scene = scene_meant(run.scene, show.quiet);
  run.observer = &terminal;
  for (const auto& [flag, given] : {std::pair("--film", command.film),
                                    {"--judge", command.judge},
                                    {"--json", show.json},
                                    {"--quiet", show.quiet},
                                    {"--verbose", show.verbose}})
    if (given) run.further.emplace_back(flag);
  const RunResult result = run_scene(run);
  if (result.code != static_cast<int>(Exit::done)) return result.code;

  const RunFolder folder(result.folder);
  int code = result.code;
  if (command.film) {
    RenderCommand film;
    film.run = result.folder;
    film.threads = run.threads;
    film.quiet = show.quiet || show.json;
    film.name_files = false;  // the results do
    code = run_command(film);
  }
  if (!show.quiet) show_results(command, folder);
  if (show.quiet && !show.json && !command.judge) return code;
  const bool met = show_expectations(*result.scene, folder,
                                     show.json    ? Show::json
                                     : show.quiet ? Show::failed
                                                  : Show::table);
  return met || !command.judge ? code : static_cast<int>(Exit::numerical);
}

int run_command(const CheckCommand& command) {
  const auto given_at = std::chrono::steady_clock::now();
  RunOptions options;
  options.threads = command.threads;
  const ThreadLimit threads(thread_count(options));
  const Scene scene = read_scene(scene_meant(command.scene, false), command.sets, wrong_measurements);
  const CheckReport report = check_scene(scene, given_at);
  if (command.strict && !report.warnings.empty())
    fail(Exit::bad_input, "{} (a warning, which --strict makes an error)", fmt::join(report.warnings, "\n"));
  for (const std::string& warning : report.warnings) print_message("warning", warning);
  for (const std::string& note : report.notes) print_message("note", note);
  fmt::print("{}", command.json ? to_json(report) : printable_lines(to_text(scene, report)));
  return static_cast<int>(Exit::done);
}

}  // namespace knead
