// The usual FLIP, as the seed compares with: any cell with a particle is full, solids are whole cells, and one linear
// solve makes the velocity free of divergence (Zhu and Bridson 2005).
#include "liquid/solver.h"

namespace knead {

namespace {
constexpr std::size_t grain = 8;    // blocks
constexpr double no_bound = -1e30;  // pressures may pull
}  // namespace

template <class T, int D>
void Liquid<T, D>::classify_by_particles(const Columns& p) {
  std::fill(liquid_.begin(), liquid_.end(), 0);
  for (const auto& of_colour : colours_)
    parallel_for(of_colour.size(), 1, [&](std::size_t k) {
      const int home = of_colour[k];
      const auto block = static_cast<std::size_t>(home_[static_cast<std::size_t>(home)]);
      const Vec<int, D> first = blocks_.first_cell(block);
      for (const Segment& segment : sort_.segments(home))
        for (int at = segment.begin; at < segment.end; ++at) {
          const auto i = static_cast<std::size_t>(sort_.order()[static_cast<std::size_t>(at)]);
          Vec<int, D> cell{}, away{};
          for (int a = 0; a < D; ++a) {
            cell[a] = static_cast<int>(std::floor(double(p.x[i][a]) / h_));
            away[a] = (cell[a] - first[a]) >> BlockLayout<D>::shift;
          }
          const int other = blocks_.neighbours(block)[static_cast<std::size_t>(BlockSet<D>::place(away))];
          liquid_[static_cast<std::size_t>(other)] |= std::uint64_t(1) << BlockLayout<D>::node_index(cell);
        }
    });
  // A cell whose middle is in a solid is solid, and so are its faces.
  const auto solid = [&](std::int64_t cell) { return cell >= 0 && room_[static_cast<std::size_t>(cell)] < T(0.5); };
  parallel_for(blocks_.count(), grain, [&](std::size_t b) {
    for (int c = 0; c < 64; ++c) {
      const auto at = static_cast<std::int64_t>(b) * 64 + c;
      if (solid(at) || is_outside(b, c)) liquid_[b] &= ~(std::uint64_t(1) << c);
      for (int a = 0; a < D; ++a)
        open_[a][static_cast<std::size_t>(at)] = solid(at) || solid(beside(b, c, a, false)) ? 0.0f : 1.0f;
    }
  });
  std::copy(room_.begin(), room_.end(), room_before_.begin());
  lcp_.prepare(system());
}

// L q = - dt/h div u over the liquid cells, and u less the gradient. Solids give their faces their own velocity.
template <class T, int D>
void Liquid<T, D>::project(World& world, double dt) {
  hold_solid_faces();
  for_each_liquid([&](std::size_t b, int c, std::size_t at) {
    double out = 0;
    for (int a = 0; a < D; ++a) {
      out -= double(u_[a][at]);
      if (const std::int64_t up = beside(b, c, a, true); up >= 0) out += double(u_[a][static_cast<std::size_t>(up)]);
    }
    b_[at] = dt / h_ * out;
  });
  lower_.assign(b_.size(), no_bound);
  world.tally.liquid.frame_pressure_iterations += solve(world, lower_, q_);

  const double scale = h_ / dt;
  for (int a = 0; a < D; ++a)
    parallel_for(blocks_.count(), grain, [&, a](std::size_t b) {
      // From here on only what the solve made is known.
      const std::uint64_t faces = liquid_[b] | cells_beside(blocks_, liquid_, b, a, false);
      for_each_mark(faces, [&](int c) {
        const std::size_t at = b * 64 + static_cast<std::size_t>(c);
        const std::int64_t below = beside(b, c, a, false);
        const double step = q_[at] - (below < 0 ? 0 : q_[static_cast<std::size_t>(below)]);
        u_[a][at] -= T(scale * double(open_[a][at]) * step);
      });
      spreading_[a][b] = faces;
    });
  for (int a = 0; a < D; ++a) std::copy(spreading_[a].begin(), spreading_[a].end(), known_[a].begin());
}

template <class T, int D>
void Liquid<T, D>::hold_solid_faces() {
  parallel_for(blocks_.count(), grain, [&](std::size_t b) {
    const Vec<int, D> first = blocks_.first_cell(b);
    for (int a = 0; a < D; ++a) {
      const std::uint64_t faces = liquid_[b] | cells_beside(blocks_, liquid_, b, a, false);
      for_each_mark(faces, [&](int c) {
        const std::size_t at = b * 64 + static_cast<std::size_t>(c);
        if (open_[a][at] > 0) return;
        const Vec<int, D> cell = first + BlockLayout<D>::node_offset(c);
        Vec3d x{};
        for (int k = 0; k < D; ++k) x[k] = (cell[k] + (k == a ? 0.0 : 0.5)) * h_;
        u_[a][at] = T(solids_.near(x, 2 * h_).template velocity<D>(x)[a]);
      });
    }
  });
}

template class Liquid<float, 2>;
template class Liquid<float, 3>;
template class Liquid<double, 2>;
template class Liquid<double, 3>;

}  // namespace knead
