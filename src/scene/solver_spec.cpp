#include "scene/solver_spec.h"

namespace knead {

std::span<const char* const> enum_names(Kernel) {
  static constexpr const char* names[] = {"linear", "quadratic", "cubic"};
  return names;
}
std::span<const char* const> enum_names(Transfer) {
  static constexpr const char* names[] = {"pic", "flip", "apic", "mls"};
  return names;
}
std::span<const char* const> enum_names(Precision) {
  static constexpr const char* names[] = {"float", "double"};
  return names;
}
std::span<const char* const> enum_names(Advect) {
  static constexpr const char* names[] = {"grid", "particle"};
  return names;
}
std::span<const char* const> enum_names(Volumes) {
  static constexpr const char* names[] = {"exact", "estimated"};
  return names;
}

std::span<const char* const> enum_names(Integrator) {
  static constexpr const char* names[] = {"explicit", "implicit", "semi-implicit"};
  return names;
}

std::span<const char* const> enum_names(ElasticForce) {
  static constexpr const char* names[] = {"consistent", "cosine"};
  return names;
}
std::span<const char* const> enum_names(Basis) {
  static constexpr const char* names[] = {"linear", "quadratic"};
  return names;
}

// Limits of the linearised step, measured on random particles: quadratic splines bear 0.93, cubic ones 1.2. Linear ones
// have no limit as nodes at the rim lose their mass; 0.15 is the least that was seen.
double SolverSpec::elastic_cfl_number() const {
  constexpr double borne[] = {0.1, 0.4, 0.5};
  return elastic_cfl.value_or(borne[static_cast<int>(kernel)]);
}

const Table& MeshlessSpec::table() {
  using S = MeshlessSpec;
  static const Table t{
      "solver.meshless",
      "Parameters of the methods without a grid: mls, embedded and composed.",
      {
          field<&S::basis>("basis", "",
                           "mls: polynomials whose gradients are exact. quadratic bends correctly with a dozen "
                           "particles across and costs twice the work and twice the steps; linear is the published "
                           "basis, a quarter too soft there. For explicit steps."),
          field<&S::support>(
              "support", "",
              "Radius of a particle's neighbourhood, in units of the mean distance to its nearest particles (10 for "
              "mls, 32 for embedded) or, for composed, of dx. Default: 2 for embedded, else 3. composed bears no "
              "tension with 2, the published value, which costs half as much.")
              .within(1, 10, "fewer neighbours do not span the space, more only cost time"),
          field<&S::stabilizer>(
              "stabilizer", "",
              "mls and embedded: stiffness against motion that alternates from particle to particle, which gradients "
              "do not see, in units of the shear modulus. It yields where the matter yields.")
              .within(0, 1, "above 1 it would be stiffer than the matter itself"),
          field<&S::viscosity>("viscosity", "Pa s", "Viscosity: resistance to relative motion of neighbours.")
              .at_least(0, "a negative viscosity would drive motion"),
          field<&S::sound_speed>("sound_speed", "m/s",
                                 "Speed of sound of the pressure that keeps flowing matter from piling up; 0 turns it "
                                 "off. Default: for composed, 0.3 of the elastic wave speed of each body's material; "
                                 "for mls melts, its square is 20 times gravity times the height of the body at the "
                                 "start, and it is at least the elastic wave speed of the melt (melt_young).")
              .at_least(0, "it is a speed"),
          field<&S::fuse>("fuse", "",
                          "Whether bodies that meet merge while they flow: bodies of composed, and melts of mls."),
          field<&S::self_contact>(
              "self_contact", "",
              "mls and embedded: whether parts of a body that are not neighbours at rest touch each other."),
          field<&S::friction>("friction", "", "Friction coefficient between bodies, and of a body that touches itself.")
              .at_least(0, "it takes speed away"),
          field<&S::contact_radius>(
              "contact_radius", "m",
              "Distance at which particles touch colliders and other bodies. Default: half of dx.")
              .at_least(0, "it is a length"),
          field<&S::regularizer>(
              "regularizer", "",
              "embedded: regularization of gradients in thin neighbourhoods, as a share of their mean moment.")
              .within(0, 0.1, "larger would hide the strain"),
          field<&S::embed_after>("embed_after", "",
                                 "embedded: mean plastic strain after which the embedding is recomputed; 0 recomputes "
                                 "it in every step, as published.")
              .within(0, 1, "it is a strain"),
          field<&S::fade_steps>("fade_steps", "", "embedded: number of steps over which a neighbour fades in or out.")
              .within(1, 10000, "at least one"),
          field<&S::elastic_force>(
              "elastic_force", "",
              "composed: consistent is the derivative of the elastic energy and conserves angular momentum; cosine is "
              "the published sum over a cosine kernel with its sign and factor corrected, divided by the share of a "
              "full neighbourhood that the kernel sees."),
          field<&S::frozen_mass>("frozen_mass", "",
                                 "embedded: whether particles keep their initial mass instead of density times volume, "
                                 "so that momentum is conserved to rounding."),
      }};
  return t;
}

const Table& SolverSpec::table() {
  using S = SolverSpec;
  static const Table t{
      "solver",
      "How the motion is computed: method, resolution, transfer and time step.",
      {
          field<&S::method>("method", "",
                            "mpm is the material point method. The methods without a grid: mls keeps a rest shape "
                            "(Mueller 2004); embedded keeps a rest shape that follows plastic flow (Ward 2012); "
                            "composed keeps none, for matter that flows far (Gerszewski 2014, chapter 4). liquid is "
                            "for water that splashes (Gerszewski 2014, chapter 3)."),
          field<&S::dx>("dx", "m",
                        "Grid spacing or, in methods without a grid, particle spacing. A body must be several of these "
                        "thick.")
              .above(0, "a cell needs a size")
              .need(),
          field<&S::kernel>(
              "kernel", "",
              "B-spline between particles and grid; cubic is smoother and slower. linear is for comparison: "
              "stress jumps where a particle enters a cell."),
          field<&S::transfer>("transfer", "",
                              "Velocity transfer between particles and grid. pic damps strongly; flip blends in the "
                              "change on the grid; apic carries an affine velocity field and conserves angular "
                              "momentum; mls is apic with the moving-least-squares force."),
          field<&S::flip>("flip", "", "Share of FLIP in the blend with PIC; used by transfer = \"flip\".")
              .within(0, 1, "it is a share"),
          field<&S::damping>("damping", "",
                             "RPIC damping: share of the non-rotating part of the affine field removed in each step.")
              .within(0, 1, "it is a share"),
          field<&S::cfl>("cfl", "", "Largest number of cells that a particle may cross in one step.")
              .within(1e-6, 1, "a particle must not leave its neighbourhood in one step"),
          field<&S::elastic_cfl>("elastic_cfl", "",
                                 "Largest number of cells that an elastic wave may cross in one step. Default: 0.1 "
                                 "with the linear kernel, 0.4 with the quadratic and 0.5 with the cubic one.")
              .between(0, 2, "an explicit step is unstable beyond it"),
          field<&S::dt>("dt", "s", "Fixed time step. Default: the largest stable step, chosen during the run.")
              .within(1e-12, 1, "other steps do not advance the clock, or skip the motion"),
          field<&S::dt_max>("dt_max", "s",
                            "Upper limit of the automatic time step; 1/60 s in liquids where it is not given.")
              .within(1e-12, 1, "other steps do not advance the clock, or skip the motion"),
          field<&S::precision>(
              "precision", "",
              "Floating-point precision of particles and grid. double is for matter far from the "
              "origin (more than 16384 cells), for motion slower than a ten-millionth of the "
              "coordinates per step, and for convergence studies. Methods without a grid keep what "
              "rounding takes from a place, and bear both in float, but see docs/meshless.md; bodies of "
              "cells that bear do so too, for slow motion and small strains (docs/tetrahedra.md)."),
          field<&S::advect>(
              "advect", "",
              "Whether particles move with the grid velocity or with their own (they can differ in pic and flip)."),
          field<&S::volumes>("volumes", "",
                             "Rest volume of a particle: its exact share of the body, or estimated from the initial "
                             "density on the grid."),
          field<&S::integrator>(
              "integrator", "",
              "Time integration. explicit steps (symplectic Euler) are cheap and limited by the elastic wave; implicit "
              "steps (backward Euler) solve for the stress at the end of the step, handle any stiffness and damp; "
              "semi-implicit steps do so with one linear solve."),
          field<&S::newton_tolerance>(
              "newton_tolerance", "",
              "Implicit steps: error of a solve, as the number of cells by which it may move matter.")
              .within(1e-10, 0.1, "smaller is lost in rounding, larger is not a solution"),
          field<&S::newton_iterations>(
              "newton_iterations", "",
              "Implicit steps: Newton iterations after which a step is abandoned and retried at half its size.")
              .within(1, 1000, "at least one is needed, and more than 1000 do not help"),
          field<&S::cg_iterations>(
              "cg_iterations", "",
              "Implicit steps: largest number of conjugate gradient iterations per Newton iteration.")
              .within(1, 100000, "at least one is needed"),
          field<&S::semi_implicit_beta>("semi_implicit_beta", "",
                                        "Semi-implicit steps: share of the new velocity in the elastic force; 1/2 "
                                        "damps least, 1 most.")
              .within(0.5, 1, "below 1/2 large steps are unstable"),
          field<&S::meshless>("meshless", "", "Parameters of the methods without a grid."),
          field<&S::liquid>("liquid", "", "Parameters of solver.method = \"liquid\"."),
      }};
  return t;
}

}  // namespace knead
