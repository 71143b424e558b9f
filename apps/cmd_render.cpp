// `knead render` and `knead export`: a run as pictures, films, and files of other programs.
#include "apps/commands.h"
#include "apps/endless_reads.h"
#include "apps/print.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/printable.h"
#include "output/export.h"
#include "render/film.h"

#include <algorithm>
#include <thread>

namespace knead {
namespace {

void warn(const std::string& text) { print_message("warning", text); }

std::optional<std::int64_t> wide(const std::optional<int>& number) {
  return number ? std::optional<std::int64_t>(*number) : std::nullopt;
}

}  // namespace

std::string runs_here() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (std::filesystem::directory_iterator at("runs", ignored), end; !ignored && at != end; at.increment(ignored))
    if (at->is_directory(ignored) && RunFolder(at->path()).holds_a_run()) names.push_back(at->path().string());
  std::sort(names.begin(), names.end());
  constexpr std::size_t most = 10;
  const std::size_t more = names.size() > most ? names.size() - most : 0;
  names.resize(names.size() - more);
  const std::string rule = "a run is in the folder given by --out, by default runs/NAME with the name of its scene";
  if (names.empty()) return rule + "; `knead run SCENE --out DIR` makes one";
  return fmt::format("{}; there are {}{}", rule, fmt::join(names, ", "), more ? fmt::format(" and {} more", more) : "");
}

RunFolder folder_with_run(const std::filesystem::path& path) {
  RunFolder folder(path);
  std::error_code trouble;
  if (!std::filesystem::is_directory(path, trouble))
    fail(Exit::bad_input, "{} is not a run folder: {}; {}", path.string(),
         trouble ? trouble.message() : "it is not a folder", runs_here());
  if (!folder.holds_a_run())
    fail(Exit::bad_input, "{} is not a run folder: it contains no run; {}", path.string(), runs_here());
  return folder;
}

int run_command(const RenderCommand& command) {
  const EndlessReads guard;
  const RunFolder folder = folder_with_run(command.run);
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const ThreadLimit threads(command.threads.value_or(cores));

  FilmOptions options;
  options.render.width = command.width;
  options.render.height = command.height;
  options.render.samples = command.samples;
  options.render.velocity = command.velocity;
  if (!command.color.empty()) options.render.color = command.color;
  if (!command.colormap.empty()) options.render.colormap = command.colormap;
  options.render.low = command.low;
  options.render.high = command.high;
  options.render.outside = command.outside;
  options.render.inside = command.inside;
  if (command.cracks) options.cracks = CrackOptions{command.stretch, {command.smooth, true}, {}};
  if (command.skin) options.skin = command.skins;
  options.first = wide(command.frames.first);
  options.last = wide(command.frames.last);
  options.every = command.every;
  options.sets = command.sets;

  FilmReport report;
  {
    Counter counter("rendering", command.quiet);
    report =
        render_run(folder, command.out.empty() ? folder.path() / "film.mp4" : command.out, options,
                   [&](const FilmProgress& progress) {
                     counter.show(static_cast<std::int64_t>(progress.done), static_cast<std::int64_t>(progress.total));
                     return true;
                   });
  }
  if (!command.quiet || !report.whole)
    for (const std::string& text : report.warnings) warn(text);
  const bool all = !command.frames.first && !command.frames.last;
  if (!command.quiet && command.name_files)
    for (const auto& file : report.files)  // which frame a picture shows, where none was named
      fmt::print("{}{}\n", printable(file.string()),
                 all && report.frame ? fmt::format(" (frame {})", *report.frame) : "");
  return static_cast<int>(report.whole ? Exit::done : Exit::bad_input);
}

int run_command(const ExportCommand& command) {
  const EndlessReads guard;
  const Exporter& exporter = find_exporter(command.to);
  const RunFolder folder = folder_with_run(command.run);
  const std::filesystem::path out = command.out.empty() ? folder.path() / exporter.name() : command.out;

  std::vector<std::string> warnings;
  ExportOptions options;
  options.first = wide(command.frames.first);
  options.last = wide(command.frames.last);
  options.warn = [&](const std::string& text) { warnings.push_back(text); };
  options.quantities = command.quantities;
  std::size_t count = 0;
  {
    Counter counter("exporting", command.quiet);
    options.progress = [&](std::size_t done, std::size_t total) {
      counter.show(static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
    };
    count = export_run(folder, exporter, out, options);
  }
  for (const std::string& text : warnings) warn(text);
  if (!command.quiet) fmt::print("{} as {} in {}\n", counted(count, "frame"), exporter.name(), printable(out.string()));
  // What is left out was asked for.
  return static_cast<int>(warnings.empty() ? Exit::done : Exit::bad_input);
}

}  // namespace knead
