#include "mpm/phase_field.h"

#include "base/elementary.h"
#include "base/pack.h"

namespace knead {

namespace {

// The residual that is left, as a share of that without a field; and what counts as next to no field.
constexpr double accuracy = 1e-4, faint = 1e-3;
constexpr int most_iterations = 200;

// The weights of a particle on the stencil that begins at `corner`.
template <class T, int D, int degree>
struct Weights {
  BSpline1<degree, T> axis[D];
  Weights(const Vec<T, D>& x, T inverse_dx, const Vec<int, D>& corner) {
    for (int a = 0; a < D; ++a) axis[a] = BSpline1<degree, T>(x[a] * inverse_dx - T(corner[a]));
  }
  // sum w_i a_i, the first value at the corner; rows along the last axis are `pitch` apart.
  T sum(const T* values, int pitch) const {
    T all = 0;
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; j <= (D == 3 ? degree : 0); ++j) {
        const T* row = values + (D == 2 ? i : i * pitch + j) * pitch;
        T along = 0;
        for (int k = 0; k <= degree; ++k) along = fma(axis[D - 1].w[k], row[k], along);
        all = fma(axis[0].w[i] * (D == 3 ? axis[1].w[j] : T(1)), along, all);
      }
    return all;
  }
};

}  // namespace

template <class T, int D>
void PhaseField<T, D>::note_batches(const World& world, std::span<const Material> materials) {
  terms_.clear();
  any_ = false;
  double unit = 0;  // Pa
  for (const Batch& batch : world.batches) {
    Terms& terms = terms_.emplace_back();
    visit(materials[static_cast<std::size_t>(batch.material)], [&]<class Law>(const Law& law) {
      if constexpr (std::is_same_v<typename Law::Flow, PhaseFieldFlow>) {
        const double stiffness = law.flow.fracture_energy / law.flow.crack_length;
        if (unit == 0) unit = stiffness;
        terms = {true, stiffness / unit, stiffness / unit * square(law.flow.crack_length), 2 / unit};
        any_ = true;
      }
    });
  }
}

// The box of nodes that the nodes of a block meet: `degree` more on either side.
template <class T, int D>
template <int degree>
struct PhaseField<T, D>::Shape {
  static constexpr int reach = 2 * degree + 1, entries = D == 2 ? reach * reach : reach * reach * reach;
  static constexpr int box = side + 2 * degree, size = D == 2 ? box * box : box * box * box;
  static constexpr int index(const Vec<int, D>& offset) {
    int i = 0;
    for (int a = 0; a < D; ++a) i = i * box + offset[a];
    return i;
  }
};

// The matrix of the nodes of one stencil, summed over the particles that have it. As the weights are products over the
// axes, so are its terms; and each factor, w_i w_k or w'_i w'_k of one axis, is symmetric: pairs i <= k are enough.
template <class T, int D>
template <int degree>
struct PhaseField<T, D>::CellSums {
  static constexpr int width = degree + 1, pairs = width * (width + 1) / 2;
  static constexpr int lanes = pairs <= 4 ? 4 : pairs <= 8 ? 8 : 16;
  static constexpr int rows = D == 2 ? pairs : pairs * pairs;
  static constexpr int count = D == 2 ? width * width : width * width * width;  // nodes
  alignas(64) T matrix[rows * lanes] = {};                                      // row by row
  Lane<T> at_node[count] = {};                                                  // b; V w; V w d

  static constexpr int pair(int i, int k) { return i <= k ? k * (k + 1) / 2 + i : i * (i + 1) / 2 + k; }

  // own w_i w_k + spread grad w_i . grad w_k, and the sums at the nodes.
  void add(const Weights<T, D, degree>& s, T own, T spread, T drive, T volume, T d) {
    alignas(64) T even[D][lanes] = {}, slope[D][lanes] = {};
    for (int a = 0; a < D; ++a)
      for (int k = 0; k < width; ++k)
        for (int i = 0; i <= k; ++i) {
          even[a][pair(i, k)] = s.axis[a].w[i] * s.axis[a].w[k];
          slope[a][pair(i, k)] = s.axis[a].dw[i] * s.axis[a].dw[k];
        }
    constexpr int last = D - 1;
    const auto add_row = [&](int row, T weights, T slopes) {
      T* to = matrix + row * lanes;
      for (int k = 0; k < lanes; ++k) to[k] = fma(weights, even[last][k], fma(slopes, slope[last][k], to[k]));
    };
    for (int p = 0; p < pairs; ++p) {
      const T weights = own * even[0][p] + spread * slope[0][p], slopes = spread * even[0][p];
      if constexpr (D == 2) {
        add_row(p, weights, slopes);
      } else {
        for (int q = 0; q < pairs; ++q)
          add_row(p * pairs + q, weights * even[1][q] + slopes * slope[1][q], slopes * even[1][q]);
      }
    }
    const Lane<T> value{drive, volume, volume * d, T(0)};
    for (int i = 0, n = 0; i < width; ++i)
      for (int j = 0; j < (D == 2 ? 1 : width); ++j) {
        const Lane<T> first = value * (s.axis[0].w[i] * (D == 3 ? s.axis[1].w[j] : T(1)));
        for (int k = 0; k < width; ++k, ++n) at_node[n] += first * s.axis[last].w[k];
      }
  }
  static constexpr Vec<int, D> node(int n) {
    Vec<int, D> at{};
    for (int a = D - 1; a >= 0; --a, n /= width) at[a] = n % width;
    return at;
  }
  // Between a node and one that does not come before it: where it is in the sums, and which entry of the first one's
  // row it adds to.
  struct Place {
    std::uint16_t sum, entry;
  };
  static constexpr std::array<Place, count*(count + 1) / 2> places = [] {
    std::array<Place, count*(count + 1) / 2> all{};
    std::size_t at = 0;
    for (int n = 0; n < count; ++n)
      for (int m = n; m < count; ++m, ++at) {
        const Vec<int, D> a = node(n), b = node(m);
        int row = 0, entry = 0;
        for (int k = 0; k < D; ++k) {
          if (k < D - 1) row = row * pairs + pair(a[k], b[k]);
          entry = entry * Shape<degree>::reach + (b[k] - a[k] + degree);
        }
        all[at] = {static_cast<std::uint16_t>(row * lanes + pair(a[D - 1], b[D - 1])),
                   static_cast<std::uint16_t>(entry)};
      }
    return all;
  }();
};

template <class T, int D>
template <int degree>
int PhaseField<T, D>::solve(World& world, const BlockSort<D>& sort, BlockGrid<T, D>& grid, double dx) {
  const Columns<T, D> p(world.particles);
  find_slots(sort, grid);
  const Particle particle{p.volume, world.particles.get<T>("tensile_energy"), world.particles.get<T>("damage")};
  assemble<degree>(p, particle, sort, grid, dx);
  mirror<degree>();
  start();

  // r = b - A d, and down with it.
  const auto times = [&](std::span<const Vec<T, 1>> x, std::span<Vec<T, 1>> out) { multiply<degree>(x, out); };
  times(field_, cg_.product);
  parallel_for(field_.size(), 1024, [&](std::size_t i) { cg_.residual[i] = known_[i] - cg_.product[i]; });
  const double all = cg_.sum([&](std::size_t i) { return cg_.inverse[i] > T(0) ? 1 / double(cg_.inverse[i]) : 0.0; });
  const double scale = std::max(cg_.squared(known_), square(faint) * all);
  const int iterations = cg_.solve(field_, times, square(accuracy) * scale, most_iterations);

  tell<degree>(p, sort, grid, dx, world.particles.get<T>("crack_field"));
  return iterations;
}

// Numbers the blocks that the particles reach.
template <class T, int D>
void PhaseField<T, D>::find_slots(const BlockSort<D>& sort, const BlockGrid<T, D>& grid) {
  slot_.assign(grid.blocks(), -1);
  for (int home = 0; home < sort.blocks(); ++home)
    for (const Segment& segment : sort.segments(home))
      if (cracks(segment))
        for (const int block : grid.neighbours(home)) slot_[static_cast<std::size_t>(block)] = 0;
  around_.clear();
  for (std::size_t block = 0; block < slot_.size(); ++block)
    if (slot_[block] == 0) slot_[block] = static_cast<int>(around_.size()), around_.emplace_back();
  parallel_for(slot_.size(), 16, [&](std::size_t block) {
    if (slot_[block] < 0) return;
    const Vec<int, D> at = Layout::block_of(grid.first_node(block));
    for (int k = 0; k < around; ++k) {
      Vec<int, D> beside = at;
      for (int a = D - 1, rest = k; a >= 0; --a, rest /= 3) beside[a] += rest % 3 - 1;
      const int found = grid.find(block_key(beside));
      around_[static_cast<std::size_t>(slot_[block])][static_cast<std::size_t>(k)] =
          found < 0 ? -1 : slot_[static_cast<std::size_t>(found)];
    }
  });
}

template <class T, int D>
template <int degree>
void PhaseField<T, D>::assemble(const Columns<T, D>& p, const Particle& particle, const BlockSort<D>& sort,
                                BlockGrid<T, D>& grid, double dx) {
  const std::size_t n = around_.size() * nodes;
  known_.resize(n), field_.resize(n), weight_.resize(n), cg_.resize(n);
  matrix_.resize(n * Shape<degree>::entries);
  parallel_for(around_.size(), 16, [&](std::size_t slot) {
    std::fill_n(known_.begin() + slot * nodes, nodes, Vec<T, 1>{});
    std::fill_n(field_.begin() + slot * nodes, nodes, Vec<T, 1>{});
    std::fill_n(weight_.begin() + slot * nodes, nodes, T(0));
    std::fill_n(matrix_.begin() + slot * nodes * Shape<degree>::entries, nodes * Shape<degree>::entries, T(0));
  });
  const double per_cell = elementary::power(dx, -D);
  grid.for_each_home_by_colour([&](int home) {
    const Vec<int, D> origin = BlockGrid<T, D>::first_node_of(sort.keys()[static_cast<std::size_t>(home)]);
    for (const Segment& segment : sort.segments(home)) {
      if (!cracks(segment)) continue;
      const Terms& terms = terms_[static_cast<std::size_t>(segment.batch)];
      for (int at = segment.begin; at < segment.end;) {
        const std::uint8_t cell = sort.cells()[static_cast<std::size_t>(at)];
        const Vec<int, D> corner = Layout::node_offset(cell);
        CellSums<degree> sums;
        for (; at < segment.end && sort.cells()[static_cast<std::size_t>(at)] == cell; ++at) {
          const auto i = static_cast<std::size_t>(sort.order()[static_cast<std::size_t>(at)]);
          const T volume = particle.volume[i] * T(per_cell), drive = volume * T(terms.drive) * particle.held[i];
          sums.add(Weights<T, D, degree>(p.x[i], T(1) / T(dx), origin + corner), volume * T(terms.own) + drive,
                   volume * T(terms.spread / (dx * dx)), drive, volume, particle.damage[i]);
        }
        add<degree>(sums, home, corner, grid);
      }
    }
  });
}

// The sums of a stencil whose first node is `corner`, counted from the first of its home block.
template <class T, int D>
template <int degree>
void PhaseField<T, D>::add(const CellSums<degree>& sums, int home, const Vec<int, D>& corner,
                           const BlockGrid<T, D>& grid) {
  const auto* place = sums.places.data();
  for (int row = 0; row < sums.count; ++row) {
    const Vec<int, D> at = corner + CellSums<degree>::node(row);
    int forward = 0;
    for (int k = 0; k < D; ++k) forward = forward << 1 | (at[k] >> Layout::shift);
    const auto slot = static_cast<std::size_t>(slot_[static_cast<std::size_t>(grid.neighbours(home)[forward])]);
    const auto node = static_cast<std::size_t>(Layout::node_index(at));
    known_[slot * nodes + node][0] += sums.at_node[row][0];
    weight_[slot * nodes + node] += sums.at_node[row][1];
    field_[slot * nodes + node][0] += sums.at_node[row][2];
    T* entries = matrix_.data() + slot * nodes * Shape<degree>::entries + node;
    for (int column = row; column < sums.count; ++column, ++place)
      entries[place->entry * nodes] += sums.matrix[place->sum];
  }
}

// The entries towards nodes that come before are those of these nodes.
template <class T, int D>
template <int degree>
void PhaseField<T, D>::mirror() {
  constexpr int entries = Shape<degree>::entries, reach = Shape<degree>::reach;
  parallel_for(around_.size(), 4, [&](std::size_t slot) {
    for (int e = 0; e < entries / 2; ++e) {
      T* to = matrix_.data() + (slot * entries + static_cast<std::size_t>(e)) * nodes;
      Vec<int, D> way{};
      for (int a = D - 1, rest = e; a >= 0; --a, rest /= reach) way[a] = rest % reach - degree + side;
      for (int n = 0; n < nodes; ++n) {
        const Vec<int, D> other = Layout::node_offset(n) + way;  // from the first of the blocks around
        int block = 0;
        for (int a = 0; a < D; ++a) block = block * 3 + (other[a] >> Layout::shift);
        const int from = around_[slot][static_cast<std::size_t>(block)];
        to[n] = from < 0
                    ? T(0)
                    : matrix_[(static_cast<std::size_t>(from) * entries + static_cast<std::size_t>(entries - 1 - e)) *
                                  nodes +
                              static_cast<std::size_t>(Layout::node_index(other))];
      }
    }
  });
}

// From the particles' damage, averaged at the nodes, and with the inverse of the diagonal.
template <class T, int D>
void PhaseField<T, D>::start() {
  const std::size_t entries = matrix_.size() / field_.size(), middle = entries / 2;
  parallel_for(field_.size(), 1024, [&](std::size_t i) {
    const T diagonal = matrix_[(i / nodes * entries + middle) * nodes + i % nodes];
    cg_.inverse[i] = diagonal > T(0) ? T(1) / diagonal : T(0);
    field_[i][0] = diagonal > T(0) ? field_[i][0] / weight_[i] : T(0);
  });
}

// The values at the nodes that a block's nodes meet; 0 where there are none.
template <class T, int D>
template <int degree>
void PhaseField<T, D>::load(std::size_t slot, std::span<const Vec<T, 1>> x, T* box) const {
  constexpr int width = Shape<degree>::box, rows = Shape<degree>::size / width;
  for (int r = 0; r < rows; ++r) {
    // The row's place in the blocks around, counted from the first of them.
    std::size_t block = 0, in_block = 0;
    for (int a = 0; a < D - 1; ++a) {
      const std::size_t i = side - degree + static_cast<std::size_t>(D == 2 || a == 1 ? r % width : r / width);
      block = block * 3 + (i >> Layout::shift), in_block = in_block << Layout::shift | (i & (side - 1));
    }
    block *= 3, in_block <<= Layout::shift;
    T* to = box + r * width;
    const auto copy = [&](std::size_t beside, std::size_t first, std::size_t count) {
      const int from = around_[slot][block + beside];
      for (std::size_t k = first; k < first + count; ++k, ++to)
        *to = from < 0 ? T(0) : x[static_cast<std::size_t>(from) * nodes + in_block + k][0];
    };
    copy(0, side - degree, degree);
    copy(1, 0, side);
    copy(2, 0, degree);
  }
}

template <class T, int D>
template <int degree>
void PhaseField<T, D>::multiply(std::span<const Vec<T, 1>> x, std::span<Vec<T, 1>> out) const {
  using P = Pack<T, std::min(side, native_width<T>)>;
  constexpr int box = Shape<degree>::box, packs = nodes / P::width, per_row = side / P::width;
  parallel_for(around_.size(), 4, [&](std::size_t slot) {
    alignas(64) T values[Shape<degree>::size];
    load<degree>(slot, x, values);
    P sum[packs];
    for (P& s : sum) s = P(T(0));
    const T* entry = matrix_.data() + slot * nodes * Shape<degree>::entries;
    for (int e = 0; e < Shape<degree>::entries; ++e, entry += nodes) {
      int first = 0;  // of the values that the entry meets
      for (int a = 0, stride = Shape<degree>::entries / Shape<degree>::reach; a < D;
           ++a, stride /= Shape<degree>::reach)
        first = first * box + e / stride % Shape<degree>::reach;
      for (int k = 0; k < packs; ++k) {
        const int row = k / per_row, start = D == 2 ? row * box : (row / side * box + row % side) * box;
        sum[k] = fma(P::load(entry + k * P::width), P::load(values + first + start + k % per_row * P::width), sum[k]);
      }
    }
    for (int k = 0; k < packs; ++k) sum[k].store(&out[slot * nodes + static_cast<std::size_t>(k) * P::width][0]);
  });
}

template <class T, int D>
template <int degree>
void PhaseField<T, D>::tell(const Columns<T, D>& p, const BlockSort<D>& sort, const BlockGrid<T, D>& grid, double dx,
                            std::span<T> field) const {
  parallel_for(sort.keys().size(), 1, [&](std::size_t home) {
    const auto segments = sort.segments(static_cast<int>(home));
    if (std::none_of(segments.begin(), segments.end(), [&](const Segment& s) { return cracks(s); })) return;
    const int block = grid.neighbours(static_cast<int>(home))[0];
    T values[Shape<degree>::size];
    load<degree>(static_cast<std::size_t>(slot_[static_cast<std::size_t>(block)]), field_, values);
    const Vec<int, D> origin = BlockGrid<T, D>::first_node_of(sort.keys()[home]);
    for (const Segment& segment : segments) {
      if (!cracks(segment)) continue;
      for (int at = segment.begin; at < segment.end; ++at) {
        const auto i = static_cast<std::size_t>(sort.order()[static_cast<std::size_t>(at)]);
        const Vec<int, D> corner = Layout::node_offset(sort.cells()[static_cast<std::size_t>(at)]);
        const Weights<T, D, degree> s(p.x[i], T(1) / T(dx), origin + corner);
        field[i] = std::clamp(
            s.sum(values + Shape<degree>::index(corner + Vec<int, D>::filled(degree)), Shape<degree>::box), T(0), T(1));
      }
    }
  });
}

template <class T, int D>
std::size_t PhaseField<T, D>::bytes() const {
  return (matrix_.size() + 6 * field_.size() + weight_.size()) * sizeof(T) + around_.size() * sizeof(around_[0]);
}

#define KNEAD_INSTANTIATE(T, D)                                                                   \
  template class PhaseField<T, D>;                                                                \
  template int PhaseField<T, D>::solve<1>(World&, const BlockSort<D>&, BlockGrid<T, D>&, double); \
  template int PhaseField<T, D>::solve<2>(World&, const BlockSort<D>&, BlockGrid<T, D>&, double); \
  template int PhaseField<T, D>::solve<3>(World&, const BlockSort<D>&, BlockGrid<T, D>&, double);
KNEAD_INSTANTIATE(float, 2)
KNEAD_INSTANTIATE(float, 3)
KNEAD_INSTANTIATE(double, 2)
KNEAD_INSTANTIATE(double, 3)
#undef KNEAD_INSTANTIATE

}  // namespace knead
