// The scatter of particles to the grid at speed: the same sums as scatter() of particles_to_grid.h, for particles that
// the sort has put in the order of their cells. Lanes are four nodes of a row times momentum and mass; the rows of a
// stencil are summed in registers over all particles of a cell and added to the arena once.
#pragma once

#include "grid/node_row.h"
#include "grid/stencil.h"
#include "mpm/columns.h"
#include "scene/solver_spec.h"

namespace knead {

// Which terms the nodes get: `affine` the velocity's growth over the stencil, `impulse` the stress on the gradients of
// the weights. MLS takes the stress into the growth (Hu 2018, Eq. 18).
enum class Terms { affine_with_stress, affine_and_impulse, impulse, momentum };

template <class T, int D, int degree, Terms terms>
class RowScatter {
 public:
  static constexpr bool affine = terms == Terms::affine_with_stress || terms == Terms::affine_and_impulse;
  static constexpr bool impulse = terms == Terms::affine_and_impulse || terms == Terms::impulse;
  static constexpr int width = degree + 1;
  static constexpr int rows = D == 2 ? width : width * width;
  static constexpr int tile = 64;  // particles whose weights are made together
  static constexpr int ahead = 24;

  RowScatter(const Columns<T, D>& p, const BlockSort<D>& sort, T dx, T dt)
      : p_(p),
        order_(sort.order().data()),
        cells_(sort.cells().data()),
        inverse_dx_(T(1) / dx),
        dx_(dx),
        stress_scale_(-dt / dx) {
    if constexpr (terms == Terms::affine_with_stress) stress_scale_ /= dx * second_moment<T, degree>;
    T place[16];
    for (int k = 0; k < 16; ++k) {
      const int node = k / 4;
      place[k] = T(node) * dx;
    }
    place_ = NodeRow<T>::load(place);
  }

  // Adds the particles of a segment to the arena whose first node is `origin`.
  void add(const Segment& segment, const Vec<int, D>& origin, Arena<T, D, degree>& arena) const {
    Weights weights;
    for (int begin = segment.begin; begin < segment.end; begin += tile) {
      const int count = std::min(tile, segment.end - begin);
      const int* index = order_ + begin;
      const std::uint8_t* cells = cells_ + begin;
      weights.make(*this, index, cells, count, origin);
      for (int first = 0, last; first < count; first = last) {
        const std::uint8_t cell = cells[first];
        NodeRow<T> sum[rows];
        for (NodeRow<T>& s : sum) s = NodeRow<T>(T(0));
        for (last = first; last < count && cells[last] == cell; ++last) {
          prefetch(begin + last + ahead);
          add_particle(index[last], weights, last, sum);
        }
        flush(sum, cell, arena);
      }
    }
  }

 private:
  using P = Pack<T>;

  // Asks for the memory of a particle that is due soon, and for what a tile begins with of one that is due later: few
  // of them follow each other in memory.
  KNEAD_INLINE void prefetch(int place) const {
    static_assert(ahead + 3 * tile <= BlockSort<D>::slack);
    const auto later = static_cast<std::size_t>(order_[place + 2 * tile]);
    __builtin_prefetch(&p_.x[later]);
    __builtin_prefetch(&p_.mass[later]);
    if constexpr (terms != Terms::momentum) __builtin_prefetch(&p_.volume[later]);
    const auto at = static_cast<std::size_t>(order_[place]);
    if constexpr (affine) {
      const char* C = reinterpret_cast<const char*>(&p_.C[at]);
      __builtin_prefetch(C);
      __builtin_prefetch(C + sizeof(Mat<T, D>) - 1);
    }
    if constexpr (terms != Terms::momentum) {
      const char* tau = reinterpret_cast<const char*>(&p_.tau[at]);
      __builtin_prefetch(tau);
      __builtin_prefetch(tau + sizeof(Sym<T, D>) - 1);
    }
    __builtin_prefetch(&p_.v[at]);
  }

  // A tile's particles in their stencils: their place, and the products of mass and weights (and slopes) of each row.
  struct Weights {
    alignas(64) T way[D][tile];    // m, from the particle to the stencil's first node
    alignas(64) T g[tile];         // cells from the middle of the particle's cell, along the last axis
    alignas(64) T w[rows][tile];   // kg, of the first axes
    alignas(64) T dx[rows][tile];  // with the slope along the first axis
    alignas(64) T dy[rows][tile];  // 3D: along the second
    alignas(64) T stress[tile];    // what a unit of stress does, per mass

    KNEAD_INLINE void make(const RowScatter& s, const int* index, const std::uint8_t* cells, int count,
                           const Vec<int, D>& origin) {
      T at[tile * D];
      alignas(64) T mass[tile], back[D][tile];
      for (int i = 0; i < count; ++i) {
        const auto p = static_cast<std::size_t>(index[i]);
        std::memcpy(at + i * D, &s.p_.x[p], D * sizeof(T));
        mass[i] = s.p_.mass[p];
        if constexpr (terms != Terms::momentum) stress[i] = s.p_.volume[p];
      }
      for (int i = 0; i < count; ++i) {
        const Vec<int, D> offset = BlockLayout<D>::node_offset(cells[i]);
        for (int a = 0; a < D; ++a) back[a][i] = T(origin[a] + offset[a]) - at[i * D + a] * s.inverse_dx_;
      }
      for (int i = 0; i < count; i += P::width) {
        const P m = P::load(mass + i);
        if constexpr (terms != Terms::momentum) (P::load(stress + i) * P(s.stress_scale_) / m).store(stress + i);
        for (int a = 0; a < D; ++a) (P::load(back[a] + i) * P(s.dx_)).store(way[a] + i);
        (P(-RowWeights<T, degree>::middle) - P::load(back[D - 1] + i)).store(g + i);
        BSpline1<degree, P> x(-P::load(back[0] + i));
#pragma GCC unroll 4
        for (int r = 0; r < width; ++r) {
          x.w[r] = x.w[r] * m;
          if constexpr (impulse) x.dw[r] = x.dw[r] * m;
        }
        if constexpr (D == 2) {
          for (int r = 0; r < width; ++r) {
            x.w[r].store(w[r] + i);
            if constexpr (impulse) x.dw[r].store(dx[r] + i);
          }
        } else {
          const BSpline1<degree, P> y(-P::load(back[1] + i));
#pragma GCC unroll 16
          for (int r = 0; r < rows; ++r) {
            (x.w[r / width] * y.w[r % width]).store(w[r] + i);
            if constexpr (impulse) {
              (x.dw[r / width] * y.w[r % width]).store(dx[r] + i);
              (x.w[r / width] * y.dw[r % width]).store(dy[r] + i);
            }
          }
        }
      }
    }
  };

  KNEAD_INLINE void add_particle(int i, const Weights& weights, int k, NodeRow<T>* sum) const {
    using Row = NodeRow<T>;
    constexpr int last = D - 1;
    const auto at = static_cast<std::size_t>(i);
    Row start = velocity_row(p_.v[at]);
    const Row g = Row(weights.g[k]), w = row_weights_.w(g);
    Row growth[D], push[D];
    if constexpr (affine) {
      Row columns = Row::template pick<matrix_lanes<D>>(p_.C[at].e);
      if constexpr (terms == Terms::affine_with_stress)
        columns = fma(Row::template pick<sym_lanes<D>>(&p_.tau[at][0]), Row(weights.stress[k]), columns);
      repeat_columns(columns, growth);
#pragma GCC unroll 3
      for (int a = 0; a < last; ++a) start = fma(growth[a], Row(weights.way[a][k]), start);
      start = fma(growth[last], place_ + Row(weights.way[last][k]), start);
      const Row a_cell = w * Row(dx_);
#pragma GCC unroll 3
      for (int a = 0; a < last; ++a) growth[a] = growth[a] * a_cell;
    }
    start = start * w;
    if constexpr (impulse) {
      repeat_columns(Row::template pick<sym_lanes<D>>(&p_.tau[at][0]) * Row(weights.stress[k]), push);
      start = fma(push[last], row_weights_.dw(g), start);
#pragma GCC unroll 3
      for (int a = 0; a < last; ++a) push[a] = push[a] * w;
    }
#pragma GCC unroll 4
    for (int r = 0; r < width; ++r) {
      Row here = start;  // NOLINT(performance-unnecessary-copy-initialization): in 3D affine velocities change it below
#pragma GCC unroll 4
      for (int q = 0; q < rows / width; ++q) {
        const int row = D == 2 ? r : r * width + q;
        sum[row] = fma(Row(weights.w[row][k]), here, sum[row]);
        if constexpr (impulse) {
          sum[row] = fma(Row(weights.dx[row][k]), push[0], sum[row]);
          if constexpr (D == 3) sum[row] = fma(Row(weights.dy[row][k]), push[1], sum[row]);
        }
        if constexpr (D == 3 && affine) here = here + growth[1];
      }
      if constexpr (affine) start = start + growth[0];
    }
  }

  // (v, 1) in every node.
  KNEAD_INLINE static NodeRow<T> velocity_row(const Vec<T, D>& v) {
    if constexpr (D == 2) return NodeRow<T>::repeat(Lane<T>{v[0], v[1], T(1), T(0)});
    typedef T Unaligned __attribute__((vector_size(4 * sizeof(T)), may_alias, aligned(sizeof(T))));
    const Lane<T> read = *reinterpret_cast<const Unaligned*>(&v);
    return NodeRow<T>::repeat(__builtin_shufflevector(read, Lane<T>{1, 1, 1, 1}, 0, 1, 2, 4));
  }
  KNEAD_INLINE static void repeat_columns(const NodeRow<T>& columns, NodeRow<T>* out) {
    out[0] = columns.template repeat_node<0>();
    out[1] = columns.template repeat_node<1>();
    if constexpr (D == 3) out[2] = columns.template repeat_node<2>();
  }

  KNEAD_INLINE static void flush(const NodeRow<T>* sum, std::uint8_t cell, Arena<T, D, degree>& arena) {
    constexpr int side = Arena<T, D, degree>::side;
    const int corner = Arena<T, D, degree>::index(BlockLayout<D>::node_offset(cell));
#pragma GCC unroll 16
    for (int r = 0; r < rows; ++r) {
      const int node = corner + (D == 2 ? r * side : (r / width * side + r % width) * side);
      T* to = reinterpret_cast<T*>(arena.node + node);
      (NodeRow<T>::load(to) + sum[r]).store(to);
    }
  }

  const Columns<T, D> p_;
  const int* order_;
  const std::uint8_t* cells_;
  T inverse_dx_, dx_, stress_scale_;
  NodeRow<T> place_;  // m, of a row's nodes from its first
  RowWeights<T, degree> row_weights_;
};

}  // namespace knead
