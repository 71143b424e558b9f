// `knead view`: a run folder or a scene in the browser.
#include "apps/commands.h"
#include "base/error.h"
#include "base/nearest.h"
#include "scene/read.h"

namespace knead {

namespace {

constexpr std::size_t most_entries = 1000;  // of a folder that are looked at for a name that was meant

// The scene or run beside `path` that was most likely meant by it; empty where none is near.
std::string meant_by(const std::filesystem::path& path) {
  std::vector<std::string> names;
  std::error_code ignored;
  const std::filesystem::path folder = path.parent_path();
  std::filesystem::directory_iterator at(folder.empty() ? "." : folder, ignored);
  for (std::size_t n = 0; n < most_entries && !ignored && at != std::filesystem::directory_iterator(); ++n) {
    const std::filesystem::path& one = at->path();
    if (one.extension() == ".toml" || RunFolder(one).holds_a_run()) names.push_back(one.filename().string());
    at.increment(ignored);
  }
  const std::string name = nearest_name(path.filename().string(), names);
  return name.empty() ? name : (folder / name).string();
}

// The run that a file is of, as frames/frame.0001.h5 or stats.csv; empty where it is of none.
std::filesystem::path run_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  for (const std::filesystem::path& run : {folder, folder.parent_path()})
    if (!run.empty() && RunFolder(run).holds_a_run()) return run;
  return {};
}

// A file that is no scene by its name may be one all the same; where it is none, that is told first.
void check_scene_file(const RunOptions& run) {
  const std::string name = run.scene.string();
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(run.scene, ignored))) {
    const std::string meant = meant_by(run.scene);
    fail(Exit::bad_input, "{}: there is no run folder or scene file (.toml) of that name{}", name,
         meant.empty() ? "; " + runs_here() : fmt::format(" (did you mean '{}'?)", meant));
  }
  if (run.scene.extension() == ".toml") return;
  if (const std::filesystem::path folder = run_of(run.scene); !folder.empty())
    fail(Exit::bad_input, "{} is a file of a run; to see the run: knead view {}", name, folder.string());
  try {
    read_scene(run.scene, run.sets);
  } catch (const Failure& failure) {
    fail(Exit::bad_input, "{} is neither a run folder nor a scene file (.toml): {}", name, failure.what());
  }
}

}  // namespace

int run_command(const ViewCommand& command) {
  ViewOptions options = command.view;
  if (!options.beside.empty()) options.beside = folder_with_run(options.beside).path();
  std::error_code ignored;
  if (!std::filesystem::is_directory(command.target, ignored)) {
    options.run.scene = command.target;
    check_scene_file(options.run);
    return view(options);
  }
  if (!options.run.out.empty() || options.run.frames || !options.run.sets.empty() || options.run.resume ||
      options.run.force || options.paused)
    fail(Exit::usage,
         "{} is a run folder, which can only be watched; --out, --frames, --set, --resume, --force and --paused are "
         "for scene files",
         command.target.string());
  options.folder = folder_with_run(command.target).path();
  return view(options);
}

}  // namespace knead
