// `knead mesh`: the surfaces of a run's bodies as files of other programs.
#include "apps/commands.h"
#include "apps/print.h"
#include "base/parallel.h"
#include "output/crack_sequence.h"

#include <algorithm>
#include <thread>

namespace knead {

int run_command(const MeshCommand& command) {
  const MeshWriter& writer = find_mesh_writer(command.format);
  const RunFolder folder = folder_with_run(command.run);
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const ThreadLimit threads(command.threads.value_or(cores));

  CrackOptions options;
  options.stretch = command.stretch;
  options.smoothing = {command.smooth, !command.unprojected};
  options.warn = [&](const std::string& text) {
    if (!command.quiet) fmt::print(stderr, "knead: warning: {}\n", text);
  };
  const CrackSequence cracks(folder, options);

  const std::filesystem::path out = command.out.empty() ? folder.path() / "cracks" : command.out;
  std::size_t count = 0;
  {
    Counter counter("meshing", command.quiet);
    ExportOptions range;
    range.first = command.frames.first;
    range.last = command.frames.last;
    range.progress = [&](std::size_t done, std::size_t total) {
      counter.show(static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
    };
    count = write_cracks(cracks, writer, out, range);
  }
  if (!command.quiet)
    fmt::print("{} frames as {} in {}; {} of {} edges are broken at the end\n", count, writer.name(), out.string(),
               cracks.broken_edges(), cracks.edges());
  return static_cast<int>(Exit::done);
}

}  // namespace knead
