// Which cells are liquid, how crowded they are, and the pressures that keep them from being overfilled: those that move
// particles apart (Gerszewski 2014, Eq. 3.9) and those that act on velocities (Eqs. 3.3 to 3.8). The printed
// equations lack factors of the time step and of the open share, which are here.
#include "base/elementary.h"
#include "liquid/solver.h"

namespace knead {

namespace {
constexpr std::size_t grain = 8;  // blocks
}

template <class T, int D>
void Liquid<T, D>::classify() {
  parallel_for(blocks_.count(), grain, [&](std::size_t b) {
    std::uint64_t liquid = 0;
    for (int c = 0; c < 64; ++c) {
      const std::size_t at = b * 64 + static_cast<std::size_t>(c);
      // Of the little room in the edges and corners of walls liquid takes its share, too: were it air, pressure would
      // drive liquid into them.
      const T least = T(least_fill) * std::clamp(room_[at], T(least_fill), T(1));
      if (!(fill_[at] >= least) || is_outside(b, c)) continue;
      float open = 0;
      for (int a = 0; a < D; ++a) {
        open += open_[a][at];
        if (const std::int64_t up = beside(b, c, a, true); up >= 0) open += open_[a][static_cast<std::size_t>(up)];
      }
      if (open > 1e-6f) liquid |= std::uint64_t(1) << c;
    }
    liquid_[b] = liquid;
  });
  lcp_.prepare(system());
}

// Beyond an open side there is air.
template <class T, int D>
bool Liquid<T, D>::is_outside(std::size_t block, int cell) const {
  if (!scene_.scene.domain || scene_.scene.domain->open.empty()) return false;
  const Domain& d = *scene_.scene.domain;
  const Vec<int, D> at = blocks_.first_cell(block) + BlockLayout<D>::node_offset(cell);
  for (int a = 0; a < D; ++a) {
    const double x = (at[a] + 0.5) * h_;
    if ((x < d.min[a] && d.is_open(a, false)) || (x > d.max[a] && d.is_open(a, true))) return true;
  }
  return false;
}

template <class T, int D>
CellSystem<D> Liquid<T, D>::system() const {
  CellSystem<D> s{&blocks_, liquid_, {}};
  for (int a = 0; a < D; ++a) s.open[static_cast<std::size_t>(a)] = open_[a];
  return s;
}

// What faces count for in the matrix of the pressure, and that matrix, where it is not the one of the density
// correction (Gerszewski 2014, section 3.1, below Eq. 3.8): by density, as much mass crosses as the liquid of the face
// carries; plain, every face that is not shut is open.
template <class T, int D>
void Liquid<T, D>::weigh_faces() {
  const bool by_density = spec_.liquid.matrix == PressureMatrix::density;
  CellSystem<D> s = system();
  for (int a = 0; a < D; ++a) {
    weight_[a].resize(open_[a].size());
    parallel_for(blocks_.count(), grain, [&, a](std::size_t b) {
      for (int c = 0; c < 64; ++c) {
        const std::size_t at = b * 64 + static_cast<std::size_t>(c);
        weight_[a][at] = by_density ? static_cast<float>(corrected_fill(b, c, a)) : open_[a][at] > 0 ? 1.0f : 0.0f;
      }
    });
    s.open[static_cast<std::size_t>(a)] = weight_[a];
  }
  lcp_.prepare(s);
}

// Of a face, after the density correction.
template <class T, int D>
double Liquid<T, D>::corrected_fill(std::size_t b, int c, int a) const {
  const std::size_t at = b * 64 + static_cast<std::size_t>(c);
  if (!(face_fill_[a][at] > T(0))) return 0;
  const std::int64_t below = beside(b, c, a, false);
  const double change =
      0.5 * (double(corrected_[at]) + (below < 0 ? 0 : double(corrected_[static_cast<std::size_t>(below)])));
  return std::max(0.0, double(face_fill_[a][at]) + change);
}

template <class T, int D>
void Liquid<T, D>::measure_density(World& world) {
  struct Sum {
    double most = 0, square = 0, cells = 0;
  };
  const Sum all = parallel_reduce(
      blocks_.count(), grain, Sum{},
      [&](std::size_t begin, std::size_t end) {
        Sum s;
        for (std::size_t b = begin; b < end; ++b)
          for_each_mark(liquid_[b], [&](int c) {
            const std::size_t at = b * 64 + static_cast<std::size_t>(c);
            const double over = std::max(0.0, double(fill_[at]) - double(room_before_[at]));
            s.most = std::max(s.most, over), s.square += over * over, s.cells += 1;
          });
        return s;
      },
      [](Sum a, const Sum& b) {
        a.most = std::max(a.most, b.most), a.square += b.square, a.cells += b.cells;
        return a;
      });
  world.tally.liquid.over_density = all.most;
  world.tally.liquid.liquid_volume = all.cells * elementary::power(h_, D);
  world.tally.liquid.over_density_rms = all.cells > 0 ? std::sqrt(all.square / all.cells) : 0;
}

// The last pressures, where there is liquid still: those of velocities grow with the square of the step.
template <class T, int D>
void Liquid<T, D>::warm_start(const World& world, double dt) {
  fill_in_parallel(q_, 0.0);
  const double last = world.tally.liquid.last_dt, scale = last > 0 ? square(dt / last) : 0;
  parallel_for(world.cells.size(), grain, [&](std::size_t i) {
    const CellPressures& kept = world.cells[i];
    Vec<int, D> block{};
    for (int a = 0; a < D; ++a) block[a] = static_cast<int>(kept.block[a]);
    const int found = blocks_.find(block_key(block));
    if (found < 0) return;
    const auto b = static_cast<std::size_t>(found);
    for_each_mark(liquid_[b], [&](int c) { q_[b * 64 + static_cast<std::size_t>(c)] = kept.pressure[c] * scale; });
  });
}

template <class T, int D>
void Liquid<T, D>::keep_pressures(World& world, double dt) {
  const double scale = density_ * h_ * h_ / (dt * dt);
  struct Least {
    double q = 0;
  };
  const Least least = parallel_reduce(
      blocks_.count(), grain, Least{},
      [&](std::size_t begin, std::size_t end) {
        Least l;
        for (std::size_t b = begin; b < end; ++b)
          for (std::size_t c = b * 64; c < (b + 1) * 64; ++c) {
            l.q = std::min(l.q, q_[c]);
            shown_pressure_[c] = T(q_[c] * scale);
          }
        return l;
      },
      [](const Least& a, const Least& b) { return Least{std::min(a.q, b.q)}; });
  world.tally.liquid.least_pressure = least.q * scale;
  const std::vector<std::uint32_t>& active = lcp_.active();
  world.cells.resize(active.size());
  parallel_for(active.size(), grain, [&](std::size_t i) {
    CellPressures& kept = world.cells[i];
    const Vec<int, D> block = block_at<D>(blocks_.keys()[active[i]]);
    for (int a = 0; a < 3; ++a) kept.block[a] = a < D ? block[a] : 0;
    std::copy_n(q_.begin() + static_cast<std::ptrdiff_t>(active[i]) * 64, 64, kept.pressure);
  });
}

template <class T, int D>
int Liquid<T, D>::solve(World& world, std::span<const double> lower, std::vector<double>& q) {
  const LiquidSpec& s = spec_.liquid;
  const LcpMethod method = s.solver == PressureSolver::multigrid ? LcpMethod::multigrid : LcpMethod::mprgp;
  const LcpReport r = lcp_.solve(b_, lower, q, method, s.tolerance, s.iterations);
  LiquidTally& tally = world.tally.liquid;
  tally.frame_residual = worse(tally.frame_residual, r.residual);
  tally.frame_unsolved += !r.converged;
  trapped_ = r.infeasible;
  return r.iterations;
}

// eta >= 0, L eta + room - fill >= 0, one of them 0. The mass that crosses a face to make room, v_f (eta_c -
// eta_below), points towards the crowd; particles go the other way.
template <class T, int D>
void Liquid<T, D>::correct_density(World& world, std::span<const double> lower) {
  for (int a = 0; a < D; ++a) fill_in_parallel(offset_[a], T(0));
  fill_in_parallel(corrected_, T(0));
  if (!spec_.liquid.density_correction) return;
  for_each_liquid([&](std::size_t, int, std::size_t at) { b_[at] = double(room_before_[at]) - double(fill_[at]); });
  fill_in_parallel(eta_, 0.0);  // crowds of one step say little of the next
  world.tally.liquid.frame_density_iterations += solve(world, lower, eta_);

  // Across faces.
  const auto crossing = [&](std::size_t b, int c, int a) {
    const std::size_t at = b * 64 + static_cast<std::size_t>(c);
    const std::int64_t below = beside(b, c, a, false);
    return double(open_[a][at]) * (eta_[at] - (below < 0 ? 0 : eta_[static_cast<std::size_t>(below)]));
  };
  const double furthest = h_ / 2;
  parallel_for(blocks_.count(), grain, [&](std::size_t b) {
    std::uint64_t touched[D], changed = 0;
    for (int a = 0; a < D; ++a) {
      touched[a] = liquid_[b] | cells_beside(blocks_, liquid_, b, a, false);
      changed |= touched[a] | cells_beside(blocks_, liquid_, b, a, true);
    }
    for_each_mark(changed, [&](int c) {
      double change = 0;
      for (int a = 0; a < D; ++a) {
        if (touched[a] >> c & 1) change -= crossing(b, c, a);
        if (const std::int64_t up = beside(b, c, a, true); up >= 0)
          change += crossing(static_cast<std::size_t>(up) / 64, static_cast<int>(up % 64), a);
      }
      corrected_[b * 64 + static_cast<std::size_t>(c)] = T(change);
    });
    for (int a = 0; a < D; ++a)
      for_each_mark(touched[a], [&](int c) {
        const std::size_t at = b * 64 + static_cast<std::size_t>(c);
        const double fill = std::max(double(face_fill_[a][at]), least_face_fill * double(open_[a][at]));
        if (fill > 0) offset_[a][at] = T(std::clamp(-h_ * crossing(b, c, a) / fill, -furthest, furthest));
      });
  });
}

// m/s^2, of gravity and the scene's own forces.
template <class T, int D>
Vec3d Liquid<T, D>::forces_at(const Vec3d& x, double time) const {
  const Formula& force = controls_.body_force;
  if (force.is_zero()) return controls_.gravity;
  return controls_.gravity + force.at(std::array<double, 10>{x[0], x[1], x[2], x[0], x[1], x[2], time, 0, 0, 0});
}

template <class T, int D>
void Liquid<T, D>::add_forces(double time, double dt) {
  const bool even = controls_.body_force.is_zero();
  parallel_for(blocks_.count(), grain, [&](std::size_t b) {
    const Vec<int, D> first = blocks_.first_cell(b);
    for (int a = 0; a < D; ++a)
      for_each_mark(known_[a][b], [&](int c) {
        double g = controls_.gravity[a];
        if (!even) {
          const Vec<int, D> cell = first + BlockLayout<D>::node_offset(c);
          Vec3d x{};
          for (int k = 0; k < D; ++k) x[k] = (cell[k] + (k == a ? 0.0 : 0.5)) * h_;
          g = forces_at(x, time)[a];
        }
        u_[a][b * 64 + static_cast<std::size_t>(c)] += T(g * dt);
      });
  });
}

// What pressure does to velocities: by the raw density of the face, so that momentum is kept to rounding; with
// densities in the matrix, all faces alike.
template <class T, int D>
void Liquid<T, D>::change_velocities(double dt, std::span<const double> q) {
  const double scale = h_ / dt;
  const bool by_density = spec_.liquid.matrix == PressureMatrix::density;
  parallel_for(blocks_.count(), grain, [&](std::size_t b) {
    for (int a = 0; a < D; ++a)
      for_each_mark(known_[a][b] & (liquid_[b] | cells_beside(blocks_, liquid_, b, a, false)), [&](int c) {
        const std::size_t at = b * 64 + static_cast<std::size_t>(c);
        const std::int64_t below = beside(b, c, a, false);
        const double step = q[at] - (below < 0 ? 0 : q[static_cast<std::size_t>(below)]), open = double(open_[a][at]);
        const double density = std::max(double(face_fill_[a][at]), least_face_fill * open);
        if (step != 0) u_[a][at] -= T((by_density ? scale : scale * open / density) * step);
      });
  });
}

// q >= l, w = L q + (room - fill after the correction) + dt/h div (fill u) >= 0, one of them at its bound: w is the
// room that will be left.
//
// dt/h div (fill u), as published, also counts what merely passes, by a forward difference in time: liquid in uniform
// flight seems to be compressed where the density bends, and sprays. Bounded, passing liquid may fill a cell and no
// more; what goes beyond that must come from convergence, which is the same in all frames that move evenly. Deep in
// liquid under pressure, where density does not bend, the bound would only let it sag.
template <class T, int D>
void Liquid<T, D>::push(World& world, double dt) {
  const auto flux = [&](std::size_t b, int c, int a) -> double {
    return corrected_fill(b, c, a) * double(u_[a][b * 64 + static_cast<std::size_t>(c)]);
  };
  const bool suction = spec_.liquid.suction > 0;
  if (suction) find_deep();
  const bool sources = !scene_.sources.empty(), plain = spec_.liquid.matrix == PressureMatrix::plain;
  const bool by_particles = spec_.liquid.foresight == Foresight::particles,
             bounded = spec_.liquid.foresight == Foresight::bounded;
  for_each_liquid([&](std::size_t b, int c, std::size_t at) {
    double change = 0;  // of the fill over the step
    if (by_particles)
      change = double(foreseen_[at]) - double(fill_[at]) - double(corrected_[at]);
    else
      for (int a = 0; a < D; ++a) {
        change += dt / h_ * flux(b, c, a);
        if (const std::int64_t up = beside(b, c, a, true); up >= 0)
          change -= dt / h_ * flux(static_cast<std::size_t>(up) / 64, static_cast<int>(up % 64), a);
      }
    if (bounded) {
      const double left = std::max(0.0, double(room_before_[at]) - double(fill_[at]) - double(corrected_[at]));
      if (change > left + double(converging_[at]) && !is_pressed(b, c))
        change = std::min(change, left + most_converging(b, c));
      if (!plain) change += pushed_before(b, c);
    }
    if (sources) change += double(coming_[at]);
    double room = double(room_[at]) - double(fill_[at]) - double(corrected_[at]);
    // Noise of the particles must not pull.
    if (suction && lower_marks_[b] >> c & 1) room = std::min(0.0, room);
    b_[at] = room - change;
    if (plain) b_[at] = b_[at] / std::max(double(room_[at]), least_fill) - (bounded ? pushed_before(b, c) : 0);
  });
  if (suction) {
    lower_.assign(b_.size(), 0.0);
    const double least = -dt * dt * spec_.liquid.suction / (density_ * h_ * h_);
    for_each_liquid([&](std::size_t b, int c, std::size_t at) { lower_[at] = lower_marks_[b] >> c & 1 ? least : 0.0; });
  }
  world.tally.liquid.frame_pressure_iterations +=
      solve(world, suction ? std::span<const double>(lower_) : std::span<const double>(), q_);

  // What is added to the pressures that acted already.
  if (bounded) {
    for_each_liquid([&](std::size_t, int, std::size_t at) { q_before_[at] = q_[at] - q_before_[at]; });
    change_velocities(dt, q_before_);
  } else {
    change_velocities(dt, q_);
  }
}

// Liquid cells more than `free_depth` cells from any that is not full. Solids are no surface.
template <class T, int D>
void Liquid<T, D>::find_deep() {
  Marks& near = lower_marks_;
  near.assign(blocks_.count(), 0), spread_.resize(blocks_.count());
  parallel_for(blocks_.count(), grain, [&](std::size_t b) {
    for (int c = 0; c < 64; ++c) {
      const std::size_t at = b * 64 + static_cast<std::size_t>(c);
      const T fill = fill_[at] + corrected_[at];
      if (room_[at] > T(0) && (!(liquid_[b] >> c & 1) || fill < T(0.9) * room_[at])) near[b] |= std::uint64_t(1) << c;
    }
  });
  for (int step = 0; step < free_depth; ++step) {
    parallel_for(blocks_.count(), grain, [&](std::size_t b) { spread_[b] = near[b] | cells_around(blocks_, near, b); });
    std::swap(near, spread_);
  }
  parallel_for(blocks_.count(), grain, [&](std::size_t b) { near[b] = liquid_[b] & ~near[b]; });
}

// Faces beside known ones take the mean of these, layer by layer, all of a layer at once (Jacobi), so that the order of
// the faces does not matter. Liquid must find a velocity where it gets to: layers grow across faces alone, so along a
// diagonal it crosses sqrt(D) times as many as cells, and what is between cells needs one more.
template <class T, int D>
void Liquid<T, D>::extrapolate(const World& world, double dt) {
  const double speed = world.tally.max_speed + length(controls_.gravity) * dt;
  const double crossed = std::clamp(std::ceil(std::sqrt(double(D)) * speed * dt / h_), 2.0, 3.0 * BlockLayout<D>::side);
  for (int layer = 0; layer < static_cast<int>(crossed) + 1; ++layer)
    for (int a = 0; a < D; ++a) {
      parallel_for(blocks_.count(), grain, [&](std::size_t b) {
        const std::uint64_t fresh = ~known_[a][b] & cells_around(blocks_, known_[a], b);
        spreading_[a][b] = fresh;
        for_each_mark(fresh, [&](int c) {
          T sum = 0;
          int count = 0;
          for (int axis = 0; axis < D; ++axis)
            for (const bool up : {false, true}) {
              const std::int64_t other = beside(b, c, axis, up);
              if (other < 0 || !(known_[a][static_cast<std::size_t>(other) / 64] >> (other % 64) & 1)) continue;
              sum += u_[a][static_cast<std::size_t>(other)], ++count;
            }
          u_[a][b * 64 + static_cast<std::size_t>(c)] = sum / T(count);
        });
      });
      parallel_for(blocks_.count(), grain, [&](std::size_t b) { known_[a][b] |= spreading_[a][b]; });
    }
}

// Particles that start at random places are evened out before they start: moved apart where they crowd and, away from
// the surface, together where they leave holes, which weight would close later with a jolt.
template <class T, int D>
void Liquid<T, D>::relax(World& world) {
  controls_.move_to(world.clock.time);
  if (sort_into_blocks(world)) return;  // the first step will say what is wrong
  Columns p(world.particles);
  open_blocks(world.clock.time, room_before_), open_blocks(world.clock.time, room_);
  rasterize(p), classify(), warm_start(world, 0);
  std::fill(corrected_.begin(), corrected_.end(), T(0));
  find_deep();
  lower_.assign(b_.size(), 0.0);
  for_each_liquid([&](std::size_t b, int c, std::size_t at) { lower_[at] = lower_marks_[b] >> c & 1 ? -1e30 : 0.0; });
  correct_density(world, lower_);
  std::fill(shown_pressure_.begin(), shown_pressure_.end(), T(0));
  move_particles(p, world.clock.time, 0);
}

template class Liquid<float, 2>;
template class Liquid<float, 3>;
template class Liquid<double, 2>;
template class Liquid<double, 3>;

}  // namespace knead
