// Stress of each law, from the rest shape (mls) or from composed steps (composed), and plastic flow.
#include "meshless/stress.h"

#include "base/elementary.h"
#include "base/rounding.h"
#include "meshless/flow_kernel.h"
#include "meshless/solver.h"
#include "meshless/strain_state.h"

namespace knead {

namespace {

constexpr std::size_t grain = 256;

// f(first particle, how many, report) for packs of a batch; the sum of the reports, waves times a factor.
template <class P, class F>
MeshlessReport in_packs(const Batch& batch, double wave_factor, std::vector<MeshlessReport>& partial, F&& f) {
  const auto n = static_cast<std::size_t>(batch.end - batch.begin);
  partial.assign((n + grain - 1) / grain, MeshlessReport{});
  parallel_chunks(n, grain, [&](std::size_t begin, std::size_t end) {
    MeshlessReport report;
    const auto from = static_cast<std::size_t>(batch.begin);
    for_packs<P>(from + begin, from + end, [&](std::size_t first, int count) { f(first, count, report); });
    partial[begin / grain] = report;
  });
  MeshlessReport all;
  for (const MeshlessReport& r : partial) all.add(r);
  all.fastest *= wave_factor;
  return all;
}

// What a pack's stretches and flow say.
template <class T, int D>
void note(MeshlessReport& report, const FlowKernel<T, D>& kernel, const FlowPack<T, D>& pack, const Pack<T>& volume,
          int count) {
  using P = Pack<T>;
  report.fastest = std::max(report.fastest, double(greatest(pack.wave * max(pack.most, P(1)))));
  if (!kernel.flows) return;
  for (int lane = 0; lane < count; ++lane) report.dissipated += double(pack.dissipated[lane]) * double(volume[lane]);
}

}  // namespace

// What plastic flow changes in a step is kept until the step is known to be possible: one that is refused is tried
// again.
template <class T, int D>
void Meshless<T, D>::keep_flow(World& world) {
  before_flow_.resize(flowing_.size());
  for (std::size_t k = 0; k < flowing_.size(); ++k) before_flow_[k] = world.particles.find(flowing_[k])->data;
}
template <class T, int D>
void Meshless<T, D>::undo_flow(World& world) {
  for (std::size_t k = 0; k < flowing_.size(); ++k) world.particles.find(flowing_[k])->data = before_flow_[k];
}

// T on the rest shape; G = V T A^-1 less what the stabilizer needs of F; see rest_space.h.
template <class T, int D>
MeshlessReport Meshless<T, D>::stress_from_rest(World& world, Columns& p, double dt) {
  using P = Pack<T>;
  const std::size_t n = p.x.size();
  G_.resize(n), stiffness_.resize(n);
  if (quadratic()) linear_G_.resize(n);
  MeshlessReport all;
  all.guarded = unspanned_;
  // What follows from T, the shear modulus and the strain at which matter flows.
  const auto set = [&](std::size_t first, int count, const Mat<P, D>& F, const Mat<P, D>& piola, const P& volume,
                       const P& mu, const std::optional<double>& yield) __attribute__((always_inline)) {
    const P trace_of_A = max(load_scalars<P>(trace_.data() + first, count), P(1e-30));
    P stiffness = P(2 * spec_.meshless.stabilizer) * mu * volume / trace_of_A;
    if (yield || any_held_) {
      const P strain = load_scalars<P>(squares_.data() + first, count) / trace_of_A, softness(softness_of(yield));
      stiffness = stiffness * (any_held_ ? HeldStrain<P>{load_scalars<P>(p.held_slope.data() + first, count) / mu,
                                                         load_scalars<P>(p.held_strain.data() + first, count)}
                                               .slope_at(strain, softness)
                                         : stabilizer_slope(strain, softness));
    }
    const Mat<P, D> back = load_lanes<P>(inverse_.data() + first, count);
    store_lanes<P>(to_sym(piola * transpose(F)), p.tau.data() + first, count);
    store_scalars<P>(stiffness, stiffness_.data() + first, count);
    if (quadratic()) {
      store_lanes<P>(piola * volume, G_.data() + first, count);
      store_lanes<P>(load_lanes<P>(linear_F_.data() + first, count) * -stiffness, linear_G_.data() + first, count);
    } else {
      store_lanes<P>(piola * back * volume - F * stiffness, G_.data() + first, count);
    }
  };
  // The law of the rest shape, and the melt that it may have become.
  const auto of_rest_shape = [&](const StrainYieldLaw& law, std::size_t first, int count, MeshlessReport& report) {
    const StrainState<P, D> state(law);
    const StrainState<T, D> melt(law, true);
    const Mat<P, D> F = load_lanes<P>(p.F.data() + first, count);
    const Sym<P, D> kept = load_lanes<P>(p.strain.data() + first, count);
    const Mat<P, D> plastic = to_matrix<D>(kept);
    const Mat<P, D> e = StrainState<P, D>::green(F) - plastic, S = state.second(e);
    P volume = load_scalars<P>(p.volume.data() + first, count);
    if (can_melt_) volume = volume * load_scalars<P>(rest_share_.data() + first, count);
    set(first, count, F, state.first(F, S), volume, state.mu, yield_strain_of(law));
    P work(0);
    if (law.flow.yield_strain) {
      const Mat<P, D> flowed = state.flowed(plastic, e, dt);
      for (int k = 0; k < D * D; ++k) work = work + S.e[k] * (flowed.e[k] - plastic.e[k]);
      store_lanes<P>(to_sym(flowed), p.strain.data() + first, count);
    }
    // An upper bound of the largest stretch, 1 at rest.
    const Sym<P, D> B = left_cauchy_green(F);
    P most(1);
    for (int r = 0; r < D; ++r) {
      P row(0);
      for (int c = 0; c < D; ++c) row = row + abs(B[sym_index<D>(r, c)]);
      most = max(most, row);
    }
    P wave = sqrt(state.p_wave_modulus() * most / P(law.density));
    // In what is molten the stored strain is all; see melt.cpp.
    if (!p.molten.empty()) {
      const T melt_wave = T(std::sqrt(double(melt.p_wave_modulus()) / law.density));
      for (int lane = 0; lane < P::width; ++lane) {
        const std::size_t i = first + static_cast<std::size_t>(std::min(lane, count - 1));
        if (!p.is_molten(i)) continue;
        for (int k = 0; k < Sym<T, D>::size; ++k) p.strain[i][k] = kept[k][lane];
        p.tau[i] = to_sym(melt.second(to_matrix<D>(p.strain[i])));
        G_[i] = Mat<T, D>::zero(), stiffness_[i] = 0;
        wave.set(lane, melt_wave), work.set(lane, T(0));
      }
    }
    report.fastest = std::max(report.fastest, double(greatest(wave)));
    if (law.flow.yield_strain)
      for (int lane = 0; lane < count; ++lane) report.dissipated += double(work[lane]) * double(volume[lane]);
  };
  const auto of_other = [&](const FlowKernel<T, D>& kernel, std::size_t first, int count, MeshlessReport& report) {
    const Mat<P, D> whole = load_lanes<P>(p.F.data() + first, count);
    Mat<P, D> back = load_lanes<P>(p.plastic.data() + first, count);
    FlowPack<T, D> pack{whole * back};
    kernel.load_history(pack, first, count);
    kernel(pack, {dt, spec_.dx});
    if (kernel.flows) {
      back = back * inverse(pack.F_p);
      store_lanes<P>(back, p.plastic.data() + first, count);
      kernel.store_history(pack, first, count);
    }
    const P volume = load_scalars<P>(p.volume.data() + first, count);
    note(report, kernel, pack, volume, count);
    set(first, count, whole, pack.piola * transpose(back), volume, P(kernel.shear_modulus), kernel.yield_strain);
  };
  for (const Batch& batch : world.batches) {
    const FlowKernel<T, D> kernel = kernel_of(world, batch);
    const auto* law = std::get_if<StrainYieldLaw>(&controls_.materials[static_cast<std::size_t>(batch.material)].value);
    all.add(in_packs<P>(batch, std::sqrt(kernel.density / lightest(world, batch)), stress_partial_,
                        [&](std::size_t first, int count, MeshlessReport& report) {
                          if (law)
                            of_rest_shape(*law, first, count, report);
                          else
                            of_other(kernel, first, count, report);
                        }));
  }
  return all;
}

template <class T, int D>
Mat<T, D> Meshless<T, D>::held_where_flat(const Columns& p, const Mat<T, D>& moment, std::size_t i) const {
  constexpr double flat = 0.005, round = 0.02;
  Mat<T, D> held = Mat<T, D>::zero();
  const EigenSym<T, D> e = eigen_sym<D>(to_sym(moment));
  const T most = *std::max_element(e.values.e, e.values.e + D);
  for (int k = 0; k < D; ++k) {
    const double share = most > T(0) ? double(e.values[k] / most) : 0;
    const T hold = regularizer(p, i) * T(std::clamp((round - share) / (round - flat), 0.0, 1.0));
    held += outer(e.Q.column(k) * hold, e.Q.column(k));
  }
  return held;
}

// F against the embedded rest space, where that is flat regularised by what it was, turned with its neighbours; flow
// goes into the offset; volume, mass and G follow from the rest vectors after it (Ward 2012, Eqs. 3.12 to 3.24; forces
// there are of those before the flow, which is no gradient of an energy). A neighbourhood that flow has worn thin, a
// twentieth as round as at the start, cannot tell a strain across it: what it holds is let go, its offset takes the
// shape that it has, from the embedding and not from the offset, which may have lost a direction for good.
template <class T, int D>
MeshlessReport Meshless<T, D>::stress_from_embedding(World& world, Columns& p, double dt) {
  using P = Pack<T>;
  const std::size_t n = p.x.size();
  G_.resize(n), stiffness_.resize(n), trial_.resize(n), pull_.resize(n);
  flow_now_.resize(n);
  const auto regular = [&](std::size_t i) { return Mat<T, D>::identity() * regularizer(p, i); };
  show_places<T, D>(p.x, p.x_low, shown_places_);
  parallel_for(n, 128, [&](std::size_t i) {
    const Mat<T, D> offset = p.P[i], turned = transpose(offset), moment = offset * rest_.moment(i) * turned;
    const Mat<T, D> held = held_to_before(p, moment, i), back = inverse(moment + held);
    const Stretch<T, D> stretch = stretch_of<T, D>(rest_, shown_places_, i);
    const Mat<T, D> seen = stretch.moment * turned;
    trial_[i] = seen * back;
    if (trace(held) > T(0)) {
      Mat<T, D> M = Mat<T, D>::zero();
      for (const Bond<T, D> b : rest_.from(i)) {
        const auto j = static_cast<std::size_t>(b.other);
        M += outer((p.x[j] - p.x[i]) * b.w, p.x_before[j] - p.x_before[i]);
      }
      trial_[i] += rotation_of(M) * p.F[i] * held * back;
    }
    pull_[i] = stretch.pull;
  });
  const auto slope_of_held = [&](std::size_t i, double mu) {
    return T(held_strain(p, i, mu).slope_at(square_stabilizer_strain(p, i), 0.0));
  };
  MeshlessReport all;
  for (const Batch& batch : world.batches) {
    const FlowKernel<T, D> kernel = kernel_of(world, batch);
    all.add(in_packs<P>(batch, std::sqrt(kernel.density / lightest(world, batch)), stress_partial_,
                        [&](std::size_t first, int count, MeshlessReport& report) {
                          FlowPack<T, D> pack{load_lanes<P>(trial_.data() + first, count)};
                          kernel.load_history(pack, first, count);
                          kernel(pack, {dt, spec_.dx});
                          kernel.store_history(pack, first, count);
                          store_lanes<P>(pack.F, p.F.data() + first, count);
                          store_lanes<P>(to_sym(pack.piola * transpose(pack.F)), p.tau.data() + first, count);
                          note(report, kernel, pack, load_scalars<P>(p.volume.data() + first, count), count);
                          alignas(64) Mat<T, D> stress[P::width], flow[P::width];
                          store_lanes<P>(pack.piola, stress, count), store_lanes<P>(pack.F_p, flow, count);
                          for (int lane = 0; lane < count; ++lane) {
                            const std::size_t i = first + static_cast<std::size_t>(lane);
                            flow_now_[i] = T(0);
                            if (kernel.flows) {
                              p.P[i] = flow[lane] * p.P[i];
                              flow_now_[i] = norm2(flow[lane] - Mat<T, D>::identity()) * p.volume[i];
                            }
                            const Mat<T, D> offset = p.P[i], moment = offset * rest_.moment(i) * transpose(offset);
                            const Mat<T, D> A = regular(i) + moment;
                            const T volume = p.volume_factor[i] * volume_of(p, i, A);
                            p.volume[i] = std::clamp(volume, T(0.1) * p.first_volume[i], T(10) * p.first_volume[i]);
                            report.guarded.clamped += p.volume[i] != volume;
                            if (!spec_.meshless.frozen_mass)
                              p.mass[i] = T(densities_[static_cast<std::size_t>(p.body[i])]) * p.volume[i];
                            stiffness_[i] =
                                T(2 * spec_.meshless.stabilizer * kernel.shear_modulus) * p.volume[i] / trace(A);
                            if (any_held_) stiffness_[i] *= slope_of_held(i, kernel.shear_modulus);
                            const Mat<T, D> back = inverse(moment + held_to_before(p, moment, i));
                            G_[i] = (stress[lane] * back * p.volume[i] - p.F[i] * stiffness_[i]) * offset;
                            if (!worn_out(p, moment, i)) continue;
                            G_[i] = Mat<T, D>::zero(), stiffness_[i] = 0;
                            const Mat<T, D> shape = stretch_of<T, D>(rest_, shown_places_, i).moment *
                                                    inverse(regular(i) + rest_.moment(i));
                            const bool is_shape = determinant(shape) > T(0);
                            const Mat<T, D> turned = rotation_of(is_shape ? shape : p.F[i]);
                            p.P[i] = transpose(turned) * (is_shape ? shape : p.F[i] * p.P[i]);
                            p.F[i] = turned, p.tau[i] = Sym<T, D>{};
                            keep_volume(p, i);
                            int neighbours = 0;
                            for (const Bond<T, D> b : rest_.from(i)) neighbours += b.w > T(0);
                            add_guard(report.guarded, guard_for<D>(neighbours));
                          }
                        }));
  }
  return all;
}

// The deformation of a step, F_step = (I - g/2)^-1 (I + g/2) of g = (sum w d x^T)(sum w x x^T)^-1 with places x in the
// middle of the motion d, composed on the left, then flow (Gerszewski 2014, Eqs. 4.1 to 4.9, which fit to the places at
// the start). So a step back undoes a step. One that goes by the start strains matter by sum w r r^T and the like, r
// being the part of the motion that is not linear, of a sign that does not change: a bar gained 37 % in 100 periods.
// The weights are those of the force, by distances pulled back by F_e, where these tell: strain then grows by what the
// force has done. With weights of present distances it grows by something else, and a body that swings far gains
// energy without end. The F_e of the middle is guessed by the fit to the start. Where too few neighbours, or flat ones,
// or a collapse make F_step meaningless, F only turns with them.
template <class T, int D>
MeshlessReport Meshless<T, D>::compose(World& world, Columns& p, double dt) {
  using P = Pack<T>;
  constexpr int fewest = fewest_neighbours<D>;
  const std::size_t n = p.x.size();
  const P inverse_h2(T(1) / (world_h_ * world_h_));
  trial_.resize(n), moved_.resize(n);
  guard_.resize(n);
  parallel_for(n, 512, [&](std::size_t i) {
    moved_[i] = y_[i] - p.x[i];
    if (!p.x_low.empty()) moved_[i] += y_low_[i] - p.x_low[i];
  });
  // sum(x, d) of the neighbours' places at the start of the step and of what they move by in it.
  const auto for_each_moved = [&](std::size_t slice, std::size_t first, int count, auto&& sum) {
    const Vec<P, D> here = resized<P, D>(load_lanes<P>(place_.data() + first, count));
    const Vec<P, D> step = load_lanes<P>(moved_.data() + first, count);
    for (const int* index : slices_.near(slice)) {
      const Vec<P, D> there = resized<P, D>(load_lanes_at<P>(place_.data(), index));
      sum(there - here, load_lanes_at<P>(moved_.data(), index) - step);
    }
  };
  const auto add_product = [](Mat<P, D>& to, const Vec<P, D>& a, const Vec<P, D>& b) {
    for (int r = 0; r < D; ++r)
      for (int c = 0; c < D; ++c) to(r, c) = fma(a[r], b[c], to(r, c));
  };
  // F is known as `turned` alone: what rounding took from it counts no more.
  const auto only_turn = [&](std::size_t i, Guard guard, const Mat<T, D>& turned) {
    guard_[i] = guard, trial_[i] = turned;
    if (!p.F_low.empty()) p.F_low[i] = Mat<T, D>::zero();
  };
  // x^T S x are the squares of distances where these tell, over h^2.
  const auto metric = [&](std::size_t first, int count) {
    const Carrier<P, D> own = load_lanes<P>(&carrier_[first].value, count);
    const auto pulled = load_scalars<P>(pulled_.data() + first, count) > P(0);
    Sym<P, D> S;
    for (int k = 0; k < Sym<P, D>::size; ++k) S[k] = select(pulled, own[D * D + k], P(0));
    for (int k = 0; k < D; ++k) S[sym_index<D>(k, k)] = select(pulled, S[sym_index<D>(k, k)], inverse_h2);
    return std::pair(S, pulled);
  };
  const auto moved_at_start = [&](std::size_t slice, std::size_t first, int count) {
    const Sym<P, D> S = metric(first, count).first;
    Mat<P, D> A = Mat<P, D>::zero();
    for_each_moved(slice, first, count, [&](const Vec<P, D>& x, const Vec<P, D>& d) {
      add_product(A, d * poly6_shape(squared_length<P, D>(S, x)), x);
    });
    return A;
  };
  slices_.for_each_slice([&](std::size_t slice, std::size_t first, int count) {
    const Mat<P, D> A = moved_at_start(slice, first, count), I = Mat<P, D>::identity();
    const Mat<P, D> K = to_matrix<D>(load_lanes<P>(moment_.data() + first, count)), L = K + A;
    const Mat<P, D> F = load_lanes<P>(p.F.data() + first, count), guess = A * inverse(K), half = I + guess * P(0.5);
    // A step that strains by a lot is as it was guessed.
    const auto [S, pulled] = metric(first, count);
    const auto small = abs(determinant(half) - P(1)) < P(0.5);
    Mat<P, D> back = inverse(half);
    for (int e = 0; e < D * D; ++e) back.e[e] = select(pulled, select(small, back.e[e], I.e[e]), I.e[e]);
    const Sym<P, D> S_mid = to_sym(transpose(back) * to_matrix<D>(S) * back);
    Mat<P, D> A_mid = Mat<P, D>::zero();
    Sym<P, D> K_mid = Sym<P, D>::zero();
    for_each_moved(slice, first, count, [&](const Vec<P, D>& x, const Vec<P, D>& d) {
      const Vec<P, D> mid = x + d * P(0.5);
      const P w = poly6_shape(squared_length<P, D>(S_mid, mid));
      add_product(A_mid, d * w, mid);
      add_outer<P, D>(K_mid, mid, w);
    });
    const Mat<P, D> g = A_mid * inverse(to_matrix<D>(K_mid));
    Mat<P, D> grown = inverse(I - g * P(0.5)) * g;
    for (int e = 0; e < D * D; ++e) grown.e[e] = select(small, grown.e[e], guess.e[e]);
    Mat<P, D> more = grown * F;
    if (!p.F_low.empty()) more += load_lanes<P>(p.F_low.data() + first, count);
    const Mat<P, D> after = F + more;
    store_lanes<P>(after, trial_.data() + first, count);
    if (!p.F_low.empty()) {
      for (int e = 0; e < D * D; ++e) more.e[e] = rounding_of_sum(F.e[e], more.e[e], after.e[e]);
      store_lanes<P>(more, p.F_low.data() + first, count);
    }
    // The eigenvalues are asked only where the determinant says that they may differ a lot.
    const P mean = trace(K) / P(D);
    const P roundness = determinant(K) - P(0.1) * (D == 2 ? mean * mean : mean * mean * mean);
    const P near = load_scalars<P>(bonds_.data() + first, count);
    std::fill_n(guard_.begin() + static_cast<std::ptrdiff_t>(first), count, Guard::none);
    if (all(roundness > P(0)) && all(near >= P(fewest))) return;
    const Mat<P, D> turned = rotation_of(L) * F;
    for (int lane = 0; lane < count; ++lane) {
      const std::size_t i = first + static_cast<std::size_t>(lane);
      const bool round = roundness[lane] > T(0) || inverse_of_moment(lane_of(K, lane)).rank == D;
      if (near[lane] >= T(fewest) && round) continue;
      only_turn(i, guard_for<D>(static_cast<int>(near[lane])), lane_of(turned, lane));
    }
  });
  MeshlessReport report_of_all;
  for (const Batch& batch : world.batches) {
    const FlowKernel<T, D> kernel = kernel_of(world, batch);
    const auto flow = [&](FlowPack<T, D>& pack, std::size_t first, int count) {
      pack.F = load_lanes<P>(trial_.data() + first, count);
      kernel.load_history(pack, first, count);
      kernel(pack, {dt, spec_.dx});
    };
    report_of_all.add(in_packs<P>(
        batch, std::sqrt(kernel.density / lightest(world, batch)), stress_partial_,
        [&](std::size_t first, int count, MeshlessReport& report) {
          FlowPack<T, D> pack{};
          flow(pack, first, count);
          if (any(pack.least <= P(smallest_stretch))) {
            for (int lane = 0; lane < count; ++lane) {
              const std::size_t i = first + static_cast<std::size_t>(lane);
              if (!(pack.least[lane] <= T(smallest_stretch)) || guard_[i] != Guard::none) continue;
              const std::size_t slice = i / P::width, begin = slice * P::width;
              const int size = static_cast<int>(std::min<std::size_t>(P::width, n - begin));
              const Mat<P, D> A = moved_at_start(slice, begin, size);
              only_turn(i, Guard::inverted,
                        rotation_of(to_matrix<D>(moment_[i]) + lane_of(A, static_cast<int>(i - begin))) * p.F[i]);
            }
            flow(pack, first, count);
          }
          kernel.store_history(pack, first, count);
          store_lanes<P>(pack.F, p.F.data() + first, count);
          store_lanes<P>(to_sym(pack.piola * transpose(pack.F)), p.tau.data() + first, count);
          note(report, kernel, pack, load_scalars<P>(p.volume.data() + first, count), count);
          for (int lane = 0; lane < count; ++lane) {
            const std::size_t i = first + static_cast<std::size_t>(lane);
            p.skipped[i] = guard_[i] == Guard::none ? T(0) : p.skipped[i] + T(1);
            if (guard_[i] == Guard::none) continue;
            add_guard(report.guarded, guard_[i]);
            if (p.skipped[i] >= T(most_skips)) forget_strain(world, batch, p, i, dt, report);
          }
        }));
  }
  return report_of_all;
}

// A particle whose neighbours have not told its deformation for many steps knows an old one: its strain fades.
template <class T, int D>
void Meshless<T, D>::forget_strain(const World& world, const Batch& batch, Columns& p, std::size_t i, double dt,
                                   MeshlessReport& report) {
  const Svd<double, D> d = svd(cast<double>(p.F[i]));
  Vec<double, D> sigma = d.sigma;
  for (int k = 0; k < D; ++k)
    sigma[k] = elementary::pow(std::max(sigma[k], smallest_stretch), elementary::exp(-forgetting * dt));
  p.F[i] = cast<T>(d.U * Mat<double, D>::diagonal(sigma) * transpose(d.V));
  visit(controls_.materials[static_cast<std::size_t>(batch.material)], [&]<class Law>(const Law& law) {
    auto history = law.template initial_history<double>();
    for (std::size_t h = 0; h < law.history_columns.size(); ++h)
      history[static_cast<int>(h)] = double(world.particles.get<T>(law.history_columns[h].name)[i]);
    report.dissipated += double(p.volume[i]) * (law.energy(d.sigma, history) - law.energy(sigma, history));
    const Vec<double, D> tau = law.kirchhoff(sigma, history);
    p.tau[i] = to_sym(cast<T>(to_matrix<D>(rotated_diagonal(d.U, tau))));
  });
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
