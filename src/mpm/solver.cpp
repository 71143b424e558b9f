#include "mpm/solver.h"

#include "base/elementary.h"
#include "base/rounding.h"
#include "mpm/with_transfer.h"
#include "world/make_in_precision.h"
#include "world/reorder.h"

namespace knead {

template <class T, int D>
Mpm<T, D>::Mpm(const Scene& scene)
    : spec_(scene.solver),
      controls_(scene),
      measures_losses_(std::any_of(scene.probes.begin(), scene.probes.end(),
                                   [](const Probe& p) { return p.type == ProbeType::losses; })) {
  if (!spec_.is_explicit() && !spec_.dt_max) spec_.dt_max = implicit_share_of_frame / scene.scene.fps;
  const auto starts_strained = [](const Body& b) { return b.stress || !b.displacement.is_zero(); };
  if (std::any_of(scene.bodies.begin(), scene.bodies.end(), starts_strained)) strained_ = scene.bodies;
  for (const Body& b : scene.bodies) {
    spins_.push_back(b.spin), velocities_.push_back(b.velocity);
    densities_.push_back(density_of(controls_.materials[static_cast<std::size_t>(b.material_index)]));
  }
}

template <class T, int D>
Mpm<T, D>::~Mpm() = default;

template <class T, int D>
void Mpm<T, D>::prepare(World& world) {
  stepped_ = false;
  controls_.apply_past(world);
  find_mirrors(controls_.colliders.boundaries(), spec_.dx, mirrors_);
  Particles& particles = world.particles;
  const bool fresh = !particles.find(strain_column);
  // A column of that name; a new one is filled with its value at the start.
  const auto column = [&]<class V>(const char* name, const char* unit, const V& start) {
    const bool known = particles.find(name);
    const std::span<V> entries = particles.add<V>(name, unit);
    if (!known) std::fill(entries.begin(), entries.end(), start);
    return entries;
  };
  column(strain_column, "", Mat<T, D>::zero());
  column("tau", "Pa", Sym<T, D>::zero());
  const auto C = is_affine(spec_.transfer) ? column("C", "1/s", Mat<T, D>::zero()) : std::span<Mat<T, D>>{};
  // History columns hold their initial value also where a batch's material does not use them.
  for (const Material& m : controls_.materials)
    for (const HistoryColumn& h : history_columns_of(m)) column(h.name, h.unit, T(h.initial));

  world.reactions.resize(controls_.reactions.count());
  note_batches(world);
  if (controls_.rest_positions && !particles.find("X")) {
    const std::span<Vec<T, D>> start = particles.add<Vec<T, D>>("X", "m");
    const std::span<Vec<T, D>> x = particles.get<Vec<T, D>>("x");
    std::copy(x.begin(), x.end(), start.begin());
  }
  mesh_.prepare(world, controls_.materials, spec_.dx, spec_.degree());
  const auto mass = particles.get<T>("mass");
  lightest_ = mass.empty() ? T(0) : *std::min_element(mass.begin(), mass.end());
  if (!fresh) return;
  if (spec_.is_explicit()) world.tally.swing = mesh_swing<T, D>(world, controls_.materials, spec_.dx, spec_.degree());
  check_body_force<T, D>(controls_.body_force, world);

  const auto body = particles.get<std::int32_t>("body");
  const auto x = particles.get<Vec<T, D>>("x");
  for (std::size_t i = 0; i < C.size(); ++i) {
    const Mat3d spin = cross_matrix(spins_[static_cast<std::size_t>(body[i])]);
    const Vec3d at = resized<double, 3>(x[i]);  // and where it starts
    const Mat<double, D> gradient =
        gradient_of<D>(velocities_[static_cast<std::size_t>(body[i])], at, at, 0, Mat<double, D>::identity());
    for (int c = 0; c < D; ++c)
      for (int r = 0; r < D; ++r) C[i](r, c) = T(spin(r, c) + gradient(r, c));
  }
  for (const Vec<T, D>& v : particles.get<Vec<T, D>>("v"))
    for (int a = 0; a < D; ++a) world.tally.max_speed = std::max(world.tally.max_speed, std::abs(double(v[a])));
  if (spec_.volumes == Volumes::estimated) with_degree(spec_, [&]<int degree>() { estimate_volumes<degree>(world); });
  strain_bodies(world);
  update_stress(world, [](std::int32_t, std::int32_t) { return true; });
  check_borne(world);
  if (measures_losses_) world.tally.grid_kinetic = ledger(world).kinetic;
}

// Sorts the particles into their blocks and makes the grid for them.
template <class T, int D>
std::optional<Problem> Mpm<T, D>::sort_into_blocks(World& world) {
  const std::span<const Vec<T, D>> x = world.particles.get<Vec<T, D>>("x");
  const std::int64_t lost =
      with_degree(spec_, [&]<int degree>() { return sort_.template sort<degree>(x, T(1) / T(spec_.dx), batch_ends_); });
  if (lost != BlockSort<D>::all_inside) {
    const Vec3d at = resized<double, 3>(x[static_cast<std::size_t>(lost)]);
    if (!std::isfinite(dot(at, at))) return Problem{"a position is not a finite number", lost, at};
    return Problem{fmt::format("a particle is more than {} cells from the origin, where {} positions are too coarse{}",
                               farthest_cell<T>, sizeof(T) == 4 ? "float" : "double",
                               sizeof(T) == 4 ? "; give solver.precision = \"double\"" : ""),
                   lost, at};
  }
  if (sort_.blocks_changed() || grid_.blocks() == 0)
    grid_.build(sort_.keys(), spec_.transfer == Transfer::flip || measures_losses_);
  return {};
}

// Moves the columns' entries into the order of the sort, batch by batch: from the column into a spare one of the same
// size, which then takes its place. Done when the grid has what the particles know, so that what they are about to read
// from it need not move; FLIP alone asks for the velocities once more.
template <class T, int D>
void Mpm<T, D>::reorder(Particles& particles) {
  sort_.reorder(permutation_, batch_ends_);
  constexpr std::string_view read_anew[] = {"tau", "C", "v"};
  knead::reorder(particles, permutation_, spare_, std::span(read_anew).first(spec_.transfer == Transfer::flip ? 1 : 3));
}

// Volumes at rest from the density that the grid sees (Fumoto, Eqs. 5 and 6): m_i/dx^d, interpolated back.
template <class T, int D>
template <int degree>
void Mpm<T, D>::estimate_volumes(World& world) {
  if (sort_into_blocks(world)) return;  // the first step will say what is wrong
  Columns<T, D> p(world.particles);
  bring_to_grid(p, 0);
  const T inverse_dx = T(1) / T(spec_.dx), cell = T(elementary::power(spec_.dx, D));
  parallel_for(sort_.keys().size(), 1, [&](std::size_t home) {
    Arena<T, D, degree> arena;
    arena.take_from(grid_.nodes, grid_.neighbours(static_cast<int>(home)));
    const Vec<int, D> origin = BlockGrid<T, D>::first_node_of(sort_.keys()[home]);
    for (const Segment& segment : sort_.segments(static_cast<int>(home)))
      for (int at = segment.begin; at < segment.end; ++at) {
        const auto i = static_cast<std::size_t>(sort_.order()[static_cast<std::size_t>(at)]);
        const Stencil<T, D, degree> s(p.x[i], inverse_dx, origin);
        T density = 0;
        s.for_each_row([&](int row, int a, int b) {
          const T w = s.axis[0].w[a] * (D == 3 ? s.axis[1].w[b] : T(1));
          for (int k = 0; k <= degree; ++k) density += w * s.axis[D - 1].w[k] * arena.node[row + k].m;
        });
        p.volume[i] = p.mass[i] * cell / density;
      }
  });
}

// Particles move with their own velocity, after contact with the colliders (Fumoto, Eqs. 11 and 17).
template <class T, int D>
AdvectReport Mpm<T, D>::advect_with_particles(Columns<T, D>& p, double dt) {
  constexpr std::size_t grain = 4096;
  const ColliderSet::Some colliders = controls_.colliders.all();
  advect_partial_.assign((p.x.size() + grain - 1) / grain, AdvectReport{});
  controls_.reactions.start_stage(advect_partial_.size());
  parallel_chunks(p.x.size(), grain, [&](std::size_t begin, std::size_t end) {
    AdvectReport report;
    for (std::size_t i = begin; i < end; ++i) {
      const Vec<T, D> before = p.v[i];
      const Vec3d x = resized<double, 3>(p.x[i]);
      p.v[i] = colliders.collide(before, x, [&](std::size_t boundary, const Vec<T, D>& change) {
        if (controls_.reactions.measured())
          controls_.reactions.add(begin / grain, boundary, x, resized<double, 3>(change) * double(p.mass[i]));
      });
      if (p.x_low.empty()) {
        p.x[i] += p.v[i] * T(dt);
      } else {
        const Vec<T, D> start = p.x[i], way = p.v[i] * T(dt) + p.x_low[i];
        p.x[i] = start + way;
        for (int a = 0; a < D; ++a) p.x_low[i][a] = rounding_of_sum(start[a], way[a], p.x[i][a]);
      }
      const Vec<T, D> change = p.v[i] - before;
      const double work = double(p.mass[i]) * double(dot(change, p.v[i]));
      const double impact = 0.5 * double(p.mass[i]) * double(dot(change, change));
      report.contact_work += work, report.impact_loss += impact, report.kinetic_gain += work - impact;
      for (int a = 0; a < D; ++a) report.max_speed = std::max(report.max_speed, std::abs(double(p.v[i][a])));
    }
    advect_partial_[begin / grain] = report;
  });
  controls_.reactions.finish_stage();
  AdvectReport all;
  for (const AdvectReport& r : advect_partial_)
    all = {std::max(all.max_speed, r.max_speed), all.contact_work + r.contact_work, all.kinetic_gain + r.kinetic_gain,
           all.impact_loss + r.impact_loss};
  return all;
}

template <class T, int D>
std::size_t Mpm<T, D>::scratch_bytes() const {
  std::size_t spare = 0;
  for (const auto& [stride, bytes] : spare_) spare += bytes.size();
  return sort_.bytes() + mesh_.bytes() + implicit_.bytes() + phase_field_.bytes() + permutation_.size() * sizeof(int) +
         spare +
         (grid_.nodes.size() + grid_.old.size() + grid_.unforced.size() + grid_.arenas.size()) * sizeof(Node<T, D>);
}

template class Mpm<float, 2>;
template class Mpm<float, 3>;
template class Mpm<double, 2>;
template class Mpm<double, 3>;

std::unique_ptr<Solver> make_mpm(const Scene& scene) { return make_in_precision<Mpm>(scene); }

}  // namespace knead
