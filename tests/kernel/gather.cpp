// The gather by packs, fused with motion, strain and stress, against the plain one particle at a time. Built once for
// each kind of machine.
#include "mpm/grid_to_particles.h"
#include "mpm/stress_kernel.h"

#include <gtest/gtest.h>

#include <random>

namespace knead {
namespace {

// Particles of three batches around the origin, many exactly on faces of blocks and cells, some blocks with one
// particle, and a grid with a velocity of its own at every node.
template <Transfer transfer, int degree, class T, int D>
struct Cloud {
  static constexpr T dx = T(0.1), dt = T(0.01);
  Particles particles;
  std::int64_t ends[3];
  BlockSort<D> sort;
  BlockGrid<T, D> grid;
  std::mt19937 random{1 + degree * 10 + D};

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }

  explicit Cloud(int count) {
    particles.resize(static_cast<std::size_t>(count));
    particles.add<Vec<T, D>>("x"), particles.add<Vec<T, D>>("v"), particles.add<Mat<T, D>>(strain_column);
    if (is_affine(transfer)) particles.add<Mat<T, D>>("C");
    particles.add<Sym<T, D>>("tau"), particles.add<T>("mass"), particles.add<T>("volume"), particles.add<T>("J_p");
    Columns<T, D> p(particles);
    for (int i = 0; i < count; ++i) {
      for (int a = 0; a < D; ++a) {
        const double place = i % 50 == 0 ? uniform(-60, 60) : uniform(-5, 5);
        p.x[i][a] = T(i % 3 == 0 ? std::round(2 * place) / 2 : place) * dx;
        p.v[i][a] = T(uniform(-1, 1));
      }
      for (T& e : p.H[i].e) e = T(uniform(-0.1, 0.1));
      p.mass[i] = p.volume[i] = T(1e-3);
      particles.get<T>("J_p")[i] = T(1);
    }
    ends[0] = count / 3, ends[1] = 2 * count / 3, ends[2] = count;
    EXPECT_EQ(sort.template sort<degree>(std::span<const Vec<T, D>>(p.x), T(1) / dx, ends), sort.all_inside);
    grid.build(sort.keys(), transfer == Transfer::flip);
    for (auto* nodes : {&grid.nodes, &grid.old})
      for (Node<T, D>& node : *nodes)
        for (int a = 0; a < D; ++a) node.v[a] = T(uniform(-1, 1));
  }
};

template <class T>
struct Most {
  double difference = 0;
  template <class A>
  void operator()(const A& a, const A& b) {
    for (std::size_t k = 0; k < sizeof(A) / sizeof(T); ++k)
      difference = std::max(
          difference, std::abs(double(reinterpret_cast<const T*>(&a)[k]) - double(reinterpret_cast<const T*>(&b)[k])));
  }
};

// Of every kind: without flow, with history, viscous.
struct Laws {
  Elastoplastic<NeoHookean, NoFlow, NeoHookeanModel> rubber;
  Elastoplastic<FixedCorotated, SnowFlow, SnowModel> snow;
  Elastoplastic<WeaklyCompressible, FluidFlow, FluidModel> syrup;

  template <class F>
  void with(int batch, F&& f) const {
    if (batch == 0) return f(rubber);
    if (batch == 1) return f(snow);
    f(syrup);
  }
};

template <Transfer transfer, int degree, class T, int D>
void packs_agree_with_the_plain_gather(int count) {
  SCOPED_TRACE(testing::Message() << "transfer " << int(transfer) << ", degree " << degree << ", " << D << "D, "
                                  << sizeof(T) << " bytes, " << count << " particles");
  Cloud<transfer, degree, T, D> cloud(count);
  const T dx = cloud.dx, dt = cloud.dt;
  Laws laws;
  laws.syrup.elastic.sound_speed = 3;
  laws.syrup.flow.eta = 50;
  // Judge: one particle after the other.
  const T blend = T(0.3);
  Particles judged = cloud.particles;
  Columns<T, D> q(judged);
  ParticleReport expected;
  for (int home = 0; home < cloud.sort.blocks(); ++home) {
    Arena<T, D, degree> arena;
    OldArena<transfer, T, D, degree> old;
    arena.take_from(cloud.grid.nodes, cloud.grid.neighbours(home));
    if constexpr (transfer == Transfer::flip) old.take_from(cloud.grid.old, cloud.grid.neighbours(home));
    const Vec<int, D> origin = BlockGrid<T, D>::first_node_of(cloud.sort.keys()[static_cast<std::size_t>(home)]);
    for (const Segment& segment : cloud.sort.segments(home))
      for (int at = segment.begin; at < segment.end; ++at) {
        const auto i = static_cast<std::size_t>(cloud.sort.order()[static_cast<std::size_t>(at)]);
        const Stencil<T, D, degree> stencil(q.x[i], T(1) / dx, origin);
        const Gathered<T, D> g = gather<transfer>(arena, old, stencil, dx);
        q.v[i] = transfer == Transfer::flip ? g.v + (q.v[i] - g.old_v) * blend : g.v;
        if (is_affine(transfer)) q.C[i] = g.C * (T(1) - T(0.5) * blend) - transpose(g.C) * (T(0.5) * blend);
        Mat<T, D> F = q.H[i] + Mat<T, D>::identity();
        F = F + (g.gradient * dt) * F;
        q.x[i] += g.v * dt;
        for (int a = 0; a < D; ++a) expected.max_speed = std::max(expected.max_speed, std::abs(double(q.v[i][a])));
        expected.max_gradient = std::max(expected.max_gradient, std::sqrt(double(norm2(g.gradient))));
        laws.with(segment.batch, [&](const auto& law) {
          auto history = law.template initial_history<T>();
          T& J_p = judged.get<T>("J_p")[i];
          if constexpr (std::remove_cvref_t<decltype(law)>::history_size == 1) history[0] = J_p;
          const auto work =
              update_stress_and_work(law, F, history, q.tau[i], PointStep<T, D>{{double(dt), double(dx)}, g.gradient});
          if constexpr (std::remove_cvref_t<decltype(law)>::history_size == 1) J_p = history[0];
          q.H[i] = F - Mat<T, D>::identity();
          expected.stress.dissipated += double(work) * double(q.volume[i]);
          expected.stress.max_wave_speed = std::max(expected.stress.max_wave_speed, double(law.wave_speed(history)));
        });
      }
  }
  // Packs.
  std::vector<StressKernel<T, D>> kernels;
  for (int batch = 0; batch < 3; ++batch)
    laws.with(batch, [&](const auto& law) { kernels.push_back(stress_kernel_of_law<T, D>(law, cloud.particles)); });
  std::vector<ParticleReport> partial;
  Columns<T, D> p(cloud.particles);
  const ParticleReport report = grid_to_particles<transfer, degree>(
      p, cloud.sort, cloud.grid, {dx, dt, blend, true}, std::span<const StressKernel<T, D>>(kernels), partial);

  // Sums of up to 64 products of weights (at most 1) and velocities (at most 1) are rounded 64 times at most, gradients
  // are these over a share of dx; stress is at most 1e6 Pa at these strains, and a strain's error counts by the moduli.
  const double unit = std::numeric_limits<T>::epsilon(), velocity = 64 * unit, gradient = velocity * 4 / dx;
  const std::span<T> J_p_packs = cloud.particles.template get<T>("J_p"), J_p_judged = judged.get<T>("J_p");
  Most<T> x, v, C, F, tau, J_p;
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    x(p.x[i], q.x[i]), v(p.v[i], q.v[i]), F(p.H[i], q.H[i]), tau(p.tau[i], q.tau[i]);
    if (is_affine(transfer)) C(p.C[i], q.C[i]);
    J_p(J_p_packs[i], J_p_judged[i]);
  }
  EXPECT_LE(v.difference, velocity);
  EXPECT_LE(x.difference, velocity * dt + unit * 6);
  EXPECT_LE(C.difference, gradient);
  EXPECT_LE(F.difference, gradient * dt + 16 * unit);
  EXPECT_LE(tau.difference, 1e6 * (gradient * dt + 64 * unit));
  EXPECT_LE(J_p.difference, 8 * (gradient * dt + 16 * unit));
  EXPECT_NEAR(report.max_speed, expected.max_speed, velocity);
  EXPECT_NEAR(report.max_gradient, expected.max_gradient, gradient * D);
  EXPECT_NEAR(report.stress.max_wave_speed, expected.stress.max_wave_speed,
              1e3 * unit * expected.stress.max_wave_speed);
  EXPECT_NEAR(report.stress.dissipated, expected.stress.dissipated, 1e4 * unit * std::abs(expected.stress.dissipated));
  EXPECT_GT(expected.stress.dissipated, 0);
}

template <Transfer transfer, int degree, class T, int D>
void for_few_and_many() {
  for (int count : {3, 40, 3000}) packs_agree_with_the_plain_gather<transfer, degree, T, D>(count);
}

// Every two of transfer, spline, precision and dimension, though not each with each: what they share is compiled alike.
TEST(GatherByPacks, agrees_with_the_plain_one_for_pic) {
  for_few_and_many<Transfer::pic, 2, float, 3>();
  for_few_and_many<Transfer::pic, 1, double, 2>();
  for_few_and_many<Transfer::pic, 3, double, 3>();
}
TEST(GatherByPacks, agrees_with_the_plain_one_for_flip) {
  for_few_and_many<Transfer::flip, 2, float, 2>();
  for_few_and_many<Transfer::flip, 1, float, 3>();
  for_few_and_many<Transfer::flip, 3, double, 3>();
}
TEST(GatherByPacks, agrees_with_the_plain_one_for_apic) {
  for_few_and_many<Transfer::apic, 3, float, 2>();
  for_few_and_many<Transfer::apic, 2, double, 3>();
}
TEST(GatherByPacks, agrees_with_the_plain_one_for_mls) {
  for_few_and_many<Transfer::mls, 2, float, 3>();
  for_few_and_many<Transfer::mls, 3, double, 2>();
}

}  // namespace
}  // namespace knead
