// A simulation in memory, for programs that use Knead as a library: a scene, its world and its solver, stepped as
// `knead run` steps them, without files. Its frames are the same bits.
#pragma once

#include "scene/read.h"
#include "world/solver.h"

#include <memory>
#include <span>

namespace knead {

class Simulation {
 public:
  // At the start of the scene, its events of that time done. A scene that cannot be is a Failure.
  explicit Simulation(Scene);
  // `sets` are changes as in --set: "solver.dx=0.01". All mistakes of a scene are one Failure, a line each.
  static Simulation from_file(const std::filesystem::path& file, const std::vector<std::string>& sets = {});
  // Relative paths in the text start at `folder`.
  static Simulation from_text(std::string_view text, const std::vector<std::string>& sets = {},
                              const std::filesystem::path& folder = ".");

  // Steps as large as is stable until the clock stands at `time`, through the scene's events; nothing where it is
  // later already. A step that fails is tried again with smaller ones; where none can be done, a Failure says why, and
  // the world is that before the step.
  void advance_to(double time);
  // On to the time of the next frame, whose number the clock then has. Sums over a frame start with it.
  void advance_frame();
  double time() const { return world.clock.time; }

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

  Scene scene;
  World world;
  std::unique_ptr<Solver> solver;
  std::vector<std::string> warnings;  // of reading and building the scene
};

}  // namespace knead
