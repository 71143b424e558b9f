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
          field<&S::pressure>("pressure", "",
                              "unilateral: liquid resists being compressed and nothing else, so that it separates and "
                              "sprays freely (Gerszewski 2014); incompressible: the usual FLIP, which also pulls, for "
                              "comparison."),
          field<&S::solver>("solver", "",
                            "How pressures are found: multigrid (Newton multigrid) is fast; mprgp (with "
                            "incomplete Cholesky) is the published one, for reference."),
          field<&S::tolerance>("tolerance", "", "Share of the rest density by which a solve may let cells be too full.")
              .within(1e-12, 0.1, "smaller is lost in rounding, larger is no solution"),
          field<&S::iterations>("iterations", "", "Iterations after which a solve is taken as it is, with a warning.")
              .within(1, 100000, "at least one is needed"),
          field<&S::transfer>("transfer", "",
                              "How velocity moves between particles and grid: flip blends in the change on the grid; "
                              "apic carries an affine field, keeps angular momentum and is calmer."),
          field<&S::flip>("flip", "",
                          "flip: share of FLIP in the blend with PIC that is left after 1/60 s; less is calmer.")
              .within(0, 1, "it is a share"),
          field<&S::cfl>("cfl", "", "Cells that liquid may cross in a step; above 3 cells overfill.")
              .within(0.01, 5, "particles must not skip what they should meet"),
          field<&S::foresight>(
              "foresight", "",
              "unilateral: what the density at the end of a step is foreseen from: the mass that "
              "crosses faces, but no more than the flow converges (bounded), which leaves liquid in free flight "
              "exactly "
              "alone; that mass alone (faces, as published); or where the particles would be (particles), which costs "
              "a quarter more, crowds less and is less still at rest."),
          field<&S::density_correction>("density_correction", "",
                                        "Whether particles that crowd are moved apart before the pressure acts; "
                                        "without it liquid bursts now and then."),
          field<&S::suction>("suction", "Pa",
                             "unilateral: how strongly liquid more than two cells from its surface may pull; 1e5 is "
                             "where water starts to cavitate.")
              .at_least(0, "it is how far below zero the pressure may go"),
          field<&S::relaxation>("relaxation", "",
                                "Passes that even out particles before the start, where a body has them at random.")
              .within(0, 1000, "it is a number of passes"),
          field<&S::flow>(
              "flow", "m/s",
              "A flow that carries the particles, such as [\"-y\", \"x\", 0], instead of one that is solved "
              "for: neither forces nor pressure act, and solids only turn particles aside. Left out: the "
              "flow is solved for.")
              .of(flow_variables())
              .within(-1e6, 1e6, "no time step could follow a faster flow"),
      }};
  return t;
}

}  // namespace knead
