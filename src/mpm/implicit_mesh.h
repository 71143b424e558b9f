// Meshes within an implicit step: their answer to where the step would take their corners. With D_s the sides of a cell
// at the start and u the way of its corners in the step, G = D_s(u) D_s^-1 is to the cell what dt grad v is to a
// particle (implicit_response.h), and the corners are pulled by
//
//   dE/du_k = Q grad N_k = Q D_s^-T, column by column            (Wang 2020, Eq. 3.27 at the end of the step)
//
// Ways and pulls are told by the id of the corners; the system spreads them over the nodes with the kernel's weights.
#pragma once

#include "mpm/implicit_response.h"
#include "mpm/mesh.h"

namespace knead {

template <class T, int D>
class ImplicitMesh {
 public:
  // The cells as they are now. The particles keep their order until the step ends.
  void start(World&, MpmMesh<T, D>&, const std::vector<Material>&);
  bool any() const { return mesh_ != nullptr; }

  bool is_corner(std::size_t particle) const { return mesh_->is_corner(ids_[particle]); }
  // m, of a particle that is a corner: to be set before the next two.
  Vec<double, D>& way(std::size_t particle) { return ways_[static_cast<std::size_t>(ids_[particle])]; }
  // Energy and pulls, N, at these ways, and tangents. Gives the energy in J and lowers `flattest` to the least det F
  // among the cells that must keep it positive.
  double respond(double dt, double share, double& flattest);
  // The pulls that these ways change by, with the tangents of the last response.
  void stiffen();
  Vec<double, D> pull(std::size_t particle) const { return pulls_[static_cast<std::size_t>(ids_[particle])]; }
  // N/m, of each corner alone.
  void find_diagonal();
  Sym<double, D> stiffness(std::size_t particle) const { return diagonal_[static_cast<std::size_t>(ids_[particle])]; }

  std::size_t bytes() const;

 private:
  static constexpr int width = PointBatch<D>::width;
  using Histories = std::array<std::span<const T>, PointBatch<D>::max_history>;
  struct alignas(64) Tangents {
    T e[Tangent<T, D>::size][width];
  };
  // Some cells of one batch.
  struct Chunk {
    int batch;
    std::size_t first;
    int count;
  };

  Mat<double, D> gradient(std::size_t cell) const;
  Mat<double, D> change_of_stress(const Tangents&, int lane, const Mat<double, D>& dG) const;
  void sum_pulls();

  const MpmMesh<T, D>* mesh_ = nullptr;
  std::span<const std::int32_t> ids_;                  // of the particles
  std::span<const Vec<std::int32_t, D + 1>> corners_;  // of the cells
  std::span<const std::int32_t> failed_;               // likewise
  std::span<const Mat<T, D>> F_;                       // likewise
  std::span<const T> volume_;                          // likewise
  std::vector<const Material*> materials_;             // of the batches
  std::vector<Histories> histories_;                   // likewise
  std::vector<Chunk> chunks_;
  std::vector<Tangents> tangents_;                     // of the chunks
  std::vector<double> energy_, flattest_;              // likewise
  std::vector<Mat<double, D>> inverse_sides_, force_;  // of the cells: D_s^-1; Q D_s^-T
  std::vector<Vec<double, D>> ways_, pulls_;           // by id
  std::vector<Sym<double, D>> diagonal_;               // by id
};

}  // namespace knead
