// The vector code gives the same bits on every kind of machine: this file is built for each, and all must find the
// numbers that are written down here. A change that alters results by rounding alters them: put in what the test says.
#include "mpm/grid_to_particles.h"
#include "mpm/stress_kernel.h"

#include <gtest/gtest.h>

#include <map>

namespace knead {
namespace {

// Numbers made of integers alone, so that they are the same everywhere.
struct Random {
  std::uint64_t state = 1;
  double operator()(double low, double high) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * (double(state >> 40) / double(1 << 24));
  }
};

// Fowler, Noll and Vo's hash. A zero has one sign here: which one it has is not asked.
class Hash {
 public:
  template <class T>
  void add(const T* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const T value = values[i] == T(0) ? T(0) : values[i];
      const auto* byte = reinterpret_cast<const unsigned char*>(&value);
      for (std::size_t b = 0; b < sizeof(T); ++b) hash_ = (hash_ ^ byte[b]) * 0x100000001b3ull;
    }
  }
  template <class T, class E>
  void add_column(std::span<E> column) {
    add(reinterpret_cast<const T*>(column.data()), column.size() * sizeof(E) / sizeof(T));
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

template <class T, int D>
Particles some_particles(std::size_t count) {
  Particles particles;
  particles.resize(count);
  particles.add<Vec<T, D>>("x"), particles.add<Vec<T, D>>("v"), particles.add<Mat<T, D>>(strain_column);
  particles.add<Mat<T, D>>("C"), particles.add<Sym<T, D>>("tau"), particles.add<T>("mass"), particles.add<T>("volume");
  Columns<T, D> p(particles);
  Random random;
  for (std::size_t i = 0; i < count; ++i) {
    for (int a = 0; a < D; ++a) p.x[i][a] = T(random(-0.5, 0.5)), p.v[i][a] = T(random(-1, 1));
    for (int k = 0; k < D * D; ++k) {
      // Some are hardly strained, and some so far that they need the careful ways.
      const double most = i % 10 == 0 ? 0.4 : i % 3 == 0 ? 0.002 : 0.04;
      p.C[i].e[k] = T(random(-3, 3)), p.H[i].e[k] = T(random(-most, most));
    }
    for (int k = 0; k < Sym<T, D>::size; ++k) p.tau[i][k] = T(random(-1e4, 1e4));
    p.mass[i] = T(random(0.5, 2) * 1e-3), p.volume[i] = T(random(0.5, 2) * 1e-6);
  }
  return particles;
}

// A scatter, and a gather with the law's stress.
template <Transfer transfer, int degree, class T, int D, class Law>
std::uint64_t hash_of_step(const Law& law) {
  constexpr T dx = T(0.1), dt = T(1e-4);
  Particles particles = some_particles<T, D>(3000);
  for (const HistoryColumn& h : Law::history_columns) {
    const auto column = particles.add<T>(h.name);
    std::fill(column.begin(), column.end(), T(h.initial));
  }
  Columns<T, D> p(particles);
  const std::int64_t ends[] = {3000};
  BlockSort<D> sort;
  EXPECT_EQ(sort.template sort<degree>(std::span<const Vec<T, D>>(p.x), T(1) / dx, ends), sort.all_inside);
  BlockGrid<T, D> grid;
  grid.build(sort.keys(), transfer == Transfer::flip);
  particles_to_grid<transfer, degree>(p, sort, dx, dt, grid);
  Hash hash;
  for (const Node<T, D>& node : grid.nodes) hash.add(&node.v[0], D), hash.add(&node.m, 1);
  for (auto* nodes : {&grid.nodes, &grid.old})
    for (Node<T, D>& node : *nodes)
      if (node.m > T(0)) node.v = node.v * (T(1) / node.m);
  std::vector<StressKernel<T, D>> kernels{stress_kernel_of_law<T, D>(law, particles)};
  std::vector<ParticleReport> partial;
  const ParticleReport report = grid_to_particles<transfer, degree>(
      p, sort, grid, {dx, dt, T(0.3), true}, std::span<const StressKernel<T, D>>(kernels), partial);
  hash.template add_column<T>(p.x), hash.template add_column<T>(p.v), hash.template add_column<T>(p.H);
  hash.template add_column<T>(p.C), hash.template add_column<T>(p.tau);
  for (const HistoryColumn& h : Law::history_columns) hash.template add_column<T>(particles.get<T>(h.name));
  const double sums[] = {report.max_speed, report.max_gradient, report.stress.dissipated, report.stress.max_wave_speed};
  hash.add(sums, 4);
  return hash.value();
}

using Jelly = Elastoplastic<FixedCorotated, NoFlow, FixedCorotatedModel>;
using Snow = Elastoplastic<FixedCorotated, SnowFlow, SnowModel>;

TEST(SameBits, of_every_transfer) {
  const Jelly jelly;
  EXPECT_EQ((hash_of_step<Transfer::mls, 3, double, 3>(jelly)), 0x96aea57192770dcau);
  EXPECT_EQ((hash_of_step<Transfer::apic, 3, float, 2>(jelly)), 0x69605d0cb8f3e741u);
  EXPECT_EQ((hash_of_step<Transfer::flip, 2, float, 3>(jelly)), 0xb43192439c5a8a58u);
  EXPECT_EQ((hash_of_step<Transfer::flip, 1, double, 2>(Snow{})), 0x726f811522c0c8a5u);
}

template <std::size_t i = 0>
void add_laws(std::map<std::string_view, std::uint64_t>& found) {
  if constexpr (i < std::variant_size_v<Materials>) {
    using Law = std::variant_alternative_t<i, Materials>;
    if constexpr (!Law::needs_rest_shape) {
      Law law;
      law.prepare();
      found[Law::name] = hash_of_step<Transfer::mls, 2, float, 3>(law);
    }
    add_laws<i + 1>(found);
  }
}

TEST(SameBits, of_every_law) {
  const std::map<std::string_view, std::uint64_t> expected{
      {"fixed-corotated", 0xcccfc6078fa01d17},
      {"fluid", 0x6152d5e7490fbf48},
      {"hencky", 0x0da4c24d90b71650},
      {"neo-hookean", 0x061b89d0e2450a1d},
      {"phase-field", 0x4ef592012846c4b6},
      {"rankine", 0xa47a88f05ebaf69e},
      {"rankine-von-mises", 0x9cbe5e0a3f232e3c},
      {"sand", 0xcf667f9c42eafbe5},
      {"snow", 0x5d1bfdb83035bbdb},
      {"st-venant-kirchhoff", 0x352accf17e04814d},
      {"viscoplastic", 0x76990d2d219494b7},
      {"von-mises", 0x8dd832a78d91295e},
      {"yield-flow", 0xde9a8576f8ee14c3},
      {"yield-flow-st-venant-kirchhoff", 0xe21ee16dc4ad117f},
  };
  std::map<std::string_view, std::uint64_t> found;
  add_laws(found);
  for (const auto& [name, hash] : found)
    EXPECT_EQ(hash, expected.contains(name) ? expected.at(name) : 0)
        << "{\"" << name << "\", 0x" << std::hex << hash << "},";
}

}  // namespace
}  // namespace knead
