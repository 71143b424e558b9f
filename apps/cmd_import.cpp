// `knead import`: frames of other programs as a run folder.
#include "apps/commands.h"
#include "apps/print.h"
#include "base/counted.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/shell_word.h"
#include "output/export.h"
#include "output/import_geo.h"

#include <algorithm>

namespace knead {
namespace {

// By the folder's name; where that is only a format's, as in runs/jelly/geo, by that of the run too: jelly-geo.
std::string name_for(const std::filesystem::path& folder) {
  const std::string name = folder.filename().string();
  const std::string above = std::filesystem::absolute(folder).parent_path().filename().string();
  const auto formats = exporters();
  const bool format = std::any_of(formats.begin(), formats.end(), [&](const Exporter* e) { return e->name() == name; });
  return format && !above.empty() ? above + "-" + name : name;
}

}  // namespace

int run_command(const ImportCommand& command) {
  std::filesystem::path from = command.from.lexically_normal();
  if (!from.has_filename()) from = from.parent_path();
  const std::filesystem::path out = command.out.empty() ? std::filesystem::path("runs") / name_for(from) : command.out;
  const RunFolder folder(out);
  if (folder.holds_a_run())
    fail(Exit::bad_input, "{} holds a run already; name another folder with --out", out.string());
  ImportOptions options;
  options.fps = command.fps;
  options.size = command.size;
  std::size_t count = 0;
  {
    Counter counter("importing", command.quiet);
    options.progress = [&](std::size_t done, std::size_t total) {
      counter.show(static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
    };
    count = import_geo(from, folder, options);
  }
  if (!command.quiet)
    fmt::print("{} in {}; watch with: knead view {}\n", counted(count, "frame"), printable(out.string()),
               printable(shell_word(out.string())));
  return static_cast<int>(Exit::done);
}

}  // namespace knead
