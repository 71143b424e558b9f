// What the user asks of the solver: method, resolution, transfer and time step.
#pragma once

#include "scene/liquid_spec.h"
#include "scene/method.h"

namespace knead {

enum class Kernel { linear, quadratic, cubic };
enum class Transfer { pic, flip, apic, mls };
// Whether particles carry an affine field of velocities.
constexpr bool is_affine(Transfer t) { return t == Transfer::apic || t == Transfer::mls; }
enum class Precision { f32, f64 };
enum class Advect { grid, particle };
enum class Volumes { exact, estimated };
enum class Integrator { symplectic, implicit, semi_implicit };
enum class ElasticForce { consistent, cosine };
enum class Basis { linear, quadratic };

std::span<const char* const> enum_names(Kernel);
std::span<const char* const> enum_names(Transfer);
std::span<const char* const> enum_names(Precision);
std::span<const char* const> enum_names(Advect);
std::span<const char* const> enum_names(Volumes);
std::span<const char* const> enum_names(Integrator);
std::span<const char* const> enum_names(ElasticForce);
std::span<const char* const> enum_names(Basis);

// Parameters of the methods without a grid: mls, embedded and composed.
struct MeshlessSpec {
  Basis basis = Basis::linear;           // mls: of the fields whose gradients are exact
  std::optional<double> support;         // radius of a neighbourhood, in mean distances; see Meshless::support()
  double stabilizer = 0.03;              // stiffness against motion that gradients do not see, in shear moduli
  double viscosity = 0;                  // Pa s
  std::optional<double> sound_speed;     // m/s, of the pressure that keeps flowing matter apart
  bool fuse = false;                     // whether bodies that meet grow together
  bool self_contact = false;             // whether bodies with a rest shape touch themselves
  double friction = 0.5;                 // where bodies touch
  std::optional<double> contact_radius;  // m, of a particle against colliders and other bodies
  double regularizer = 1e-3;             // eta, share of the mean moment
  double embed_after = 0.02;             // plastic strain gathered before the embedding is found anew
  int fade_steps = 20;                   // over which a neighbour comes or goes
  ElasticForce elastic_force = ElasticForce::consistent;  // composed
  bool frozen_mass = false;                               // whether particles keep the mass of the start
  static const Table& table();
};

struct SolverSpec {
  Method method = Method::mpm;
  double dx = 0.1;  // m
  Kernel kernel = Kernel::quadratic;
  Transfer transfer = Transfer::apic;
  double flip = 0.95;                 // share of FLIP in the blend with PIC, for transfer = flip
  double damping = 0;                 // RPIC nu_r, per step
  double cfl = 0.5;                   // cells a particle may cross in a step
  std::optional<double> elastic_cfl;  // cells an elastic wave may cross in a step; see elastic_cfl_number()
  std::optional<double> dt;           // s, fixed step
  std::optional<double> dt_max;       // s
  Precision precision = Precision::f32;
  Advect advect = Advect::grid;
  Volumes volumes = Volumes::exact;
  Integrator integrator = Integrator::symplectic;
  double newton_tolerance = 1e-4;  // cells that the error of a solve may move matter in a step
  int newton_iterations = 50;
  int cg_iterations = 300;        // of the conjugate gradient, for each of Newton's
  double semi_implicit_beta = 1;  // share of the new velocity in the elastic force
  MeshlessSpec meshless;
  LiquidSpec liquid;

  int degree() const { return 1 + static_cast<int>(kernel); }  // of the spline
  // What was given or, failing that, what the kernel bears.
  double elastic_cfl_number() const;
  const MethodTraits& traits() const { return traits_of(method); }
  bool is_explicit() const { return integrator == Integrator::symplectic; }
  static const Table& table();
};

}  // namespace knead
