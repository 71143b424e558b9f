// How fast cells let the nodes of the grid swing at most. They push nodes through the weights S of their corners, and
// the mass M of the grid bears the push, so that steps are stable where dt^2 lambda <= 4, lambda being the largest
// eigenvalue of M^-1 S^T K S. A flat cell alone swings as fast as a wave crosses its least height, but its corners
// share nodes with all matter around them. K is that of pressure waves, which no product of a motion and a direction
// exceeds: one number per node stands for all its directions. All cells have waves of one speed, whatever their
// material, since events may give them another.
//
// With S the identity, which is a bound wherever the corners go, steps of Delaunay cells as long as the grid's would
// have to be four times as short as they are with the grid. Measured at rest, then, with a margin of two: such cells
// pulled to three times their length lose a third of the step that is stable at rest, thin bars and matter that keeps
// its volume a third as well.
#include "mpm/mesh.h"

#include "grid/bspline.h"

#include <unordered_map>

namespace knead {

namespace {

constexpr double wave_cells = 0.8;  // that a wave may cross in a stable step where cells do not shorten it

template <int D, int degree>
struct Weights {
  static constexpr int size = D == 2 ? (degree + 1) * (degree + 1) : (degree + 1) * (degree + 1) * (degree + 1);
  Vec<int, D> base{};
  BSpline1<degree, double> axis[D];

  Weights(const Vec<double, D>& x, double dx) {
    for (int a = 0; a < D; ++a) {
      base[a] = stencil_base<degree>(x[a] / dx);
      axis[a] = BSpline1<degree, double>(x[a] / dx - base[a]);
    }
  }
  // f(key of the node, weight)
  template <class F>
  void for_each(F&& f) const {
    constexpr std::int64_t bits = 21;
    for (int k = 0; k < size; ++k) {
      std::int64_t key = 0;
      double w = 1;
      for (int a = 0, rest = k; a < D; ++a, rest /= degree + 1) {
        const int i = rest % (degree + 1);
        key = (key << bits) + ((base[a] + i) & ((1 << bits) - 1));
        w *= axis[a].w[i];
      }
      f(key, w);
    }
  }
};

template <class T, int D, int degree>
class NodesOfCells {
 public:
  NodesOfCells(const World& world, const std::vector<Material>& materials, double dx) {
    const Particles& particles = world.particles;
    const auto id = particles.get<std::int32_t>("id"), body = particles.get<std::int32_t>("body");
    const auto x = particles.get<Vec<T, D>>("x");
    const auto mass = particles.get<T>("mass");
    const MeshCells<T, D> c(const_cast<Particles&>(world.mesh.cells));  // read only
    const auto of_cell = world.mesh.cells.get<std::int32_t>("body");
    std::vector<int> corner_of(static_cast<std::size_t>(world.next_id), -1);
    std::vector<char> bears;
    for (const Batch& batch : world.mesh.batches) {
      const double density = density_of(materials[static_cast<std::size_t>(batch.material)]);
      for (auto e = static_cast<std::size_t>(batch.begin); e < static_cast<std::size_t>(batch.end); ++e) {
        Cell cell;
        cell.mass = double(c.volume[e]) * density;
        cell.rest = cast<double>(c.rest[e]);
        for (int k = 0; k <= D; ++k) {
          int& corner = corner_of[static_cast<std::size_t>(c.corners[e][k])];
          if (corner < 0) corner = static_cast<int>(corners_++);
          cell.corner[k] = corner;
        }
        cells_.push_back(cell);
        bears.resize(std::max(bears.size(), static_cast<std::size_t>(of_cell[e]) + 1));
        bears[static_cast<std::size_t>(of_cell[e])] = 1;
      }
    }
    node_.resize(corners_ * Weights<D, degree>::size), weight_.resize(node_.size());
    std::unordered_map<std::int64_t, int> numbers;
    for (std::size_t i = 0; i < id.size(); ++i) {
      const int corner = corner_of[static_cast<std::size_t>(id[i])];
      if (corner < 0) continue;
      std::size_t at = static_cast<std::size_t>(corner) * Weights<D, degree>::size;
      Weights<D, degree>(resized<double, D>(x[i]), dx).for_each([&](std::int64_t key, double w) {
        node_[at] = numbers.emplace(key, static_cast<int>(numbers.size())).first->second;
        weight_[at++] = w;
      });
    }
    mass_.assign(numbers.size(), 0);
    for (std::size_t i = 0; i < id.size(); ++i) {
      const auto b = static_cast<std::size_t>(body[i]);
      if (b >= bears.size() || !bears[b]) continue;
      Weights<D, degree>(resized<double, D>(x[i]), dx).for_each([&](std::int64_t key, double w) {
        if (const auto found = numbers.find(key); found != numbers.end())
          mass_[static_cast<std::size_t>(found->second)] += w * double(mass[i]);
      });
    }
  }

  // 1/m^2, for waves of 1 m/s, by power iteration.
  double largest_eigenvalue() const {
    constexpr int most = 100;
    constexpr double tolerance = 1e-3;
    std::vector<double> v(mass_.size()), next;
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = double((i * 2654435761U >> 7) % 1024) / 512 - 1;
    double largest = 0;
    for (int k = 0; k < most; ++k) {
      double before = 0, after = 0;
      for (const double a : v) before += a * a;
      accelerate(v, next);
      for (const double a : next) after += a * a;
      const double found = std::sqrt(after / before);
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = next[i] / std::sqrt(after);
      const bool settled = k > 10 && found - largest <= tolerance * found;
      largest = std::max(largest, found);
      if (settled) break;
    }
    return largest;
  }

 private:
  struct Cell {
    int corner[D + 1];
    double mass;  // kg, and stiffness for waves of 1 m/s
    Mat<double, D> rest;
  };
  // next = M^-1/2 S^T K S M^-1/2 v, which has the same eigenvalues.
  void accelerate(const std::vector<double>& v, std::vector<double>& next) const {
    constexpr std::size_t size = Weights<D, degree>::size;
    std::vector<double> u(corners_, 0), f(corners_, 0);
    for (std::size_t i = 0; i < node_.size(); ++i) u[i / size] += weight_[i] * v[at(i)] / std::sqrt(mass_[at(i)]);
    for (const Cell& c : cells_) {
      Vec<double, D> side;
      for (int k = 0; k < D; ++k)
        side[k] = u[static_cast<std::size_t>(c.corner[k + 1])] - u[static_cast<std::size_t>(c.corner[0])];
      const Vec<double, D> push = c.mass * (c.rest * (transpose(c.rest) * side));
      for (int k = 0; k < D; ++k) {
        f[static_cast<std::size_t>(c.corner[k + 1])] += push[k];
        f[static_cast<std::size_t>(c.corner[0])] -= push[k];
      }
    }
    next.assign(v.size(), 0);
    for (std::size_t i = 0; i < node_.size(); ++i) next[at(i)] += weight_[i] * f[i / size] / std::sqrt(mass_[at(i)]);
  }
  std::size_t at(std::size_t i) const { return static_cast<std::size_t>(node_[i]); }

  std::vector<Cell> cells_;
  std::size_t corners_ = 0;
  std::vector<int> node_;       // of each corner, those of its stencil
  std::vector<double> weight_;  // likewise
  std::vector<double> mass_;    // kg, of the nodes
};

}  // namespace

template <class T, int D>
double mesh_swing(const World& world, const std::vector<Material>& materials, double dx, int degree) {
  if (world.mesh.batches.empty()) return 1;
  const auto measure = [&]<int d>() {
    return wave_cells * dx / 2 * std::sqrt(NodesOfCells<T, D, d>(world, materials, dx).largest_eigenvalue());
  };
  return std::max(1.0, degree == 2 ? measure.template operator()<2>() : measure.template operator()<3>());
}

template double mesh_swing<float, 2>(const World&, const std::vector<Material>&, double, int);
template double mesh_swing<float, 3>(const World&, const std::vector<Material>&, double, int);
template double mesh_swing<double, 2>(const World&, const std::vector<Material>&, double, int);
template double mesh_swing<double, 3>(const World&, const std::vector<Material>&, double, int);

}  // namespace knead
