// The matrix L of a CellSystem in double precision: what the solvers of the liquid multiply with.
#pragma once

#include "liquid/block_field.h"
#include "liquid/block_order.h"
#include "liquid/cell_system.h"
#include "liquid/slab.h"

#include <array>
#include <vector>

namespace knead {

template <int D>
class CellMatrix {
 public:
  // Below and above along each axis; a block without unknowns counts as none and is the block of zeros.
  using Beside = std::array<std::uint32_t, 2 * D>;

  void assign(const CellSystem<D>&);

  const CellSystem<D>& system() const { return system_; }
  std::size_t blocks() const { return beside_.size(); }
  // The blocks with unknowns.
  const BlockOrder& order() const { return order_; }
  const std::vector<std::uint32_t>& active() const { return order_.blocks(); }
  const Beside& beside(std::size_t block) const { return beside_[block]; }
  std::size_t unknowns() const { return unknowns_; }

  // The diagonal of L; 0 where there is no unknown.
  const BlockField<double>& diagonal() const { return diagonal_; }
  // An upper bound of the largest eigenvalue, by Gershgorin: twice the largest entry of the diagonal.
  double norm_bound() const;

  // (L x)_c of the cells of a block, as slabs given to use(slab number, values); x is 0 outside the unknowns. Not
  // masked: cells that are no unknowns get something too.
  template <class Use>
  KNEAD_INLINE void multiply_block(std::size_t block, const BlockField<double>& x, Use&& use) const {
    const Beside& beside = beside_[block];
    for_each_slab([&](auto k) KNEAD_INLINED {
      Slab<double> sum =
          Slab<double>::load(diagonal_.block(block) + 16 * k) * Slab<double>::load(x.block(block) + 16 * k);
      for_each_side<D>([&](auto axis, auto up) KNEAD_INLINED {
        const std::uint32_t there = beside[2 * axis() + up()];
        const float* open = system_.open[axis()].data();
        const float* mine = open + 64 * block;
        Slab<float> v = Slab<float>::load(mine + 16 * k);
        if constexpr (up()) v = neighbour<D, axis(), true>(mine, there < blocks() ? open + 64 * there : mine, k);
        sum = sum - widened(v) * neighbour<D, axis(), up()>(x.block(block), x.block(there), k);
      });
      use(k, sum);
    });
  }
  // What solvers of any matrix want: out = L x, 0 outside the unknowns.
  using Vector = BlockField<double>;
  std::size_t size() const { return 64 * blocks(); }
  void resize(Vector& v) const { v.resize(blocks()), v.clear(); }
  void multiply(const Vector& x, Vector& out) const;

  // f(block) for every block with unknowns.
  template <class F>
  void for_each_block(F&& f) const {
    order_.run([&](std::size_t block, std::size_t) { f(block); });
  }
  std::size_t bytes() const { return diagonal_.bytes() + beside_.capacity() * sizeof(Beside) + order_.bytes(); }

 private:
  CellSystem<D> system_{};
  std::vector<Beside> beside_;
  BlockOrder order_;
  BlockField<double> diagonal_;
  std::size_t unknowns_ = 0;
};

}  // namespace knead
