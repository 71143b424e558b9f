#include "liquid/lcp.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace knead {

// What Newton multigrid asks for; see there.
template <int D>
struct LcpSolver<D>::Problem {
  LcpSolver& s;

  double residual() const { return s.matrix_.order().largest(s.partial_); }

  void start(double enough) {
    s.matrix_.for_each_block([&](std::size_t block) {
      double* q = s.q_.block(block);
      const double* l = s.lower_.block(block);
      bool any = false;
      for (int c = 0; c < 64; ++c) q[c] = std::max(q[c], l[c]), any |= q[c] > l[c];
      s.moved_[block] = any;
    });
    const bool any = s.any_moved();
    gradient();
    if (!any && residual() > enough) start_from_coarse_grids();
  }

  // Two projected steps of Jacobi's with Chebyshev's weights for eigenvalues of L_ii^-1 L in [0.5, 2], where there is
  // something to be done.
  double relax(double enough) {
    const auto mark = [&](std::size_t block, std::size_t place) { s.moved_[block] = s.partial_[place] > enough; };
    const auto step = [&](double weight) {
      return [&, weight](std::size_t block, std::size_t) {
        if (!s.moved_[block]) return;
        double* q = s.q_.block(block);
        const double *l = s.lower_.block(block), *g = s.g_.block(block), *d = s.matrix_.diagonal().block(block);
        for (int c = 0; c < 64; ++c)
          if (d[c] > 0) q[c] = std::max(l[c], q[c] - weight * g[c] / d[c]);
      };
    };
    const auto update = [&](std::size_t block, std::size_t place) {
      bool near = s.moved_[block] != 0;
      for (const std::uint32_t there : s.matrix_.beside(block)) near |= there < s.moved_.size() && s.moved_[there];
      if (near) gradient_at(block, place);
    };
    s.matrix_.order().run(mark, step(1.39), update, step(0.56), update);
    std::size_t moved = 0;
    for (const std::uint32_t block : s.matrix_.active()) moved += s.moved_[block];
    return static_cast<double>(moved) / static_cast<double>(s.matrix_.active().size());
  }

  bool choose_free() {
    s.matrix_.for_each_block([&](std::size_t block) {
      const double *q = s.q_.block(block), *l = s.lower_.block(block);
      std::uint64_t free = 0;
      for (int c = 0; c < 64; ++c) free |= std::uint64_t(q[c] > l[c]) << c;
      s.moved_[block] = free != s.free_[block];
      s.free_[block] = free;
    });
    const bool changed = !s.multigrid_ready_ || s.any_moved();
    if (changed) s.set_free();
    return changed;
  }

  void step_down() {
    to_multigrid();
    s.matrix_.order().run([&](std::size_t block, std::size_t) {
      const double *q = s.q_.block(block), *l = s.lower_.block(block), *d = s.matrix_.diagonal().block(block);
      const float* scale = s.multigrid_.scale().block(block);
      float* bound = s.multigrid_.bounds().block(block);
      for (int c = 0; c < 64; ++c) bound[c] = static_cast<float>((l[c] - q[c]) * d[c]) * scale[c];  // d = scale^-2
    });
    s.multigrid_.bounded_step();
    add_solution();
  }

  int correct(double tolerance, int most) {
    constexpr double reach = 1e-3;  // how far single precision reduces a residual
    const double largest = to_multigrid();
    const int done = s.multigrid_.solve(std::max(tolerance, reach * largest), most);
    add_solution();
    return done;
  }

 private:
  // With nothing to start from, pressure would spread by a few cells a round through liquid that is just full.
  void start_from_coarse_grids() {
    for (const std::uint32_t block : s.matrix_.active()) s.free_[block] = s.matrix_.system().unknown[block];
    s.set_free();
    to_multigrid();
    s.multigrid_.nested_start();
    add_solution();
  }

  // The residual -g on the free cells; gives its largest entry.
  double to_multigrid() {
    s.matrix_.order().run([&](std::size_t block, std::size_t place) {
      const double* g = s.g_.block(block);
      const float* scale = s.multigrid_.scale().block(block);
      float* r = s.multigrid_.residual().block(block);
      double largest = 0;
      for (int c = 0; c < 64; ++c) {
        r[c] = -static_cast<float>(g[c]) * scale[c];
        largest = std::max(largest, scale[c] > 0 ? std::abs(g[c]) : 0.0);
      }
      s.partial_[place] = largest;
    });
    return s.matrix_.order().largest(s.partial_);
  }
  void add_solution() {
    s.matrix_.order().run(
        [&](std::size_t block, std::size_t) {
          const float *scale = s.multigrid_.scale().block(block), *e = s.multigrid_.solution().block(block);
          double* q = s.q_.block(block);
          const double* l = s.lower_.block(block);
          for (int c = 0; c < 64; ++c)
            q[c] = std::max(l[c], q[c] + static_cast<double>(scale[c]) * static_cast<double>(e[c]));
        },
        [&](std::size_t block, std::size_t place) { gradient_at(block, place); });
  }

  // g = L q + b at a block, and max |min(g, L_ii (q - l))|.
  void gradient_at(std::size_t block, std::size_t place) {
    const std::uint64_t unknown = s.matrix_.system().unknown[block];
    const double *q = s.q_.block(block), *b = s.b_.block(block), *l = s.lower_.block(block);
    const double* d = s.matrix_.diagonal().block(block);
    double* g = s.g_.block(block);
    s.matrix_.multiply_block(block, s.q_, [&](int k, const Slab<double>& Lq) KNEAD_INLINED {
      (Lq + Slab<double>::load(b + 16 * k)).store(g + 16 * k);
    });
    // As whole numbers, the bits of what is not negative are in the same order, and those of NaN above all: the worst
    // without a branch.
    std::int64_t most = 0;
    for (int c = 0; c < 64; ++c) {
      g[c] = unknown >> c & 1 ? g[c] : 0;
      most = std::max(most, std::bit_cast<std::int64_t>(std::abs(std::min(g[c], d[c] * (q[c] - l[c])))));
    }
    s.partial_[place] = std::bit_cast<double>(most);
  }
  void gradient() {
    s.matrix_.order().run([&](std::size_t block, std::size_t place) { gradient_at(block, place); });
  }
};

// Multigrid as the preconditioner of MPRGP.
template <int D>
struct LcpSolver<D>::InFace {
  LcpSolver& s;

  void build(std::span<const std::uint8_t> free) {
    s.matrix_.for_each_block([&](std::size_t block) {
      std::uint64_t bits = 0;
      for (int c = 0; c < 64; ++c) bits |= std::uint64_t(free[64 * block + c]) << c;
      s.free_[block] = bits;
    });
    s.set_free();
  }
  void apply(const BlockField<double>& phi, BlockField<double>& z) {
    const BlockField<float>&scale = s.multigrid_.scale(), &solved = s.multigrid_.preconditioned();
    s.matrix_.for_each_block([&](std::size_t block) {
      float* r = s.multigrid_.residual().block(block);
      for (int c = 0; c < 64; ++c) r[c] = static_cast<float>(phi.block(block)[c]) * scale.block(block)[c];
    });
    s.multigrid_.precondition();
    s.matrix_.for_each_block([&](std::size_t block) {
      for (int c = 0; c < 64; ++c)
        z.block(block)[c] = static_cast<double>(scale.block(block)[c]) * static_cast<double>(solved.block(block)[c]);
    });
  }
};

template <int D>
bool LcpSolver<D>::any_moved() const {
  const std::vector<std::uint32_t>& active = matrix_.active();
  return std::any_of(active.begin(), active.end(), [&](std::uint32_t block) { return moved_[block] != 0; });
}

template <int D>
void LcpSolver<D>::set_free() {
  multigrid_ready_ = true;
  multigrid_.set_free(free_, closed_.any() ? closed_.bits() : std::span<const std::uint64_t>{});
}

template <int D>
void LcpSolver<D>::prepare(const CellSystem<D>& system) {
  matrix_.assign(system);
  closed_.find(matrix_);
  multigrid_.assign(matrix_);
  const std::size_t n = matrix_.blocks();
  for (BlockField<double>* field : {&q_, &b_, &lower_, &g_}) field->resize(n);
  parallel_for(n, blocks_a_chunk, [&](std::size_t block) {
    if (!system.unknown[block])
      for (BlockField<double>* field : {&q_, &b_, &lower_}) std::fill_n(field->block(block), 64, 0.0);
  });
  free_.assign(n, 0), moved_.assign(n, 0);
  multigrid_ready_ = false;
  partial_.resize(matrix_.active().size());
}

template <int D>
LcpReport LcpSolver<D>::solve(std::span<const double> b, std::span<const double> lower, std::span<double> q,
                              LcpMethod method, double tolerance, int most_iterations) {
  matrix_.for_each_block([&](std::size_t block) {
    const std::uint64_t unknown = matrix_.system().unknown[block];
    for (std::size_t c = 0, i = 64 * block; c < 64; ++c, ++i) {
      const bool is = unknown >> c & 1;
      b_.block(block)[c] = is ? b[i] : 0;
      lower_.block(block)[c] = is && !lower.empty() ? lower[i] : 0;
      q_.block(block)[c] = is ? q[i] : 0;
    }
  });
  const long infeasible = shift_closed(tolerance);
  LcpReport report;
  if (method == LcpMethod::mprgp) {
    mic0_.assign(matrix_);
    report = mprgp_.solve(matrix_, mic0_, b_, lower_, q_, expansion, tolerance, most_iterations);
  } else {
    Problem problem{*this};
    report = solve_by_newton_multigrid(problem, tolerance, most_rounds, most_iterations);
    if (!report.converged && report.outer >= most_rounds) {
      InFace preconditioner{*this};
      const LcpReport more = mprgp_.solve(matrix_, preconditioner, b_, lower_, q_, Expansion::projected, tolerance,
                                          most_iterations - report.iterations);
      report = {report.iterations + more.iterations, report.products + more.products, report.outer, more.residual,
                more.converged};
    }
  }
  parallel_for(matrix_.blocks(), blocks_a_chunk, [&](std::size_t block) {
    std::copy_n(q_.block(block), 64, q.begin() + static_cast<std::ptrdiff_t>(64 * block));
  });
  report.infeasible = infeasible;
  return report;
}

// Makes b feasible on closed parts, see the header. A cell without any open face has q = l, or 0 without a bound.
template <int D>
long LcpSolver<D>::shift_closed(double tolerance) {
  constexpr double unbounded = -1e20;
  long cells = 0;
  for (std::size_t p = 0; p < closed_.parts(); ++p) {
    const std::span<const std::uint32_t> part = closed_.part(p);
    double sum = 0;
    bool bounded = false;
    for (const std::uint32_t c : part) sum += b_.data()[c], bounded |= lower_.data()[c] > unbounded;
    if (part.size() == 1 && !bounded) lower_.data()[part[0]] = 0;
    if (bounded && sum >= 0) continue;
    const double mean = sum / static_cast<double>(part.size());
    if (std::abs(mean) > tolerance) cells += static_cast<long>(part.size());
    for (const std::uint32_t c : part) b_.data()[c] -= mean;
  }
  return cells;
}

template <int D>
std::size_t LcpSolver<D>::bytes() const {
  return matrix_.bytes() + closed_.bytes() + multigrid_.bytes() + mic0_.bytes() + mprgp_.bytes() + q_.bytes() +
         b_.bytes() + lower_.bytes() + g_.bytes() + free_.capacity() * sizeof(std::uint64_t);
}

template class LcpSolver<2>;
template class LcpSolver<3>;

}  // namespace knead
