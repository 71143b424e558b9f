// Solids and flowing matter without a grid: particles that know their neighbours. Three methods share neighbourhoods,
// kernels, laws, contact and time integration, and differ in what they remember of the shape at rest:
//
//   mls        the rest positions themselves (Mueller 2004); molten parts only what strain they still hold
//   embedded   rest positions that follow plastic flow, with an offset for what no positions can say (Ward 2012)
//   composed   nothing but the elastic deformation gradient, composed step by step (Gerszewski 2014)
#pragma once

#include "base/conjugate_gradient.h"
#include "material/differential.h"
#include "meshless/bond_laplacian.h"
#include "meshless/columns.h"
#include "meshless/flow_kernel.h"
#include "meshless/hold.h"
#include "meshless/moments.h"
#include "meshless/rest_sums.h"
#include "meshless/stabilizer.h"
#include "meshless/strain_state.h"
#include "meshless/stress.h"
#include "meshless/world_space.h"
#include "scene/scene.h"
#include "world/controls.h"
#include "world/solver.h"

#include <functional>

namespace knead {

// What moving some particles saw.
struct MotionReport {
  double max_speed = 0;     // m/s
  double contact_work = 0;  // J
  void add(const MotionReport& r) { max_speed = std::max(max_speed, r.max_speed), contact_work += r.contact_work; }
};

template <class T, int D>
class Meshless final : public Solver {
 public:
  using Columns = MeshlessColumns<T, D>;
  explicit Meshless(const Scene&);
  ~Meshless() override;  // in one file, since every file of the folder would compile one of its own

  void prepare(World&) override;
  TimeStep max_dt(const World&) const override;
  bool even_steps() const override { return spec_.is_explicit(); }
  StepResult step(World& world, double dt) override { return (this->*step_)(world, dt); }
  Ledger ledger_of(const World&, const Counts&) const override;
  double volume_ratio(const World&, std::size_t particle) const override;
  bool for_each_bond(const World&, int body, const std::function<void(std::size_t, std::size_t)>&) const override;
  double next_event(const World& world) const override { return controls_.next_event(world); }
  void do_events(World&) override;
  std::size_t scratch_bytes() const override;
  // mls: K delta, in N, with the K of implicit steps where matter is now. For tests.
  void tangent_force(World&, std::span<const Vec<T, D>> delta, std::span<Vec<T, D>> out);

  // Shares of the time in which an elastic wave crosses the smallest neighbourhood, half of what is stable or less, and
  // of the neighbourhood that a particle may cross in a step. At surfaces quadratic gradients are twice as steep.
  double wave_share() const { return quadratic() ? 0.1 : 0.2; }
  static constexpr double most_motion = 0.2;
  // Share of the step that the fastest swing of the bonds bears, and after how many steps it is measured anew where
  // flow changes them.
  static constexpr double most_of_stable = 0.9;
  static constexpr int swing_interval = 16;
  // How far from touching, in spacings, a sticky collider holds: what lies on it at the start does so up to rounding.
  static constexpr double sticky_reach = 0.02;
  // Implicit steps are bound by no wave; where no dt_max is given they are this share of a frame.
  static constexpr double implicit_share_of_frame = 0.1;
  // How much farther than needed lists reach, in spacings.
  static constexpr double list_skin = 0.2, contact_skin = 0.5;
  // How far heat is passed on, in spacings: on a lattice to the nearest only, which is right at surfaces too.
  static constexpr double heat_reach = 1.4142;
  // After so many steps in which F could not be told its strain fades, at this rate (1/s).
  static constexpr int most_skips = 50;
  static constexpr double forgetting = 10;
  // Share of the time in which a particle follows its neighbours that a step may take; 1 is stable.
  static constexpr double heat_share = 0.4;
  // Square of a melt's speed of sound over gravity times the height of its body: at its foot it is compressed by 5 %.
  static constexpr double heights_in_sound = 20;

 private:
  // The steps on one page; step.cpp.
  StepResult mls_step(World&, double dt);
  StepResult embedded_step(World&, double dt);
  StepResult composed_step(World&, double dt);
  using Step = StepResult (Meshless::*)(World&, double);

  // The least density of a batch's particles, kg/m^3; that of its law may be another.
  FlowKernel<T, D> kernel_of(World& world, const Batch& batch) const {
    return flow_kernel_of<T, D>(controls_.materials[static_cast<std::size_t>(batch.material)], world.particles);
  }
  double lightest(const World& world, const Batch& batch) const {
    return lightest_[static_cast<std::size_t>(&batch - world.batches.data())];
  }

  // Neighbourhoods; neighbourhoods.cpp.
  // With less than 3 spacings, particles of composed matter that pair up along a pull do so (docs/meshless.md, Limits).
  double support() const { return spec_.meshless.support.value_or(spec_.method == Method::embedded ? 2 : 3); }
  void size_neighbourhoods(Columns&, std::span<const std::int32_t> group,
                           const std::function<bool(std::size_t)>& wanted);
  void share_volumes(Columns&) const;
  void measure_materials(const World&);
  void bond_rest_shape(const Columns&);
  void bond_quadratically(const Columns&);
  void find_world_neighbours(World&);
  void find_contacts(World&);
  void find_heat_neighbours(World&);
  template <class Wanted>
  bool find_near(World&, WorldSpace<T, D>&, const char* where, double reach, double skin, Wanted&&);

  // Events; events.cpp.
  void keep_stress(Columns&, const World&, const Event&);
  void keep_stabilizer(Columns&, const World&, const Event&);
  // composed, and melts: kg/m^3 above the density at which the pressure begins, and its speed of sound squared.
  struct Pressed {
    std::vector<T> over, square_sound;
  };
  Pressed pressed_now(const Columns&, const Event&) const;
  void keep_pressure(Columns&, const Pressed& before, const std::vector<std::size_t>& order);
  void find_held(const Columns&);
  double square_stabilizer_strain(const Columns&, std::size_t i) const;
  HeldStrain<double> held_strain(const Columns& p, std::size_t i, double mu) const {
    if (!any_held_) return {0, 0};
    return {double(p.held_slope[i]) / mu, double(p.held_strain[i])};
  }
  double world_density(const Columns&, std::size_t i) const;
  // kg/m^3, that the kernel of the pressure sees in a lattice of the particle's matter at rest.
  T lattice_density(const Columns& p, std::size_t i) const {
    return T(lattice_sum_ * densities_[static_cast<std::size_t>(p.body[i])]);
  }
  // J/kg, of the pressure at a density and with one at which it begins: the slope by the density is p / density^2.
  double pressure_energy(std::size_t i, double density, double rest) const {
    const double ratio = rest / std::max(density, rest);
    return double(square_sound_[i]) * (ratio - 1 - elementary::log(ratio));
  }
  void renumber_neighbours(World&, const std::vector<std::size_t>& order);

  // Melting and setting; melt.cpp.
  void melt_moments(World&, Columns&);
  void add_melt_forces(const Columns&);
  MeshlessReport absorb(World&, Columns&, double dt);
  double release_pressure(Columns&, std::size_t i, T holds);
  bool melts_by_now(const World&) const;
  void let_melt(World&);
  void settle_phases(World&);
  void fuse_groups(World&, Columns&);
  void rest_anew(World&, Columns&);
  static T smallest(std::span<const T> h);
  double melt_wave_speed() const;
  void measure_heights(Particles&) const;
  double melt_wave_speed(const Material&, double lightest) const;

  // Heat; heat.cpp.
  void measure_heat(const World&);
  void pass_heat(World&, Columns&, double dt);
  double heat_from_colliders(const Columns&, double dt);
  void spend_latent_heat(const World&, Columns&);
  void fill_latent_heat(const World&, Columns&);

  // The implicit solve; implicit.cpp.
  void open_tangent(World&, const Columns&);
  void elastic_differential(const World&, const Columns&, std::span<const Vec<T, D>> delta, std::span<Vec<T, D>> out);
  std::optional<Problem> solve_implicit(World&, Columns&, double dt);
  Mat<T, D> own_stiffness(const Columns&, std::size_t i) const;
  bool hold_contacts(const Columns&, double dt, bool first);
  Rubbing<T, D> rubbing(const Columns&, std::size_t i, double dt) const;
  bool revise(const Columns&, std::size_t i, double dt);
  bool friction_is_lawful(const Columns&, double dt);
  // Share of the friction of a contact that may be amiss.
  static constexpr double near_friction = 0.01;
  // m/s, of contacts that stick up to rounding.
  T slow_slip(double dt) const { return T(1e-5 * contact_radius_ / dt); }

  // The fastest swing of bonds; swing.cpp.
  void measure_swing(World&);

  // The embedding; embedding.cpp, embedding_neighbours.cpp.
  void bond_embedding(const Columns&);
  void calibrate_volumes(const Columns&, bool fresh);
  bool embed_if_due(World&, Columns&);
  void solve_embedding(Columns&);
  void choose_neighbours(Columns&, bool first);
  double turn_rest_vectors(Columns&);
  void refit_offsets(Columns&);
  void weigh_embedding(const Columns&, bool all);
  template <class Changed>
  void keep_strain(World&, Columns&, Changed&& changed);
  void keep_volume(Columns&, std::size_t i) const;
  bool fade(Columns&);
  void forget_faded(Columns&);
  T volume_of(const Columns&, std::size_t i, const Mat<T, D>& moment) const;
  T regularizer(const Columns& p, std::size_t i) const { return lambda_[static_cast<std::size_t>(p.body[i])]; }
  bool is_due(const Columns& p, std::size_t i) const { return due_[static_cast<std::size_t>(p.body[i])] != 0; }
  bool gather_flow(const Columns&, std::span<double> flowed);
  // Whether flow has worn a neighbourhood, of which this is the moment, too thin to tell a strain across it.
  bool worn_out(const Columns& p, const Mat<T, D>& moment, std::size_t i) const {
    constexpr double worn = 0.05;
    return rest_.weight(i) == T(0) ||
           !(roundness(Mat<T, D>::identity() * regularizer(p, i) + moment) > T(worn) * first_roundness_[i]);
  }
  // How much F is held to what it was: as the regularizer says along directions in which neighbours are flat, not at
  // all along others. What is held lags behind by a share of a step, and a stress that lags feeds vibrations.
  Mat<T, D> held_to_before(const Columns& p, const Mat<T, D>& moment, std::size_t i) const {
    return roundness(moment) > T(0.1) ? Mat<T, D>::zero() : held_where_flat(p, moment, i);
  }
  Mat<T, D> held_where_flat(const Columns&, const Mat<T, D>& moment, std::size_t i) const;

  // Stages; deform.cpp, stress.cpp, forces.cpp, motion.cpp.
  void keep_flow(World&);
  void undo_flow(World&);
  void fit_gradients(std::span<const Vec<T, D>> x, std::span<const Vec<T, D>> low, std::span<Mat<T, D>> F);
  void deform_from_rest(Columns&);
  MeshlessReport stress_from_rest(World&, Columns&, double dt);
  MeshlessReport stress_from_embedding(World&, Columns&, double dt);
  void elastic_forces();
  void rest_forces(std::span<const Mat<T, D>> G, std::span<Vec<T, D>> force);
  template <class More>
  void show_stress(More&& more);
  void add_quadratic_forces();
  void embedded_forces(const Columns&);
  void world_moments(const Columns&);
  template <ElasticForce>
  void sum_moments(const Columns&);
  void add_world_forces(const Columns&);
  template <ElasticForce>
  void sum_forces(const Columns&);
  void contact_forces(const Columns&, double dt);
  void add_drag(const Columns&);
  MeshlessReport compose(World&, Columns&, double dt);
  void forget_strain(const World&, const Batch&, Columns&, std::size_t i, double dt, MeshlessReport&);
  static double kicked_dt(const World&, double dt);
  std::optional<Problem> kick(const World&, Columns&, double dt);
  std::optional<Problem> half_kick(const Columns&, double dt);
  MotionReport second_half_kick(World&, Columns&, double dt);
  std::optional<Problem> judge_motion(const Columns&, double dt);
  std::string neighbourhood_text(const Columns&, std::size_t i) const;
  Vec<T, D> outer_acceleration(const Columns&, std::size_t i, double time, double dt) const;
  void find_led(const Columns&);
  void find_first_of_bodies(const Columns&);
  int led_by(std::size_t i) const;
  Vec<T, D> led_velocity(const Columns&, std::size_t i, Vec<T, D> v, double dt) const;
  void lead(Columns&, std::size_t i, std::size_t part, double dt, MotionReport&);
  void measure_drag(const Columns&);
  void meet_boundaries(Columns&, std::size_t i, std::size_t part, double dt, MotionReport&);
  template <class F>
  MotionReport in_parts(std::size_t n, F&& f);
  void book_contact(const Columns&, std::size_t i, std::size_t part, std::size_t boundary, const Vec<T, D>& x,
                    const Vec<T, D>& change, const Vec<T, D>& v, MotionReport&);
  void book_hold(const Columns&, std::size_t i, std::size_t part, MotionReport&);
  MotionReport move(World&, Columns&, double dt);
  void move_along(const Columns&, std::size_t i, int axis, T way);
  void take_places(const Columns&);
  // As seen from the first particle of the body, or of all where bodies may fuse, with what rounding has taken.
  Vec<T, D> local_place(const Columns& p, std::size_t i) const {
    const std::size_t o = spec_.meshless.fuse ? 0 : first_of_body_[static_cast<std::size_t>(p.body[i])];
    const Vec<T, D> away = p.x[i] - p.x[o];
    return p.x_low.empty() ? away : away + (p.x_low[i] - p.x_low[o]);
  }
  // In all its digits.
  Vec<double, D> place_of(const Columns& p, std::size_t i) const {
    const Vec<double, D> x = resized<double, D>(p.x[i]);
    return p.x_low.empty() ? x : x + resized<double, D>(p.x_low[i]);
  }
  double body_work(const Columns&, std::span<const Vec<T, D>> before, std::span<const Vec<T, D>> after) const;
  void start_losses(std::size_t n);
  double lost_power(std::span<const Vec<T, D>> before, std::span<const Vec<T, D>> after) const;
  StepResult finish(World&, const MeshlessReport&, const MotionReport&, double dt);

  // Whether particles that are near each other are one matter.
  bool fused(const Columns& p, std::size_t i, std::size_t j) const {
    return spec_.meshless.fuse || p.body[i] == p.body[j];
  }
  // Whether they are bonded already or will be by being near: no others touch.
  bool together(const Columns& p, std::size_t i, std::size_t j) const {
    if (spec_.method == Method::composed) return fused(p, i, j);
    if (fused(p, i, j) && (p.is_molten(i) || p.is_molten(j))) return true;
    return p.group[i] == p.group[j] && !(spec_.meshless.self_contact && far_at_rest(p, i, j));
  }
  // Whether two of a body are no neighbours of its shape at rest: of mls all within h are, of embedded those in the
  // lists.
  bool far_at_rest(const Columns& p, std::size_t i, std::size_t j) const {
    const bool mls = spec_.method == Method::mls;
    const Vec<T, D> q = mls ? p.X[j] - p.X[i] : p.embedded[j] - p.embedded[i];
    const T near = mls ? std::max(p.h[i], p.h[j]) : T(4 * contact_radius_);
    return dot(q, q) > near * near && (mls || (!lists(p, i, j) && !lists(p, j, i)));
  }
  static bool lists(const Columns& p, std::size_t i, std::size_t j) {
    const auto& all = p.neighbours[i].e;
    return std::find(std::begin(all), std::end(all), static_cast<std::int32_t>(j)) != std::end(all);
  }

  bool quadratic() const { return spec_.method == Method::mls && spec_.meshless.basis == Basis::quadratic; }

  SolverSpec spec_;
  Controls controls_;
  Step step_;
  bool changes_matter_;    // whether events change materials
  bool any_held_ = false;  // whether stabilizers hold by what events left of them
  bool touches_;           // whether there is contact between particles
  bool may_melt_ = false;  // whether something may at some time, so that there are columns for it
  bool melts_at_start_ = false;
  bool can_melt_ = false;  // whether something may by now: an event that is yet to come changes nothing before
  bool any_molten_ = false;
  bool has_heat_;  // whether there are temperatures
  bool warm_colliders_ = false;
  bool any_grips_ = false;  // that are on
  double heat_factor_ = 0;  // 1/m^(D+2), of the kernel
  double heat_rate_ = 0;    // 1/s, at which a particle follows its neighbours
  double contact_radius_;   // m
  double touch_radius(const Boundary& b) const {
    const bool sticky = !b.grip && b.collider.contact == Contact::sticky;
    return contact_radius_ + (sticky ? sticky_reach * spec_.dx : 0);
  }
  double farthest_touch() const { return contact_radius_ + sticky_reach * spec_.dx; }
  T h_min_ = 0;                       // m, of the neighbourhoods
  T world_h_ = 0;                     // m, of those in the world: of composed matter and of melts
  double sound_ = 0;                  // m/s, of the pressure, the greatest
  double wave_speed_ = 0;             // m/s, of the matter at rest, the fastest
  double least_density_ = 0;          // kg/m^3, of the particles
  double viscosity_ = 0;              // Pa s, the greatest
  double lattice_sum_ = 1;            // of the kernel of pressure over a lattice, times the volume of each
  T lattice_moment_ = 1;              // m^2, sum w x^2 of a lattice
  std::vector<double> densities_;     // kg/m^3, that the bodies are made with; mass stays whatever they become
  std::vector<double> lightest_;      // kg/m^3, of the batches: the least density in each
  std::vector<std::string> flowing_;  // mls: columns that plastic flow changes

  // Scratch.
  Cells<T, D> cells_;
  Lists lists_;
  RestSpace<T, D> rest_;
  RestSums<T, D> rest_sums_;   // mls: over the same bonds
  RestSpace<T, D> quadratic_;  // mls: bonds with the c of quadratic_fit.h for g, whose sum x_ij c_ij^T is F
  BondLaplacian<T, D> laplacian_;
  bool drag_known_ = false;                   // embedded: whether laplacian_ is the viscosity at the places of now
  std::vector<MomentInverse<T, D>> spanned_;  // mls: what the neighbours at rest see
  std::vector<Mat<T, D>> inverse_;            // mls: 1/m^2, of the moments at rest
  std::vector<T> trace_;                      // mls: m^2, of the same
  Guarded unspanned_;                         // mls: particles whose neighbours lie on a line or in a plane
  bool all_span_ = true;                      // mls: whether there are none, nor any without neighbours
  std::vector<Mat<T, D>> linear_F_;           // mls, quadratic basis: what the stabilizer holds neighbours to
  std::vector<Mat<T, D>> linear_G_;           // likewise its part of G
  WorldSpace<T, D> world_, contact_, heat_;
  NeighbourSlices<T> slices_;
  std::vector<double> conductivity_, capacity_;  // W/(m K), J/(kg K), of each particle
  std::vector<double> warmed_;                   // K
  std::vector<Vec<T, D>> force_, velocity_;      // N; m/s, of the step's end
  std::vector<Vec<T, D>> before_;                // m/s, of the step's start, where work is booked
  std::vector<Vec<T, D>> losing_;                // N, of that what takes energy; empty where nothing does
  std::vector<Vec<T, D>> y_, y_low_;             // m, of the step's end
  std::vector<Vec<T, D>> moved_;                 // composed: m, in the step
  std::vector<Mat<T, D>> G_;                     // N/m^2... see rest_space.h
  std::vector<Vec<T, D>> pull_;                  // m, sum of w x_ij; mls: of what is off a map, see rest_sums.h
  std::vector<T> squares_;                       // mls: m^2, sum of w |x_ij - F_i q_ij|^2
  std::vector<Rows<T>> shown_;                   // over the bonds of the rest shape
  std::vector<ShownPlace<T>> shown_places_;      // likewise
  std::vector<T> stiffness_;                     // N/m, of the stabilizer, for a unit weight
  std::vector<Sym<T, D>> moment_;                // sum w x x^T, of present distances
  std::vector<T> rest_density_;                  // kg/m^3, that the kernel sees in matter at rest
  std::vector<T> contact_stiffness_;             // N/m, of each particle against others; the softer one's counts
  std::vector<T> square_sound_;                  // m^2/s^2, of the pressure in each particle's matter
  std::vector<Vec<T, 4>> place_;                 // x, and with it mass (composed) or volume
  std::vector<Vec<T, 4>> flow_;                  // composed: v and volume
  std::vector<AlignedCarrier<T, D>> carrier_;
  std::vector<T> density_;  // kg/m^3, of melts
  std::vector<MeltCarrier<T, D>> melt_carrier_;
  std::vector<T> sound_share_;          // how far the neighbourhoods of melts are rich enough to bear stress
  std::vector<T> rest_share_;           // likewise of solids, where something can melt
  std::vector<T> share_before_;         // scratch: of the stress that a particle bore before it rests anew
  std::vector<unsigned char> becomes_;  // which particles will be molten
  std::vector<unsigned char> anew_;     // which groups take their present shape as that at rest
  std::vector<MeshlessReport> stress_partial_;
  std::vector<MotionReport> motion_partial_;
  std::vector<T> bonds_;              // neighbours within h
  std::vector<T> pulled_;             // composed: whether distances pulled back tell the deformation
  std::vector<std::int32_t> led_by_;  // the grip that leads a particle by itself, -1 for none; empty without such grips
  std::vector<Mat<T, D>> trial_;
  std::vector<Mat<T, D>> tangent_;                      // implicit: G of a motion
  std::vector<Mat<T, D>> held_stress_;                  // implicit: S without its negative part
  std::vector<StressDifferential<T, D>> differential_;  // implicit: of laws of stretches, without its negative part
  std::vector<const StrainState<T, D>*> law_of_;        // implicit: of each particle
  std::vector<StrainState<T, D>> strain_states_;
  std::vector<Hold<T, D>> hold_;          // implicit: what colliders and grips prescribe
  std::vector<Vec<T, D>> known_;          // implicit: right hand side
  std::vector<Mat<T, D>> own_;            // N/m, implicit: blocks of each particle's own, of the shape at rest
  std::vector<T> lambda_, least_weight_;  // embedded: regularizers of the bodies, m^2 and a pure number
  std::vector<double> total_volume_;      // embedded: m^3, of the bodies at the start
  std::vector<double> flow_partial_;      // embedded: m^3, of each body in each part of the particles
  std::vector<T> flow_now_;               // embedded: m^3, |F_p - I|^2 of the step times volume
  std::vector<unsigned char> due_;        // embedded: bodies whose embedding is to be found anew
  std::vector<Mat<T, D>> bond_map_;       // what makes of a bond's g its d; see swing.cpp
  std::vector<T> own_bond_, pushes_, springs_;
  std::vector<T> first_roundness_;          // embedded: of the neighbourhoods at the start
  std::vector<bool> uneven_;                // bodies whose points were given
  std::vector<std::size_t> first_of_body_;  // its first particle
  bool fading_ = false;                     // embedded: whether neighbours are coming or going
  ConjugateGradient<T, D> cg_;
  ConjugateGradient<T, D, Mat<T, D>> block_cg_;  // implicit
  std::vector<Vec<T, D>> e_before_;              // embedded: before the embedding is found anew
  std::vector<unsigned char> faded_;
  std::vector<Guard> guard_;        // composed: why F only turned with its neighbours
  std::vector<Bytes> before_flow_;  // mls: the columns `flowing_` before the step
};

std::unique_ptr<Solver> make_meshless(const Scene&);

}  // namespace knead
