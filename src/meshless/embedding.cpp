// The embedding of a plastic rest space (Ward 2012, sections 3.6 to 3.8): positions e and an offset P a particle, so
// that P_i (e_j - e_i) are the rest vectors. After plastic flow the positions are found that follow all rest vectors
// best,
//
//   minimise sum_ij w_ij |P_i e_ij - (e'_j - e'_i)|^2,    one particle of each piece held,
//
// rest vectors are turned after them, neighbours are chosen anew in the embedding, fading in and out, and offsets take
// what positions could not follow and what would add strain. The seed does this in every step, which moves matter even
// where nothing flows; here, when enough has flowed.
#include "meshless/solver.h"

namespace knead {

// The volume that a neighbourhood of such a moment has, up to a factor: the product of the standard deviations of its
// rest vectors (Ward 2012, Eq. 3.15, with weights without unit).
template <class T, int D>
T Meshless<T, D>::volume_of(const Columns& p, std::size_t i, const Mat<T, D>& moment) const {
  const T weight = least_weight_[static_cast<std::size_t>(p.body[i])] + rest_.weight(i);
  return std::sqrt(std::max(determinant(moment), T(0)) / (D == 2 ? weight * weight : weight * weight * weight));
}

// The factors that give particles their volume at the start: equal shares of the body, or, where points were given,
// shares by the estimate itself. On a lattice it alone would make the inside a fifth too small. A resumed run finds the
// means from the bodies as they were at the start.
template <class T, int D>
void Meshless<T, D>::calibrate_volumes(const Columns& p, bool fresh) {
  const std::size_t n = p.x.size();
  std::vector<Vec<T, D>> now(p.embedded.begin(), p.embedded.end());
  std::vector<Neighbours> neighbours(p.neighbours.begin(), p.neighbours.end());
  std::vector<Fades<T>> fades(p.fades.begin(), p.fades.end());
  Columns start = p;
  if (!fresh) {
    std::copy(p.X.begin(), p.X.end(), p.embedded.begin());
    std::fill(p.neighbours.begin(), p.neighbours.end(), Neighbours::filled(-1));
    choose_neighbours(start, true);
  }
  bond_embedding(p);
  // Of each body by itself: what else there is changes nothing.
  const std::size_t bodies = uneven_.size();
  std::vector<double> moments(bodies), weights(bodies), counts(bodies);
  for (std::size_t i = 0; i < n; ++i) {
    const auto b = static_cast<std::size_t>(p.body[i]);
    moments[b] += double(trace(rest_.moment(i))), weights[b] += double(rest_.weight(i)), ++counts[b];
  }
  lambda_.resize(bodies), least_weight_.resize(bodies), due_.assign(bodies, 0);
  for (std::size_t b = 0; b < bodies; ++b) {
    const double share = spec_.meshless.regularizer / std::max(counts[b], 1.0);
    lambda_[b] = T(share * moments[b] / double(D)), least_weight_[b] = T(share * weights[b]);
    // Of a body without a bond, such as a single particle, nothing tells the strain and the volume: any will do.
    if (!(weights[b] > 0)) lambda_[b] = least_weight_[b] = 1;
  }
  std::vector<T> volumes(n);
  first_roundness_.resize(n);
  total_volume_.assign(bodies, 0);
  std::vector<double> body_volume(bodies), estimate(bodies);
  for (std::size_t i = 0; i < n; ++i) {
    const auto b = static_cast<std::size_t>(p.body[i]);
    const Mat<T, D> moment = rest_.moment(i) + Mat<T, D>::identity() * regularizer(p, i);
    volumes[i] = volume_of(p, i, moment), first_roundness_[i] = roundness(moment);
    estimate[b] += double(volumes[i]), body_volume[b] += double(p.volume[i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const auto b = static_cast<std::size_t>(p.body[i]);
    if (fresh) {
      const T volume = uneven_[b] ? T(body_volume[b] / estimate[b]) * volumes[i] : p.volume[i];
      p.mass[i] *= volume / p.volume[i];
      p.first_volume[i] = p.volume[i] = volume;
      p.volume_factor[i] = volume / volumes[i];
    }
    total_volume_[b] += double(p.first_volume[i]);
  }
  std::copy(now.begin(), now.end(), p.embedded.begin());
  std::copy(neighbours.begin(), neighbours.end(), p.neighbours.begin());
  std::copy(fades.begin(), fades.end(), p.fades.begin());
}

// The normal equations, one graph Laplacian for all coordinates, by conjugate gradients from where positions are. Bonds
// do not see where a piece is: what they ask for sums up to nothing over each, and so its middle (that of the diagonal
// as weights) stays where it is.
template <class T, int D>
void Meshless<T, D>::solve_embedding(Columns& p) {
  const std::size_t n = p.x.size();
  cg_.resize(n);
  laplacian_.take_weights(rest_);
  drag_known_ = false;
  parallel_for(n, 64, [&](std::size_t i) {
    Vec<T, D> b = Vec<T, D>::zero() - p.P[i] * rest_.sum(i);
    for (const Bond<T, D> bond : rest_.to(i)) b += p.P[static_cast<std::size_t>(bond.other)] * bond.g;
    cg_.inverse[i] = T(1) / std::max(laplacian_.diagonal(i), T(1e-30));
    // Bodies that are not due have no say in how well the others are solved for.
    const bool due = is_due(p, i);
    cg_.product[i] = due ? b : Vec<T, D>::zero();
    cg_.residual[i] = due ? b + laplacian_.pull(i, p.embedded) : Vec<T, D>::zero();
  });
  const double tolerance = sizeof(T) == 4 ? 1e-5 : 1e-8;
  const auto row = [&](std::size_t i, std::span<const Vec<T, D>> z) { return -laplacian_.pull(i, z); };
  cg_.solve_by_rows(
      p.embedded, [](auto) {}, row, tolerance * tolerance * cg_.squared(cg_.product), 500);
}

// The energy of matter that is alike in all directions does not see how a particle's rest vectors are turned as a
// whole: Q P and F Q^T have the forces of P and F. Flow leaves them turned as they were (F_p is symmetric), which no
// positions can follow where the matter bends: ends of a bent bar stay parallel at rest. So they are turned to the new
// positions. Gives what these still cannot follow, as a share of the rest vectors.
template <class T, int D>
double Meshless<T, D>::turn_rest_vectors(Columns& p) {
  struct Squares {
    double missed = 0, all = 0;
  };
  using P = Pack<T>;
  const auto now = [&](std::size_t i, const Bond<T, D>& b) {
    return p.embedded[static_cast<std::size_t>(b.other)] - p.embedded[i];
  };
  const auto some = [&](std::size_t begin, std::size_t end) {
    Squares sum;
    for_packs<P>(begin, end, [&](std::size_t first, int count) {
      Mat<T, D> M[P::width]{};
      for (int lane = 0; lane < count; ++lane) {
        const std::size_t i = first + static_cast<std::size_t>(lane);
        for (const Bond<T, D> b : rest_.from(i)) M[lane] += outer(now(i, b), b.g);
      }
      const Mat<P, D> offset = load_lanes<P>(p.P.data() + first, count), F = load_lanes<P>(p.F.data() + first, count);
      T held[P::width]{};
      for (int lane = 0; lane < count; ++lane) held[lane] = regularizer(p, first + static_cast<std::size_t>(lane));
      const Mat<P, D> Q =
          rotation_of(Mat<P, D>::identity() * P::load(held) + load_lanes<P>(M, count) * transpose(offset));
      Mat<T, D> turned[P::width], strain[P::width];
      store_lanes<P>(Q * offset, turned, count), store_lanes<P>(F * transpose(Q), strain, count);
      for (int lane = 0; lane < count; ++lane) {
        const std::size_t i = first + static_cast<std::size_t>(lane);
        if (is_due(p, i)) p.P[i] = turned[lane], p.F[i] = strain[lane];
        T missed = 0, all = 0;
        for (const Bond<T, D> b : rest_.from(i)) {
          if (b.w <= T(0)) continue;
          const Vec<T, D> q = p.P[i] * b.g, off = q - now(i, b) * b.w;  // times w
          missed += dot(off, off) / b.w, all += dot(q, q) / b.w;
        }
        sum.missed += double(missed), sum.all += double(all);
      }
    });
    return sum;
  };
  const Squares sum = parallel_reduce(p.x.size(), 64, Squares{}, some, [](Squares a, const Squares& b) {
    return a.missed += b.missed, a.all += b.all, a;
  });
  return std::sqrt(sum.missed / std::max(sum.all, 1e-300));
}

// P = (Lambda P + sum w q e'^T)(Lambda I + sum w e' e'^T)^-1 with q the rest vectors by the old positions and offsets.
template <class T, int D>
void Meshless<T, D>::refit_offsets(Columns& p) {
  parallel_for(p.x.size(), 64, [&](std::size_t i) {
    if (!is_due(p, i)) return;
    Mat<T, D> moved = Mat<T, D>::zero();
    for (const Bond<T, D> b : rest_.from(i))
      moved += outer(e_before_[static_cast<std::size_t>(b.other)] - e_before_[i], b.g);
    const Mat<T, D> regular = Mat<T, D>::identity() * regularizer(p, i);
    p.P[i] = p.P[i] * (regular + moved) * inverse(regular + rest_.moment(i));
  });
}

// The factor by which a particle's neighbourhood, as it is, has the volume that the particle has.
template <class T, int D>
void Meshless<T, D>::keep_volume(Columns& p, std::size_t i) const {
  const Mat<T, D> A = Mat<T, D>::identity() * regularizer(p, i) + p.P[i] * rest_.moment(i) * transpose(p.P[i]);
  const T estimate = volume_of(p, i, A);
  if (estimate > T(1e-3) * p.volume[i] / p.volume_factor[i]) p.volume_factor[i] = p.volume[i] / estimate;
}

// Other neighbours and other positions see another strain of the same matter. Where it would hold more energy, or show
// matter inside out, the offset takes the difference, so that P' = F^-1 F' P and strain and volume stay: energy would
// grow with every embedding, without end where matter flows around a bar.
template <class T, int D>
template <class Changed>
void Meshless<T, D>::keep_strain(World& world, Columns& p, Changed&& changed) {
  using P = Pack<T>;
  show_places<T, D>(p.x, p.x_low, shown_places_);
  for (const Batch& batch : world.batches) {
    const FlowKernel<T, D> kernel = kernel_of(world, batch);
    const auto first = static_cast<std::size_t>(batch.begin), n = static_cast<std::size_t>(batch.end) - first;
    parallel_packs<P>(n, 128, [&](std::size_t at, int count) {
      const std::size_t begin = first + at;
      Mat<T, D> now[P::width];
      bool any = false;
      for (int lane = 0; lane < count; ++lane) {
        const std::size_t i = begin + static_cast<std::size_t>(lane);
        now[lane] = p.F[i];
        if (!changed(i)) continue;
        any = true;
        const Mat<T, D> turned = transpose(p.P[i]);
        const Mat<T, D> moment = p.P[i] * rest_.moment(i) * turned;
        const Mat<T, D> held = held_to_before(p, moment, i);
        now[lane] =
            (p.F[i] * held + stretch_of<T, D>(rest_, shown_places_, i).moment * turned) * inverse(held + moment);
      }
      if (!any) return;
      const Vec<P, D> seen = svd(load_lanes<P>(now, count)).sigma,
                      had = svd(load_lanes<P>(p.F.data() + begin, count)).sigma;
      const P gained = kernel.energy(kernel.law, seen) - kernel.energy(kernel.law, had);
      for (int lane = 0; lane < count; ++lane) {
        const std::size_t i = begin + static_cast<std::size_t>(lane);
        if (!changed(i) || (seen[D - 1][lane] > T(0) && gained[lane] <= T(0))) continue;
        p.P[i] = inverse(p.F[i]) * now[lane] * p.P[i];
        keep_volume(p, i);
      }
    });
  }
}

// Adds the step's flow, in the mean over each body, to what has flowed since its embedding was found. Whether some body
// is due.
template <class T, int D>
bool Meshless<T, D>::gather_flow(const Columns& p, std::span<double> flowed) {
  constexpr std::size_t part = 4096;
  const std::size_t n = p.x.size(), bodies = due_.size(), parts = (n + part - 1) / part;
  flow_partial_.assign(parts * bodies, 0.0);
  parallel_chunks(n, part, [&](std::size_t begin, std::size_t end) {
    double* sums = flow_partial_.data() + begin / part * bodies;
    for (std::size_t i = begin; i < end; ++i) sums[p.body[i]] += double(flow_now_[i]);
  });
  bool any_due = false;
  for (std::size_t b = 0; b < bodies; ++b) {
    double sum = 0;
    for (std::size_t k = 0; k < parts; ++k) sum += flow_partial_[k * bodies + b];
    flowed[b] += std::sqrt(sum / std::max(total_volume_[b], 1e-300));
    due_[b] = flowed[b] > spec_.meshless.embed_after;
    if (due_[b]) flowed[b] = 0, any_due = true;
  }
  return any_due;
}

// Finds the embedding of the bodies of which enough has flowed. Whether there were any.
template <class T, int D>
bool Meshless<T, D>::embed_if_due(World& world, Columns& p) {
  Tally& tally = world.tally;
  const bool due = gather_flow(p, world.flowed);
  if (due) {
    ++tally.frame_embeddings;
    e_before_.assign(p.embedded.begin(), p.embedded.end());
    solve_embedding(p);
    tally.embedding_residual = turn_rest_vectors(p);
    choose_neighbours(p, false);
    bond_embedding(p);
    refit_offsets(p);
    fading_ = true;
    faded_.resize(p.x.size(), 1);
    parallel_for(p.x.size(), 1024, [&](std::size_t i) { faded_[i] |= is_due(p, i); });
  }
  if (!fading_) return due;
  fading_ = fade(p);
  if (fading_) {
    weigh_embedding(p, false);
    keep_strain(world, p, [&](std::size_t i) { return (due && is_due(p, i)) || faded_[i] != 0; });
  } else {
    forget_faded(p);
    bond_embedding(p);
  }
  return due;
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
