// Grid to particles: velocities by PIC and FLIP or by APIC, offsets of the density correction, and motion through the
// grid's velocity, second order and out of solids.
#include "base/elementary.h"
#include "liquid/reach_field.h"
#include "liquid/solver.h"

namespace knead {

namespace {

// The surfaces that a particle was put out of, one after the other.
struct Hits {
  int count = 0;
  std::array<Solids::Near::Surface, 6> surface;
};

// Out of solids: along the normal of the nearest surface, or back on the way it came.
template <int D>
void put_out(const Solids::Near& near, const Vec3d& from, Vec3d& to, double h, Hits& hits) {
  if (near.distance(to) >= 0) return;
  Vec3d y = to;
  while (hits.count < static_cast<int>(hits.surface.size())) {
    const Solids::Near::Surface s = near.nearest<D>(y);
    if (s.distance >= 1e-3 * h || !std::isfinite(s.distance)) break;
    y += s.normal * (0.01 * h - s.distance);
    hits.surface[static_cast<std::size_t>(hits.count++)] = s;
  }
  if (near.distance(y) >= 0) {
    to = y;
    return;
  }
  double low = 0, high = 1;
  for (int turn = 0; turn < 20; ++turn) {
    const double middle = (low + high) / 2;
    (near.distance(from + (to - from) * middle) > 0 ? low : high) = middle;
  }
  to = from + (to - from) * low;
}

}  // namespace

template <class T, int D>
MoveReport Liquid<T, D>::move_particles(Columns& p, double time, double dt) {
  const T inverse_h = T(1 / h_), step = T(dt);
  const bool affine = !p.C.empty(), given = spec_.liquid.is_given();
  const bool forced = dt > 0 && !given && (length(controls_.gravity) > 0 || !controls_.body_force.is_zero());
  const bool even = controls_.body_force.is_zero(), watched = keeps_energy();
  const Vec<T, D> gravity = resized<T, D>(controls_.gravity), gain = gravity * step;
  const bool offsets = spec_.liquid.pressure == Pressure::unilateral && !(given && dt > 0);
  // What is left of FLIP after dt.
  const T alpha = T(affine || given ? 0 : elementary::pow(spec_.liquid.flip, 60 * dt));
  // alpha (u - u before) + (1 - alpha) u: what a particle's velocity becomes beside alpha times its own.
  for (int a = 0; a < D; ++a)
    parallel_for(u_[a].size(), 4096, [&, a](std::size_t f) { u_before_[a][f] = u_[a][f] - alpha * u_before_[a][f]; });
  gone_.resize(p.x.size());
  move_partial_.assign(home_.size(), MoveReport{});
  Reactions& reactions = controls_.reactions;
  const double mass = density_ * double(share_) * elementary::power(h_, D);
  reactions.start_stage(home_.size());

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

    // Whether the cell there is not all open; only then is a solid asked.
    const auto is_beside_solid = [&](const Vec<T, D>& x) {
      Vec<int, D> cell{}, away{};
      for (int a = 0; a < D; ++a) {
        cell[a] = static_cast<int>(std::floor(x[a] * inverse_h));
        away[a] = (cell[a] - first[a]) >> BlockLayout<D>::shift;
        if (away[a] < -1 || away[a] > 1) return true;
      }
      const int other = neighbours[static_cast<std::size_t>(BlockSet<D>::place(away))];
      return other < 0 || (beside_solid_[static_cast<std::size_t>(other)] >> BlockLayout<D>::node_index(cell) & 1);
    };

    // The velocity is that of the end of the step, and liquid in free fall comes g dt^2 / 2 less far with it. Liquid
    // that is held, and so gains less than half of g dt, moves as the pressure foresees.
    const auto free_fall = [&](const Vec<T, D>& gained, const Vec<T, D>& x) {
      const Vec<T, D> whole = even ? gain : resized<T, D>(forces_at(resized<double, 3>(x), time)) * step;
      Vec<T, D> less{};
      for (int a = 0; a < D; ++a)
        if (whole[a] != T(0)) less[a] = whole[a] * step / 2 * std::clamp(2 * gained[a] / whole[a] - T(1), T(0), T(1));
      return less;
    };

    Hits hits;  // of the last collision
    MoveReport report;
    T fastest = 0, lowest = std::numeric_limits<T>::infinity();
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
          // A face with hardly any liquid may be thrown far by pressure; its weight is small, its slope is not. What
          // would turn matter by more than this in a step is noise.
          T most = 0;
          for (const T c : p.C[i].e) most = std::max(most, std::abs(c) * step);
          if (most > T(most_turn)) p.C[i] = p.C[i] * (T(most_turn) / most);
        }
        if (dt == 0) v = p.v[i];
        p.pressure[i] = pressure.template at<D>(w, place);
        p.density[i] = T(density_) * fill.template at<D>(w, place);
        // Offset, then motion by the trapezoidal rule; solids hold at each.
        const Vec<T, D> start = p.x[i];
        Vec<T, D> x = start + shift;
        const auto collide = [&](const Vec<T, D>& from, Vec<T, D>& to) {
          hits.count = 0;
          if (near.empty() || !is_beside_solid(to)) return;
          Vec3d y = resized<double, 3>(to);
          put_out<D>(near, resized<double, 3>(from), y, h_, hits);
          to = resized<T, D>(y);
        };
        collide(start, x);
        const Vec<T, D> fall = forced ? free_fall(v - p.v[i], x) : Vec<T, D>{};
        const Vec<T, D> u = velocity.at(x * inverse_h - corner);
        Vec<T, D> ahead = x + u * step;
        collide(x, ahead);
        Vec<T, D> next = x + (u + velocity.at(ahead * inverse_h - corner)) * (step / 2) - fall;
        collide(x, next);
        if (hits.count > 0 && affine) p.C[i] = Mat<T, D>::zero();
        // What would go on into a solid is taken away, and the solid feels it.
        for (int k = 0; k < hits.count; ++k) {
          const Solids::Near::Surface& s = hits.surface[static_cast<std::size_t>(k)];
          const Vec3d change = s.normal * -std::min(0.0, dot(resized<double, 3>(v) - s.velocity, s.normal));
          v = resized<T, D>(resized<double, 3>(v) + change);
          if (reactions.measured() && s.boundary >= 0)
            reactions.add(home, static_cast<std::size_t>(s.boundary), resized<double, 3>(next), change * mass);
        }
        p.v[i] = v, p.x[i] = next;
        const T square = dot(v, v);
        fastest = std::max(fastest, square);
        if (watched) {
          const T height = -dot(gravity, next);
          report.energy += double(square / 2 + height), lowest = std::min(lowest, height);
        }
        gone_[i] = leaves(next);
        report.gone = report.gone || gone_[i];
      }
    report.max_speed = std::sqrt(double(fastest)), report.lowest = double(lowest);
    move_partial_[home] = report;
  });
  reactions.finish_stage();
  MoveReport all;
  for (const MoveReport& r : move_partial_) all.add(r);
  return all;
}

template class Liquid<float, 2>;
template class Liquid<float, 3>;
template class Liquid<double, 2>;
template class Liquid<double, 3>;

}  // namespace knead
