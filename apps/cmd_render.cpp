// `knead render` and `knead export`: a run as pictures, films, and files of other programs.
#include "apps/commands.h"
#include "apps/print.h"
#include "base/error.h"
#include "base/parallel.h"
#include "output/export.h"
#include "render/film.h"

#include <thread>

namespace knead {
namespace {

void warn(const std::string& text) { fmt::print(stderr, "knead: warning: {}\n", text); }

std::optional<std::int64_t> wide(const std::optional<int>& number) {
  return number ? std::optional<std::int64_t>(*number) : std::nullopt;
}

}  // namespace

RunFolder folder_with_run(const std::filesystem::path& path) {
  const RunFolder folder(path);
  std::error_code trouble;
  if (!std::filesystem::is_directory(path, trouble))
    fail(Exit::bad_input, "{} is not a run folder: {}", path.string(),
         trouble ? trouble.message() : "it is not a folder");
  if (!folder.holds_a_run())
    fail(Exit::bad_input, "{} is not a run folder: it holds no run; `knead run SCENE --out DIR` makes one",
         path.string());
  return folder;
}

int run_command(const RenderCommand& command) {
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
  options.first = wide(command.frames.first);
  options.last = wide(command.frames.last);
  options.every = command.every;

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
  if (!command.quiet)
    for (const std::string& text : report.warnings) warn(text);
  if (!command.quiet && command.name_files)
    for (const auto& file : report.files) fmt::print("{}\n", file.string());
  return static_cast<int>(Exit::done);
}

int run_command(const ExportCommand& command) {
  const Exporter& exporter = find_exporter(command.to);
  const RunFolder folder = folder_with_run(command.run);
  const std::filesystem::path out = command.out.empty() ? folder.path() / exporter.name() : command.out;

  std::vector<std::string> warnings;
  ExportOptions options;
  options.first = wide(command.frames.first);
  options.last = wide(command.frames.last);
  options.warn = [&](const std::string& text) { warnings.push_back(text); };
  std::size_t count = 0;
  {
    Counter counter("exporting", command.quiet);
    options.progress = [&](std::size_t done, std::size_t total) {
      counter.show(static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
    };
    count = export_run(folder, exporter, out, options);
  }
  if (!command.quiet)
    for (const std::string& text : warnings) warn(text);
  if (!command.quiet) fmt::print("{} frames as {} in {}\n", count, exporter.name(), out.string());
  return static_cast<int>(Exit::done);
}

}  // namespace knead
