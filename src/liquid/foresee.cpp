// How full cells would be at the end of a step if no more pressure acted: from where each particle would be, or from
// the mass that crosses faces, bounded by how far the flow converges. Unlike that mass alone both know that liquid in
// free flight keeps its density.
#include "liquid/reach_field.h"
#include "liquid/solver.h"

namespace knead {

namespace {

// Sums over the cells of a home block and all blocks around it.
template <class T, int D>
struct FillAround {
  using Layout = BlockLayout<D>;
  static constexpr int side = 3 * Layout::side;
  T value[D == 2 ? side * side : side * side * side] = {};

  // A particle at y, in cells from the home block's first corner; what is outside, or no number, counts at the rim.
  KNEAD_INLINE void add(const Vec<T, D>& y, T share) {
    int first[D];
    T behind[D];
    for (int a = 0; a < D; ++a) {
      const T z = std::min(std::max(T(0), y[a] + T(Layout::side) - T(0.5)), T(side) - T(1.001));
      first[a] = static_cast<int>(z), behind[a] = z - T(first[a]);
    }
    for (int corner = 0; corner < 1 << (D - 1); ++corner) {
      int at = 0;
      T w = share;
      for (int a = 0; a < D - 1; ++a) {
        const int up = corner >> a & 1;
        at = at * side + first[a] + up;
        w *= up ? behind[a] : T(1) - behind[a];
      }
      T* row = value + at * side + first[D - 1];
      row[0] += w * (T(1) - behind[D - 1]), row[1] += w * behind[D - 1];
    }
  }
  void add_to(std::vector<T>& field, const std::array<int, BlockSet<D>::around>& neighbours) const {
    for (int k = 0; k < BlockSet<D>::around; ++k) {
      const int block = neighbours[static_cast<std::size_t>(k)];
      if (block < 0) continue;
      const Vec<int, D> away = BlockSet<D>::offset(k);
      T* to = field.data() + static_cast<std::size_t>(block) * 64;
      for (int c = 0; c < 64; ++c) {
        const Vec<int, D> cell = Layout::node_offset(c);
        int at = 0;
        for (int a = 0; a < D; ++a) at = at * side + (away[a] + 1) * Layout::side + cell[a];
        to[c] += value[at];
      }
    }
  }
};

}  // namespace

template <class T, int D>
void Liquid<T, D>::foresee(const Columns& p, double dt) {
  const T inverse_h = T(1 / h_), step = T(dt / h_);
  foreseen_.assign(fill_.size(), T(0));
  // Homes three blocks apart share no cells.
  std::array<std::vector<int>, BlockSet<D>::around>& colours = wide_colours_;
  for (auto& of_colour : colours) of_colour.clear();
  for (std::size_t b = 0; b < home_.size(); ++b) {
    const Vec<int, D> block = block_at<D>(sort_.keys()[b]);
    int colour = 0;
    for (int a = 0; a < D; ++a) colour = 3 * colour + (block[a] % 3 + 3) % 3;
    colours[static_cast<std::size_t>(colour)].push_back(static_cast<int>(b));
  }
  for (const auto& of_colour : colours)
    parallel_for(of_colour.size(), 1, [&](std::size_t k) {
      const auto home = static_cast<std::size_t>(of_colour[k]), block = static_cast<std::size_t>(home_[home]);
      const auto& neighbours = blocks_.neighbours(block);
      ReachField<T, D> u[D], offset[D];
      for (int a = 0; a < D; ++a) u[a].take(u_[a], neighbours), offset[a].take(offset_[a], neighbours);
      const Vec<double, D> origin = cast_cells(blocks_.first_cell(block));
      FillAround<T, D> sums;
      for (const Segment& segment : sort_.segments(static_cast<int>(home)))
        for (int at = segment.begin; at < segment.end; ++at) {
          const auto i = static_cast<std::size_t>(sort_.order()[static_cast<std::size_t>(at)]);
          const Vec<int, D> cell = BlockLayout<D>::node_offset(sort_.cells()[static_cast<std::size_t>(at)]);
          const int place = Reach<D>::place(cell);
          const ParticleWeights<T, D> w(p.x[i], inverse_h, origin, cell);
          Vec<T, D> y{};
          for (int a = 0; a < D; ++a) y[a] = w.t[a] + T(cell[a]) + T(0.5);
          const auto move = [&]<int a>() {
            y[a] += u[a].template at<a>(w, place) * step + offset[a].template at<a>(w, place) * inverse_h;
          };
          move.template operator()<0>(), move.template operator()<1>();
          if constexpr (D == 3) move.template operator()<2>();
          sums.add(y, share_);
        }
      sums.add_to(foreseen_, neighbours);
    });
}

// The last pressures act first, and the solve finds what is to be added to them. What is foreseen then is the motion
// that goes on: of liquid that rests, none, however uneven its particles are; of liquid in flight, the flight.
template <class T, int D>
void Liquid<T, D>::push_as_before(double dt) {
  parallel_for(q_.size(), 16384, [&](std::size_t c) { q_before_[c] = q_[c]; });
  change_velocities(dt, q_before_);
  for_each_liquid([&](std::size_t b, int c, std::size_t at) { converging_[at] = T(converging(b, c, dt)); });
}

// How much fuller a cell becomes because the flow converges, -dt/h div (v u). A face without liquid goes with the one
// across the cell: nothing is known of it.
template <class T, int D>
double Liquid<T, D>::converging(std::size_t b, int c, double dt) const {
  const std::size_t at = b * 64 + static_cast<std::size_t>(c);
  double sum = 0;
  for (int a = 0; a < D; ++a) {
    const std::int64_t next = beside(b, c, a, true);
    const auto up = static_cast<std::size_t>(next);
    const bool low = known_[a][b] >> c & 1, high = next >= 0 && (known_[a][up / 64] >> (up % 64) & 1);
    if (!low && !high) continue;
    const double below = double(u_[a][low ? at : up]), above = double(u_[a][high ? up : at]);
    sum += double(open_[a][at]) * below - double(open_[a][next < 0 ? at : up]) * above;
  }
  return std::max(0.0, dt / h_ * sum);
}

// The largest of that among a cell and those around it, also across corners, from where liquid may come in a step.
template <class T, int D>
double Liquid<T, D>::most_converging(std::size_t b, int c) const {
  constexpr int side = BlockLayout<D>::side;
  const Vec<int, D> cell = BlockLayout<D>::node_offset(c);
  double most = 0;
  for (int k = 0; k < BlockSet<D>::around; ++k) {
    Vec<int, D> other = cell + BlockSet<D>::offset(k), away{};
    for (int a = 0; a < D; ++a) away[a] = other[a] < 0 ? -1 : other[a] >= side ? 1 : 0;
    const int block = blocks_.neighbours(b)[static_cast<std::size_t>(BlockSet<D>::place(away))];
    if (block < 0) continue;
    const int place = BlockLayout<D>::node_index(other);
    if (liquid_[static_cast<std::size_t>(block)] >> place & 1)
      most =
          std::max(most, double(converging_[static_cast<std::size_t>(block) * 64 + static_cast<std::size_t>(place)]));
  }
  return most;
}

// Whether pressure acted in a cell and all beside it.
template <class T, int D>
bool Liquid<T, D>::is_pressed(std::size_t b, int c) const {
  bool all = q_before_[b * 64 + static_cast<std::size_t>(c)] > 0;
  for (int a = 0; a < D; ++a)
    for (const bool up : {false, true}) {
      const std::int64_t other = beside(b, c, a, up);
      all = all && other >= 0 && q_before_[static_cast<std::size_t>(other)] > 0;
    }
  return all;
}

// L times the last pressures.
template <class T, int D>
double Liquid<T, D>::pushed_before(std::size_t b, int c) const {
  const std::size_t at = b * 64 + static_cast<std::size_t>(c);
  double sum = 0;
  for (int a = 0; a < D; ++a) {
    const std::int64_t below = beside(b, c, a, false), above = beside(b, c, a, true);
    sum += weight(a, at) * (q_before_[at] - (below < 0 ? 0 : q_before_[static_cast<std::size_t>(below)]));
    if (const auto up = static_cast<std::size_t>(above); above >= 0)
      sum += weight(a, up) * (q_before_[at] - q_before_[up]);
  }
  return sum;
}

template class Liquid<float, 2>;
template class Liquid<float, 3>;
template class Liquid<double, 2>;
template class Liquid<double, 3>;

}  // namespace knead
