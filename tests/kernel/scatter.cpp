// The fast scatter against the plain one: every transfer with every spline, dimension and precision, every two of
// these, on particles anywhere in their cells and exactly on the faces of blocks. Built once for each kind of machine.
#include "mpm/particles_to_grid.h"

#include <gtest/gtest.h>

#include <random>

namespace knead {
namespace {

// Two batches of particles in random state, some of them exactly on the faces of cells and blocks.
template <class T, int D>
struct Cloud {
  static constexpr int count = 3000;
  Particles particles;
  std::vector<std::int64_t> ends{count / 3, count};
  T dx = T(0.0625), dt = T(1e-3);  // a power of two: faces are representable

  Cloud() {
    std::mt19937 random(11);
    std::uniform_real_distribution<T> one(-1, 1);
    std::uniform_int_distribution<int> half_cells(-8, 8);
    particles.resize(count);
    particles.add<Mat<T, D>>(strain_column);
    const auto x = particles.add<Vec<T, D>>("x"), v = particles.add<Vec<T, D>>("v");
    const auto C = particles.add<Mat<T, D>>("C");
    const auto tau = particles.add<Sym<T, D>>("tau");
    const auto mass = particles.add<T>("mass"), volume = particles.add<T>("volume");
    for (std::size_t i = 0; i < count; ++i) {
      for (int a = 0; a < D; ++a) {
        x[i][a] = i % 7 == 0 ? T(half_cells(random)) * dx / 2 : one(random) * 5 * dx;
        v[i][a] = one(random);
      }
      for (T& e : C[i].e) e = 10 * one(random);
      for (T& e : tau[i].e) e = 100 * one(random);
      mass[i] = T(1.5) + one(random), volume[i] = T(0.01) * (T(1.5) + one(random));
    }
  }
};

template <Transfer transfer, int degree, class T, int D>
void compare() {
  Cloud<T, D> cloud;
  Columns<T, D> p(cloud.particles);
  BlockSort<D> sort;
  ASSERT_EQ((sort.template sort<degree, T>(p.x, 1 / cloud.dx, cloud.ends)), BlockSort<D>::all_inside);
  constexpr bool flip = transfer == Transfer::flip;
  BlockGrid<T, D> fast, plain;
  fast.build(sort.keys(), flip), plain.build(sort.keys(), flip);
  particles_to_grid<transfer, degree>(p, sort, cloud.dx, cloud.dt, fast);
  plain.clear();
  for (int home = 0; home < sort.blocks(); ++home) {
    Arena<T, D, degree> arena;
    OldArena<transfer, T, D, degree> old;
    arena.clear();
    if constexpr (flip) old.clear();
    const Vec<int, D> origin = BlockGrid<T, D>::first_node_of(sort.keys()[static_cast<std::size_t>(home)]);
    for (const Segment& s : sort.segments(home))
      for (int at = s.begin; at < s.end; ++at) {
        const auto i = static_cast<std::size_t>(sort.order()[static_cast<std::size_t>(at)]);
        const Stencil<T, D, degree> stencil(p.x[i], 1 / cloud.dx, origin);
        scatter<transfer>(arena, old, stencil, cloud.dx, cloud.dt, p.mass[i], p.volume[i], p.v[i],
                          is_affine(transfer) ? &p.C[i] : nullptr, to_matrix<D>(p.tau[i]));
      }
    arena.add_to(plain.nodes, plain.neighbours(home));
    if constexpr (flip) old.add_to(plain.old, plain.neighbours(home));
  }
  // A node sums some 100 contributions (2D: 1000) of size 1 in any order: a few hundred roundings at the most.
  const double tolerance = 1000 * double(std::numeric_limits<T>::epsilon());
  const auto equal = [&](const std::vector<Node<T, D>>& a, const std::vector<Node<T, D>>& b) {
    ASSERT_EQ(a.size(), b.size());
    double mass = 0;
    for (std::size_t n = 0; n < a.size(); ++n) {
      mass += double(a[n].m);
      EXPECT_NEAR(double(a[n].m), double(b[n].m), tolerance);
      for (int d = 0; d < D; ++d) EXPECT_NEAR(double(a[n].v[d]), double(b[n].v[d]), tolerance);
    }
    double expected = 0;
    for (T m : p.mass) expected += double(m);
    EXPECT_NEAR(mass, expected, tolerance * expected);
  };
  equal(fast.nodes, plain.nodes);
  if constexpr (flip) {
    equal(fast.old, plain.old);
    double impulse = 0;
    for (std::size_t n = 0; n < fast.nodes.size(); ++n)
      impulse = std::max(impulse, double(std::abs(fast.nodes[n].v[0] - fast.old[n].v[0])));
    EXPECT_GT(impulse, 10 * tolerance) << "the velocities before the forces lack the stress";
  }
}

template <Transfer transfer>
void compare_all() {
  compare<transfer, 2, float, 3>();
  compare<transfer, 3, double, 3>();
  compare<transfer, 2, double, 2>();
  compare<transfer, 3, float, 2>();
}

TEST(RowScatter, mls_equals_the_plain_scatter) { compare_all<Transfer::mls>(); }
TEST(RowScatter, apic_equals_the_plain_scatter) { compare_all<Transfer::apic>(); }
TEST(RowScatter, pic_equals_the_plain_scatter) { compare_all<Transfer::pic>(); }
TEST(RowScatter, flip_equals_the_plain_scatter_before_and_after_the_forces) { compare_all<Transfer::flip>(); }

TEST(RowWeights, are_the_splines_of_the_last_axis) {
  const auto check = []<int degree>(std::integral_constant<int, degree>) {
    const RowWeights<double, degree> weights;
    for (int i = 0; i <= 100; ++i) {
      const double g = -0.5 + i / 100.0;
      const BSpline1<degree, double> spline(g + RowWeights<double, degree>::middle);
      double w[16], dw[16];
      weights.w(NodeRow<double>(g)).store(w);
      weights.dw(NodeRow<double>(g)).store(dw);
      for (int k = 0; k < 16; ++k) {
        EXPECT_NEAR(w[k], k / 4 <= degree ? spline.w[k / 4] : 0, 1e-15);
        EXPECT_NEAR(dw[k], k / 4 <= degree ? spline.dw[k / 4] : 0, 2e-15);
      }
    }
  };
  check(std::integral_constant<int, 2>{});
  check(std::integral_constant<int, 3>{});
}

}  // namespace
}  // namespace knead
