#include "mpm/mesh.h"

#include "base/parallel.h"
#include "base/svd.h"
#include "geometry/simplex_measure.h"
#include "scene/crack_width.h"

#include <atomic>

namespace knead {

namespace {

constexpr std::size_t grain = 256;
// A cell squeezed below this share of its volume, or flowed further than this in some direction, has failed.
constexpr double least_volume = 0.02, most_flow = 5;

// Whether broken matter of this kind still bears pressure; its pieces then stay broken.
bool keeps_pressure(const Material& material) {
  return visit(material, [](const auto& law) {
    if constexpr (requires { law.flow.softening.debris; })
      return law.flow.softening.debris == Debris::compressive;
    else
      return false;
  });
}

}  // namespace

template <class T, int D>
MeshCells<T, D>::MeshCells(Particles& c)
    : corners(c.get<Vec<std::int32_t, D + 1>>("corners")),
      inside(c.get<std::int32_t>("inside")),
      failed(c.get<std::int32_t>("failed")),
      volume(c.get<T>("volume")),
      rest(c.get<Mat<T, D>>("rest")),
      plastic(c.get<Mat<T, D>>("plastic")),
      F(c.get<Mat<T, D>>("F")),
      tau(c.get<Sym<T, D>>("tau")),
      damage(c.find("damage")) {}

namespace {

// f(cell) for the cells that bear stress, in their order.
template <class F>
void for_each_bearing(const MeshState& mesh, F&& f) {
  for (const Batch& batch : mesh.batches)
    for (auto e = static_cast<std::size_t>(batch.begin); e < static_cast<std::size_t>(batch.end); ++e) f(e);
}

// J/m^3
template <class T, int D>
double energy_of(const Material& material, const Particles& cells, const Mat<T, D>& F, std::size_t cell) {
  return visit(material, [&](const auto& law) {
    auto h = law.template initial_history<double>();
    int k = 0;
    for (const HistoryColumn& column : law.history_columns) h[k++] = double(cells.get<T>(column.name)[cell]);
    return double(law.energy(svd(cast<double>(F)).sigma, h));
  });
}

template <class T, int D>
SimplexCorners<D> at_rest(const MeshCells<T, D>& c, std::size_t cell) {
  const Mat<double, D> sides = inverse(cast<double>(c.rest[cell]));
  SimplexCorners<D> x{};
  for (int k = 1; k <= D; ++k) x[static_cast<std::size_t>(k)] = sides.column(k - 1);
  return x;
}

}  // namespace

template <class T, int D>
void MpmMesh<T, D>::prepare(World& world, const std::vector<Material>& materials, double dx, int degree) {
  Particles &cells = world.mesh.cells, &particles = world.particles;
  where_.clear(), force_.clear();
  if (cells.count() == 0) return;
  const auto column = [](Particles& p, const char* name, const char* unit, const auto& start) {
    using V = std::remove_cvref_t<decltype(start)>;
    const bool known = p.find(name);
    const std::span<V> entries = p.add<V>(name, unit);
    if (!known) std::fill(entries.begin(), entries.end(), start);
    return !known;
  };
  column(cells, "F", "", Mat<T, D>::identity());
  column(cells, "tau", "Pa", Sym<T, D>::zero());
  for (const Material& m : materials)
    for (const HistoryColumn& h : history_columns_of(m)) column(cells, h.name, h.unit, T(h.initial));
  if constexpr (D == 3)
    column(particles, "R", "", Vec<T, 4>{T(1), T(0), T(0), T(0)});
  else
    column(particles, "R", "rad", T(0));
  note_bodies(world);

  // Who pushes whom, in the order of the cells.
  const Cells c(cells);
  const auto ids = static_cast<std::size_t>(world.next_id);
  first_.assign(ids + 1, 0);
  for_each_bearing(world.mesh, [&](std::size_t e) {
    for (int k = 0; k <= D; ++k) ++first_[static_cast<std::size_t>(c.corners[e][k]) + 1];
  });
  for (std::size_t i = 0; i < ids; ++i) first_[i + 1] += first_[i];
  pushes_.resize(static_cast<std::size_t>(first_[ids]));
  std::vector<std::int64_t> next(first_.begin(), first_.end() - 1);
  for_each_bearing(world.mesh, [&](std::size_t e) {
    for (int k = 0; k <= D; ++k)
      pushes_[static_cast<std::size_t>(next[static_cast<std::size_t>(c.corners[e][k])]++)] =
          static_cast<std::int64_t>(e) * (D + 1) + k;
  });
  where_.assign(ids, -1), before_.assign(ids, Vec<T, D>::zero());
  locate(world);
  widths_.clear();
  if (world.mesh.batches.empty()) return;
  force_.resize(c.corners.size());
  // From the start of the world on, but for one that an older version has written.
  if (sizeof(T) < sizeof(double)) column(particles, low_column, "m", Vec<T, D>::zero());

  // Particles of meshes sleep, but for those that a cell has left.
  if (column(particles, "awake", "", T(1))) {
    const auto body = particles.get<std::int32_t>("body");
    const auto awake = particles.get<T>("awake");
    for (std::size_t i = 0; i < body.size(); ++i)
      if (kinds_[static_cast<std::size_t>(body[i])] == Kind::bearing) awake[i] = T(0);
  }
  for (const Batch& batch : world.mesh.batches) {
    double volume = 0, width = 0;
    for (auto e = static_cast<std::size_t>(batch.begin); e < static_cast<std::size_t>(batch.end); ++e) {
      const SimplexCorners<D> x = at_rest(c, e);
      volume += double(c.volume[e]), width += double(c.volume[e]) * mean_width<D>(x);
    }
    widths_.push_back(crack_width(degree, dx, width / volume));
  }
}

template <class T, int D>
void MpmMesh<T, D>::note_bodies(const World& world) {
  const auto body = world.particles.get<std::int32_t>("body"), of_cell = world.mesh.cells.get<std::int32_t>("body");
  std::int32_t last = -1;
  for (const std::int32_t b : body) last = std::max(last, b);
  kinds_.assign(static_cast<std::size_t>(last) + 1, Kind::particles);
  for (const std::int32_t b : of_cell) kinds_[static_cast<std::size_t>(b)] = Kind::following;
  for_each_bearing(world.mesh, [&](std::size_t e) { kinds_[static_cast<std::size_t>(of_cell[e])] = Kind::bearing; });
}

template <class T, int D>
void MpmMesh<T, D>::locate(const World& world) {
  const auto id = world.particles.get<std::int32_t>("id");
  parallel_for(id.size(), 4096, [&](std::size_t i) { where_[static_cast<std::size_t>(id[i])] = static_cast<int>(i); });
}

template <class T, int D>
void MpmMesh<T, D>::push(World& world, double dt) {
  const Cells c(world.mesh.cells);
  Particles& particles = world.particles;
  const Places<T, D> x(particles);
  const auto v = particles.get<Vec<T, D>>("v");
  const auto mass = particles.get<T>("mass");
  locate(world);
  for (const Batch& batch : world.mesh.batches)
    parallel_for(static_cast<std::size_t>(batch.end - batch.begin), grain, [&](std::size_t i) {
      const std::size_t e = static_cast<std::size_t>(batch.begin) + i;
      if (c.failed[e])
        force_[e] = Mat<T, D>::zero();
      else
        force_[e] = (-c.volume[e]) * (to_matrix<D>(c.tau[e]) * transpose(cast<T>(inverse(sides(c, x, e)))));
    });
  parallel_for(before_.size(), grain, [&](std::size_t p) {
    if (first_[p] == first_[p + 1]) return;
    Vec<T, D> f = Vec<T, D>::zero();
    for_each_push(p, [&](std::size_t cell, int k) {
      if (k > 0)
        f += force_[cell].column(k - 1);
      else
        for (int a = 0; a < D; ++a) f -= force_[cell].column(a);
    });
    const auto i = static_cast<std::size_t>(where_[p]);
    before_[p] = v[i];
    v[i] += f * (T(dt) / mass[i]);
  });
  pushed_ = true;
}

template <class T, int D>
void MpmMesh<T, D>::take_back(World& world) const {
  if (!pushed_) return;
  const auto v = world.particles.get<Vec<T, D>>("v");
  for (std::size_t p = 0; p < before_.size(); ++p)
    if (first_[p] < first_[p + 1]) v[static_cast<std::size_t>(where_[p])] = before_[p];
}

template <class T, int D>
StressReport MpmMesh<T, D>::update(World& world, const std::vector<Material>& materials, double dt) {
  using Chunk = StressChunk<T, D>;
  const Cells c(world.mesh.cells);
  const Places<T, D> x(world.particles);
  const std::span<const Vec<T, D>> v = world.particles.get<Vec<T, D>>("v");
  StressReport all;
  locate(world);
  pushed_ = false;
  for (std::size_t b = 0; b < world.mesh.batches.size(); ++b) {
    const Batch& batch = world.mesh.batches[b];
    const FlowStep in_cells{dt, widths_[b]};
    const Material& material = materials[static_cast<std::size_t>(batch.material)];
    const StressKernel<T, D> kernel = stress_kernel_of<T, D>(material, world.mesh.cells);
    const bool stays_broken = keeps_pressure(material);
    const auto damage = c.damage ? c.damage->template as<T>() : std::span<const T>{};
    const auto shown = c.damage ? world.particles.get<T>("damage") : std::span<T>{};
    const auto first = static_cast<std::size_t>(batch.begin), count = static_cast<std::size_t>(batch.end - batch.begin);
    partial_.assign((count + grain - 1) / grain, StressReport{});
    parallel_chunks(count, grain, [&](std::size_t begin, std::size_t end) {
      Chunk chunk;
      int index[Chunk::capacity];
      Mat<T, D> F[Chunk::capacity], trial[Chunk::capacity];
      for (std::size_t at = begin; at < end; at += Chunk::capacity) {
        const int n = static_cast<int>(std::min<std::size_t>(end - at, Chunk::capacity));
        for (int j = 0; j < n; ++j) index[j] = static_cast<int>(first + at) + j;
        chunk.take(index, n);
        for (int j = 0; j < chunk.used_packs() * Chunk::P::width; ++j) {
          const auto e = static_cast<std::size_t>(chunk.index[j]);
          const Mat<double, D> now = sides(c, x, e), total = now * cast<double>(c.rest[e]);
          F[j] = cast<T>(total);
          trial[j] = c.failed[e] ? Mat<T, D>::identity() : cast<T>(total * cast<double>(c.plastic[e]));
          const int pack = j / Chunk::P::width, lane = j % Chunk::P::width;
          const Mat<T, D> gradient =
              kernel.viscous && !c.failed[e] ? sides(c, v, e) * cast<T>(inverse(now)) : Mat<T, D>::zero();
          for (int k = 0; k < D * D; ++k) {
            chunk.F[pack].e[k].set(lane, trial[j].e[k]);
            if (kernel.viscous) chunk.gradient[pack].e[k].set(lane, gradient.e[k]);
          }
        }
        kernel(chunk, in_cells, partial_[begin / grain]);
        for (int j = 0; j < n; ++j) {
          const auto e = static_cast<std::size_t>(index[j]);
          if (c.failed[e]) continue;
          const int pack = j / Chunk::P::width, lane = j % Chunk::P::width;
          bool flowed = false;
          for (int k = 0; k < D * D; ++k) {
            c.F[e].e[k] = chunk.F[pack].e[k][lane];
            flowed = flowed || c.F[e].e[k] != trial[j].e[k];
          }
          for (int k = 0; k < Sym<T, D>::size; ++k) c.tau[e][k] = chunk.tau[pack][k][lane];
          const T ratio = determinant(F[j]);
          const bool broken = !damage.empty() && damage[e] >= T(1);
          bool lost = !(ratio > T(least_volume));
          if (flowed && !lost && !broken) {
            c.plastic[e] = inverse(F[j]) * c.F[e];
            const Vec<T, D> flow = svd(c.plastic[e]).sigma;
            lost = flow[0] > T(most_flow) || flow[D - 1] < T(1 / most_flow);
          }
          if (lost && !broken)
            partial_[begin / grain].dissipated +=
                energy_of(material, world.mesh.cells, c.F[e], e) * double(c.volume[e]);
          if (flowed && c.damage) show_damage(c, e, shown);
          if (broken || lost) wake(world, c, e, max(ratio, T(least_volume)), stays_broken && broken);
        }
      }
    });
    for (const StressReport& r : partial_) all.add(r);
  }
  stretch_edges(world);
  turn_particles(world, dt);
  return all;
}

// For pictures and probes a particle inside is as damaged as its cell, and a corner as the worst cell around it.
template <class T, int D>
void MpmMesh<T, D>::show_damage(const Cells& c, std::size_t cell, std::span<T> shown) const {
  const T damage = c.damage->template as<T>()[cell];
  for (int k = 0; k <= D; ++k) {
    std::atomic_ref corner(shown[at(c.corners[cell][k])]);
    for (T before = corner.load(); before < damage && !corner.compare_exchange_weak(before, damage);) {
    }
    if (c.inside[cell] >= 0) shown[at(c.inside[cell] + k)] = damage;
  }
}

// A cell fails: its particles inside take over.
template <class T, int D>
void MpmMesh<T, D>::wake(World& world, const Cells& c, std::size_t cell, T volume_ratio, bool keep_history) {
  c.failed[cell] = 1;
  c.tau[cell] = Sym<T, D>::zero(), c.F[cell] = Mat<T, D>::identity();
  if (c.inside[cell] < 0) return;
  Particles& particles = world.particles;
  const auto awake = particles.get<T>("awake"), volume = particles.get<T>("volume");
  const auto H = particles.get<Mat<T, D>>(strain_column);
  const auto tau = particles.get<Sym<T, D>>("tau");
  for (int k = 0; k <= D; ++k) {
    const std::size_t i = at(c.inside[cell] + k);
    awake[i] = T(1), volume[i] = c.volume[cell] * volume_ratio / T(D + 1);
    H[i] = Mat<T, D>::zero(), tau[i] = Sym<T, D>::zero();
    if (c.damage) particles.get<T>("damage")[i] = T(keep_history ? 1 : 0);
  }
}

// How far each edge has been stretched at most (Wang 2020, Eq. 3.28).
template <class T, int D>
void MpmMesh<T, D>::stretch_edges(World& world) const {
  Particles& edges = world.mesh.edges;
  const auto ends = edges.get<Vec<std::int32_t, 2>>("ends");
  const auto rest = edges.get<T>("length");
  const auto stretch = edges.get<float>("stretch");
  const Places<T, D> x(world.particles);
  parallel_for(ends.size(), 4096, [&](std::size_t e) {
    const double now = length(x[at(ends[e][1])] - x[at(ends[e][0])]);
    stretch[e] = std::max(stretch[e], static_cast<float>(now / double(rest[e])));
  });
}

// R <- the rotation of (1 + dt grad v) R (Wang 2020, Eq. 3.30, with the dt), to first order: its turn is dt times the
// spin of the affine velocity.
template <class T, int D>
void MpmMesh<T, D>::turn_particles(World& world, double dt) const {
  const auto C = world.particles.get<Mat<T, D>>("C");
  if constexpr (D == 2) {
    const auto R = world.particles.get<T>("R");
    parallel_for(C.size(), 4096, [&](std::size_t i) { R[i] += T(0.5 * dt) * (C[i](1, 0) - C[i](0, 1)); });
  } else {
    const auto R = world.particles.get<Vec<T, 4>>("R");
    parallel_for(C.size(), 4096, [&](std::size_t i) {
      const T h = T(0.25 * dt);  // half of the spin, half of the step
      const Vec<T, 3> w{h * (C[i](2, 1) - C[i](1, 2)), h * (C[i](0, 2) - C[i](2, 0)), h * (C[i](1, 0) - C[i](0, 1))};
      const Vec<T, 4> q = R[i];
      const Vec<T, 3> u{q[1], q[2], q[3]};
      const Vec<T, 3> turned = u + w * q[0] + cross(w, u);
      const Vec<T, 4> next{q[0] - dot(w, u), turned[0], turned[1], turned[2]};
      R[i] = next * (T(1) / std::sqrt(dot(next, next)));
    });
  }
}

template <class T, int D>
bool MpmMesh<T, D>::for_each_bond(const World& world, int body,
                                  const std::function<void(std::size_t, std::size_t)>& f) const {
  const bool meshed = body >= 0 ? kinds_[static_cast<std::size_t>(body)] != Kind::particles
                                : std::find(kinds_.begin(), kinds_.end(), Kind::particles) == kinds_.end();
  if (!meshed) return false;
  const Cells c(const_cast<Particles&>(world.mesh.cells));  // read only
  for_each_bearing(world.mesh, [&](std::size_t e) {
    for (int k = 0; k <= D && c.inside[e] >= 0; ++k) f(at(c.corners[e][k]), at(c.inside[e] + k));
  });
  const Particles& edges = world.mesh.edges;
  const auto ends = edges.get<Vec<std::int32_t, 2>>("ends");
  const auto stretch = edges.get<float>("stretch"), crack = edges.get<float>("crack");
  for (std::size_t e = 0; e < ends.size(); ++e)
    if (stretch[e] <= crack[e]) f(at(ends[e][0]), at(ends[e][1]));
  return true;
}

template <class T, int D>
std::size_t MpmMesh<T, D>::bytes() const {
  return (first_.size() + pushes_.size()) * sizeof(std::int64_t) + where_.size() * sizeof(int) +
         force_.size() * sizeof(force_[0]) + before_.size() * sizeof(before_[0]);
}

template struct MeshCells<float, 2>;
template struct MeshCells<float, 3>;
template struct MeshCells<double, 2>;
template struct MeshCells<double, 3>;
template class MpmMesh<float, 2>;
template class MpmMesh<float, 3>;
template class MpmMesh<double, 2>;
template class MpmMesh<double, 3>;

}  // namespace knead
