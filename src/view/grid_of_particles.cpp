#include "view/grid_of_particles.h"

#include "grid/block_grid.h"
#include "view/packed.h"

#include <algorithm>

namespace knead {

namespace {

constexpr std::size_t most_nodes = 40'000;   // in an answer
constexpr std::size_t most_homes = 100'000;  // blocks that hold matter: those around take up to 8 kB of memory each
// Nodes that have less, of the mass of the heaviest, are at the rim of what the kernel reaches: noise.
constexpr double least_share = 1e-3;

// What the particles of a frame bring to a grid.
template <int D>
struct Matter {
  std::vector<Vec<double, D>> x, v;
  std::vector<Mat<double, D>> C;  // empty where the transfer has none
  std::vector<double> mass;       // empty: alike
};

template <int D>
Matter<D> matter_of(const Scene& scene, const Frame& frame) {
  const Particles& p = frame.particles;
  const Column *x = p.find("x"), *v = p.find("v"), *mass = p.find("mass"), *C = p.find("C");
  if (!v || v->components != D)
    fail(Exit::bad_input, "the frame has no velocities 'v'; write them with [output] columns");
  const bool affine = scene.solver.traits().grid == Grid::cells ? scene.solver.liquid.transfer == LiquidTransfer::apic
                                                                : is_affine(scene.solver.transfer);
  Matter<D> matter;
  matter.x.resize(p.count()), matter.v.resize(p.count());
  for (std::size_t i = 0; i < p.count(); ++i)
    for (int a = 0; a < D; ++a) matter.x[i][a] = x->value(i, a), matter.v[i][a] = v->value(i, a);
  if (mass)
    for (std::size_t i = 0; i < p.count(); ++i) matter.mass.push_back(mass->value(i));
  if (!affine || !C || C->components != D * D) return matter;
  matter.C.resize(p.count());
  for (std::size_t i = 0; i < p.count(); ++i)
    for (int a = 0; a < D; ++a)
      for (int b = 0; b < D; ++b) matter.C[i](a, b) = C->value(i, a * D + b);
  return matter;
}

// Momentum and mass on the nodes at (i + offset) dx.
template <int degree, int D>
class NodeSums {
 public:
  using Layout = BlockLayout<D>;

  NodeSums(const Matter<D>& matter, double dx, const Vec<double, D>& offset) : dx_(dx), offset_(offset) {
    std::vector<BlockKey> homes;
    for (const Vec<double, D>& x : matter.x)
      if (const auto key = home_of(x); key && (homes.empty() || homes.back() != *key)) homes.push_back(*key);
    std::sort(homes.begin(), homes.end());
    homes.erase(std::unique(homes.begin(), homes.end()), homes.end());
    if (homes.size() > most_homes)
      fail(Exit::bad_input, "the matter is spread over {} blocks of cells, too many to compute their velocities here",
           homes.size());
    grid.build(homes, false);
    grid.clear();
    std::size_t home = 0;
    for (std::size_t i = 0; i < matter.x.size(); ++i) {
      const auto key = home_of(matter.x[i]);
      if (!key) continue;
      if (homes[home] != *key) home = std::size_t(std::lower_bound(homes.begin(), homes.end(), *key) - homes.begin());
      add(matter, i, block_at<D>(*key), grid.neighbours(int(home)));
    }
  }

  // The mean of the velocities at a node, or nothing where no mass is.
  const Node<float, D>* find(const Vec<int, D>& node) const {
    const int block = grid.find(block_key(Layout::block_of(node)));
    return block < 0 ? nullptr
                     : &grid.nodes[std::size_t(block) * Layout::nodes + std::size_t(Layout::node_index(node))];
  }
  double heaviest() const {
    double most = 0;
    for (const auto& node : grid.nodes) most = std::max(most, double(node.m));
    return most;
  }
  Vec<int, D> node_at(std::size_t i) const {
    return grid.first_node(i / Layout::nodes) + Layout::node_offset(int(i % Layout::nodes));
  }

  BlockGrid<float, D> grid;

 private:
  // Of particles that are somewhere.
  std::optional<BlockKey> home_of(const Vec<double, D>& x) const {
    Vec<int, D> base{};
    for (int a = 0; a < D; ++a) {
      const double cells = x[a] / dx_ - offset_[a];
      if (!(std::abs(cells) < Layout::side * (block_limit - 2.0))) return {};
      base[a] = stencil_base<degree>(cells);
    }
    return block_key(Layout::block_of(base));
  }

  void add(const Matter<D>& matter, std::size_t i, const Vec<int, D>& block,
           const typename BlockGrid<float, D>::Neighbours& around) {
    BSpline1<degree, double> axis[D];
    Vec<int, D> base{};
    Vec<double, D> f{};
    for (int a = 0; a < D; ++a) {
      const double cells = matter.x[i][a] / dx_ - offset_[a];
      base[a] = stencil_base<degree>(cells);
      f[a] = cells - base[a];
      axis[a] = BSpline1<degree, double>(f[a]);
    }
    constexpr int width = degree + 1, count = D == 2 ? width * width : width * width * width;
    const double mass = matter.mass.empty() ? 1 : matter.mass[i];
    for (int k = 0; k < count; ++k) {
      const Vec<int, D> off = offset_of(k);
      Vec<double, D> away{};
      int corner = 0;
      double w = mass;
      for (int a = 0; a < D; ++a) {
        w *= axis[a].w[off[a]];
        away[a] = (off[a] - f[a]) * dx_;
        corner = corner << 1 | (((base[a] + off[a]) >> Layout::shift) - block[a]);
      }
      Node<float, D>& node = grid.nodes[std::size_t(around[std::size_t(corner)]) * Layout::nodes +
                                        std::size_t(Layout::node_index(base + off))];
      const Vec<double, D> v = matter.C.empty() ? matter.v[i] : matter.v[i] + matter.C[i] * away;
      node.m += float(w);
      node.v += resized<float, D>(v * w);
    }
  }
  static Vec<int, D> offset_of(int k) {
    constexpr int width = degree + 1;
    Vec<int, D> off{};
    for (int a = D - 1; a >= 0; --a, k /= width) off[a] = k % width;
    return off;
  }

  double dx_;
  Vec<double, D> offset_;
};

// f(node, its mass and momentum) for those that are listed.
template <int degree, int D, class F>
void list_nodes(const NodeSums<degree, D>& sums, double least, GridVelocities& result, F&& f) {
  const double mass = least * sums.heaviest();
  for (const auto& node : sums.grid.nodes) result.nodes += node.m > mass;
  result.every = every_node(result.nodes, most_nodes, D);
  for (std::size_t i = 0; i < sums.grid.nodes.size(); ++i) {
    const Vec<int, D> at = sums.node_at(i);
    if (sums.grid.nodes[i].m > mass && is_listed(at, result.every)) f(at, sums.grid.nodes[i]);
  }
}

template <int degree, int D>
GridVelocities at_nodes(const Matter<D>& matter, double dx) {
  GridVelocities result;
  list_nodes(NodeSums<degree, D>(matter, dx, {}), least_share, result, [&](const Vec<int, D>& at, const auto& node) {
    result.x.push_back(resized<float, 3>(resized<double, 3>(at) * dx));
    result.v.push_back(resized<float, 3>(node.v) / node.m);
  });
  return result;
}

template <int D>
GridVelocities in_cells(const Matter<D>& matter, double dx) {
  constexpr double least_fill = 0.01;
  const auto middle = Vec<double, D>::filled(0.5);
  std::vector<NodeSums<1, D>> faces;
  for (int a = 0; a < D; ++a) {
    Vec<double, D> offset = middle;
    offset[a] = 0;
    faces.emplace_back(matter, dx, offset);
  }
  GridVelocities result;
  list_nodes(NodeSums<1, D>(matter, dx, middle), least_fill, result, [&](const Vec<int, D>& cell, const auto&) {
    Vec3f x{}, v{};
    for (int a = 0; a < D; ++a) {
      x[a] = float((cell[a] + 0.5) * dx);
      int known = 0;
      for (const int up : {0, 1}) {
        Vec<int, D> at = cell;
        at[a] += up;
        const Node<float, D>* face = faces[std::size_t(a)].find(at);
        if (face && face->m > 0) v[a] += face->v[a] / face->m, ++known;
      }
      if (known == 2) v[a] /= 2;
    }
    result.x.push_back(x), result.v.push_back(v);
  });
  return result;
}

template <int D>
GridVelocities grid_of(const Scene& scene, const Frame& frame) {
  const Matter<D> matter = matter_of<D>(scene, frame);
  const double dx = scene.solver.dx;
  if (scene.solver.traits().grid == Grid::cells) return in_cells(matter, dx);
  switch (scene.solver.degree()) {
    case 1:
      return at_nodes<1>(matter, dx);
    case 2:
      return at_nodes<2>(matter, dx);
    default:
      return at_nodes<3>(matter, dx);
  }
}

}  // namespace

std::vector<std::string> columns_for_grid() { return {"v", "mass", "C"}; }

GridVelocities grid_of_particles(const Scene& scene, const Frame& frame) {
  if (scene.solver.traits().grid == Grid::none) fail(Exit::bad_input, "the method has no grid");
  return frame.dimension == 2 ? grid_of<2>(scene, frame) : grid_of<3>(scene, frame);
}

std::string grid_bytes(const Frame& frame, const GridVelocities& grid, bool of_solver) {
  const auto fill = [&](const std::vector<Vec3f>& from) {
    return [&from, d = frame.dimension](float* to) {
      for (const Vec3f& p : from)
        for (int k = 0; k < d; ++k) *to++ = p[k];
    };
  };
  Packed packed;
  packed.add<float>("x", grid.x.size(), frame.dimension, fill(grid.x));
  packed.add<float>("v", grid.v.size(), frame.dimension, fill(grid.v));
  return packed.joined({{"number", frame.number},
                        {"time", frame.time},
                        {"step", frame.step},
                        {"dimension", frame.dimension},
                        {"rows", grid.x.size()},
                        {"nodes", grid.nodes},
                        {"every", grid.every},
                        {"source", of_solver ? "solver" : "particles"}});
}

}  // namespace knead
