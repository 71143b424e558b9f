// `knead view`: a run folder or a scene in the browser.
#include "apps/commands.h"
#include "apps/scenes_folder.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/one_line.h"
#include "base/printable.h"
#include "base/shell_word.h"
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

// The addresses on stdout, all else on stderr.
class ViewTerminal : public ViewObserver {
 public:
  explicit ViewTerminal(const ViewOptions& options) : options_(options) {}

  void listening(const std::vector<std::string>& pages, int port, bool only_here) override {
    for (const std::string& page : pages) fmt::print("{}\n", page);
    fmt::print(
        stderr, "Open {} in a browser; Ctrl-C ends the viewer.\n",
        pages.size() == 1 ? "this address" : "one of these addresses, those of 127.0.0.1 and ::1 on this machine,");
    if (only_here)
      fmt::print(stderr, "From another machine: ssh -L {0}:localhost:{0} {1}, then the same address there.\n", port,
                 "THIS_MACHINE");
    else
      fmt::print(stderr,
                 "knead: warning: listening at {}: whoever can reach this machine and has the token can watch and "
                 "steer, and the connection is not encrypted\n",
                 options_.listen);
  }
  void writes_to(const RunFolder& folder) override {
    fmt::print(stderr, "The run is written to {}.{}\n", printable(folder.path().string()),
               options_.paused ? "" : " It has started; with --paused it waits for you.");
  }
  void rejected(const std::string& line) override {
    fmt::print(stderr, "knead: {}\n", printable_message(one_line(line)));
  }
  void left_unfinished(const RunFolder& folder) override {
    const std::string path = folder.path().string();
    const std::optional<int> threads = options_.run.threads;
    fmt::print(stderr, "stopped; to resume:\n  knead run {}{} --out {} --resume\n",
               printable(shell_word(path + "/scene.toml")), threads ? fmt::format(" --threads {}", *threads) : "",
               printable(shell_word(path)));
  }

 private:
  const ViewOptions& options_;
};

int view_until_stopped(ViewOptions options, bool quiet) {
  Terminal terminal({.quiet = quiet});
  options.run.observer = &terminal;
  ViewTerminal observer(options);
  return view(options, observer);
}

}  // namespace

int run_command(const ViewCommand& command) {
  ViewOptions options = command.view;
  if (!options.beside.empty()) options.beside = folder_with_run(options.beside).path();
  std::error_code ignored;
  if (!std::filesystem::is_directory(command.target, ignored)) {
    // A bare name is more likely that of a run.
    options.run.scene = command.target.has_parent_path() ? find_scene(command.target) : command.target;
    check_scene_file(options.run);
    return view_until_stopped(std::move(options), command.quiet);
  }
  if (!options.run.out.empty() || options.run.frames || !options.run.sets.empty() || options.run.resume ||
      options.run.force || options.paused)
    fail(Exit::usage,
         "{} is a run folder, which can only be watched; --out, --frames, --set, --resume, --force and --paused are "
         "for scene files",
         command.target.string());
  options.folder = folder_with_run(command.target).path();
  return view_until_stopped(std::move(options), command.quiet);
}

}  // namespace knead
