#include "run/start.h"

#include "output/checkpoint.h"
#include "scene/hash.h"
#include "scene/read.h"
#include "world/build.h"

namespace knead {

namespace {

World resumed_world(const Scene& scene, const RunOptions& options, const RunFolder& folder, std::uint64_t hash,
                    std::vector<std::string>& warnings) {
  const auto latest = options.from_frame ? std::optional<std::int64_t>(*options.from_frame) : std::nullopt;
  std::optional<Checkpoint> checkpoint = latest_good_checkpoint(
      folder, [&](const std::string& w) { warnings.push_back(w); }, latest);
  if (!checkpoint)
    fail(Exit::bad_input, "nothing to resume: no checkpoint in {}", folder.checkpoints_folder().string());
  if (checkpoint->scene_hash != hash && !options.force_scene) {
    std::string text = fmt::format("{} was made from another scene", folder.path().string());
    if (std::filesystem::exists(folder.scene()))
      for (const std::string& d : differences(scene, read_scene(folder.scene()))) text += "\n  " + d;
    fail(Exit::bad_input, "{}\n  give --force-scene to resume all the same, or another --out", text);
  }
  return std::move(checkpoint->world);
}

// A run of the same scene may be done again in its folder; another one is never overwritten unasked.
void refuse_foreign_folder(const RunFolder& folder, std::uint64_t hash) {
  if (!folder.holds_a_run()) return;
  try {
    if (scene_hash(read_scene(folder.scene())) == hash) return;
  } catch (const Failure&) {
    // Not a scene that can be read: not ours.
  }
  fail(Exit::bad_input, "{} holds the run of another scene; give another --out, or --force to overwrite it",
       folder.path().string());
}

}  // namespace

Start start_run(const Scene& scene, const RunOptions& options, const RunFolder& folder, std::uint64_t hash) {
  Start start;
  start.warnings = scene.warnings;
  start.resumed = options.resume || options.from_frame;
  if (start.resumed) {
    start.world = resumed_world(scene, options, folder, hash, start.warnings);
  } else {
    if (!options.force) refuse_foreign_folder(folder, hash);
    BuildReport report;
    start.world = build_world(scene, &report);
    start.warnings.insert(start.warnings.end(), report.warnings.begin(), report.warnings.end());
  }
  if (options.strict && !start.warnings.empty())
    fail(Exit::bad_input, "{} (--strict makes warnings errors)", fmt::join(start.warnings, "\n"));
  return start;
}

}  // namespace knead
