#include "run/run.h"

#include "base/parallel.h"
#include "base/shell_word.h"
#include "output/folder_lock.h"
#include "run/recorded_run.h"
#include "run/signals.h"
#include "run/stats_row.h"
#include "scene/read.h"

#include <cerrno>
#include <cstring>
#include <thread>

namespace knead {

namespace {

std::string resume_command(const RunOptions& options, const RunFolder& folder) {
  std::string command = "knead run " + shell_word(options.scene.string());
  for (const std::string& s : options.sets) command += " --set " + shell_word(s);
  if (options.frames) command += fmt::format(" --frames {}", *options.frames);
  if (options.threads) command += fmt::format(" --threads {}", *options.threads);
  if (options.strict) command += " --strict";
  for (const std::string& flag : options.further) command += " " + flag;
  return one_line(command + " --out " + shell_word(folder.path().string()) + " --resume");
}

// What to do about a run that could not write its files; nothing where it cannot be resumed.
std::string file_hint(const Failure& failure, const RunOptions& options, const RunFolder& folder) {
  if (failure.code != Exit::file || folder.checkpoints().empty()) return "";
  const bool full = std::string_view(failure.what()).find(std::strerror(ENOSPC)) != std::string_view::npos;
  return fmt::format("\n  {}, then resume with:\n  {}", full ? "free some space on the disk" : "put that right",
                     resume_command(options, folder));
}

int simulate(const std::shared_ptr<const Scene>& scene, const RunOptions& options, const RunFolder& folder) {
  // The earlier of two runs in a folder has it; a folder that is not there yet is made once all else is well.
  std::optional<FolderLock> lock;
  std::error_code none;
  if (std::filesystem::is_directory(folder.path(), none)) lock.emplace(folder);
  RecordedRun run(scene, options, folder, start_run(*scene, options, folder));
  const std::vector<std::string>& warnings = run.simulation.warnings;
  if (options.strict && !warnings.empty())
    fail(Exit::bad_input, "{} (a warning, which --strict makes an error)", fmt::join(warnings, "\n"));

  folder.prepare();
  if (!lock) lock.emplace(folder);
  const StopRequests stop;
  try {
    if (run.run({.stop = [] { return StopRequests::pending() != 0; }})) return static_cast<int>(Exit::done);
    run.progress().say(fmt::format("stopped at t = {:.4f} s; to resume:\n  {}", run.simulation.time(),
                                   resume_command(options, folder)));
    return 128 + StopRequests::pending();
  } catch (const Failure& failure) {
    TextLog(folder.log()).line(fmt::format("error: {}", failure.what()));
    throw Failure(failure.code, failure.what() + file_hint(failure, options, folder));
  }
}

}  // namespace

int thread_count(const RunOptions& options) {
  return options.threads.value_or(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
}

RunResult run_scene(const RunOptions& options) {
  const ThreadLimit threads(thread_count(options));
  RunResult result;
  result.scene = std::make_shared<const Scene>(read_scene(options.scene, options.sets, wrong_measurements));
  result.folder = options.out.empty() ? std::filesystem::path("runs") / result.scene->scene.name : options.out;
  result.code = simulate(result.scene, options, RunFolder(result.folder));
  return result;
}

}  // namespace knead
