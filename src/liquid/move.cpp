// Grid to particles: velocities by PIC and FLIP or by APIC, offsets of the density correction, and motion through the
// grid's velocity, second order and out of solids (liquids.md, section 13).
#include "liquid/particle_weights.h"
#include "liquid/solver.h"

namespace knead {

namespace {

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

// Out of solids: along the normal of the nearest surface, or back on the way it came; true where something was hit.
template <int D>
bool put_out(const Solids::Near& near, const Vec3d& from, Vec3d& to, double h) {
  if (near.distance(to) >= 0) return false;
  Vec3d y = to;
  for (int turn = 0; turn < 6; ++turn) {
    const Solids::Near::Surface s = near.nearest<D>(y);
    if (s.distance >= 1e-3 * h || !std::isfinite(s.distance)) break;
    y += s.normal * (0.01 * h - s.distance);
  }
  if (near.distance(y) >= 0) return to = y, true;
  double low = 0, high = 1;
  for (int turn = 0; turn < 20; ++turn) {
    const double middle = (low + high) / 2;
    (near.distance(from + (to - from) * middle) > 0 ? low : high) = middle;
  }
  return to = from + (to - from) * low, true;
}

}  // namespace

template <class T, int D>
MoveReport Liquid<T, D>::move_particles(Columns& p, double dt) {
  const T inverse_h = T(1 / h_), step = T(dt);
  const bool affine = !p.C.empty(), offsets = spec_.liquid.pressure == Pressure::unilateral;
  // What is left of FLIP after dt.
  const T alpha = T(affine ? 0 : std::pow(spec_.liquid.flip, 60 * dt));
  // alpha (u - u before) + (1 - alpha) u: what a particle's velocity becomes beside alpha times its own.
  for (int a = 0; a < D; ++a)
    parallel_for(u_[a].size(), 4096, [&, a](std::size_t f) { u_before_[a][f] = u_[a][f] - alpha * u_before_[a][f]; });
  gone_.resize(p.x.size());
  move_partial_.assign(home_.size(), MoveReport{});

  parallel_for(home_.size(), 1, [&](std::size_t home) {
    const auto block = static_cast<std::size_t>(home_[home]);
    const auto& neighbours = blocks_.neighbours(block);
    ReachField<T, D> blend[D], offset[D], pressure, fill;
    for (int a = 0; a < D; ++a) blend[a].take(u_before_[a], neighbours);
    if (offsets)
      for (int a = 0; a < D; ++a) offset[a].take(offset_[a], neighbours);
    pressure.take(shown_pressure_, neighbours), fill.take(fill_, neighbours);
    const VelocityAround<T, D> velocity(u_, neighbours);

    const Vec<int, D> first = blocks_.first_cell(block);
    const Vec<double, D> origin = cast_cells(first);
    Vec<T, D> corner{};
    Vec3d middle{};
    for (int a = 0; a < D; ++a)
      corner[a] = T(origin[a]), middle[a] = (origin[a] + 0.5 + 0.5 * BlockLayout<D>::side) * h_;
    const double reach = (0.5 * BlockLayout<D>::side + 0.5 + 2 * spec_.liquid.cfl) * std::sqrt(double(D)) * h_;
    const Solids::Near near = solids_.near(middle, reach);

    MoveReport report;
    double fastest = 0;
    for (const Segment& segment : sort_.segments(static_cast<int>(home)))
      for (int at = segment.begin; at < segment.end; ++at) {
        const auto i = static_cast<std::size_t>(sort_.order()[static_cast<std::size_t>(at)]);
        const Vec<int, D> cell = BlockLayout<D>::node_offset(sort_.cells()[static_cast<std::size_t>(at)]);
        const int place = Reach<D>::place(cell);
        const ParticleWeights<T, D> w(p.x[i], inverse_h, origin, cell);
        // Velocity.
        Vec<T, D> v = p.v[i] * alpha, shift{};
        v[0] += blend[0].template at<0>(w, place), v[1] += blend[1].template at<1>(w, place);
        if constexpr (D == 3) v[2] += blend[2].template at<2>(w, place);
        if (offsets) {
          shift[0] = offset[0].template at<0>(w, place), shift[1] = offset[1].template at<1>(w, place);
          if constexpr (D == 3) shift[2] = offset[2].template at<2>(w, place);
        }
        if (affine && dt > 0) {
          const auto set_row = [&](int a, const Vec<T, D>& g) {
            for (int b = 0; b < D; ++b) p.C[i](a, b) = g[b] * inverse_h;
          };
          set_row(0, blend[0].template slope<0>(w, place)), set_row(1, blend[1].template slope<1>(w, place));
          if constexpr (D == 3) set_row(2, blend[2].template slope<2>(w, place));
        }
        if (dt == 0) v = p.v[i];
        p.pressure[i] = pressure.template at<D>(w, place);
        p.density[i] = T(density_) * fill.template at<D>(w, place);
        // Offset, then motion by the trapezoidal rule; solids hold at each.
        bool hit = false;
        const Vec<T, D> start = p.x[i];
        Vec<T, D> x = start + shift;
        const auto collide = [&](const Vec<T, D>& from, Vec<T, D>& to) {
          if (near.empty()) return;
          Vec3d y = resized<double, 3>(to);
          if (!put_out<D>(near, resized<double, 3>(from), y, h_)) return;
          to = resized<T, D>(y), hit = true;
        };
        collide(start, x);
        const Vec<T, D> u = velocity.at(x * inverse_h - corner);
        Vec<T, D> ahead = x + u * step;
        collide(x, ahead);
        Vec<T, D> next = x + (u + velocity.at(ahead * inverse_h - corner)) * (step / 2);
        hit = false;
        collide(x, next);
        if (hit) {
          const Solids::Near::Surface s = near.nearest<D>(resized<double, 3>(next));
          if (std::isfinite(s.distance)) {
            const Vec3d slip = resized<double, 3>(v) - s.velocity;
            v = resized<T, D>(resized<double, 3>(v) - s.normal * std::min(0.0, dot(slip, s.normal)));
          }
        }
        p.v[i] = v, p.x[i] = next;
        fastest = std::max(fastest, double(dot(v, v)));
        gone_[i] = leaves(next);
        report.gone = report.gone || gone_[i];
      }
    report.max_speed = std::sqrt(fastest);
    move_partial_[home] = report;
  });
  MoveReport all;
  for (const MoveReport& r : move_partial_) all.add(r);
  return all;
}

template class Liquid<float, 2>;
template class Liquid<float, 3>;
template class Liquid<double, 2>;
template class Liquid<double, 3>;

}  // namespace knead
