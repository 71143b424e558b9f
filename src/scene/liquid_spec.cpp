#include "scene/liquid_spec.h"

namespace knead {

std::span<const char* const> enum_names(Pressure) {
  static constexpr const char* names[] = {"unilateral", "incompressible"};
  return names;
}
std::span<const char* const> enum_names(PressureSolver) {
  static constexpr const char* names[] = {"multigrid", "mprgp"};
  return names;
}
std::span<const char* const> enum_names(LiquidTransfer) {
  static constexpr const char* names[] = {"flip", "apic"};
  return names;
}

std::span<const char* const> enum_names(Foresight) {
  static constexpr const char* names[] = {"bounded", "faces", "particles"};
  return names;
}

std::span<const char* const> enum_names(PressureMatrix) {
  static constexpr const char* names[] = {"open", "density", "plain"};
  return names;
}

const std::vector<std::string>& flow_variables() {
  static const std::vector<std::string> names{"x", "y", "z", "t"};
  return names;
}

const Table& LiquidSpec::table() {
  using S = LiquidSpec;
  static const Table t{
      "solver.liquid",
      "Parameters of solver.method = \"liquid\".",
      {
          field<&S::pressure>(
              "pressure", "",
              "unilateral: liquid resists compression only, so that it separates and sprays freely (Gerszewski 2014); "
              "incompressible: the usual FLIP, whose pressure also pulls, for comparison."),
          field<&S::solver>("solver", "",
                            "Pressure solver: multigrid (Newton multigrid) is fast; mprgp (with incomplete Cholesky) "
                            "is the published one, for reference."),
          field<&S::tolerance>("tolerance", "",
                               "Tolerance of a solve: share of the rest density by which cells may be too full.")
              .within(1e-12, 0.1, "smaller is lost in rounding, larger is not a solution"),
          field<&S::iterations>("iterations", "",
                                "Iterations after which a solve is accepted as it is, with a warning.")
              .within(1, 100000, "at least one is needed"),
          field<&S::transfer>("transfer", "",
                              "Velocity transfer between particles and grid: flip blends in the change on the grid; "
                              "apic carries an affine velocity field, conserves angular momentum and is calmer."),
          field<&S::flip>("flip", "",
                          "flip: share of FLIP in the blend with PIC that remains after 1/60 s; less is calmer.")
              .within(0, 1, "it is a share"),
          field<&S::cfl>("cfl", "", "Largest number of cells that liquid may cross in a step; above 3, cells overfill.")
              .within(0.01, 5, "particles must not jump over obstacles"),
          field<&S::foresight>(
              "foresight", "",
              "unilateral: how the density at the end of a step is predicted. bounded: from the mass that crosses "
              "faces, limited by the convergence of the flow, so that liquid in free flight feels no pressure; faces: "
              "from that mass alone, as published; particles: from where the particles would be, which costs a quarter "
              "more, crowds less and is less still at rest."),
          field<&S::matrix>(
              "matrix", "",
              "unilateral, for comparison: the weight of a face in the pressure matrix. open: its open share, as "
              "published; density: the density of its liquid, which is calmer and does not conserve "
              "momentum; plain: 1, with the open shares on the right-hand side, which is unstable beside "
              "solids."),
          field<&S::density_correction>("density_correction", "",
                                        "Whether crowded particles are moved apart before the pressure acts; without "
                                        "it liquid occasionally bursts."),
          field<&S::suction>("suction", "Pa",
                             "unilateral: largest tension in liquid more than two cells from its surface; water starts "
                             "to cavitate at 1e5.")
              .at_least(0, "it is a tension"),
          field<&S::relaxation>("relaxation", "", "Passes that even out randomly placed particles before the start.")
              .within(0, 1000, "it is a number of passes"),
          field<&S::flow>("flow", "m/s",
                          "A prescribed flow that carries the particles, such as [\"-y\", \"x\", 0]: forces and "
                          "pressure do not act, and solids only deflect particles. Default: the flow is solved for.")
              .of(flow_variables())
              .within(-1e6, 1e6, "no time step could follow a faster flow"),
      }};
  return t;
}

}  // namespace knead
