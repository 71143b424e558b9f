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

namespace {

// Leaves the nearest of `near`: 32, but those as far as the 32nd come along or stay away together. On a lattice
// rounding would choose among them, and forces would be uneven by several percent. Gives the square of the distance up
// to which all must be known for that.
template <class T>
T keep_nearest(std::vector<std::pair<T, int>>& near) {
  constexpr std::size_t most = most_neighbours, limit = most_neighbours + 12;
  if (near.size() <= most) return std::numeric_limits<T>::max();
  std::nth_element(near.begin(), near.begin() + (most - 1), near.end());
  const T edge = near[most - 1].first, slack = T(1e-5) * edge;
  const auto last = std::remove_if(near.begin(), near.end(), [&](const auto& n) { return n.first > edge + slack; });
  if (static_cast<std::size_t>(last - near.begin()) < limit)
    near.erase(last, near.end());
  else
    near.erase(std::remove_if(near.begin(), last, [&](const auto& n) { return n.first >= edge - slack; }), near.end());
  return edge + slack;
}

// The points around a cell and what is chosen of them, for one of its points after the other.
template <class T, int D>
struct Surroundings {
  neighbours_detail::Candidates<T, D> candidates;
  typename Cells<T, D>::Rows rows;
  std::size_t own = 0;  // where the cell's own points begin
  std::vector<T> squares;
  std::vector<int> numbers;

  void take(const Cells<T, D>& cells, std::size_t cell, int reach) {
    own = candidates.take_around(cells, cell, reach, rows);
    numbers.resize(candidates.number.size()), squares.resize(numbers.size());
  }
  // The nearest within the root of `reach` of the cell's point k that are wanted; gives what keep_nearest does.
  template <class Wanted>
  T nearest(std::size_t k, T reach, Wanted&& wanted, std::vector<std::pair<T, int>>& near) {
    using P = Pack<T>;
    T* square = squares.data();
    int* number = numbers.data();
    candidates.for_each_near(own + k, reach, [&](std::size_t at, const P& some, unsigned below) {
      T lanes[P::width];
      some.store(lanes);
      square = write_chosen<P::width>(below, lanes, square);
      number = write_chosen<P::width>(below, candidates.number.data() + at, number);
    });
    near.clear();
    const auto found = static_cast<std::size_t>(number - numbers.data());
    for (std::size_t m = 0; m < found; ++m)
      if (wanted(numbers[m])) near.push_back({squares[m], numbers[m]});
    return keep_nearest(near);
  }
};

}  // namespace

// The nearest within h in the embedding are wanted; others fade. In matter as dense as at the start 32 are within a
// smaller ball: of one in which points are as far away as h says on average. The search goes farther where they are
// not.
template <class T, int D>
void Meshless<T, D>::choose_neighbours(Columns& p, bool first) {
  constexpr double ball = D == 2 ? 3.0 / 2 : 4.0 / 3, margin = 1.15;
  const double share = std::min(ball * margin / support(), 1.0);
  const int farthest = static_cast<int>(std::ceil(1 / share));
  cells_.build(p.embedded, share * double(*std::max_element(p.h.begin(), p.h.end())));
  parallel_chunks(cells_.count(), grain_of(cells_), [&](std::size_t begin, std::size_t end) {
    thread_local Surroundings<T, D> around, far_around;
    thread_local std::vector<std::pair<T, int>> near;
    thread_local std::vector<int> wanted;
    thread_local std::vector<std::pair<int, T>> kept;
    around.rows.next.clear(), far_around.rows.next.clear();
    for (std::size_t cell = begin; cell < end; ++cell) {
      around.take(cells_, cell, 1);
      bool went_far = false;
      const auto first_point = static_cast<std::size_t>(cells_.first(cell));
      for (std::size_t k = 0; first_point + k < static_cast<std::size_t>(cells_.first(cell + 1)); ++k) {
        const auto i = static_cast<std::size_t>(cells_.points()[first_point + k]);
        const auto of_body = [&](int j) { return p.body[static_cast<std::size_t>(j)] == p.body[i]; };
        const T reach = square(T(share) * p.h[i]);
        if (around.nearest(k, reach, of_body, near) >= reach && share < 1) {
          if (!went_far) far_around.take(cells_, cell, farthest), went_far = true;
          far_around.nearest(k, square(p.h[i]), of_body, near);
        }
        kept.clear();
        wanted.clear();
        for (const auto& [d, j] : near) wanted.push_back(j);
        std::sort(wanted.begin(), wanted.end());
        // Those that stay or leave keep their fade, whose sign says which; others come. Both lists are in order.
        auto next = wanted.begin();
        const auto come = [&](int before) {
          for (; next != wanted.end() && *next < before; ++next) kept.push_back({*next, first ? T(1) : T(1e-6)});
        };
        for (int m = 0; m < Neighbours::size && p.neighbours[i][m] >= 0; ++m) {
          const int j = p.neighbours[i][m];
          const T faded = std::abs(p.fades[i][m]);
          if (faded == T(0)) continue;
          come(j);
          const bool stays = next != wanted.end() && *next == j;
          kept.push_back({j, stays ? faded : -faded});
          if (stays) ++next;
        }
        come(std::numeric_limits<int>::max());
        // Where there are too many, the faintest of the leaving go at once.
        while (kept.size() > Neighbours::size) {
          auto faintest = kept.end();
          for (auto b = kept.begin(); b != kept.end(); ++b)
            if (b->second < 0 && (faintest == kept.end() || b->second > faintest->second)) faintest = b;
          kept.erase(faintest == kept.end() ? kept.end() - 1 : faintest);
        }
        p.neighbours[i] = Neighbours::filled(-1), p.fades[i] = Fades<T>::zero();
        for (std::size_t m = 0; m < kept.size(); ++m)
          p.neighbours[i][static_cast<int>(m)] = kept[m].first, p.fades[i][static_cast<int>(m)] = kept[m].second;
      }
    }
  });
}

// A step of the fades; whether any is on its way. Those that have left stay without weight until all have arrived, so
// that bonds need not be sorted anew in every step. Where all have arrived nothing moves until the next embedding.
template <class T, int D>
bool Meshless<T, D>::fade(Columns& p) {
  const T step = T(1) / T(spec_.meshless.fade_steps);
  faded_.resize(p.x.size(), 1);
  const auto count = [&](std::size_t begin, std::size_t end) {
    std::int64_t moving = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (!faded_[i]) continue;
      faded_[i] = 0;
      for (int k = 0; k < Neighbours::size && p.neighbours[i][k] >= 0; ++k) {
        T& f = p.fades[i][k];
        if (f == T(1) || f == T(0)) continue;
        f = f < 0 ? std::min(f + step, T(0)) : std::min(f + step, T(1));
        faded_[i] = 1, ++moving;
      }
    }
    return moving;
  };
  return parallel_reduce(p.x.size(), 256, std::int64_t(0), count,
                         [](std::int64_t a, std::int64_t b) { return a + b; }) > 0;
}

template <class T, int D>
void Meshless<T, D>::forget_faded(Columns& p) {
  parallel_for(p.x.size(), 256, [&](std::size_t i) {
    int to = 0;
    for (int k = 0; k < Neighbours::size && p.neighbours[i][k] >= 0; ++k)
      if (p.fades[i][k] != T(0)) p.neighbours[i][to] = p.neighbours[i][k], p.fades[i][to] = p.fades[i][k], ++to;
    for (; to < Neighbours::size; ++to) p.neighbours[i][to] = -1, p.fades[i][to] = 0;
  });
}

template <class T, int D>
void Meshless<T, D>::bond_embedding(const Columns& p) {
  const std::size_t n = p.x.size();
  lists_.first.resize(n + 1), lists_.first[0] = 0;
  parallel_for(n, 512, [&](std::size_t i) {
    int count = 0;
    while (count < Neighbours::size && p.neighbours[i][count] >= 0) ++count;
    lists_.first[i + 1] = count;
  });
  prefix_sum(std::span(lists_.first));
  lists_.other.resize(static_cast<std::size_t>(lists_.first[n]));
  parallel_for(n, 512, [&](std::size_t i) {
    for (std::int64_t k = lists_.first[i]; k < lists_.first[i + 1]; ++k)
      lists_.other[static_cast<std::size_t>(k)] = p.neighbours[i][static_cast<int>(k - lists_.first[i])];
  });
  rest_.connect(lists_);
  weigh_embedding(p, [](std::size_t) { return true; });
  laplacian_.connect(rest_);
  drag_known_ = false;
  if (spec_.meshless.self_contact) contact_.clear();  // others are neighbours now
}

// The weights of bonds by distance and by how far they have faded, of the particles for which wanted(i) holds.
template <class T, int D>
template <class Wanted>
void Meshless<T, D>::weigh_embedding(const Columns& p, Wanted&& wanted) {
  rest_.weigh(wanted, [&](std::size_t i) {
    return [&fades = p.fades[i], e = p.embedded, here = p.embedded[i], inverse_h2 = T(1) / (p.h[i] * p.h[i])](
               std::size_t j, int k) {
      const Vec<T, D> q = e[j] - here;
      return std::pair(std::abs(fades[k]) * poly6_shape(dot(q, q) * inverse_h2), q);
    };
  });
}

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
  show_places<T, D>(p.x, shown_);
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
        now[lane] = (p.F[i] * held + stretch_of<T, D>(rest_, shown_, i).moment * turned) * inverse(held + moment);
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
bool Meshless<T, D>::gather_flow(Columns& p) {
  constexpr std::size_t part = 4096;
  const std::size_t n = p.x.size(), bodies = due_.size(), parts = (n + part - 1) / part;
  flow_partial_.assign(parts * bodies, 0.0);
  parallel_chunks(n, part, [&](std::size_t begin, std::size_t end) {
    double* sums = flow_partial_.data() + begin / part * bodies;
    for (std::size_t i = begin; i < end; ++i) sums[p.body[i]] += double(flow_now_[i]);
  });
  for (std::size_t k = bodies; k < flow_partial_.size(); ++k) flow_partial_[k % bodies] += flow_partial_[k];
  for (std::size_t b = 0; b < bodies; ++b)
    flow_partial_[b] = std::sqrt(flow_partial_[b] / std::max(total_volume_[b], 1e-300));
  std::fill(due_.begin(), due_.end(), 0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto b = static_cast<std::size_t>(p.body[i]);
    p.flowed[i] += flow_partial_[b];
    if (p.flowed[i] > spec_.meshless.embed_after) due_[b] = 1, p.flowed[i] = 0;
  }
  return std::any_of(due_.begin(), due_.end(), [](unsigned char d) { return d != 0; });
}

// Finds the embedding of the bodies of which enough has flowed. Whether there were any.
template <class T, int D>
bool Meshless<T, D>::embed_if_due(World& world, Columns& p) {
  Tally& tally = world.tally;
  const bool due = gather_flow(p);
  tally.plastic_flow = *std::max_element(p.flowed.begin(), p.flowed.end());
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
    for (std::size_t i = 0; i < p.x.size(); ++i) faded_[i] |= is_due(p, i);
  }
  if (!fading_) return due;
  fading_ = fade(p);
  if (fading_) {
    weigh_embedding(p, [&](std::size_t i) { return faded_[i] != 0; });
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
