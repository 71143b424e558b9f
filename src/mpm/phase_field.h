// The phase field of matter that cracks (material/flow_phase_field.h), on the grid of the step. In the weak form of
//
//   (G_c / l + 2 H) d - G_c l lap d = 2 H                  (Miehe, Hofacker and Welschinger 2010, Eq. 47, without rate)
//
// d is a sum of the grid's splines and particles are the points of quadrature (Kakouris and Triantafyllou 2017):
//
//   A_ij = sum_p V_p [(G_c / l + 2 H_p) w_ip w_jp + G_c l grad w_ip . grad w_jp],     b_i = sum_p V_p 2 H_p w_ip
//
// at rest volumes, so that no flux leaves the matter through its surface. A node meets (2 degree + 1)^D others: that
// many numbers a node are the matrix, and a product with it costs a fraction of a pass over the particles.
#pragma once

#include "base/conjugate_gradient.h"
#include "grid/block_grid.h"
#include "material/list.h"
#include "mpm/columns.h"

namespace knead {

template <class T, int D>
class PhaseField {
 public:
  // Once it is known which batches there are.
  void note_batches(const World&, std::span<const Material> materials);
  bool any() const { return any_; }

  // The field that the particles' energies drive, into their column; gives the iterations that it took. The sort and
  // the grid are those of the step.
  template <int degree>
  int solve(World&, const BlockSort<D>&, BlockGrid<T, D>&, double dx);

  std::size_t bytes() const;

 private:
  using Layout = BlockLayout<D>;
  using Field = std::vector<Vec<T, 1>>;
  static constexpr int nodes = Layout::nodes, side = Layout::side;
  static constexpr int around = D == 2 ? 9 : 27;  // a block and its neighbours
  template <int degree>
  struct Shape;
  template <int degree>
  struct CellSums;

  // What the law of a batch says, over the first one's G_c / l and a cell.
  struct Terms {
    bool cracks = false;
    double own, spread, drive;  // of d; of grad d, m^2; of H, m^3/J
  };
  struct Particle {
    std::span<const T> volume, held, damage;
  };

  void find_slots(const BlockSort<D>&, const BlockGrid<T, D>&);
  template <int degree>
  void assemble(const Columns<T, D>&, const Particle&, const BlockSort<D>&, BlockGrid<T, D>&, double dx);
  template <int degree>
  void add(const CellSums<degree>&, int home, const Vec<int, D>& corner, const BlockGrid<T, D>&);
  template <int degree>
  void mirror();
  void start();
  template <int degree>
  void multiply(std::span<const Vec<T, 1>> x, std::span<Vec<T, 1>> out) const;
  template <int degree>
  void load(std::size_t slot, std::span<const Vec<T, 1>> x, T* around_block) const;
  template <int degree>
  void tell(const Columns<T, D>&, const BlockSort<D>&, const BlockGrid<T, D>&, double dx, std::span<T> field) const;
  bool cracks(const Segment& segment) const { return terms_[static_cast<std::size_t>(segment.batch)].cracks; }

  std::vector<Terms> terms_;  // of the batches
  bool any_ = false;

  // Scratch. Only blocks that matter which cracks can reach have a slot, of 64 nodes.
  std::vector<int> slot_;                        // of each block of the grid, or -1
  std::vector<std::array<int, around>> around_;  // slots beside each slot, itself in the middle, or -1
  std::vector<T> matrix_;                        // slot by slot, entry by entry of the stencil, node by node
  Field known_, field_;                          // b; d
  std::vector<T> weight_;                        // V w, of the start
  ConjugateGradient<T, 1> cg_;
};

}  // namespace knead
