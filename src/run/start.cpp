#include "run/start.h"

#include "base/counted.h"
#include "output/checkpoint.h"
#include "output/frame_file.h"
#include "output/run_json.h"
#include "output/stats_csv.h"
#include "output/whole_file.h"
#include "run/recorder.h"
#include "scene/hash.h"
#include "scene/read.h"
#include "scene/write.h"
#include "world/build.h"

#include <algorithm>
#include <tuple>

namespace knead {

namespace {

Checkpoint find_checkpoint(const RunOptions& options, const RunFolder& folder, std::vector<std::string>& warnings) {
  const std::vector<std::int64_t> there = folder.checkpoints();
  const std::string where = folder.checkpoints_folder().string();
  if (there.empty()) fail(Exit::bad_input, "nothing to resume: no checkpoint in {}; run again without --resume", where);
  if (options.from_frame) {
    if (!std::binary_search(there.begin(), there.end(), *options.from_frame))
      fail(Exit::bad_input,
           "there is no checkpoint of frame {} in {}; give --from one of {}\n"
           "  [output] keep_checkpoints in the scene says how many are kept",
           *options.from_frame, where, fmt::join(there, ", "));
    return read_checkpoint(folder.checkpoint(*options.from_frame));
  }
  std::vector<std::string> reasons;
  std::optional<Checkpoint> checkpoint =
      latest_good_checkpoint(folder, [&](const std::string& reason) { reasons.push_back(reason); });
  if (!checkpoint)
    fail(Exit::bad_input,
         "nothing to resume: none of the checkpoints in {} can be used\n  {}\n  run again without --resume to start "
         "from the beginning",
         where, fmt::join(reasons, "\n  "));
  warnings.insert(warnings.end(), reasons.begin(), reasons.end());
  return std::move(*checkpoint);
}

[[noreturn]] void refuse_unfit(const std::string& file, const std::string& why) {
  fail(Exit::bad_input, "'{}' does not fit the scene: {}; run the scene from the start", file, why);
}

// A world is read as its scene says, so that one of another scene would be read out of bounds.
void check_fit(const World& world, const Scene& scene, const std::string& file) {
  const auto refuse = [&]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    refuse_unfit(file, fmt::format(format, std::forward<Args>(args)...));
  };
  if (world.dimension != scene.scene.dimension)
    refuse("it is {}D, the scene {}D", world.dimension, scene.scene.dimension);
  const Scalar real = scene.solver.precision == Precision::f64 ? Scalar::f64 : Scalar::f32;
  for (const auto& [name, scalar, components] : {std::tuple("x", real, world.dimension),
                                                 {"v", real, world.dimension},
                                                 {"mass", real, 1},
                                                 {"volume", real, 1},
                                                 {"id", Scalar::i32, 1},
                                                 {"body", Scalar::i32, 1}}) {
    const Column* column = world.particles.find(name);
    if (!column) refuse("it has no column '{}'", name);
    if (column->components != components || (column->scalar == Scalar::i32) != (scalar == Scalar::i32))
      refuse("its column '{}' has another type", name);
  }
  const auto always_double = [](const Column& c) { return c.name == "temperature" || c.name == "latent"; };
  for (const Column& column : world.particles.columns())
    if (column.scalar != real && column.scalar != Scalar::i32 && !always_double(column))
      refuse("its column '{}' does not have solver.precision = {}", column.name,
             enum_names(scene.solver.precision)[static_cast<std::size_t>(scene.solver.precision)]);
  const auto followed = std::count_if(scene.probes.begin(), scene.probes.end(),
                                      [](const Probe& p) { return p.type == ProbeType::particle; });
  if (static_cast<std::ptrdiff_t>(world.followed.size()) != followed)
    refuse("its probes follow {} particles, those of the scene {}", world.followed.size(), followed);
  if (world.clock.events > static_cast<std::int64_t>(scene.events_in_order().size()))
    refuse("{} events have happened, the scene has {}", world.clock.events, scene.events_in_order().size());
  for (const auto* batches : {&world.batches, &world.mesh.batches})
    for (const Batch& b : *batches)
      if (b.material < 0 || b.material >= static_cast<int>(scene.materials.size()))
        refuse("it has matter of material {}, but the scene has {} materials", b.material + 1, scene.materials.size());
  // Matter of sources is numbered after that of bodies.
  const std::size_t origins = scene.bodies.size() + scene.sources.size();
  for (const char* name : {"body", "group"}) {
    if (!world.particles.find(name)) continue;
    for (std::int32_t body : world.particles.get<std::int32_t>(name))
      if (body < 0 || static_cast<std::size_t>(body) >= origins)
        refuse("it has matter of {} {}, the scene has {} bodies and sources", name, body + 1, origins);
  }
}

// The last frame that the run may have reached: a longer one than asked for now has its number in run.json.
std::int64_t last_possible_frame(const Scene& scene, const RunOptions& options, const RunFolder& folder) {
  const std::int64_t last = std::max(last_frame_of(scene, {}), last_frame_of(scene, options));
  try {
    return std::max(last, read_run_json(folder.run_json()).last_frame);
  } catch (const Failure&) {
    return last;  // it is not needed for anything else
  }
}

template <class... Args>
[[noreturn]] void refuse_damaged(const Checkpoint& checkpoint, fmt::format_string<Args...> format, Args&&... args) {
  fail(Exit::bad_input, "'{}' is damaged: {}; resume from another checkpoint (--from), or run the scene from the start",
       checkpoint.path.string(), fmt::format(format, std::forward<Args>(args)...));
}

// A clock that no run has had would be believed by all that follows: frames, motions, events. That of another scene may
// be one of its own.
void check_clock(const Checkpoint& checkpoint, const Scene& scene, bool same_scene, std::int64_t last) {
  const Clock& clock = checkpoint.world.clock;
  const auto refuse = [&]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    refuse_damaged(checkpoint, format, std::forward<Args>(args)...);
  };
  const std::int64_t first = scene.scene.start_frame;
  const bool among = clock.frame >= first && clock.frame <= last;
  if (same_scene && !among) refuse("it is of frame {}, the run has frames {} to {}", clock.frame, first, last);
  if (checkpoint.path.filename() != numbered_name("checkpoint", clock.frame, ".h5"))
    refuse("it is of frame {}, not of the one in its name", clock.frame);
  // It may be some steps past its frame.
  const double reached = scene.frame_time(clock.frame), next = scene.frame_time(clock.frame + 1);
  const bool between = clock.time >= reached && clock.time < next;
  if (!same_scene && !(among && between))
    refuse_unfit(
        checkpoint.path.string(),
        fmt::format("scene.fps or scene.start_frame has changed; frame {} was at {:.6g} s", clock.frame, clock.time));
  if (!between)
    refuse("its time, {:.6g} s, is not between frame {} ({:.6g} s) and frame {} ({:.6g} s)", clock.time, clock.frame,
           reached, clock.frame + 1, next);
  if (clock.step < 0) refuse("{} steps have been made", clock.step);
  if (clock.events < 0) refuse("{} events have happened", clock.events);
}

// How many steps the run had made at the checkpoint's frame, as the file of that says; nothing where earlier_faults()
// will tell that it is missing, damaged or changed.
std::optional<std::int64_t> steps_at_frame(const RunFolder& folder, const Checkpoint& checkpoint) {
  const std::int64_t frame = checkpoint.world.clock.frame;
  try {
    const FrameStamp stamp = read_frame_stamp(folder.frame(frame));
    const bool changed = checkpoint.sums.frames != 0 && frames_sum(folder, frame) != checkpoint.sums.frames;
    return changed || stamp.number != frame ? std::nullopt : std::optional(stamp.step);
  } catch (const Failure&) {
    return {};
  }
}

void check_steps(const Checkpoint& checkpoint, const RunFolder& folder) {
  const std::int64_t step = checkpoint.world.clock.step, since = checkpoint.world.tally.frame_steps;
  const std::optional<std::int64_t> before = steps_at_frame(folder, checkpoint);
  if (before && step - since != *before)
    refuse_damaged(checkpoint, "{} steps have been made, {} of them since frame {}, which was written after {}", step,
                   since, checkpoint.world.clock.frame, *before);
}

// A file under the name of another frame.
std::string misplaced(const std::filesystem::path& path, std::int64_t frame, const Scene& scene) {
  const FrameStamp stamp = read_frame_stamp(path);
  if (stamp.number == frame && stamp.time == scene.frame_time(frame)) return "";
  return fmt::format("'{}' holds frame {} at t = {:.6g} s, not frame {} at {:.6g} s", path.string(), stamp.number,
                     stamp.time, frame, scene.frame_time(frame));
}

// What is odd about the files that the resumed run goes on from: it would end as if nothing were, with a gap in it.
std::vector<std::string> earlier_faults(const Scene& scene, const RunFolder& folder, const Checkpoint& checkpoint) {
  const std::int64_t now = checkpoint.world.clock.frame, start = scene.scene.start_frame, every = scene.output.every;
  std::vector<std::int64_t> there = folder.frames();
  std::erase_if(there, [&](std::int64_t frame) { return frame < start || frame > now; });
  std::vector<std::string> faults;
  for (const std::int64_t frame : there) {
    try {
      if (std::string fault = misplaced(folder.frame(frame), frame, scene); !fault.empty())
        faults.push_back(std::move(fault));
    } catch (const Failure& failure) {
      faults.emplace_back(failure.what());
    }
  }
  const auto due = [&](std::int64_t frame) { return (frame - start) % every == 0; };
  const auto gone =
      static_cast<std::size_t>((now - start) / every + 1 - std::count_if(there.begin(), there.end(), due));
  if (gone > 0) {
    constexpr std::size_t most = 10;
    std::vector<std::int64_t> first;
    for (std::int64_t frame = start; first.size() < std::min(gone, most); frame += every)
      if (!std::binary_search(there.begin(), there.end(), frame)) first.push_back(frame);
    faults.push_back(fmt::format("{} up to frame {} {} missing: {}{}", counted(gone, "frame"), now,
                                 gone == 1 ? "is" : "are", fmt::join(first, ", "), gone > most ? ", …" : ""));
  }
  // A frame that was changed and sealed again.
  if (faults.empty() && checkpoint.sums.frames != 0 && frames_sum(folder, now) != checkpoint.sums.frames)
    faults.push_back(fmt::format("the frames in '{}' up to frame {} are not as the run left them",
                                 folder.frames_folder().string(), now));
  if (checkpoint.sums.stats != 0 && stats_sum(folder.stats(), now) != checkpoint.sums.stats)
    faults.push_back(fmt::format("'{}' is not as the run left it up to frame {}", folder.stats().string(), now));
  if (!faults.empty()) faults.back() += "; to redo everything, run without --resume";
  return faults;
}

World resumed_world(const Scene& scene, const RunOptions& options, const RunFolder& folder, std::uint64_t hash,
                    std::vector<std::string>& warnings) {
  Checkpoint checkpoint = find_checkpoint(options, folder, warnings);
  if (checkpoint.scene_hash != hash && !options.force_scene) {
    std::string text = fmt::format("{} was made from another scene", folder.path().string());
    if (std::filesystem::exists(folder.scene()))
      for (const std::string& d : differences(scene, read_scene(folder.scene()))) text += "\n  " + d;
    throw Failure(Exit::bad_input, text + "\n  give --force-scene to resume anyway, or another --out");
  }
  check_clock(checkpoint, scene, checkpoint.scene_hash == hash, last_possible_frame(scene, options, folder));
  check_steps(checkpoint, folder);
  check_fit(checkpoint.world, scene, checkpoint.path.string());
  for (std::string& fault : earlier_faults(scene, folder, checkpoint)) warnings.push_back(std::move(fault));
  return std::move(checkpoint.world);
}

// Whether the folder's scene has the same matter in it. The same text is the same scene, without reading its meshes.
bool is_same_scene(const RunFolder& folder, const Scene& scene, std::uint64_t hash) {
  try {
    return read_whole(folder.scene(), std::size_t(1) << 26) == to_toml(scene) ||
           scene_hash(read_scene(folder.scene())) == hash;
  } catch (const Failure&) {
    return false;  // not a scene that can be read: not ours
  }
}

// A run of the same scene may be done again in its folder; another one, or a longer one, is never overwritten unasked.
void refuse_to_lose(const RunFolder& folder, const Scene& scene, std::uint64_t hash, std::int64_t last_frame) {
  if (!folder.holds_a_run()) return;
  if (!is_same_scene(folder, scene, hash))
    fail(Exit::bad_input, "{} contains the run of another scene; give another --out, or --force to overwrite it",
         folder.path().string());
  const std::vector<std::int64_t> frames = folder.frames();
  if (!frames.empty() && frames.back() > last_frame)
    fail(Exit::bad_input,
         "{} contains a longer run, which would lose frames {} to {}; give --force, --resume or another --out",
         folder.path().string(), last_frame + 1, frames.back());
}

}  // namespace

std::int64_t last_frame_of(const Scene& scene, const RunOptions& options) {
  return scene.scene.start_frame + options.frames.value_or(scene.frames());
}

Start start_run(const Scene& scene, const RunOptions& options, const RunFolder& folder) {
  const std::uint64_t hash = scene_hash(scene);
  Start start;
  start.warnings = scene.warnings;
  start.resumed = options.resume || options.from_frame;
  if (start.resumed) {
    start.world = resumed_world(scene, options, folder, hash, start.warnings);
  } else {
    if (!options.force) refuse_to_lose(folder, scene, hash, last_frame_of(scene, options));
    BuildReport report;
    start.world = build_world(scene, &report);
    start.warnings.insert(start.warnings.end(), report.warnings.begin(), report.warnings.end());
  }
  return start;
}

}  // namespace knead
