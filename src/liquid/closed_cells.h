// The parts of a liquid without any way to the air: no open face of theirs leads to a cell that is not an unknown. L is
// singular there, since the same pressure everywhere moves nothing.
#pragma once

#include "liquid/cell_matrix.h"

namespace knead {

template <int D>
class ClosedCells {
 public:
  void find(const CellMatrix<D>&);

  bool any() const { return !cells_.empty(); }
  // A bit for each cell, as in CellSystem::unknown.
  std::span<const std::uint64_t> bits() const { return closed_; }
  // The connected parts, each as the numbers of its cells.
  std::size_t parts() const { return ends_.size(); }
  std::span<const std::uint32_t> part(std::size_t p) const {
    const std::size_t begin = p == 0 ? 0 : ends_[p - 1];
    return std::span(cells_).subspan(begin, ends_[p] - begin);
  }

  std::size_t bytes() const {
    return links_.capacity() * sizeof(Links) + (reached_.capacity() + closed_.capacity()) * sizeof(std::uint64_t) +
           (cells_.capacity() + queue_.capacity()) * sizeof(std::uint32_t) + ends_.capacity() * sizeof(std::size_t);
  }

 private:
  using Links = std::array<std::uint64_t, D>;  // a bit where a cell and the one below it are connected unknowns

  std::uint64_t spread(std::size_t block, std::uint64_t bits, const std::vector<std::uint64_t>& all) const;

  const CellMatrix<D>* matrix_ = nullptr;
  std::vector<Links> links_;
  std::vector<std::uint64_t> reached_, closed_;
  std::vector<std::uint32_t> cells_, queue_;
  std::vector<std::size_t> ends_;
};

}  // namespace knead
