#include "scene/solver_spec.h"

namespace knead {

std::span<const char* const> enum_names(Method) {
  static constexpr const char* names[] = {"mpm", "mls", "embedded", "composed", "liquid"};
  return names;
}
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
          field<&S::basis>(
              "basis", "",
              "mls: fields whose gradients are exact. quadratic bends rightly with a dozen particles "
              "across and costs twice the work and twice the steps; linear is the published one, a quarter "
              "too soft there. For explicit steps."),
          field<&S::support>("support", "",
                             "Radius of a particle's neighbourhood, times the mean distance to its nearest (10 for "
                             "mls, 32 for embedded) or, for composed, times dx. Left out: 3 for mls, else 2.")
              .within(1, 10, "fewer neighbours do not span a space, more only cost"),
          field<&S::stabilizer>("stabilizer", "",
                                "mls and embedded: stiffness against motion from particle to particle that gradients "
                                "do not see, in shear moduli; in matter that flows it yields too.")
              .within(0, 1, "above 1 it would be stiffer than the matter itself"),
          field<&S::viscosity>("viscosity", "Pa s", "Resistance of neighbours to moving apart from each other.")
              .at_least(0, "below 0 motion would drive itself"),
          field<&S::sound_speed>("sound_speed", "m/s",
                                 "Speed of sound of the pressure that keeps flowing matter from piling up; 0 turns it "
                                 "off. Left out: 0.3 of the elastic wave for composed, all of it for melts.")
              .at_least(0, "it is a speed"),
          field<&S::fuse>("fuse", "",
                          "Whether bodies that meet grow together while they flow: those of composed, and melts."),
          field<&S::self_contact>("self_contact", "",
                                  "mls and embedded: whether a body touches itself, where parts meet that are no "
                                  "neighbours at rest."),
          field<&S::friction>("friction", "", "Friction between bodies, and of one that touches itself.")
              .at_least(0, "it takes speed away"),
          field<&S::contact_radius>("contact_radius", "m",
                                    "Radius of a particle against colliders and other bodies. Left out: half of dx.")
              .at_least(0, "it is a length"),
          field<&S::regularizer>("regularizer", "",
                                 "embedded: what keeps gradients of thin neighbourhoods sound, as a share of their "
                                 "mean moment.")
              .within(0, 0.1, "larger would hide the strain"),
          field<&S::embed_after>(
              "embed_after", "",
              "embedded: plastic strain gathered, in the mean, before the embedding is found anew; 0 does so in "
              "every step, as published.")
              .within(0, 1, "it is a strain"),
          field<&S::fade_steps>("fade_steps", "", "embedded: steps in which a neighbour comes or goes.")
              .within(1, 10000, "at least one"),
          field<&S::elastic_force>(
              "elastic_force", "",
              "composed: consistent is the slope of the elastic energy and keeps angular momentum; cosine is the "
              "published sum over a cosine kernel, with its sign and factor put right, divided by how much of a "
              "full neighbourhood the kernel sees."),
          field<&S::frozen_mass>("frozen_mass", "",
                                 "embedded: whether particles keep the mass of the start instead of density times "
                                 "volume, so that momentum is kept to rounding."),
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
                            "mpm is the material point method. Without a grid, mls keeps a rest shape (Mueller 2004), "
                            "embedded a plastic one (Ward 2012), composed none, for flowing matter (Gerszewski 2014, "
                            "chapter 4). liquid is for water that splashes (Gerszewski 2014, chapter 3)."),
          field<&S::dx>("dx", "m",
                        "Resolution: edge of a grid cell, or, without a grid, distance of the particles. A body needs "
                        "several of them across.")
              .above(0, "a cell needs a size")
              .need(),
          field<&S::kernel>(
              "kernel", "",
              "B-spline between particles and grid; cubic is smoother and slower. linear is for comparison: "
              "stress jumps where a particle enters a cell."),
          field<&S::transfer>("transfer", "",
                              "How velocity moves between particles and grid. pic damps strongly, flip blends in the "
                              "change on the grid, apic carries an affine field and keeps angular momentum, mls is "
                              "apic with the moving-least-squares force."),
          field<&S::flip>("flip", "", "Share of FLIP in the blend with PIC; used by transfer = \"flip\".")
              .within(0, 1, "it is a share"),
          field<&S::damping>("damping", "",
                             "RPIC damping: share of the non-rotating part of the affine field removed in each step.")
              .within(0, 1, "it is a share"),
          field<&S::cfl>("cfl", "", "Cells that a particle may cross in one step.")
              .within(1e-6, 1, "a particle must not leave its neighbourhood in one step"),
          field<&S::elastic_cfl>("elastic_cfl", "",
                                 "Cells that an elastic wave may cross in one step. Left out: 0.1 with the linear "
                                 "kernel, 0.4 with the quadratic and 0.5 with the cubic one.")
              .between(0, 2, "an explicit step is unstable beyond it"),
          field<&S::dt>("dt", "s", "Fixed time step. Left out: the largest stable step is chosen as the run goes.")
              .within(1e-12, 1, "steps outside it do not advance the clock or skip the motion"),
          field<&S::dt_max>("dt_max", "s", "Upper limit of the step that is chosen.")
              .within(1e-12, 1, "steps outside it do not advance the clock or skip the motion"),
          field<&S::precision>("precision", "", "Numbers of the particles and the grid."),
          field<&S::advect>("advect", "",
                            "Particles move with the velocity of the grid, or with their own (which can differ in pic "
                            "and flip)."),
          field<&S::volumes>("volumes", "",
                             "Rest volume of a particle: its exact share of the body, or estimated from the density "
                             "that the grid sees at the start."),
          field<&S::integrator>("integrator", "",
                                "How a step finds the velocities at its end. explicit steps (symplectic Euler) are "
                                "cheap and bound by the elastic wave; implicit ones (backward Euler) solve for the "
                                "stress at their end, bear any stiffness and damp; semi-implicit ones do so with "
                                "one linear solve."),
          field<&S::newton_tolerance>("newton_tolerance", "",
                                      "Implicit steps: the error of a solve may move matter by so many cells.")
              .within(1e-10, 0.1, "smaller is lost in rounding, larger is no solution"),
          field<&S::newton_iterations>("newton_iterations", "",
                                       "Implicit steps: iterations of Newton's method after which a step is given up "
                                       "and tried again at half its size.")
              .within(1, 1000, "at least one is needed, and more do not help"),
          field<&S::cg_iterations>("cg_iterations", "",
                                   "Implicit steps: iterations of the conjugate gradient in each iteration of "
                                   "Newton's method.")
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
