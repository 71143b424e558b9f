// Fields as the particles of one home block see them: dense copies of the blocks around it.
#pragma once

#include "liquid/particle_weights.h"

#include <cstring>

namespace knead {

template <class T>
KNEAD_INLINE T sum_of(const Lane<T>& l) {
  return (l[0] + l[2]) + (l[1] + l[3]);
}

// A field on the cells that a home block's particles reach.
template <class T, int D>
struct ReachField {
  T value[Reach<D>::size];

  void take(const std::vector<T>& field, const std::array<int, BlockSet<D>::around>& neighbours) {
    Reach<D>::for_each_run([&](int here, int around, int there, int length) {
      const T* from =
          field.data() + static_cast<std::size_t>(neighbours[static_cast<std::size_t>(around)]) * 64 + there;
      for (int k = 0; k < length; ++k) value[here + k] = from[k];
    });
    // What is read behind the rows counts nothing but must be a number.
    constexpr int width = Reach<D>::side, row = Reach<D>::row;
    for (int line = 0; line < (Reach<D>::size - 4) / row; ++line)
      for (int k = width; k < row; ++k) value[line * row + k] = T(0);
    for (int k = 0; k < 4; ++k) value[Reach<D>::size - 4 + k] = T(0);
  }
  template <int set>
  KNEAD_INLINE T at(const ParticleWeights<T, D>& w, int place) const {
    Lane<T> sum{};
    for_each_row<D, set>([&](int, int i, int j) { sum += line(place, i, j) * w.template row<set>(i, j); });
    return sum_of<T>(sum * w.template lanes<set>());
  }
  KNEAD_INLINE Lane<T> line(int place, int i, int j) const {
    Lane<T> l;
    std::memcpy(&l, value + place + (D == 2 ? i : i * Reach<D>::side + j) * Reach<D>::row, sizeof l);
    return l;
  }
  // The gradient of a component of the velocity, 1/cells.
  template <int set>
  Vec<T, D> slope(const ParticleWeights<T, D>& w, int place) const {
    Vec<T, D> g{};
    T center[D][3], face[D][3];
    for (int a = 0; a < D; ++a) ParticleWeights<T, D>::slopes(w.t[a], center[a], face[a]);
    const auto weight = [&](int a, int k) { return set == a ? w.axis[a].face[k] : k < 2 ? w.axis[a].center[k] : T(0); };
    const auto tilt = [&](int a, int k) { return set == a ? face[a][k] : center[a][k]; };
    for_each_row<D, set>([&](int, int i, int j) {
      const Lane<T> l = line(place, i, j);
      for (int k = 0; k < 3; ++k) {
        const T wi = weight(0, i), wj = D == 3 ? weight(1, j) : T(1), wk = weight(D - 1, k);
        g[0] += l[k] * tilt(0, i) * wj * wk;
        if constexpr (D == 3) g[1] += l[k] * wi * tilt(1, j) * wk;
        g[D - 1] += l[k] * wi * wj * tilt(D - 1, k);
      }
    });
    return g;
  }
};

// The velocities of a home block and all blocks around it.
template <class T, int D>
class VelocityAround {
 public:
  using Layout = BlockLayout<D>;
  static constexpr int side = 3 * Layout::side;
  static constexpr int size = (D == 2 ? side * side : side * side * side) + 4;

  VelocityAround(const std::array<std::vector<T>, D>& u, const std::array<int, BlockSet<D>::around>& neighbours) {
    for (int line = 0; line < (size - 4) / side; ++line) {
      Vec<int, D> cell{};
      if constexpr (D == 3) cell[0] = line / side, cell[1] = line % side;
      if constexpr (D == 2) cell[0] = line;
      for (int third = 0; third < 3; ++third) {
        cell[D - 1] = third * Layout::side;
        Vec<int, D> away{};
        for (int a = 0; a < D; ++a) away[a] = (cell[a] >> Layout::shift) - 1;
        const int block = neighbours[static_cast<std::size_t>(BlockSet<D>::place(away))];
        for (int a = 0; a < D; ++a) {
          T* to = value_[a] + line * side + third * Layout::side;
          if (block < 0)
            std::fill_n(to, Layout::side, T(0));
          else
            std::copy_n(
                u[static_cast<std::size_t>(a)].data() + static_cast<std::size_t>(block) * 64 + Layout::node_index(cell),
                Layout::side, to);
        }
      }
    }
    for (int a = 0; a < D; ++a) std::fill_n(value_[a] + size - 4, 4, T(0));
  }

  // At y, in cells from the home block's first corner; what is outside is taken from the rim.
  KNEAD_INLINE Vec<T, D> at(const Vec<T, D>& y) const {
    Vec<T, D> v{};
    int whole[D], half[D];  // first face and first centre, from the first cell of all
    T face[D], center[D];   // and how far behind them
    for (int a = 0; a < D; ++a) {
      const T z = std::clamp(y[a] + T(Layout::side), T(0.5), T(side) - T(1.0001));
      whole[a] = static_cast<int>(z), face[a] = z - T(whole[a]);
      half[a] = static_cast<int>(z - T(0.5)), center[a] = z - T(0.5) - T(half[a]);
    }
    for (int a = 0; a < D; ++a) {
      int at = 0;
      T f[D];
      for (int b = 0; b < D; ++b) at = at * side + (a == b ? whole[b] : half[b]), f[b] = a == b ? face[b] : center[b];
      const T* u = value_[a] + at;
      const auto along_last = [&](const T* from) { return from[0] + (from[1] - from[0]) * f[D - 1]; };
      if constexpr (D == 2) {
        const T low = along_last(u), high = along_last(u + side);
        v[a] = low + (high - low) * f[0];
      } else {
        const T* next = u + side * side;
        const T low = along_last(u) + (along_last(u + side) - along_last(u)) * f[1];
        const T high = along_last(next) + (along_last(next + side) - along_last(next)) * f[1];
        v[a] = low + (high - low) * f[0];
      }
    }
    return v;
  }

 private:
  T value_[D][size];
};

}  // namespace knead
