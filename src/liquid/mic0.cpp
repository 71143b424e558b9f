#include "liquid/mic0.h"

#include <bit>
#include <cmath>

namespace knead {
namespace {

// Where the cells below and above a cell of a block are.
template <int D>
struct Near {
  static constexpr int side = BlockLayout<D>::side;
  const typename CellMatrix<D>::Beside& beside;
  std::size_t block;
  static constexpr int stride(int axis) { return 1 << BlockLayout<D>::shift * (D - 1 - axis); }
  KNEAD_INLINE std::size_t below(int c, int a) const {
    const int s = stride(a);
    return c / s % side > 0 ? 64 * block + c - s : 64 * std::size_t(beside[2 * a]) + c + s * (side - 1);
  }
  KNEAD_INLINE std::size_t above(int c, int a) const {
    const int s = stride(a);
    return c / s % side < side - 1 ? 64 * block + c + s : 64 * std::size_t(beside[2 * a + 1]) + c - s * (side - 1);
  }
};

}  // namespace

template <int D>
void CellMic0<D>::assign(const CellMatrix<D>& matrix) {
  matrix_ = &matrix;
  for (auto& a : above_) a.resize(matrix.blocks());
  pivot_.resize(matrix.blocks()), half_.resize(matrix.blocks());
  free_.assign(matrix.blocks() + 1, 0);
}

template <int D>
void CellMic0<D>::build(std::span<const std::uint8_t> free) {
  constexpr double tau = 0.97, sigma = 0.25;
  const std::vector<std::uint32_t>& active = matrix_->active();
  matrix_->for_each_block([&](std::size_t b) {
    free_[b] = 0;
    for (int c = 0; c < 64; ++c) free_[b] |= std::uint64_t(free[64 * b + c]) << c;
  });
  matrix_->for_each_block([&](std::size_t b) {
    const Near<D> near{matrix_->beside(b), b};
    for (int a = 0; a < D; ++a)
      for (int c = 0; c < 64; ++c) {
        const std::size_t up = near.above(c, a);
        const bool both = (free_[b] >> c & 1) && (free_[up / 64] >> (up % 64) & 1);
        above_[a].block(b)[c] = both ? matrix_->system().open[a][up] : 0;
      }
  });
  for (const std::uint32_t b : active) {
    const Near<D> near{matrix_->beside(b), b};
    std::fill_n(pivot_.block(b), 64, 0.0);
    for (std::uint64_t left = free_[b]; left; left &= left - 1) {
      const int c = std::countr_zero(left);
      const double diagonal = matrix_->diagonal().block(b)[c];
      double e = diagonal;
      for (int a = 0; a < D; ++a) {
        const std::size_t down = near.below(c, a);
        const double v = above_[a].data()[down], pi = pivot_.data()[down];
        double others = 0;
        for (int o = 0; o < D; ++o) others += o == a ? 0 : double(above_[o].data()[down]);
        e -= v * (v + tau * others) * pi * pi;
      }
      pivot_.block(b)[c] = 1 / std::sqrt(e < sigma * diagonal ? diagonal : e);
    }
  }
}

template <int D>
void CellMic0<D>::apply(const BlockField<double>& phi, BlockField<double>& z) {
  const std::vector<std::uint32_t>& active = matrix_->active();
  const double* pivot = pivot_.data();
  double* y = half_.data();
  for (const std::uint32_t b : active) {
    const Near<D> near{matrix_->beside(b), b};
    std::fill_n(half_.block(b), 64, 0.0);
    for (std::uint64_t left = free_[b]; left; left &= left - 1) {
      const int c = std::countr_zero(left);
      double r = phi.block(b)[c];
      for (int a = 0; a < D; ++a) {
        const std::size_t down = near.below(c, a);
        r += double(above_[a].data()[down]) * pivot[down] * y[down];
      }
      y[64 * std::size_t(b) + c] = pivot[64 * std::size_t(b) + c] * r;
    }
  }
  for (std::size_t i = active.size(); i-- > 0;) {
    const std::uint32_t b = active[i];
    const Near<D> near{matrix_->beside(b), b};
    std::fill_n(z.block(b), 64, 0.0);
    for (std::uint64_t left = free_[b]; left;) {
      const int c = 63 - std::countl_zero(left);
      left &= ~(std::uint64_t(1) << c);
      double r = half_.block(b)[c];
      for (int a = 0; a < D; ++a) r += double(above_[a].block(b)[c]) * pivot_.block(b)[c] * z.data()[near.above(c, a)];
      z.block(b)[c] = pivot_.block(b)[c] * r;
    }
  }
}

template <int D>
std::size_t CellMic0<D>::bytes() const {
  std::size_t total = pivot_.bytes() + half_.bytes() + free_.capacity() * sizeof(std::uint64_t);
  for (const auto& a : above_) total += a.bytes();
  return total;
}

template class CellMic0<2>;
template class CellMic0<3>;

}  // namespace knead
