// Runs scenes of scenes/validate for the cases: the same runs that `knead run` does, with values set, read back from
// their folders.
#pragma once

#include "output/stats_csv.h"
#include "scene/scene.h"
#include "world/world.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace knead {

struct SceneRun {
  Scene scene;
  StatsTable stats;
  World world;  // at the end

  // An expression over the columns of the statistics, as in [[expect]].
  double operator()(const std::string& expression) const;
  // The column's values, a frame each.
  const std::vector<double>& column(const std::string& name) const { return stats.column(name); }
  // Entry i, component c of a particle's column at the end.
  const Column& particles(const std::string& name) const;
};

// Where particles are, by their id.
std::vector<Vec3d> places_by_id(const World&);

// "solver.dx=0.05", with all digits.
std::string set_number(const std::string& path, double value);

// The user asked to stop.
struct Stopped {
  int code;  // for the shell
};

class SceneRuns {
 public:
  // Runs go to folders under `out`; with none given to one that is removed in the end.
  SceneRuns(std::filesystem::path scenes, std::optional<std::filesystem::path> out, std::optional<int> threads);
  ~SceneRuns();
  SceneRuns(const SceneRuns&) = delete;

  // Runs `scene` ("b6_discs") with `sets` over its file. Frames are not kept but for the last.
  SceneRun run(const std::string& scene, const std::vector<std::string>& sets, std::optional<int> threads = {});
  // The same up to half of the frames, then resumed to the end.
  SceneRun run_in_two_halves(const std::string& scene, const std::vector<std::string>& sets);
  // Only what the file says with `sets` over it, for cases that look at every step.
  Scene read(const std::string& scene, const std::vector<std::string>& sets) const;

 private:
  std::filesystem::path next_folder(const std::string& scene);
  SceneRun read_back(const std::filesystem::path& folder) const;

  std::filesystem::path scenes_, out_;
  bool temporary_;
  std::optional<int> threads_;
  int count_ = 0;
};

}  // namespace knead
