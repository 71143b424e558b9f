// Group F: blocks on rigid planes with Coulomb friction.
#include "validate/cases.h"

#include <numbers>

namespace knead {

namespace {

constexpr const char* rougher = "friction 1.3 times too large";

std::string friction_is(double friction) { return fmt::format("collider.0.friction={}", friction); }

// F1.
std::vector<Measured> sliding_stop(const CaseInput& in) {
  const auto way = [&](double dx) {
    const SceneRun run = in.scenes.run("f1_stop", {set_number("solver.dx", dx), friction_is(in.wrong ? 0.65 : 0.5)});
    return run("last(center_x) - first(center_x)");
  };
  const double reference = 25 / (2 * 0.5 * g), coarse = way(0.05), fine = way(0.025);
  return {relative("way to the stop", "m", coarse, reference, 0.02),
          relative("way to the stop, half the cells", "m", fine, reference, 0.02),
          does_not_grow("error", std::abs(coarse - reference), std::abs(fine - reference), 0.02 * reference)};
}

// The acceleration of the centre along a direction; a line through all rows, since a block that was set down suddenly
// rings.
double acceleration(const SceneRun& run, double angle, double from, double to) {
  const std::vector<double>&x = run.column("momentum_x"), &y = run.column("momentum_y");
  std::vector<double> along(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    along[i] = (std::cos(angle) * x[i] + std::sin(angle) * y[i]) / run.column("mass")[0];
  return slope_between(run.column("time"), along, from, to);
}

// F2, with the plane along the grid and turned against it.
std::vector<Measured> incline(const CaseInput& in) {
  constexpr double reference = g * (0.5 - 0.3 * 0.5 * std::numbers::sqrt3), turn = 17 * std::numbers::pi / 180;
  const auto slides = [&](const char* scene, double angle, double dx) {
    return acceleration(in.scenes.run(scene, {friction_is(in.wrong ? 0.39 : 0.3), set_number("solver.dx", dx)}), angle,
                        0.1, 1.1);
  };
  const double a = slides("f2_incline", 0, 0.05), a_fine = slides("f2_incline", 0, 0.025);
  const double b = slides("f2_incline_tilted", turn, 0.05), b_fine = slides("f2_incline_tilted", turn, 0.025);
  return {
      relative("acceleration", "m/s^2", a, reference, 0.03),
      relative("acceleration, plane at 17 degrees to the grid", "m/s^2", b, reference, 0.03),
      does_not_grow("error", std::abs(a - reference), std::abs(a_fine - reference), 0.03 * reference),
      does_not_grow("error at 17 degrees", std::abs(b - reference), std::abs(b_fine - reference), 0.03 * reference)};
}

// F6: at the limit and 2 % below it without vibration (PIC), 5 % to either side with it (APIC), by explicit steps and
// by implicit ones ten times as long.
std::vector<Measured> stick_or_slide(const CaseInput& in) {
  const auto on_slope = [&](const char* transfer, double friction, double dx, const char* integrator) {
    return in.scenes.run("f6_slope", {friction_is(in.wrong ? 0.9 * friction : friction), set_number("solver.dx", dx),
                                      fmt::format("solver.transfer=\"{}\"", transfer),
                                      fmt::format("solver.integrator=\"{}\"", integrator)});
  };
  const auto creeps = [&](const char* transfer, double friction, double dx, const char* integrator = "explicit") {
    return std::abs(on_slope(transfer, friction, dx, integrator)("last(center_x) - at(center_x, 3)"));
  };
  const auto slides = [&](const char* transfer, double friction, const char* integrator = "explicit") {
    return acceleration(on_slope(transfer, friction, 0.05, integrator), 0, 3, 8);
  };
  const auto lacking = [](double friction) { return g * std::cos(std::atan(0.5)) * (0.5 - friction); };
  return {
      at_most("friction as the slope, pic: creeps in 5 s", "m", creeps("pic", 0.5, 0.05), 1e-3),
      at_most("the same, half the cells", "m", creeps("pic", 0.5, 0.025), 1e-3),
      relative("friction 2 % below the slope, pic: acceleration", "m/s^2", slides("pic", 0.49), lacking(0.49), 0.02),
      at_most("friction 5 % above the slope, apic: creeps in 5 s", "m", creeps("apic", 0.525, 0.05), 1e-3),
      at_most("the same, half the cells", "m", creeps("apic", 0.525, 0.025), 1e-3),
      relative("friction 5 % below the slope, apic: acceleration", "m/s^2", slides("apic", 0.475), lacking(0.475),
               0.05),
      at_most("implicit steps, 5 % above: creeps in 5 s", "m", creeps("apic", 0.525, 0.05, "implicit"), 1e-3),
      relative("implicit steps, 5 % below: acceleration", "m/s^2", slides("apic", 0.475, "implicit"), lacking(0.475),
               0.05)};
}

}  // namespace

std::span<const Case> contact_cases() {
  static const Case cases[] = {
      {"f1-stop", "A sliding block stops after v^2 / (2 mu g)", "closed form; 2 % for a deformable block", rougher,
       true, sliding_stop},
      {"f2-incline", "A block slides down a slope of 30 degrees", "closed form g (sin - mu cos); 3 %", rougher, true,
       incline},
      {"f6-slope", "Friction as large as the slope holds a block, less does not", "Coulomb's law; 1 mm in 5 s",
       "friction 0.9 times as large", false, stick_or_slide},
  };
  return cases;
}

}  // namespace knead
