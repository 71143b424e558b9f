// Particles to grid: how full cells and faces are, and the faces' velocities (Gerszewski 2014, Eqs. 3.10 to 3.12, with
// the mass inside the sum).
#include "grid/lane.h"
#include "liquid/particle_weights.h"
#include "liquid/solver.h"

namespace knead {

namespace {

// The sums over the particles of one cell, in registers: the nodes that they reach are the same, in rows along the last
// axis.
template <class T, int D, bool affine>
class CellSums {
 public:
  using Weights = ParticleWeights<T, D>;

  KNEAD_INLINE void add(const Weights& w, const Vec<T, D>& v, const Mat<T, D>* C, T h) {
    for_each_row<D, D>([&](int row, int i, int j) { center_[row] += w.template lanes<D>() * w.template row<D>(i, j); });
    add_face<0>(w, v, C, h);
    add_face<1>(w, v, C, h);
    if constexpr (D == 3) add_face<2>(w, v, C, h);
  }

  // fill, face fills and momenta of a home block's reach, at the place of the cell.
  KNEAD_INLINE void add_to(T* fill, T* const* face_fill, T* const* momentum, int place) const {
    for_each_row<D, D>([&](int row, int i, int j) { add_row(fill + place + offset(i, j), center_[row]); });
    add_face_to<0>(face_fill, momentum, place);
    add_face_to<1>(face_fill, momentum, place);
    if constexpr (D == 3) add_face_to<2>(face_fill, momentum, place);
  }

 private:
  static constexpr int rows = D == 2 ? 3 : 6;
  static constexpr int offset(int i, int j) {
    return D == 2 ? i * Reach<D>::row : (i * Reach<D>::side + j) * Reach<D>::row;
  }
  KNEAD_INLINE static void add_row(T* to, const Lane<T>& row) {
    Lane<T> sum;
    std::memcpy(&sum, to, sizeof sum);
    sum += row;
    std::memcpy(to, &sum, sizeof sum);
  }

  template <int a>
  KNEAD_INLINE void add_face(const Weights& w, const Vec<T, D>& v, const Mat<T, D>* C, T h) {
    const Lane<T> lanes = w.template lanes<a>();
    for_each_row<D, a>([&](int row, int i, int j) {
      const Lane<T> weight = lanes * w.template row<a>(i, j);
      fill_[a][row] += weight;
      if constexpr (affine)
        momentum_[a][row] += weight * w.template affine_velocity<a>(v[a], *C, h, i, j);
      else
        momentum_[a][row] += weight * v[a];
    });
  }
  template <int a>
  KNEAD_INLINE void add_face_to(T* const* face_fill, T* const* momentum, int place) const {
    for_each_row<D, a>([&](int row, int i, int j) {
      add_row(face_fill[a] + place + offset(i, j), fill_[a][row]);
      add_row(momentum[a] + place + offset(i, j), momentum_[a][row]);
    });
  }

  Lane<T> center_[rows]{}, fill_[D][rows]{}, momentum_[D][rows]{};
};

}  // namespace

template <class T, int D>
void Liquid<T, D>::rasterize(const Columns& p) {
  const std::size_t n = blocks_.count();
  parallel_for(n, 8, [&](std::size_t b) {
    std::fill_n(fill_.begin() + static_cast<std::ptrdiff_t>(b * 64), 64, T(0));
    for (int a = 0; a < D; ++a) {
      std::fill_n(face_fill_[a].begin() + static_cast<std::ptrdiff_t>(b * 64), 64, T(0));
      std::fill_n(u_[a].begin() + static_cast<std::ptrdiff_t>(b * 64), 64, T(0));
    }
  });

  const T inverse_h = T(1 / h_), h = T(h_);
  const auto scatter = [&]<bool affine>(std::size_t home) {
    // Zeroed whole; cells of the home block and two behind it.
    T fill[Reach<D>::size] = {}, face_fill[D][Reach<D>::size] = {}, momentum[D][Reach<D>::size] = {};
    T *fills[D], *momenta[D];
    for (int a = 0; a < D; ++a) fills[a] = face_fill[a], momenta[a] = momentum[a];
    const auto block = static_cast<std::size_t>(home_[home]);
    const Vec<double, D> origin = cast_cells(blocks_.first_cell(block));
    for (const Segment& segment : sort_.segments(static_cast<int>(home)))
      for (int at = segment.begin; at < segment.end;) {
        const int cell = sort_.cells()[static_cast<std::size_t>(at)];
        const Vec<int, D> offset = BlockLayout<D>::node_offset(cell);
        CellSums<T, D, affine> sums;
        for (; at < segment.end && sort_.cells()[static_cast<std::size_t>(at)] == cell; ++at) {
          const auto i = static_cast<std::size_t>(sort_.order()[static_cast<std::size_t>(at)]);
          const ParticleWeights<T, D> w(p.x[i], inverse_h, origin, offset);
          sums.add(w, p.v[i], affine ? &p.C[i] : nullptr, h);
        }
        sums.add_to(fill, fills, momenta, Reach<D>::place(offset));
      }
    Reach<D>::for_each_run([&](int here, int around, int there, int length) {
      const std::size_t to =
          static_cast<std::size_t>(blocks_.neighbours(block)[static_cast<std::size_t>(around)]) * 64 +
          static_cast<std::size_t>(there);
      for (int k = 0; k < length; ++k) {
        const std::size_t node = to + static_cast<std::size_t>(k);
        fill_[node] += fill[here + k];
        for (int a = 0; a < D; ++a) face_fill_[a][node] += face_fill[a][here + k], u_[a][node] += momentum[a][here + k];
      }
    });
  };
  for (const auto& of_colour : colours_)
    parallel_for(of_colour.size(), 1, [&](std::size_t i) {
      const auto home = static_cast<std::size_t>(of_colour[i]);
      p.C.empty() ? scatter.template operator()<false>(home) : scatter.template operator()<true>(home);
    });

  // Momenta become velocities, and sums of weights shares of a full cell.
  parallel_for(n, 8, [&](std::size_t b) {
    for (std::size_t c = b * 64; c < (b + 1) * 64; ++c) fill_[c] *= share_;
    for (int a = 0; a < D; ++a) {
      std::uint64_t known = 0;
      for (std::size_t c = b * 64; c < (b + 1) * 64; ++c) {
        const T sum = face_fill_[a][c];
        u_[a][c] = sum > T(0) ? u_[a][c] / sum : T(0);
        u_before_[a][c] = u_[a][c];
        face_fill_[a][c] = sum * share_;
        known |= static_cast<std::uint64_t>(sum > T(0)) << (c % 64);
      }
      known_[a][b] = known;
    }
  });
}

template class Liquid<float, 2>;
template class Liquid<float, 3>;
template class Liquid<double, 2>;
template class Liquid<double, 3>;

}  // namespace knead
