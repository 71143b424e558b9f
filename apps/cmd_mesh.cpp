// `knead mesh`: the surfaces of a run's bodies as files of other programs.
#include "apps/commands.h"
#include "apps/endless_reads.h"
#include "apps/print.h"
#include "base/counted.h"
#include "base/parallel.h"
#include "base/printable.h"
#include "output/crack_sequence.h"
#include "output/lost_frames.h"
#include "output/rest_places.h"
#include "output/run_frames.h"
#include "output/skin_frame.h"
#include "render/surface_colors.h"
#include "scene/read.h"

#include <algorithm>
#include <thread>

namespace knead {

namespace {

// What was made besides the files, for the last line.
struct Made {
  std::size_t frames = 0;
  std::string more;
};

Made write_crack_files(const MeshCommand& command, const RunFolder& folder, const MeshWriter& writer,
                       const std::filesystem::path& out, const ExportOptions& range) {
  CrackOptions options;
  options.stretch = command.stretch;
  options.smoothing = {command.smooth, !command.unprojected};
  options.warn = range.warn;
  const CrackSequence cracks(folder, options);
  const Scene scene = read_scene(folder.scene());
  const auto colored = [&](SurfaceFrame& frame) { color_outsides(frame, scene); };
  const std::size_t frames = write_cracks(cracks, writer, out, range, colored);
  return {frames, fmt::format("; {} of {} edges are broken at the end", cracks.broken_edges(), cracks.edges())};
}

Made write_skin_files(const MeshCommand& command, const RunFolder& folder, const MeshWriter& writer,
                      const std::filesystem::path& out, const ExportOptions& range) {
  const Scene scene = read_scene(folder.scene());
  const RestPlaces rest(folder, scene);
  const RunFrames run_frames(folder);
  const auto skin = [&](std::int64_t number) {
    Frame frame = run_frames.read(number);
    rest.add_to(frame);
    std::vector<std::string> carried = add_quantities(frame, scene, command.quantities);
    if (std::find(carried.begin(), carried.end(), "v") == carried.end()) carried.emplace_back("v");
    SurfaceFrame skins = skin_frame(frame, scene, command.skins, {}, carried);
    color_outsides(skins, scene);
    return skins;
  };
  return {write_surfaces(folder.frames(), skin, writer, out, range), ""};
}

}  // namespace

int run_command(const MeshCommand& command) {
  const EndlessReads guard;
  const MeshWriter& writer = find_mesh_writer(command.format);
  const RunFolder folder = folder_with_run(command.run);
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const ThreadLimit threads(command.threads.value_or(cores));
  const std::filesystem::path out =
      command.out.empty() ? folder.path() / (command.skin ? "skin" : "cracks") : command.out;
  Made made;
  bool whole = true;
  {
    Counter counter("meshing", command.quiet);
    ExportOptions range;
    range.first = command.frames.first;
    range.last = command.frames.last;
    range.progress = [&](std::size_t done, std::size_t total) {
      counter.show(static_cast<std::int64_t>(done), static_cast<std::int64_t>(total));
    };
    range.warn = [&](const std::string& text) {
      whole = false;
      print_message("warning", text);
    };
    if (const std::string lost = lost_frames_warning(folder, range); !lost.empty()) range.warn(lost);
    made = command.skin ? write_skin_files(command, folder, writer, out, range)
                        : write_crack_files(command, folder, writer, out, range);
  }
  if (!command.quiet)
    fmt::print("{} as {} in {}{}\n", counted(made.frames, "frame"), writer.name(), printable(out.string()), made.more);
  return static_cast<int>(whole ? Exit::done : Exit::bad_input);
}

}  // namespace knead
