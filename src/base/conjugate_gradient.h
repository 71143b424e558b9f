// Conjugate gradients for vectors a particle or a node, with a preconditioner each: a number, or a matrix for the block
// of its own (Shewchuk 1994). Sums are in double precision and in the order of fixed chunks.
#pragma once

#include "base/mat.h"
#include "base/parallel.h"

#include <span>
#include <vector>

namespace knead {

template <class T, int D, class Block = T>
struct ConjugateGradient {
  std::vector<Block> inverse;       // of the matrix's own block: the preconditioner
  std::vector<Vec<T, D>> residual;  // of the start, given; of the end
  std::vector<Vec<T, D>> direction, product;
  std::vector<double> partial;  // sums of the chunks

  void resize(std::size_t n) { inverse.resize(n), residual.resize(n), direction.resize(n), product.resize(n); }

  // sum of f(i)
  template <class F>
  double sum(F&& f) {
    constexpr std::size_t grain = 256;
    partial.resize((residual.size() + grain - 1) / grain);
    parallel_chunks(residual.size(), grain, [&](std::size_t begin, std::size_t end) {
      double s = 0;
      for (std::size_t i = begin; i < end; ++i) s += f(i);
      partial[begin / grain] = s;
    });
    double all = 0;
    for (const double s : partial) all += s;
    return all;
  }
  // The square of a residual's length, measured by the preconditioner.
  double squared(const std::vector<Vec<T, D>>& r) {
    return sum([&](std::size_t i) { return double(dot(r[i], preconditioned(i, r[i]))); });
  }
  Vec<T, D> preconditioned(std::size_t i, const Vec<T, D>& r) const {
    if constexpr (std::is_same_v<Block, T>)
      return r * inverse[i];
    else
      return inverse[i] * r;
  }

  // Improves x until the residual is below `enough` by that measure; multiply(z, out) is the matrix times z. Gives the
  // number of iterations.
  template <class Multiply>
  int solve(std::span<Vec<T, D>> x, Multiply&& multiply, double enough, int most) {
    return solve_by_rows(
        x, [&](std::span<const Vec<T, D>> z) { multiply(z, std::span<Vec<T, D>>(product)); },
        [&](std::size_t i, std::span<const Vec<T, D>>) { return product[i]; }, enough, most);
  }
  // The same where row(i, z) is entry i of the matrix times z, once prepare(z) has been called.
  template <class Prepare, class Row>
  int solve_by_rows(std::span<Vec<T, D>> x, Prepare&& prepare, Row&& row, double enough, int most) {
    const std::size_t n = residual.size();
    const std::span<const Vec<T, D>> z(direction);
    parallel_for(n, 512, [&](std::size_t i) { direction[i] = preconditioned(i, residual[i]); });
    double rz = squared(residual);
    int k = 0;
    for (; k < most && rz > enough; ++k) {
      prepare(z);
      const double curvature = sum([&](std::size_t i) {
        product[i] = row(i, z);
        return double(dot(direction[i], product[i]));
      });
      if (!(curvature > 0)) break;
      const T alpha = T(rz / curvature);
      const double next = sum([&](std::size_t i) {
        x[i] += direction[i] * alpha, residual[i] -= product[i] * alpha;
        return double(dot(residual[i], preconditioned(i, residual[i])));
      });
      const T beta = T(next / rz);
      parallel_for(n, 512, [&](std::size_t i) { direction[i] = preconditioned(i, residual[i]) + direction[i] * beta; });
      rz = next;
    }
    return k;
  }
};

}  // namespace knead
