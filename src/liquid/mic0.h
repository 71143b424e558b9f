// Modified incomplete Cholesky factorisation without fill, MIC(0), of L_FF over the free cells (Gustafsson 1978).
// Blocks are sorted and cells within them too, so the lower neighbours of a cell always come before it.
#pragma once

#include "liquid/cell_matrix.h"

namespace knead {

template <int D>
class CellMic0 {
 public:
  void assign(const CellMatrix<D>&);
  void build(std::span<const std::uint8_t> free);
  void apply(const BlockField<double>& phi, BlockField<double>& z);
  std::size_t bytes() const;

 private:
  const CellMatrix<D>* matrix_ = nullptr;
  std::array<BlockField<float>, D> above_;  // minus the entry of L between a free cell and the free one above it
  BlockField<double> pivot_, half_;         // pi; y
  std::vector<std::uint64_t> free_;
};

}  // namespace knead
