#include "run/failure_text.h"

namespace knead {

std::string smaller_step_hint(const Scene& scene, double dt, bool torn) {
  if (scene.solver.dt) return "try: leave solver.dt out, so that the step is chosen automatically, or make it smaller";
  if (scene.solver.traits().bonds)
    return fmt::format(
        "try: a solver.dt_max of {:.2g} s, more solver.meshless.viscosity, {}softer materials or slower bodies", dt / 4,
        torn ? "a smaller solver.dx, so that thin parts have more particles across, " : "");
  return "try: a smaller solver.elastic_cfl or solver.cfl, softer materials, slower bodies, or a larger solver.dx";
}

std::string failure_text(const StepFailure& failure, const World& world, const Scene& scene) {
  const Problem& problem = failure.step.problem;
  std::string text =
      fmt::format("at t = {:.6g} s, after frame {}: {}", world.clock.time, world.clock.frame, one_line(problem.what));
  if (const auto& at = problem.position)
    text += fmt::format("\n  place: ({:.6g}, {:.6g}, {:.6g}) m", (*at)[0], (*at)[1], (*at)[2]);
  if (problem.particle >= 0) {
    const auto i = static_cast<std::size_t>(problem.particle);
    const auto id = world.particles.get<std::int32_t>("id")[i];
    const auto body = static_cast<std::size_t>(world.particles.get<std::int32_t>("body")[i]);
    text += fmt::format(", particle {} of {}", id, scene.matter_name(body));
  }
  if (!problem.remedy.empty()) return text + "\n  " + problem.remedy;
  text += fmt::format("\n  the step was halved {} times, from {:.3g} s (bound: {}) to {:.3g} s", max_halvings,
                      failure.step.first_try.dt, name_of(failure.step.first_try.bound), failure.step.last_dt);
  const Guarded& guarded = world.tally.frame_guarded;
  const bool torn = guarded.turned() > 0;
  if (torn)
    text += fmt::format(
        "\n  since that frame {} deformations could not be computed: {} of particles without neighbours, {} with too "
        "few, {} with flat ones, {} that would invert",
        guarded.turned(), guarded.shed, guarded.few, guarded.flat, guarded.inverted);
  return text + "\n  " + smaller_step_hint(scene, failure.step.first_try.dt, torn);
}

}  // namespace knead
