#include "run/run.h"

#include "base/parallel.h"
#include "base/shell_word.h"
#include "levels/make_solver.h"
#include "output/folder_lock.h"
#include "run/advance.h"
#include "run/check.h"
#include "run/failure_text.h"
#include "run/progress.h"
#include "run/recorder.h"
#include "run/signals.h"
#include "run/start.h"
#include "run/stats_row.h"
#include "scene/hash.h"
#include "scene/read.h"

#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

namespace knead {

namespace {

std::string resume_command(const RunOptions& options, const RunFolder& folder) {
  std::string command = "knead run " + shell_word(options.scene.string());
  for (const std::string& s : options.sets) command += " --set " + shell_word(s);
  if (options.frames) command += fmt::format(" --frames {}", *options.frames);
  return command + " --out " + shell_word(folder.path().string()) + " --resume";
}

// What looks like a result but is none, each told once.
class Warnings {
 public:
  explicit Warnings(Progress& progress) : progress_(progress) {}
  void of_frame(const World& world, const Ledger& ledger) {
    const double t = world.clock.time;
    const LiquidTally& liquid = world.tally.liquid;
    if (once(ledger.collapsed > 0, collapse_))
      progress_.warn(fmt::format(
          "at t = {:.4g} s {} of {} particles are compressed below a twentieth in some direction, or inverted (column "
          "'collapsed' of stats.csv); causes are an impact faster than the material's waves, or a fixed step above the "
          "stability limit: use a stiffer material or neo-hookean, or leave solver.dt out",
          t, ledger.collapsed, world.particles.count()));
    if (once(liquid.frame_energy_rise > 0.02, rise_))
      progress_.warn(fmt::format(
          "before t = {:.4g} s the energy of the liquid rose by {:.2g} % in a step, although nothing adds energy "
          "(column 'energy_rise' of stats.csv); use a smaller solver.liquid.cfl, or leave solver.dt out",
          t, 100 * liquid.frame_energy_rise));
    if (once(liquid.frame_unsolved > 0, unsolved_))
      progress_.warn(fmt::format(
          "before t = {:.4g} s {} pressure solves of the liquid were stopped after solver.liquid.iterations (column "
          "'lcp_unsolved' of stats.csv): allow more iterations, or a larger solver.liquid.tolerance",
          t, liquid.frame_unsolved));
  }

 private:
  static bool once(bool seen, bool& told) { return seen && !std::exchange(told, true); }
  Progress& progress_;
  bool collapse_ = false, rise_ = false, unsolved_ = false;
};

// The frame loop. False when it was asked to stop.
bool run_frames(const Scene& scene, World& world, Solver& solver, Recorder& recorder, Progress& progress,
                std::int64_t last_frame) {
  const AdvanceHooks hooks{[] { return StopRequests::pending() != 0; },
                           [&](const World& w, const TimeStep& s, int retries) { progress.step(w, s, retries); }};
  Warnings warnings(progress);
  while (world.clock.frame < last_frame) {
    if (advance_to(scene.frame_time(world.clock.frame + 1), world, solver, hooks) == Advance::stopped) return false;
    ++world.clock.frame;
    const Ledger ledger = solver.ledger(world);
    recorder.frame(world, solver, ledger);
    progress.frame(world, ledger);
    warnings.of_frame(world, ledger);
    world.start_frame();
    if (recorder.checkpoint_due(world) || world.clock.frame == last_frame) recorder.checkpoint(world);
  }
  return true;
}

// What to do about a run that could not write its files; nothing where it cannot be resumed.
std::string file_hint(const Failure& failure, const RunOptions& options, const RunFolder& folder) {
  if (failure.code != Exit::file || folder.checkpoints().empty()) return "";
  const bool full = std::string_view(failure.what()).find(std::strerror(ENOSPC)) != std::string_view::npos;
  return fmt::format("\n  {}, then resume with:\n  {}", full ? "free some space on the disk" : "put that right",
                     resume_command(options, folder));
}

int simulate(const Scene& scene, const RunOptions& options, const RunFolder& folder) {
  const std::uint64_t hash = scene_hash(scene);
  const std::int64_t last_frame = scene.scene.start_frame + options.frames.value_or(scene.frames());

  // The earlier of two runs in a folder has it; a folder that is not there yet is made once all else is well.
  std::optional<FolderLock> lock;
  std::error_code none;
  if (std::filesystem::is_directory(folder.path(), none)) lock.emplace(folder);
  auto [world, resumed, warnings] = start_run(scene, options, folder, hash, last_frame);
  const std::unique_ptr<Solver> solver = make_solver(scene);
  solver->prepare(world);
  solver->do_events(world);
  for (std::string& w : step_warnings(scene, world)) warnings.push_back(std::move(w));
  for (std::string& w : endless_warnings(scene, solver->max_dt(world))) warnings.push_back(std::move(w));
  if (options.strict && !warnings.empty())
    fail(Exit::bad_input, "{} (a warning, which --strict makes an error)", fmt::join(warnings, "\n"));

  folder.prepare();
  if (!lock) lock.emplace(folder);
  Recorder recorder(scene, options, folder, hash, world, resumed, last_frame);
  TextLog log(folder.log());
  Progress progress({options.quiet, options.verbose, options.json}, world.clock.frame, last_frame, log);
  for (const std::string& w : warnings) progress.warn(w);
  const StopRequests stop;
  try {
    if (resumed && world.clock.frame >= last_frame) {
      progress.say(fmt::format("nothing left to do: frame {} is the last", world.clock.frame));
    } else if (resumed) {
      progress.say(fmt::format("resuming after frame {}, t = {:.4f} s", world.clock.frame, world.clock.time));
    } else {
      recorder.frame(world, *solver, solver->ledger(world));
      recorder.checkpoint(world);
    }
    const bool finished = run_frames(scene, world, *solver, recorder, progress, last_frame);
    if (!finished) recorder.checkpoint(world);
    recorder.finish(world, finished ? "done" : "stopped");
    if (finished) return static_cast<int>(Exit::done);
    progress.say(
        fmt::format("stopped at t = {:.4f} s; to resume:\n  {}", world.clock.time, resume_command(options, folder)));
    return 128 + StopRequests::pending();
  } catch (const StepFailure& failure) {
    recorder.fail(world);
    const std::string text = failure_text(failure, world, scene);
    log.line("error: " + text);
    fail(Exit::numerical, "{}\n  frames up to {} are intact in {}", text, world.clock.frame, folder.path().string());
  } catch (const Failure& failure) {
    recorder.fail(world);
    log.line(fmt::format("error: {}", failure.what()));
    fail(failure.code, "{}{}", failure.what(), file_hint(failure, options, folder));
  } catch (...) {
    recorder.fail(world);
    throw;
  }
}

}  // namespace

int thread_count(const RunOptions& options) {
  return options.threads.value_or(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
}

RunResult run_scene(const RunOptions& options) {
  const ThreadLimit threads(thread_count(options));
  RunResult result;
  result.scene = read_scene(options.scene, options.sets, wrong_measurements);
  result.folder = options.out.empty() ? std::filesystem::path("runs") / result.scene.scene.name : options.out;
  result.code = simulate(result.scene, options, RunFolder(result.folder));
  return result;
}

}  // namespace knead
