#include "run/run.h"

#include "base/parallel.h"
#include "base/shell_word.h"
#include "base/system.h"
#include "mpm/solver.h"
#include "output/checkpoint.h"
#include "output/export.h"
#include "output/run_json.h"
#include "output/whole_file.h"
#include "run/advance.h"
#include "run/progress.h"
#include "run/signals.h"
#include "run/stats_row.h"
#include "scene/hash.h"
#include "scene/read.h"
#include "scene/write.h"
#include "world/build.h"

#include <thread>

namespace knead {

namespace fs = std::filesystem;

namespace {

double frame_time(const Scene& scene, std::int64_t frame) {
  return double(frame - scene.scene.start_frame) / scene.scene.fps;
}

// Everything a run writes: the folder, the statistics, other formats, checkpoints, run.json.
class Recorder {
 public:
  Recorder(const Scene& scene, const RunFolder& folder, std::uint64_t hash)
      : scene_(scene), folder_(folder), hash_(hash) {
    for (const std::string& format : scene.output.formats)
      sequences_.emplace_back(find_exporter(format), folder.path() / format);
  }
  void start() { stats_.emplace(StatsCsv::create(folder_.stats(), stats_columns())); }
  void resume(std::int64_t frame) { stats_.emplace(StatsCsv::resume(folder_.stats(), stats_columns(), frame)); }

  // In this order: a run killed at any moment resumes from a checkpoint whose frame and row are on disk.
  void frame(const World& world, const Ledger& ledger) {
    // A folder taken away meanwhile must not come back with only the frames that follow.
    if (!fs::exists(folder_.scene())) fail(Exit::file, "{} was taken away during the run", folder_.path().string());
    folder_.prepare();
    const std::int64_t since_start = world.clock.frame - scene_.scene.start_frame;
    if (since_start % scene_.output.every == 0) {
      write_frame(folder_.frame(world.clock.frame), world, scene_.output.columns, scene_.solver.dx);
      if (!sequences_.empty()) {
        const Frame frame = make_frame(world, scene_.output.columns, scene_.solver.dx);
        for (ExportSequence& s : sequences_) s.write(frame);
      }
    }
    stats_->append(stats_row(world, ledger));
  }
  void checkpoint(const World& world) { save_checkpoint(folder_, world, hash_); }

 private:
  const Scene& scene_;
  const RunFolder& folder_;
  std::uint64_t hash_;
  std::optional<StatsCsv> stats_;
  std::vector<ExportSequence> sequences_;
};

// Says where and why a step failed, and what to try.
std::string failure_text(const StepFailure& failure, const World& world, const Scene& scene) {
  const Problem& problem = failure.step.problem;
  std::string text =
      fmt::format("at t = {:.6g} s, after frame {}: {}", world.clock.time, world.clock.frame, problem.what);
  text += fmt::format("\n  place: ({:.6g}, {:.6g}, {:.6g}) m", problem.position[0], problem.position[1],
                      problem.position[2]);
  if (problem.particle >= 0) {
    const auto i = static_cast<std::size_t>(problem.particle);
    const auto id = world.particles.get<std::int32_t>("id")[i];
    const Body& body = scene.bodies[static_cast<std::size_t>(world.particles.get<std::int32_t>("body")[i])];
    text += fmt::format(", particle {} of body '{}', material '{}'", id, body.name, body.material);
  }
  text += fmt::format("\n  the step was halved {} times, from {:.3g} s (bound: {}) to {:.3g} s", max_halvings,
                      failure.step.first_try.dt, name_of(failure.step.first_try.bound), failure.step.last_dt);
  text += scene.solver.dt ? "\n  try: leave solver.dt out, so that the step is chosen for you, or make it smaller"
                          : "\n  try: a smaller solver.elastic_cfl or solver.cfl, softer materials, slower bodies, or "
                            "a larger solver.dx";
  return text;
}

void check_same_scene(const Scene& scene, const RunFolder& folder, std::uint64_t hash, const Checkpoint& checkpoint,
                      bool force) {
  if (checkpoint.scene_hash == hash || force) return;
  std::string text = fmt::format("{} was made from another scene", folder.path().string());
  if (fs::exists(folder.scene()))
    for (const std::string& d : differences(scene, read_scene(folder.scene()))) text += "\n  " + d;
  fail(Exit::bad_input, "{}\n  give --force-scene to resume all the same, or another --out", text);
}

void check_free_folder(const RunFolder& folder, std::uint64_t hash, bool force) {
  if (!folder.holds_a_run() || force) return;
  try {
    if (scene_hash(read_scene(folder.scene())) == hash) return;
  } catch (const Failure&) {
  }
  fail(Exit::bad_input, "{} holds the run of another scene; give another --out, or --force to overwrite it",
       folder.path().string());
}

int thread_count(const RunOptions& options) {
  return options.threads.value_or(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
}

std::string resume_command(const RunOptions& options, const RunFolder& folder) {
  std::string command = "knead run " + shell_word(options.scene.string());
  for (const std::string& s : options.sets) command += " --set " + shell_word(s);
  if (options.frames) command += fmt::format(" --frames {}", *options.frames);
  return command + " --out " + shell_word(folder.path().string()) + " --resume";
}

}  // namespace

fs::path default_run_folder(const Scene& scene) { return fs::path("runs") / scene.scene.name; }

int run_scene(const RunOptions& options) {
  const Scene scene = read_scene(options.scene, options.sets);
  check_expectations(scene);
  const std::uint64_t hash = scene_hash(scene);
  const RunFolder folder(options.out.empty() ? default_run_folder(scene) : options.out);
  const bool resuming = options.resume || options.from_frame;
  const std::int64_t first_frame = scene.scene.start_frame;
  const std::int64_t last_frame = first_frame + options.frames.value_or(scene.frames());
  const ThreadLimit threads(thread_count(options));

  // What can fail fails before the folder is touched.
  BuildReport build;
  std::optional<Checkpoint> checkpoint;
  std::vector<std::string> warnings = scene.warnings;
  if (resuming) {
    checkpoint = latest_good_checkpoint(
        folder, [&](const std::string& w) { warnings.push_back(w); },
        options.from_frame ? std::optional<std::int64_t>(*options.from_frame) : std::nullopt);
    if (!checkpoint)
      fail(Exit::bad_input, "nothing to resume: no checkpoint in {}", folder.checkpoints_folder().string());
    check_same_scene(scene, folder, hash, *checkpoint, options.force_scene);
  } else {
    check_free_folder(folder, hash, options.force);
  }
  World world = resuming ? std::move(checkpoint->world) : build_world(scene, &build);
  warnings.insert(warnings.end(), build.warnings.begin(), build.warnings.end());
  if (options.strict && !warnings.empty())
    fail(Exit::bad_input, "{} (--strict makes warnings errors)", fmt::join(warnings, "\n"));
  const std::unique_ptr<Solver> solver = make_solver(scene);
  solver->prepare(world);

  if (!resuming) folder.clear();
  folder.prepare();
  TextLog log(folder.log());
  Progress progress({options.quiet, options.verbose, options.json}, world.clock.frame, last_frame, log);
  for (const std::string& w : warnings) progress.warn(w);
  write_whole(folder.scene(), to_toml(scene));
  RunInfo info;
  info.version = program_version, info.command = options.command, info.scene = options.scene.string();
  info.scene_hash = fmt::format("{:016x}", hash), info.threads = thread_count(options), info.machine = this_machine();
  info.status = "running", info.started = utc_now(),
  info.particles = static_cast<std::int64_t>(world.particles.count());
  info.resumed_from = resuming ? world.clock.frame : 0;
  write_run_json(folder.run_json(), info);
  const auto finish = [&](const char* status) {
    info.status = status, info.finished = utc_now(), info.frames = world.clock.frame, info.steps = world.clock.step;
    write_run_json(folder.run_json(), info);
  };

  // The frame loop.
  Recorder recorder(scene, folder, hash);
  const StopRequests stop;
  const AdvanceHooks hooks{[] { return StopRequests::pending() != 0; },
                           [&](const World& w, const TimeStep& s) { progress.step(w, s); }};
  if (resuming) {
    folder.remove_frames_after(world.clock.frame);
    recorder.resume(world.clock.frame);
    progress.say(fmt::format("resuming after frame {}, t = {:.4f} s", world.clock.frame, world.clock.time));
  } else {
    recorder.start();
    recorder.frame(world, solver->ledger(world));
    recorder.checkpoint(world);
  }
  try {
    while (world.clock.frame < last_frame) {
      const auto start = std::chrono::steady_clock::now();
      if (advance_to(frame_time(scene, world.clock.frame + 1), world, *solver, hooks) == Advance::stopped) {
        recorder.checkpoint(world);
        finish("stopped");
        progress.say(
            fmt::format("stopped at t = {:.4f} s; to go on:\n  {}", world.clock.time, resume_command(options, folder)));
        return 128 + StopRequests::pending();
      }
      ++world.clock.frame;
      const Ledger ledger = solver->ledger(world);
      recorder.frame(world, ledger);
      progress.frame(world, ledger, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      world.tally.start_frame();
      if ((world.clock.frame - first_frame) % scene.output.checkpoint_every == 0 || world.clock.frame == last_frame)
        recorder.checkpoint(world);
    }
  } catch (const StepFailure& failure) {
    finish("failed");
    const std::string text = failure_text(failure, world, scene);
    log.line("error: " + text);
    fail(Exit::numerical, "{}\n  frames up to {} are intact in {}", text, world.clock.frame, folder.path().string());
  }
  finish("done");
  return 0;
}

}  // namespace knead
