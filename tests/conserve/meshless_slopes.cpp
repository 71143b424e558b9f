// The methods without a grid against differences: force is the slope of the energy, the matrix of implicit steps that
// of the force.
#include "meshless/solver.h"
#include "support/small_scene.h"

#include <gtest/gtest.h>

#include <random>

namespace knead::test {
namespace {

using V = Vec<double, 3>;
using M = Mat<double, 3>;

// Of fourth order, of a function of a small number.
template <class F>
auto slope(double e, F&& f) {
  return ((f(e) - f(-e)) * 8.0 - (f(2 * e) - f(-2 * e))) * (1 / (12 * e));
}

std::string block(const std::string& method, const std::string& material, const std::string& solver = "",
                  const std::string& sampling = "jittered") {
  return "format = 1\n[scene]\nname = \"test\"\ngravity = [0, 0, 0]\n[solver]\nmethod = \"" + method +
         "\"\ndx = 0.1\nprecision = \"double\"\n" + solver + "\n[materials.m]\n" + material +
         "\n[[body]]\nname = \"body\"\nmaterial = \"m\"\nsampling = \"" + sampling +
         "\"\nshape = { type = \"box\", size = [0.6, 0.5, 0.4] }\n";
}

// Stretched by about `most`, bent, and each particle out of its place: the stabilizer has something to hold.
void deform(World& world, double most) {
  std::mt19937 source(3);
  std::uniform_real_distribution<double> some(-0.004, 0.004);
  for (auto& x : world.particles.get<V>("x"))
    x = V{x[0] * (1 + most) + 0.1 * x[1] + 0.05 * x[2] * x[2], x[1] * (1 + most) + 0.2 * x[0] * x[1],
          x[2] * (1 + most)} +
        V{some(source), some(source), some(source)};
}

constexpr double instant = 1e-12;  // s
// What acts on each particle of a body at rest: the momentum that an instant gives it; in Newmark's step it is half of
// one, with the forces of its end.
std::vector<V> forces(const World& world, Solver& solver, double share = 1) {
  World w = world;
  EXPECT_TRUE(solver.step(w, instant).ok());
  const auto v = w.particles.get<V>("v");
  const auto mass = w.particles.get<double>("mass");
  std::vector<V> f;
  for (std::size_t i = 0; i < v.size(); ++i) f.push_back(v[i] * (mass[i] / (share * instant)));
  return f;
}
double largest(const std::vector<V>& all) {
  double most = 0;
  for (const V& f : all) most = std::max(most, length(f));
  return most;
}

TEST(MeshlessSlopes, force_is_that_of_the_energy_with_its_stabilizer) {
  const std::string usual = "[solver.meshless]\nstabilizer = 0.1\n";
  const struct {
    const char* method;
    std::string material, solver;
    bool held = false;
  } cases[] = {
      {"mls", "model = \"strain-yield\"\nvolume_stiffness = 3e5\nfibre = [1, 1, 0]\nfibre_young = 2e5", usual},
      // At rest under less than its yield stress, while its stabilizer yields: 2 % of strain.
      {"mls", "model = \"strain-yield\"\nyield_strain = 0.03\ncreep = 0", usual},
      {"mls", "model = \"von-mises\"\nyoung = 1e5\nyield_stress = 1e9", usual},
      {"mls", "model = \"neo-hookean\"", usual + "basis = \"quadratic\"\n"},
      {"mls", "model = \"st-venant-kirchhoff\"", usual},
      {"embedded", "model = \"yield-flow\"\nyield_stress = 1e9", usual + "frozen_mass = true\nregularizer = 0\n"},
      // As an event leaves it: particles hold a strain below what was kept, and beyond.
      {"mls", "model = \"neo-hookean\"", usual, true},
      {"mls", "model = \"strain-yield\"\nyield_strain = 0.03\ncreep = 0", usual, true},
      {"embedded", "model = \"yield-flow\"\nyield_stress = 1e9", usual + "frozen_mass = true\nregularizer = 0\n", true},
  };
  const std::string change = "[[event]]\ntime = 9\nmaterial = \"m\"\nset = { young = 2e6 }\n";
  for (const auto& c : cases) {
    Simulation s(block(c.method, c.material, c.solver) + (c.held ? change : ""));
    deform(s.world, 0.1);
    if (c.held) {
      std::fill_n(s.world.particles.get<double>(".held_slope").begin(), s.world.particles.count(), 5e4);
      const auto strain = s.world.particles.get<double>(".held_strain");
      for (std::size_t i = 0; i < strain.size(); ++i) strain[i] = i % 2 ? 0.005 : 0.2;
      s.solver->prepare(s.world);
    }
    const bool newmark = c.method[0] == 'e';
    if (newmark)
      for (auto& x : s.world.particles.get<V>(".x_before")) x = V{};
    const std::vector<V> f = forces(s.world, *s.solver, newmark ? 0.5 : 1);
    const auto x = s.world.particles.get<V>("x");
    const auto energy = [&] {
      World w = s.world;  // F follows x in a step
      EXPECT_TRUE(s.solver->step(w, instant).ok());
      return s.solver->ledger(w).elastic;
    };
    for (const std::size_t i : {0u, 31u, 60u})
      for (int a = 0; a < 3; ++a) {
        const double here = x[i][a];
        const double rise = slope(1e-4, [&](double e) { return x[i][a] = here + e, energy(); });
        x[i][a] = here;
        EXPECT_NEAR(f[i][a], -rise, 1e-8 * largest(f)) << c.method << ' ' << c.material << ' ' << i;
      }
  }
}

// Composed matter has an energy of its places only where its pressure acts: along any motion that and its strain take
// up what the force has done.
TEST(MeshlessSlopes, composed_strain_and_pressure_take_up_the_work_of_the_force) {
  // Corners in disorder are too flat for distances pulled back to tell. Half of the particles are pressed.
  Simulation s(block("composed", "model = \"yield-flow\"\nyield_stress = 1e9", "", "lattice"));
  deform(s.world, -0.02);
  std::mt19937 source(5);
  std::uniform_real_distribution<double> some(-1, 1);
  for (auto& F : s.world.particles.get<M>("F"))
    for (int e = 0; e < 9; ++e) F.e[e] += 0.05 * some(source);
  ASSERT_TRUE(s.solver->step(s.world, instant).ok());  // stress follows F
  std::vector<V> motion(s.world.particles.count());
  for (V& v : motion) v = V{some(source), some(source), some(source)};
  for (auto& v : s.world.particles.get<V>("v")) v = V{};
  s.world.tally.drift_dt = 0;  // forces act over the whole of the next step
  const std::vector<V> f = forces(s.world, *s.solver);
  double work = 0, size = 0;
  for (std::size_t i = 0; i < f.size(); ++i) work += dot(f[i], motion[i]), size += length(f[i]) * length(motion[i]);
  // In a step so short that forces change no velocity; particles move by 1e-5 m and more.
  const double rise = slope(1.0, [&](double e) {
    World w = s.world;
    const double dt = 1e-5;
    const auto v = w.particles.get<V>("v");
    const auto mass = w.particles.get<double>("mass");
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = motion[i] * e - f[i] * (dt / mass[i]);
    EXPECT_TRUE(s.solver->step(w, dt).ok());
    return s.solver->ledger(w).elastic / dt;
  });
  EXPECT_NEAR(work, -rise, 1e-8 * size);
  EXPECT_GT(std::abs(work), 1e-3 * size);
}

struct Tangent {
  Simulation s;
  Meshless<double, 3> solver;
  std::vector<V> places;
  // As matter that has flowed, by up to `flowed` in each component.
  Tangent(const std::string& material, double stretch, double flowed) : s(block("mls", material)), solver(s.scene()) {
    solver.prepare(s.world);
    deform(s.world, stretch);
    std::mt19937 source(7);
    std::uniform_real_distribution<double> some(-flowed, flowed);
    if (s.world.particles.find("plastic"))
      for (M& plastic : s.world.particles.get<M>("plastic"))
        for (double& e : plastic.e) e += some(source);
    if (s.world.particles.find("strain"))
      for (auto& strain : s.world.particles.get<Sym<double, 3>>("strain"))
        for (int k = 0; k < 6; ++k) strain[k] += some(source);
    const auto x = s.world.particles.get<V>("x");
    places.assign(x.begin(), x.end());
  }
  std::vector<V> operator()(const std::vector<V>& delta) {
    std::vector<V> out(delta.size());
    solver.tangent_force(s.world, delta, out);
    return out;
  }
  std::vector<V> by_differences(const std::vector<V>& delta) {
    const auto x = s.world.particles.get<V>("x");
    std::vector<V> all(delta.size());
    const auto at = [&](double e) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = places[i] + delta[i] * e;
      return forces(s.world, solver);
    };
    const double e = 1e-4;
    const std::vector<V> f[4] = {at(e), at(-e), at(2 * e), at(-2 * e)};
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = ((f[0][i] - f[1][i]) * 8.0 - (f[2][i] - f[3][i])) * (1 / (12 * e));
    std::copy(places.begin(), places.end(), x.begin());
    return all;
  }
  std::vector<V> random(unsigned seed) const {
    std::mt19937 source(seed);
    std::uniform_real_distribution<double> some(-1, 1);
    std::vector<V> all(places.size());
    for (V& v : all) v = V{some(source), some(source), some(source)};
    return all;
  }
};
double product(const std::vector<V>& a, const std::vector<V>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

const char* const laws[] = {"model = \"strain-yield\"\nfibre = [1, 1, 0]\nfibre_young = 2e5",
                            "model = \"strain-yield\"\nvolume_stiffness = 3e5",
                            "model = \"neo-hookean\"",
                            "model = \"fixed-corotated\"",
                            "model = \"hencky\"",
                            "model = \"st-venant-kirchhoff\"",
                            "model = \"yield-flow\"\nyield_stress = 1e9",
                            "model = \"yield-flow-st-venant-kirchhoff\"\nyield_stress = 1e9",
                            "model = \"viscoplastic\"\npoisson = 0.3\nyield_stress = 1e9",
                            "model = \"von-mises\"\nyield_stress = 1e9"};

// In tension nothing of it is left out, but the curvature of a volume term.
TEST(MeshlessSlopes, the_matrix_of_implicit_steps_is_that_of_the_force_and_symmetric) {
  for (const char* law : laws) {
    if (std::string(law).find("volume_stiffness") != std::string::npos) continue;
    Tangent K(law, 0.15, 0.02);
    const std::vector<V> a = K.random(1), b = K.random(2), Ka = K(a), Kb = K(b), differences = K.by_differences(a);
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, length(Ka[i] - differences[i]));
    EXPECT_LT(worst, 1e-8 * largest(Ka)) << law;
    EXPECT_NEAR(product(a, Kb), product(b, Ka), 1e-12 * std::abs(product(a, Ka))) << law;
  }
}

// All of it, a column for each unit motion.
std::vector<double> matrix_of(Tangent& K) {
  const std::size_t n = 3 * K.places.size();
  std::vector<double> all(n * n);
  std::vector<V> unit(K.places.size());
  for (std::size_t c = 0; c < n; ++c) {
    unit[c / 3][static_cast<int>(c % 3)] = 1;
    const std::vector<V> column = K(unit);
    unit[c / 3] = V{};
    for (std::size_t r = 0; r < n; ++r) all[r * n + c] = column[r / 3][static_cast<int>(r % 3)];
  }
  return all;
}

// Whether shift I - A has a root L L^T: exactly if no eigenvalue of A is as large as the shift, up to rounding.
bool is_below(std::vector<double> A, double shift) {
  const auto n = static_cast<std::size_t>(std::sqrt(double(A.size())));
  for (std::size_t i = 0; i < n * n; ++i) A[i] = -A[i];
  for (std::size_t i = 0; i < n; ++i) A[i * n + i] += shift;
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t k = 0; k < c; ++k) A[c * n + c] -= A[c * n + k] * A[c * n + k];
    if (!(A[c * n + c] > 0)) return false;
    A[c * n + c] = std::sqrt(A[c * n + c]);
    for (std::size_t r = c + 1; r < n; ++r) {
      for (std::size_t k = 0; k < c; ++k) A[r * n + c] -= A[r * n + k] * A[c * n + k];
      A[r * n + c] /= A[c * n + c];
    }
  }
  return true;
}

// In compression the slope of the force is not: a body may buckle. Moved as a whole a body feels nothing, so that the
// largest eigenvalue is 0.
TEST(MeshlessSlopes, the_matrix_of_implicit_steps_is_negative_semidefinite) {
  for (const char* law : laws) {
    Tangent K(law, -0.3, 0.1);
    const std::vector<double> all = matrix_of(K);
    const auto n = static_cast<std::size_t>(std::sqrt(double(all.size())));
    double size = 0, unlike = 0;
    for (const double e : all) size = std::max(size, std::abs(e));
    for (std::size_t r = 0; r < n; ++r)
      for (std::size_t c = 0; c < r; ++c) unlike = std::max(unlike, std::abs(all[r * n + c] - all[c * n + r]));
    EXPECT_LT(unlike, 1e-12 * size) << law;
    // What rounding leaves of an eigenvalue is some 1e-16 times the size times the width of the matrix.
    EXPECT_TRUE(is_below(all, 1e-12 * size)) << law;
    EXPECT_FALSE(is_below(all, -1e-12 * size)) << law << ": moved as a whole it feels nothing";
  }
}

}  // namespace
}  // namespace knead::test
