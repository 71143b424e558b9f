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
      : p_(p), sort_(sort), inverse_dx_(T(1) / dx) {
    T per_cell = -dt / dx;  // of the stress
    if constexpr (terms == Terms::affine_with_stress) per_cell /= second_moment<T, degree>;
    T number[16], growth[16], stress[16];
    for (int k = 0; k < 16; ++k) {
      number[k] = T(k / 4);
      const bool entry = k % 4 < D && k / 4 < D;
      growth[k] = entry ? dx : T(0);
      stress[k] = entry ? per_cell : T(0);
    }
    number_ = NodeRow<T>::load(number);
    growth_lanes_ = NodeRow<T>::load(growth);
    stress_lanes_ = NodeRow<T>::load(stress);
  }

  // Adds the particles of a segment to the arena whose first node is `origin`.
  void add(const Segment& segment, const Vec<int, D>& origin, Arena<T, D, degree>& arena) const {
    Weights weights;
    for (int begin = segment.begin; begin < segment.end; begin += tile) {
      const int count = std::min(tile, segment.end - begin);
      const int* index = sort_.order().data() + begin;
      const std::uint8_t* cells = sort_.cells().data() + begin;
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

  // Asks for the memory of a particle that is due soon: few of them follow each other in memory.
  KNEAD_INLINE void prefetch(int place) const {
    const int end = static_cast<int>(sort_.order().size()) - 1;
    __builtin_prefetch(&p_.x[static_cast<std::size_t>(sort_.order()[std::min(place + 2 * tile, end)])]);
    const auto at = static_cast<std::size_t>(sort_.order()[std::min(place, end)]);
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
    __builtin_prefetch(&p_.mass[at]);
    __builtin_prefetch(&p_.volume[at]);
  }

  // A tile's particles in their stencils: their place, and the products of weights (and slopes) of each row.
  struct Weights {
    alignas(64) T back[D][tile];   // cells from the particle to the stencil's first node
    alignas(64) T g[tile];         // cells from the middle of the particle's cell, along the last axis
    alignas(64) T w[rows][tile];   // of the first axes
    alignas(64) T dx[rows][tile];  // with the slope along the first axis
    alignas(64) T dy[rows][tile];  // 3D: along the second

    KNEAD_INLINE void make(const RowScatter& s, const int* index, const std::uint8_t* cells, int count,
                           const Vec<int, D>& origin) {
      T at[tile * D];
      for (int i = 0; i < count; ++i) std::memcpy(at + i * D, &s.p_.x[index[i]], D * sizeof(T));
      for (int i = 0; i < count; ++i) {
        const Vec<int, D> offset = BlockLayout<D>::node_offset(cells[i]);
        for (int a = 0; a < D; ++a) back[a][i] = T(origin[a] + offset[a]) - at[i * D + a] * s.inverse_dx_;
      }
      for (int i = 0; i < count; i += P::width) {
        (P(-RowWeights<T, degree>::middle) - P::load(back[D - 1] + i)).store(g + i);
        const BSpline1<degree, P> x(-P::load(back[0] + i));
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
    const T mass = p_.mass[at];
    Row start = Row::repeat(value_lane(p_.v[at]) * mass);
    const Row g = Row(weights.g[k]), w = row_weights_.w(g);
    Row growth[D], push[D];
    if constexpr (affine) {
      load_growth(at, mass, growth);
#pragma GCC unroll 3
      for (int a = 0; a < last; ++a) start = fma(growth[a], Row(weights.back[a][k]), start);
      start = fma(growth[last], number_ + Row(weights.back[last][k]), start);
      for (int a = 0; a < last; ++a) growth[a] = growth[a] * w;
    }
    start = start * w;
    if constexpr (impulse) {
      load_impulse(at, push);
      start = fma(push[last], row_weights_.dw(g), start);
      for (int a = 0; a < last; ++a) push[a] = push[a] * w;
    }
#pragma GCC unroll 4
    for (int r = 0; r < width; ++r) {
      Row here = start;
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

  // (v, 1)
  KNEAD_INLINE static Lane<T> value_lane(const Vec<T, D>& v) {
    if constexpr (D == 2) return Lane<T>{v[0], v[1], T(1), T(0)};
    typedef T Unaligned __attribute__((vector_size(4 * sizeof(T)), may_alias, aligned(sizeof(T))));
    const Lane<T> read = *reinterpret_cast<const Unaligned*>(&v);
    return __builtin_shufflevector(read, Lane<T>{1, 1, 1, 1}, 0, 1, 2, 4);
  }
  // The growth of momentum a cell along each axis, in every node.
  KNEAD_INLINE void load_growth(std::size_t i, T mass, NodeRow<T>* growth) const {
    using Row = NodeRow<T>;
    Row columns = Row::template pick<matrix_lanes<D>>(p_.C[i].e) * (growth_lanes_ * Row(mass));
    if constexpr (terms == Terms::affine_with_stress)
      columns = fma(Row::template pick<sym_lanes<D>>(&p_.tau[i][0]), stress_lanes_ * Row(p_.volume[i]), columns);
    repeat_columns(columns, growth);
  }
  // The impulse for a unit of gradient along each axis, in every node.
  KNEAD_INLINE void load_impulse(std::size_t i, NodeRow<T>* push) const {
    using Row = NodeRow<T>;
    repeat_columns(Row::template pick<sym_lanes<D>>(&p_.tau[i][0]) * (stress_lanes_ * Row(p_.volume[i])), push);
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

  const Columns<T, D>& p_;
  const BlockSort<D>& sort_;
  T inverse_dx_;
  NodeRow<T> number_, growth_lanes_, stress_lanes_;
  RowWeights<T, degree> row_weights_;
};

}  // namespace knead
