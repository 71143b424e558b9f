// The equations of implicit steps: gradient, Hessian, preconditioner and solver against their definitions, and the
// nodes that boundaries hold.
#include "mpm/implicit_solve.h"
#include "mpm/particles_to_grid.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

#include <random>

namespace knead::test {
namespace {

// A small strained block between the grid and the solver: everything an implicit step has when it starts to solve.
template <int D, int degree, bool mls>
struct Problem {
  static constexpr double dx = 0.1;
  Simulation s;
  Columns<double, D> p;
  BlockSort<D> sort;
  BlockGrid<double, D> grid;
  ImplicitScratch<double, D> scratch;
  std::vector<const Material*> materials;
  std::mt19937 random{7};

  static std::string scene(const std::string& material) {
    return one_body(D, "dx = 0.1\nprecision = \"double\"", material,
                    "sampling = \"jittered\"\nshape = { type = \"box\", size = [0.3, 0.25, 0.2] }");
  }
  Problem(const std::string& material, double strain, double stretch = 1) : s(scene(material)), p(s.world.particles) {
    for (auto& H : p.H) {
      H += Mat<double, D>::identity() * (stretch - 1);
      for (double& e : H.e) e += strain * uniform();
    }
    sort.template sort<degree>(std::span<const Vec<double, D>>(p.x), 1 / dx, std::vector{std::int64_t(p.x.size())});
    grid.build(sort.keys(), false);
    particles_to_grid<Transfer::pic, degree>(p, sort, dx, 0.0, grid);
    materials = {&s.scene().materials[0].material};
    auto& histories = scratch.histories.emplace_back();
    std::size_t h = 0;
    for (const HistoryColumn& c : history_columns_of(*materials[0]))
      histories[h++] = s.world.particles.get<double>(c.name);
  }
  double uniform() { return std::uniform_real_distribution<double>(-1, 1)(random); }

  using System = ImplicitSystem<double, D, degree>;
  System system(double dt) {
    System made(scratch, p, sort, grid, materials, mls, dx, dt);
    for (std::size_t i = 0; i < grid.nodes.size(); ++i) {
      scratch.target[i] = {};
      if (grid.nodes[i].m > 1e-12 * p.mass[0]) scratch.target[i].m = grid.nodes[i].m;
      for (int a = 0; a < D && scratch.target[i].m > 0; ++a) scratch.target[i].v[a] = uniform();
    }
    scratch.held.assign(grid.blocks(), {});
    return made;
  }
  // Random velocities where there is mass.
  NodeField<double, D> field(double size) {
    NodeField<double, D> f(grid.nodes.size());
    for (std::size_t i = 0; i < f.size(); ++i)
      for (int a = 0; a < D; ++a) f[i].v[a] = scratch.target[i].m > 0 ? size * uniform() : 0;
    return f;
  }
};

template <int D>
double inner(const NodeField<double, D>& a, const NodeField<double, D>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i].v, b[i].v);
  return sum;
}
template <int D>
NodeField<double, D> along(NodeField<double, D> a, double step, const NodeField<double, D>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i].v += b[i].v * step;
  return a;
}
template <class System, int D>
NodeField<double, D> gradient(System& system, NodeField<double, D> v) {
  system.evaluate(v);
  NodeField<double, D> r(v.size());
  for (std::size_t i = 0; i < v.size(); ++i) r[i].v = system.reaction(i, v);
  return r;
}

const char* const laws[] = {
    "model = \"fixed-corotated\"\npoisson = 0.4",
    "model = \"neo-hookean\"\npoisson = 0.4",
    "model = \"hencky\"\npoisson = 0.3",
    "model = \"snow\"",
};

// Stretched a little everywhere: there the Hessian is positive as it is, and its projection changes nothing.
template <int D, int degree, bool mls>
void check_derivatives(const std::string& law) {
  SCOPED_TRACE(law + (mls ? ", mls, " : ", ") + std::to_string(D) + "D, degree " + std::to_string(degree));
  Problem<D, degree, mls> problem(law, 0.01, 1.06);
  const double dt = 1e-2;
  auto system = problem.system(dt);
  auto v = problem.field(0.02), u = problem.field(1), w = problem.field(1);
  const double h = 1e-5;

  // r is the gradient of E; the error of central differences is of order h^2.
  const auto energy = [&](NodeField<double, D> at) { return system.evaluate(at).energy + inertia(system, at); };
  const double slope = (energy(along<D>(v, h, u)) - energy(along<D>(v, -h, u))) / (2 * h);
  const auto r = gradient(system, v);
  EXPECT_NEAR(inner<D>(r, u), slope, 1e-6 * std::sqrt(inner<D>(r, r) * inner<D>(u, u)));

  // H is the derivative of r and symmetric.
  const auto ahead = gradient(system, along<D>(v, h, u)), behind = gradient(system, along<D>(v, -h, u));
  system.evaluate(v);
  NodeField<double, D> Hu(v.size()), Hw(v.size());
  system.apply(u, Hu), system.apply(w, Hw);
  auto difference = Hu;
  for (std::size_t i = 0; i < v.size(); ++i) difference[i].v -= (ahead[i].v - behind[i].v) / (2 * h);
  EXPECT_LE(inner<D>(difference, difference), 1e-10 * inner<D>(Hu, Hu));
  EXPECT_NEAR(inner<D>(w, Hu), inner<D>(u, Hw), 1e-12 * std::sqrt(inner<D>(Hu, Hu) * inner<D>(w, w)));

  // The preconditioner's blocks are those of H: H of a field that is zero but at one node, read at that node.
  system.invert_diagonal();
  for (std::size_t i = 0; i < v.size(); i += 7) {
    if (!(problem.scratch.target[i].m > 0)) continue;
    Mat<double, D> block{};
    for (int a = 0; a < D; ++a) {
      NodeField<double, D> unit(v.size());
      unit[i].v[a] = 1;
      system.apply(unit, Hu);
      for (int b = 0; b < D; ++b) block(b, a) = Hu[i].v[b];
    }
    NodeField<double, D> z(v.size());
    auto& residual = problem.scratch.residual;
    for (auto& n : residual) n.v = {};
    const auto some = u[i].v;
    residual[i].v = block * some;
    system.precondition(i / BlockLayout<D>::nodes, residual, z);
    EXPECT_LE(length(z[i].v - some), 1e-8 * length(some));
  }
}

TEST(ImplicitSystem, gradient_hessian_and_preconditioner_are_those_of_the_energy) {
  for (const char* law : laws) {
    check_derivatives<2, 2, false>(law);
    check_derivatives<3, 2, false>(law);
  }
  check_derivatives<2, 3, false>(laws[1]);
  check_derivatives<3, 3, true>(laws[1]);
  check_derivatives<2, 2, true>(laws[0]);
}

// Squeezed and sheared at random, where the law's own Hessian has negative directions.
TEST(ImplicitSystem, the_hessian_is_positive_whatever_the_strain) {
  for (const char* law : laws) {
    Problem<2, 2, false> problem(law, 0.7);
    auto system = problem.system(0.1);
    auto v = problem.field(0);
    system.evaluate(v);
    NodeField<double, 2> Hu(v.size());
    for (int k = 0; k < 50; ++k) {
      auto u = problem.field(1);
      double kinetic = 0;
      for (std::size_t i = 0; i < u.size(); ++i) kinetic += problem.scratch.target[i].m * dot(u[i].v, u[i].v);
      EXPECT_GE(system.apply(u, Hu), kinetic * (1 - 1e-9)) << law;
    }
  }
}

TEST(ImplicitSystem, newton_finds_a_field_without_force) {
  for (const char* law : laws) {
    Problem<3, 2, false> problem(law, 0.05);
    auto system = problem.system(0.02);
    problem.scratch.v = problem.field(0.1);
    const double wanted = 1e-9;
    const SolveReport report = newton(system, {30, 500, wanted});
    EXPECT_EQ(report.failure, nullptr) << law;
    EXPECT_LE(residual_speed(system), wanted) << law;
    EXPECT_GT(report.cg, report.newton) << law;
  }
}

TEST(ImplicitSystem, says_when_a_solve_ends_without_a_solution) {
  Problem<2, 2, false> problem(laws[1], 0.05);
  auto system = problem.system(0.02);
  problem.scratch.v = problem.field(0.1);
  EXPECT_STREQ(newton(system, {1, 1, 1e-12}).failure, "Newton's method has not converged");
}

// A node in a corner of two walls, one of them moving.
TEST(HeldNode, keeps_the_prescribed_part_and_leaves_the_rest) {
  const Vec3d n1{0, 1, 0}, n2 = Vec3d{1, 1, 0} * std::sqrt(0.5), moving{0.5, -1, 2};
  HeldNode<3> held(0);
  held.hold({n1, 0, 0, false, true, 0}, {});
  held.hold({n2, dot(moving, n2), 0, false, true, 1}, moving);
  held.hold({n1, 5, 0, false, true, 2}, {});  // the same direction once more says nothing new
  held.start({1, 2, 3}, {1, 2, 3}, 1, 1e-9);
  const Vec3d v = held.held({1, 2, 3});
  EXPECT_NEAR(dot(v, n1), 0, 1e-15);
  EXPECT_NEAR(dot(v, n2), dot(moving, n2), 1e-15);
  EXPECT_NEAR(v[2], 3, 1e-15);
  // A reaction is split into pushes along the normals.
  const auto push = held.pushes(n1 * 2.0 + n2 * 3.0);
  EXPECT_NEAR(push[0], 2, 1e-14);
  EXPECT_NEAR(push[1], 3, 1e-14);
}

TEST(HeldNode, lets_go_of_what_is_pulled_and_takes_hold_of_what_comes) {
  const Vec2d n{0, 1};
  HeldNode<2> held(0);
  held.hold({n, 0, 0, true, true, 0}, {});
  held.start({0, -1}, {0, -1}, 1, 1e-9);
  EXPECT_EQ(held.held({1, -1}), (Vec2d{1, 0}));
  EXPECT_EQ(held.revise({1, 0}, {0, 0.5}, 1, 1e-9), 0);   // pushed: stays
  EXPECT_GT(held.revise({1, 0}, {0, -0.5}, 1, 1e-9), 0);  // pulled: released
  EXPECT_EQ(held.held({1, 2}), (Vec2d{1, 2}));
  EXPECT_GT(held.revise({1, -2}, {0, 0}, 1, 1e-9), 0);  // it comes back
  EXPECT_EQ(held.held({1, -2}), (Vec2d{1, 0}));
}

// Inside Coulomb's disc and beyond its rim. The cautious parabola is never below the potential.
TEST(Friction, impulse_and_hessian_are_those_of_the_potential) {
  const Friction<3> friction(0.5, 0.1, {0.2, -0.1, 0.3}, {0.01, 0, 0});
  const double h = 1e-5;
  const Vec3d speeds[] = {{0.01, 0.02, -0.03}, {0.3, -0.2, 0.1}, {-1, 2, 0.5}};
  for (const Vec3d& u : speeds) {
    const Mat3d H = friction.hessian(u, 0);
    for (int a = 0; a < 3; ++a) {
      const Vec3d e = Vec3d::axis(a) * h;
      EXPECT_NEAR(-friction.impulse(u)[a], (friction.potential(u + e) - friction.potential(u - e)) / (2 * h), 1e-8);
      const Vec3d change = (friction.impulse(u - e) - friction.impulse(u + e)) / (2 * h);
      for (int b = 0; b < 3; ++b) EXPECT_NEAR(H(b, a), change[b], 1e-6);
    }
    EXPECT_LE(length(friction.impulse(u)), 0.5 * (1 + 1e-14));
    for (const Vec3d& w : speeds) {
      const Vec3d d = w - u;
      EXPECT_LE(friction.potential(w),
                friction.potential(u) - dot(friction.impulse(u), d) + 0.5 * dot(d, friction.hessian(u, 1) * d) + 1e-12);
    }
  }
}

// A node of mass 1 that is pulled along a floor: solve after solve, friction becomes what Coulomb's law says.
TEST(HeldNode, friction_becomes_coulombs) {
  for (const double pull : {0.9, 1.5}) {
    HeldNode<2> held(0);
    held.hold({{0, 1}, 0, 0.5, true, true, 0}, {});
    EXPECT_EQ(held.start({pull, -1.5}, {pull, -1}, 1, 1e-3), pull <= 0.75);  // the push will turn out to be 2, not 1.5
    double u = 0, change = 1;
    for (int solve = 0; solve < 20; ++solve) {
      // The velocity where friction, pull and inertia balance, by bisection.
      double lo = -2, hi = 2;
      for (int i = 0; i < 60; ++i) {
        u = 0.5 * (lo + hi);
        held.rub({u, 0}, 0);
        (u - pull - held.friction_impulse()[0] < 0 ? lo : hi) = u;
      }
      change = held.revise({u, 0}, {u - pull, 2}, 1, 1e-3);
    }
    EXPECT_NEAR(change, 0, 1e-9);
    EXPECT_NEAR(u, std::max(0.0, pull - 0.5 * 2), 1e-9);
  }
}

}  // namespace
}  // namespace knead::test
