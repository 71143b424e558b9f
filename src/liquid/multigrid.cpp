#include "liquid/multigrid.h"

#include "liquid/multigrid_blocks.h"

#include <cmath>
#include <limits>

namespace knead {
namespace {

// x_(j+1) = x_j + momentum (x_j - x_(j-1)) + weight (r - A^ x_j): Chebyshev iteration for eigenvalues in [low, 2].
struct ChebyshevStep {
  float momentum, weight;
};
template <int degree>
constexpr std::array<ChebyshevStep, degree> chebyshev(double low) {
  const double middle = (2 + low) / 2, radius = (2 - low) / 2, sigma = middle / radius;
  std::array<ChebyshevStep, degree> steps{};
  steps[0] = {0, static_cast<float>(1 / middle)};
  double rho = 1 / sigma;
  for (int j = 1; j < degree; ++j) {
    const double next = 1 / (2 * sigma - rho);
    steps[j] = {static_cast<float>(next * rho), static_cast<float>(2 * next / radius)};
    rho = next;
  }
  return steps;
}
// What the coarser level does not see has eigenvalues above 2 / (2 D); the coarsest is solved to a few percent.
constexpr auto smoothing = chebyshev<2>(0.3);
constexpr auto coarsest = chebyshev<21>(0.02);
static_assert(smoothing.size() == 2 && coarsest.size() % 2 == 1);  // both end in x

}  // namespace

template <int D>
void Multigrid<D>::assign(const CellMatrix<D>& matrix) {
  constexpr std::size_t most_levels = 20;
  matrix_ = &matrix;
  if (levels_.size() < most_levels) levels_.resize(most_levels);
  const auto room = [](Level& level, std::size_t n) {
    for (auto& c : level.couple) c.resize(n);
    for (auto* field :
         {&level.diagonal, &level.scale, &level.share, &level.r, &level.x, &level.y, &level.least, &level.first})
      field->resize(n);
    level.even.resize(n), level.open_faces.resize(n);
  };
  const std::size_t n = matrix.blocks();
  levels_[0].order = matrix.order();
  levels_[0].beside.resize(n);
  for (const std::uint32_t b : matrix.active()) levels_[0].beside[b] = matrix.beside(b);
  room(levels_[0], n);
  for (BlockField<float>* field : {&direction_, &product_, &solution_}) field->resize(n);
  partial_.resize(matrix.active().size());

  for (count_ = 1; count_ < most_levels; ++count_) {
    Level &fine = levels_[count_ - 1], &coarse = levels_[count_];
    const BlockSet<D>& of_fine = count_ == 1 ? *matrix.system().blocks : fine.own;
    if (fine.order.count() <= 1) break;
    const auto parent_of = [&](std::size_t b) {
      Vec<int, D> at = block_at<D>(of_fine.keys()[b]);
      for (int a = 0; a < D; ++a) at[a] >>= 1;
      return block_key(at);
    };
    keys_.clear();
    for (const std::uint32_t b : fine.order.blocks())
      if (const BlockKey key = parent_of(b); keys_.empty() || keys_.back() != key) keys_.push_back(key);
    coarse.own.assign(keys_);
    const std::size_t m = coarse.own.count();
    if (m == fine.order.count()) break;
    coarse.order.assign(coarse.own, [](std::size_t) { return true; });
    coarse.beside.resize(m);
    for (std::size_t b = 0; b < m; ++b) {
      for (int a = 0; a < D; ++a)
        for (int up = 0; up < 2; ++up) {
          const int there = coarse.own.beside(b, a, up != 0);
          coarse.beside[b][2 * a + up] = static_cast<std::uint32_t>(there >= 0 ? there : static_cast<int>(m));
        }
    }
    room(coarse, m);
    for (auto& c : coarse.couple) c.clear();
    coarse.diagonal.clear(), coarse.r.clear(), coarse.least.clear();
    fine.parent.resize(fine.blocks()), fine.octant.resize(fine.blocks());
    parallel_for(fine.order.count(), blocks_alone, [&](std::size_t i) {
      const std::uint32_t b = fine.order.blocks()[i];
      fine.parent[b] = static_cast<std::uint32_t>(coarse.own.find(parent_of(b)));
      const Vec<int, D> at = block_at<D>(of_fine.keys()[b]);
      int octant = 0;
      for (int a = 0; a < D; ++a) octant = 2 * octant + (at[a] & 1);
      fine.octant[b] = static_cast<std::uint8_t>(octant);
    });
  }
}

template <int D>
void Multigrid<D>::set_free(std::span<const std::uint64_t> free, std::span<const std::uint64_t> closed) {
  constexpr float raise = 1e-5f;
  Level& finest = levels_[0];
  finest.order.run([&](std::size_t b, std::size_t) {
    alignas(64) float d[64];
    for (int c = 0; c < 64; ++c) d[c] = static_cast<float>(matrix_->diagonal().block(b)[c]);
    for (int k = 0; k < 4; ++k) {
      Floats value = Floats::load(d + 16 * k) * ones_of(free[b], k);
      if (!closed.empty() && closed[b]) value = value + raise * value * ones_of(closed[b], k);
      value.store(finest.diagonal.block(b) + 16 * k);
      root_of_inverse(value).store(finest.scale.block(b) + 16 * k);
    }
  });
  finest.order.run([&](std::size_t b, std::size_t) {
    for_each_side<D>([&](auto axis, auto up) KNEAD_INLINED {
      if constexpr (!up())
        for (int k = 0; k < 4; ++k) {
          const Floats open = Floats::load(matrix_->system().open[axis()].data() + 64 * b + 16 * k);
          const Floats below =
              neighbour<D, axis(), false>(finest.scale.block(b), finest.scale.block(finest.beside[b][2 * axis()]), k);
          where_positive(Floats::load(finest.scale.block(b) + 16 * k), where_positive(below, open))
              .store(finest.couple[axis()].block(b) + 16 * k);
        }
    });
  });
  for (std::size_t l = 0; l < count_; ++l) {
    Level* coarse = l + 1 < count_ ? &levels_[l + 1] : nullptr;
    if (coarse) assemble(levels_[l], *coarse);
    scale_couplings(levels_[l], coarse);
  }
}

// The coarse matrix: half of the sums of the diagonal less the couplings within, and of the couplings across.
template <int D>
void Multigrid<D>::assemble(const Level& fine, Level& coarse) {
  constexpr float singular = 3e-6f;  // of the diagonal: what rounding leaves where nothing holds the joined cells
  fine.order.run([&](std::size_t b, std::size_t) {
    const std::size_t parent = fine.parent[b];
    const int octant = fine.octant[b];
    Floats rest[4], before[4];
    for (int k = 0; k < 4; ++k) before[k] = rest[k] = Floats::load(fine.diagonal.block(b) + 16 * k);
    for (int a = 0; a < D; ++a) {
      Floats across[4];
      for (int k = 0; k < 4; ++k) {
        const Floats c = Floats::load(fine.couple[a].block(b) + 16 * k),
                     within = c * Floats::load(odd<D>.at[a] + 16 * k);
        rest[k] = rest[k] - 2.0f * within;
        across[k] = 0.5f * (c - within);
      }
      Join<D>::store(Join<D>::sum(across), coarse.couple[a].block(parent), octant);
    }
    const Floats d = 0.5f * Join<D>::sum(rest);
    Join<D>::store(where_positive(d - singular * Join<D>::sum(before), d), coarse.diagonal.block(parent), octant);
  });
  coarse.order.run([&](std::size_t b, std::size_t) {
    for (int k = 0; k < 4; ++k)
      root_of_inverse(Floats::load(coarse.diagonal.block(b) + 16 * k)).store(coarse.scale.block(b) + 16 * k);
  });
}

// From the couplings of L to those of A^, and which blocks have nothing but those of open cells.
template <int D>
void Multigrid<D>::scale_couplings(Level& level, const Level* coarse) {
  constexpr float open = 1.0f / (2 * D), close = 1e-6f;
  const float share = D == 3 ? std::sqrt(0.5f) : 1.0f;
  level.order.run([&](std::size_t b, std::size_t) {
    Floats off = Floats::all(0);
    int bits = 0;
    for_each_side<D>([&](auto axis, auto up) KNEAD_INLINED {
      if constexpr (!up()) {
        Floats first = Floats::all(0);
        float* c = level.couple[axis()].block(b);
        for (int k = 0; k < 4; ++k) {
          const Floats below =
              neighbour<D, axis(), false>(level.scale.block(b), level.scale.block(level.beside[b][2 * axis()]), k);
          const Floats scaled = Floats::load(c + 16 * k) * Floats::load(level.scale.block(b) + 16 * k) * below;
          scaled.store(c + 16 * k);
          const Floats error = abs(scaled - Floats::all(open));
          off = max(off, error);
          first = max(first, error * Floats::load(first_layer<D>.at[axis()] + 16 * k));
        }
        if (first.largest() < close) bits |= 2 << axis();
      }
    });
    if (coarse) {
      const Floats parent = Join<D>::load(coarse->scale.block(level.parent[b]), level.octant[b]);
      for_each_slab([&](auto k) KNEAD_INLINED {
        const Floats d = Floats::load(level.diagonal.block(b) + 16 * k()),
                     s = Floats::load(level.scale.block(b) + 16 * k());
        const Floats p = d * s * Join<D>::template copy<k()>(parent);
        p.store(level.share.block(b) + 16 * k());
        off = max(off, abs(p - Floats::all(share)));
      });
    }
    if (off.largest() < close) bits |= 1;
    level.open_faces[b] = static_cast<std::uint8_t>(bits);
  });
  level.order.run([&](std::size_t b, std::size_t) {
    bool even = level.open_faces[b] & 1;
    for (int a = 0; a < D && even; ++a) {
      const std::size_t above = level.beside[b][2 * a + 1];
      even = above < level.blocks() && (level.open_faces[above] & 2 << a);
    }
    level.even[b] = even;
  });
}

// One V-cycle: x = M^-1 r, or x >= least, and the parts of r.x.
template <int D>
template <bool bounded>
void Multigrid<D>::cycle(std::size_t l) {
  Level& level = levels_[l];
  const auto above_bounds = [&](const Floats& x, std::size_t b, int k) KNEAD_INLINED {
    if constexpr (bounded) return max(x, Floats::load(level.least.block(b) + 16 * k));
    return x;
  };
  // Stages: a step of smoothing, from x to what holds the values before x; r.x of the result is kept.
  const auto step = [&](const BlockField<float>& x, BlockField<float>& previous, const ChebyshevStep& s) {
    return [&](std::size_t b, std::size_t place) {
      Floats product = Floats::all(0);
      for_around<D>(level, b, x, [&](auto k, const Floats& n) KNEAD_INLINED {
        const Floats r = Floats::load(level.r.block(b) + 16 * k), here = Floats::load(x.block(b) + 16 * k);
        Floats next = here + s.weight * (r - here + n);
        if (s.momentum != 0) next = next + s.momentum * (here - Floats::load(previous.block(b) + 16 * k));
        next = above_bounds(next, b, k);
        next.store(previous.block(b) + 16 * k);
        product = product + r * next;
      });
      partial_[place] = static_cast<double>(product.sum());
    };
  };
  if (l + 1 == count_) {
    level.order.run([&](std::size_t b, std::size_t) {
      for (int k = 0; k < 4; ++k)
        above_bounds(coarsest[0].weight * Floats::load(level.r.block(b) + 16 * k), b, k)
            .store(level.x.block(b) + 16 * k);
      std::fill_n(level.y.block(b), 64, 0.0f);
    });
    for (std::size_t j = 1; j < coarsest.size(); j += 2)
      level.order.run(step(level.x, level.y, coarsest[j]), step(level.y, level.x, coarsest[j + 1]));
    return;
  }

  Level& coarse = levels_[l + 1];
  // Both steps of smoothing from zero, in one.
  const float own = (1 + smoothing[1].momentum) * smoothing[0].weight + smoothing[1].weight * (1 - smoothing[0].weight);
  const float near = smoothing[1].weight * smoothing[0].weight;
  const auto start = [&](std::size_t b, std::size_t) {
    for_around<D>(level, b, level.r, [&](auto k, const Floats& n) KNEAD_INLINED {
      above_bounds(own * Floats::load(level.r.block(b) + 16 * k) + near * n, b, k).store(level.x.block(b) + 16 * k);
    });
  };
  const auto go_down = [&](std::size_t b, std::size_t) {
    Floats left[4], room[4];
    for_around<D>(level, b, level.x, [&](auto k, const Floats& n) KNEAD_INLINED {
      const Floats share = Floats::load(level.share.block(b) + 16 * k), x = Floats::load(level.x.block(b) + 16 * k);
      left[k] = share * (Floats::load(level.r.block(b) + 16 * k) - x + n);
      if constexpr (bounded)
        room[k] = quotient_where_positive(Floats::load(level.least.block(b) + 16 * k) - x, share,
                                          -std::numeric_limits<float>::infinity());
    });
    Join<D>::store(Join<D>::sum(left), coarse.r.block(level.parent[b]), level.octant[b]);
    if constexpr (bounded) Join<D>::store(Join<D>::largest(room), coarse.least.block(level.parent[b]), level.octant[b]);
  };
  const auto come_up = [&](std::size_t b, std::size_t) {
    const Floats from = Join<D>::load(coarse.x.block(level.parent[b]), level.octant[b]);
    for_each_slab([&](auto k) KNEAD_INLINED {
      float* x = level.x.block(b) + 16 * k();
      (Floats::load(x) + Floats::load(level.share.block(b) + 16 * k()) * Join<D>::template copy<k()>(from)).store(x);
    });
  };
  level.order.run(start, go_down);
  cycle<bounded>(l + 1);
  if (l + 2 < count_) {
    // Once more on what is left (a W-cycle): so the number of iterations hardly grows with the grid.
    coarse.order.run([&](std::size_t b, std::size_t) {
      for_around<D>(coarse, b, coarse.x, [&](auto k, const Floats& n) KNEAD_INLINED {
        const Floats x = Floats::load(coarse.x.block(b) + 16 * k);
        (Floats::load(coarse.r.block(b) + 16 * k) - x + n).store(coarse.r.block(b) + 16 * k);
        x.store(coarse.first.block(b) + 16 * k);
        if constexpr (bounded) (Floats::load(coarse.least.block(b) + 16 * k) - x).store(coarse.least.block(b) + 16 * k);
      });
    });
    cycle<bounded>(l + 1);
    coarse.order.run([&](std::size_t b, std::size_t) {
      for (int k = 0; k < 4; ++k)
        (Floats::load(coarse.x.block(b) + 16 * k) + Floats::load(coarse.first.block(b) + 16 * k))
            .store(coarse.x.block(b) + 16 * k);
    });
  }
  level.order.run(come_up, step(level.x, level.y, smoothing[0]), step(level.y, level.x, smoothing[1]));
}

template <int D>
double Multigrid<D>::precondition() {
  cycle<false>(0);
  return levels_[0].order.sum(partial_);
}

// On each level, from the copy of the coarser one's answer, a few steps of Jacobi's that stay above 0.
template <int D>
void Multigrid<D>::nested_start() {
  constexpr int few = 4, many = 20;  // pairs of steps
  constexpr float weight = 0.8f;
  for (std::size_t l = 0; l + 1 < count_; ++l) {
    Level &level = levels_[l], &coarse = levels_[l + 1];
    level.order.run([&](std::size_t b, std::size_t) {
      Floats part[4];
      for (int k = 0; k < 4; ++k)
        part[k] = Floats::load(level.share.block(b) + 16 * k) * Floats::load(level.r.block(b) + 16 * k);
      Join<D>::store(Join<D>::sum(part), coarse.r.block(level.parent[b]), level.octant[b]);
    });
  }
  for (std::size_t l = count_; l-- > 0;) {
    Level& level = levels_[l];
    const bool first = l + 1 == count_;
    const auto begin = [&](std::size_t b, std::size_t) {
      if (first) return std::fill_n(level.x.block(b), 64, 0.0f), void();
      const Floats from = Join<D>::load(levels_[l + 1].x.block(level.parent[b]), level.octant[b]);
      for_each_slab([&](auto k) KNEAD_INLINED {
        (Floats::load(level.share.block(b) + 16 * k()) * Join<D>::template copy<k()>(from))
            .store(level.x.block(b) + 16 * k());
      });
    };
    const auto step = [&](const BlockField<float>& x, BlockField<float>& next) {
      return [&](std::size_t b, std::size_t) {
        for_around<D>(level, b, x, [&](auto k, const Floats& n) KNEAD_INLINED {
          const Floats r = Floats::load(level.r.block(b) + 16 * k), here = Floats::load(x.block(b) + 16 * k);
          max(Floats::all(0), here + weight * (r - here + n)).store(next.block(b) + 16 * k);
        });
      };
    };
    level.order.run(begin);
    for (int j = 0; j < (first ? many : few); ++j) level.order.run(step(level.x, level.y), step(level.y, level.x));
  }
  const Level& finest = levels_[0];
  finest.order.run([&](std::size_t b, std::size_t) { std::copy_n(finest.x.block(b), 64, solution_.block(b)); });
}

template <int D>
void Multigrid<D>::bounded_step() {
  const Level& level = levels_[0];
  cycle<true>(0);
  const double rx = level.order.sum(partial_);
  level.order.run([&](std::size_t b, std::size_t place) {
    Floats product = Floats::all(0);
    for_around<D>(level, b, level.x, [&](auto k, const Floats& n) KNEAD_INLINED {
      const Floats x = Floats::load(level.x.block(b) + 16 * k);
      product = product + x * (x - n);
    });
    partial_[place] = static_cast<double>(product.sum());
  });
  const double curvature = level.order.sum(partial_);
  const float alpha = rx > 0 && curvature > 0 ? static_cast<float>(rx / curvature) : 0.0f;
  level.order.run([&](std::size_t b, std::size_t) {
    for (int k = 0; k < 4; ++k) (alpha * Floats::load(level.x.block(b) + 16 * k)).store(solution_.block(b) + 16 * k);
  });
}

template <int D>
int Multigrid<D>::solve(double enough, int most) {
  Level& level = levels_[0];
  level.order.run([&](std::size_t b, std::size_t) { std::fill_n(solution_.block(b), 64, 0.0f); });
  const double largest_scale = std::sqrt(2.0 * D);
  double rz = 0;
  for (int done = 0; done < most; ++done) {
    const double next = precondition();
    if (!(next > 0)) return done;
    const float beta = done == 0 ? 0.0f : static_cast<float>(next / rz);
    rz = next;
    const auto turn = [&](std::size_t b, std::size_t) {
      for (int k = 0; k < 4; ++k) {
        const Floats z = Floats::load(level.x.block(b) + 16 * k);
        float* p = direction_.block(b) + 16 * k;
        (done == 0 ? z : z + beta * Floats::load(p)).store(p);
      }
    };
    const auto multiply = [&](std::size_t b, std::size_t place) {
      Floats product = Floats::all(0);
      for_around<D>(level, b, direction_, [&](auto k, const Floats& n) KNEAD_INLINED {
        const Floats p = Floats::load(direction_.block(b) + 16 * k), Ap = p - n;
        Ap.store(product_.block(b) + 16 * k);
        product = product + p * Ap;
      });
      partial_[place] = static_cast<double>(product.sum());
    };
    level.order.run(turn, multiply);
    const double curvature = level.order.sum(partial_);
    if (!(curvature > 0)) return done;
    const float alpha = static_cast<float>(rz / curvature);
    level.order.run([&](std::size_t b, std::size_t place) {
      Floats left = Floats::all(0);
      for (int k = 0; k < 4; ++k) {
        float *e = solution_.block(b) + 16 * k, *r = level.r.block(b) + 16 * k;
        (Floats::load(e) + alpha * Floats::load(direction_.block(b) + 16 * k)).store(e);
        const Floats residual = Floats::load(r) - alpha * Floats::load(product_.block(b) + 16 * k);
        residual.store(r);
        left = max(left, abs(residual));
      }
      partial_[place] = static_cast<double>(left.largest());
    });
    if (level.order.largest(partial_) * largest_scale <= enough) return done + 1;
  }
  return most;
}

template <int D>
std::size_t Multigrid<D>::bytes() const {
  std::size_t total = direction_.bytes() + product_.bytes() + solution_.bytes();
  for (const Level& level : levels_) {
    for (const auto& c : level.couple) total += c.bytes();
    for (const auto* field :
         {&level.diagonal, &level.scale, &level.share, &level.r, &level.x, &level.y, &level.least, &level.first})
      total += field->bytes();
    total += level.beside.capacity() * sizeof(level.beside[0]) + level.own.count() * 4 * BlockSet<D>::around;
  }
  return total;
}

template class Multigrid<2>;
template class Multigrid<3>;

}  // namespace knead
