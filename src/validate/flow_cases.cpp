// Group H: particles that a given flow carries.
#include "validate/cases.h"
#include "world/build.h"

#include <cmath>

namespace knead {

namespace {

// The shape that particles show: where cells, filled with the kernel of the solver, are half full or more.
class ShownShape {
 public:
  ShownShape(const std::vector<Vec3d>& places, double h, int cells, double share)
      : h_(h), side_(cells + 2), fill_(static_cast<std::size_t>(side_ * side_), 0.0) {
    for (const Vec3d& x : places)
      for_each_cell(x, [&](std::size_t cell, double weight) { fill_[cell] += weight * share; });
  }
  bool contains(const Vec3d& x) const {
    double fill = 0;
    for_each_cell(x, [&](std::size_t cell, double weight) { fill += weight * fill_[cell]; });
    return fill >= 0.5;
  }

 private:
  // f(cell, weight) for the four cells around a place; a rim of one cell surrounds the square.
  template <class F>
  void for_each_cell(const Vec3d& x, F&& f) const {
    const double u = x[0] / h_ + 0.5, v = x[1] / h_ + 0.5;
    const int i = std::clamp(static_cast<int>(u), 0, side_ - 2), j = std::clamp(static_cast<int>(v), 0, side_ - 2);
    for (const int a : {0, 1})
      for (const int b : {0, 1}) {
        const int cell = (i + a) * side_ + j + b;
        f(static_cast<std::size_t>(cell), std::abs(1 - a - (u - i)) * std::abs(1 - b - (v - j)));
      }
  }
  double h_;
  int side_;
  std::vector<double> fill_;
};

// What came back of the body, against what was asked for at the start: areas by 25 points of each cell.
void add_shape(std::vector<Measured>& all, const std::string& name, const SceneRun& run, int cells) {
  const double h = run.scene.solver.dx;
  const Body& body = run.scene.bodies.front();
  const ShownShape shown(places_by_id(run.world), h, cells, 1 / run.scene.particles_per_cell(body));
  double area = 0, wanted = 0, differs = 0;
  for (int i = 0; i < 5 * cells; ++i)
    for (int j = 0; j < 5 * cells; ++j) {
      const Vec3d x{(i + 0.5) * h / 5, (j + 0.5) * h / 5, 0};
      const bool there = shown.contains(x), asked = body.shape.distance(x) < 0;
      area += there, wanted += asked, differs += there != asked;
    }
  all.push_back(relative(name + ", area", "m^2", area * h * h / 25, wanted * h * h / 25, 0.01));
  all.push_back(at_most(name + ", area that differs over the whole", "", differs / wanted, 0.02));
}

// The largest distance of a particle from where it started.
double largest_error(const SceneRun& run) {
  const std::vector<Vec3d> first = places_by_id(build_world(run.scene)), last = places_by_id(run.world);
  double most = 0;
  for (std::size_t i = 0; i < last.size(); ++i) most = std::max(most, length(last[i] - first[i]));
  return most;
}

// H8: both flows lead every particle back to where it started. Steps are those of the solver, and two fixed ones for
// the order.
std::vector<Measured> there_and_back(const CaseInput& in, const char* scene, int cells, const char* wrong_flow,
                                     double long_step) {
  std::vector<std::string> sets;
  if (in.wrong) sets.push_back(wrong_flow);
  std::vector<Measured> all;
  add_shape(all, "usual steps", in.scenes.run(scene, sets), cells);
  sets.emplace_back();
  double errors[2];
  for (const int halved : {0, 1}) {
    sets.back() = set_number("solver.dt", long_step / (1 + halved));
    errors[halved] = largest_error(in.scenes.run(scene, sets));
  }
  all.push_back(at_least("order of the paths in the step", "", std::log2(errors[0] / errors[1]), 2, 1.9));
  return all;
}

std::vector<Measured> disc(const CaseInput& in) {
  return there_and_back(in, "h8_disc", 100, "solver.liquid.flow=[\"pi/3.15 * (50 - y)\", \"pi/3.15 * (x - 50)\"]",
                        0.04);
}
std::vector<Measured> vortex(const CaseInput& in) {
  return there_and_back(in, "h8_vortex", 128,
                        "solver.liquid.flow=[\"-sin(pi*x)^2 * sin(2*pi*y) * cos(pi*t/8.2)\", \"sin(pi*y)^2 * "
                        "sin(2*pi*x) * cos(pi*t/8.2)\"]",
                        1.0 / 64);
}

}  // namespace

std::span<const Case> flow_cases() {
  static const Case cases[] = {
      {"h8-disc", "A slotted disc is carried once around", "definition: back at the start (Zalesak 1979)",
       "a revolution of 6.30 s instead of 6.28", true, disc},
      {"h8-vortex", "A disc in a vortex that turns back", "definition: back at the start (LeVeque 1996)",
       "a vortex that turns back at 4.1 s instead of 4", false, vortex},
  };
  return cases;
}

}  // namespace knead
