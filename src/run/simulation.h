// A simulation in memory: a scene, its world and its solver. `knead run`, `view`, `check`, `bench` and `validate` step
// through it, and programs that use Knead as a library do, without files. Its frames are the same bits.
#pragma once

#include "run/advance.h"
#include "scene/read.h"
#include "world/solver.h"

#include <memory>
#include <span>

namespace knead {

class Simulation {
 public:
  // At the start of the scene, its events of that time done. A scene that cannot be is a Failure.
  explicit Simulation(Scene);
  // Goes on with matter that there is already, such as that of a checkpoint.
  Simulation(std::shared_ptr<const Scene>, World);
  // `sets` are changes as in --set: "solver.dx=0.01". All mistakes of a scene are one Failure, a line each.
  static Simulation from_file(const std::filesystem::path& file, const std::vector<std::string>& sets = {});
  // Relative paths in the text start at `folder`.
  static Simulation from_text(std::string_view text, const std::vector<std::string>& sets = {},
                              const std::filesystem::path& folder = ".");

  // Steps as large as is stable until the clock stands at `time`, through the scene's events; nothing where it is
  // later already. A step that fails is tried again with smaller ones; where none can be done, a Failure says why, and
  // the world is that before the step. Stops where the hooks say so.
  Advance advance_to(double time, const AdvanceHooks& hooks = {});
  // The first of these steps.
  TimeStep step_towards(double time);
  // On to the time of the next frame, whose number the clock then has. Sums over a frame start with it.
  void advance_frame();
  double time() const { return world.clock.time; }
  // The largest stable step now, and what sets it.
  TimeStep max_dt() const { return solver->max_dt(world); }

  // A column of the particles, one entry a particle: column<float>("mass"), column<Vec<float, 3>>("x"); double where
  // the scene asks for that precision. Particles may change places, and their memory, in a step, and liquids make and
  // lose some: ask again after it, and know them by their column "id". Fails where there is none, or of another type.
  template <class V>
  std::span<const V> column(std::string_view name) const {
    return world.particles.get<V>(name);
  }
  template <class V>
  std::span<V> column(std::string_view name) {
    return world.particles.get<V>(name);
  }
  // Mass, momentum, energies and more of all matter.
  Ledger ledger() const { return solver->ledger(world); }

  const Scene& scene() const { return *scene_; }
  const std::shared_ptr<const Scene>& shared_scene() const { return scene_; }
  // The same matter under another scene from now on; one that asks for nothing else of the solver only looks different.
  void change_scene(std::shared_ptr<const Scene>, bool looks_only);

  World world;
  std::unique_ptr<Solver> solver;
  std::vector<std::string> warnings, notes;  // of reading and building the scene

 private:
  void start();
  std::shared_ptr<const Scene> scene_, solved_;  // the solver's: the same but for its looks
};

}  // namespace knead
