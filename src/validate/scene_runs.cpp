#include "validate/scene_runs.h"

#include "base/error.h"
#include "output/checkpoint.h"
#include "output/expect.h"
#include "run/run.h"
#include "scene/read.h"

#include <unistd.h>

namespace knead {

namespace fs = std::filesystem;

namespace {

fs::path temporary_folder() {
  std::error_code trouble;
  std::string path = (fs::temp_directory_path(trouble) / "knead-validate-XXXXXX").string();
  if (trouble || !mkdtemp(path.data())) fail(Exit::file, "cannot make a folder for the runs; give one with --out DIR");
  return path;
}

void run_or_stop(const RunOptions& options) {
  const int code = run_scene(options).code;
  if (code != static_cast<int>(Exit::done)) throw Stopped{code};
}

// The deformation gradient as frames show it, beside the strain that the method keeps.
void show_strain(World& world) {
  if (!world.particles.find(strain_column)) return;
  const int components = world.particles.find(strain_column)->components;
  Column& F = world.particles.add("F", Scalar::f64, components);
  const Column& H = *world.particles.find(strain_column);
  const auto numbers = reinterpret_cast<double*>(F.data.data());
  for (std::size_t i = 0; i < H.count(); ++i)
    for (int c = 0; c < components; ++c)
      numbers[i * static_cast<std::size_t>(components) + static_cast<std::size_t>(c)] =
          H.value(i, c) + (c % (world.dimension + 1) == 0 ? 1 : 0);
}

}  // namespace

double SceneRun::operator()(const std::string& expression) const { return evaluate_on_stats(expression, stats); }

const Column& SceneRun::particles(const std::string& name) const {
  const Column* column = world.particles.find(name);
  if (!column) fail(Exit::unexpected, "the run has no column '{}'", name);
  return *column;
}

std::vector<Vec3d> places_by_id(const World& world) {
  const Column &x = *world.particles.find("x"), &id = *world.particles.find("id");
  std::vector<Vec3d> all(x.count());
  for (std::size_t i = 0; i < x.count(); ++i)
    for (int a = 0; a < world.dimension; ++a) all[static_cast<std::size_t>(id.value(i))][a] = x.value(i, a);
  return all;
}

// A number of TOML has a point or an exponent, or is whole.
std::string set_number(const std::string& path, double value) { return fmt::format("{}={}", path, value); }

SceneRuns::SceneRuns(fs::path scenes, std::optional<fs::path> out, std::optional<int> threads)
    : scenes_(std::move(scenes)), out_(out ? *out : temporary_folder()), temporary_(!out), threads_(threads) {}

SceneRuns::~SceneRuns() {
  std::error_code ignored;
  if (temporary_) fs::remove_all(out_, ignored);
}

fs::path SceneRuns::next_folder(const std::string& scene) {
  return out_ / "runs" / fmt::format("{:03}-{}", ++count_, scene);
}

SceneRun SceneRuns::read_back(const fs::path& path) const {
  const RunFolder folder(path);
  SceneRun run;
  run.scene = read_scene(folder.scene());
  run.stats = read_stats(folder.stats());
  run.world = read_checkpoint(folder.checkpoint(folder.checkpoints().back())).world;
  show_strain(run.world);
  std::error_code ignored;
  if (temporary_) fs::remove_all(path, ignored);
  return run;
}

namespace {

RunOptions options_for(const fs::path& file, const fs::path& folder, std::vector<std::string> sets) {
  RunOptions options;
  options.scene = file;
  options.out = folder;
  options.sets = std::move(sets);
  // Statistics have a row a frame; the frames themselves are not looked at.
  options.sets.push_back("output.every=1000000");
  options.sets.push_back("output.checkpoint_every=1000000");
  options.force = true;
  return options;
}

}  // namespace

SceneRun SceneRuns::run(const std::string& scene, const std::vector<std::string>& sets, std::optional<int> threads) {
  const fs::path folder = next_folder(scene);
  RunOptions options = options_for(scenes_ / (scene + ".toml"), folder, sets);
  options.threads = threads ? threads : threads_;
  run_or_stop(options);
  return read_back(folder);
}

Scene SceneRuns::read(const std::string& scene, const std::vector<std::string>& sets) const {
  return read_scene(scenes_ / (scene + ".toml"), sets);
}

SceneRun SceneRuns::run_in_two_halves(const std::string& scene, const std::vector<std::string>& sets) {
  const fs::path folder = next_folder(scene);
  RunOptions options = options_for(scenes_ / (scene + ".toml"), folder, sets);
  options.threads = threads_;
  options.frames = read_scene(options.scene, options.sets).frames() / 2;
  run_or_stop(options);
  options.frames.reset();
  options.force = false;
  options.resume = true;
  run_or_stop(options);
  return read_back(folder);
}

}  // namespace knead
