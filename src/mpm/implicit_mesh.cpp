#include "mpm/implicit_mesh.h"

#include "base/parallel.h"

namespace knead {

namespace {

constexpr std::size_t grain = 16;  // chunks

}  // namespace

template <class T, int D>
void ImplicitMesh<T, D>::start(World& world, MpmMesh<T, D>& mesh, const std::vector<Material>& materials) {
  mesh.locate(world);
  mesh_ = &mesh;
  const MeshCells<T, D> c(world.mesh.cells);
  ids_ = world.particles.get<std::int32_t>("id");
  corners_ = c.corners, failed_ = c.failed, F_ = c.F, volume_ = c.volume;
  materials_.clear(), histories_.clear(), chunks_.clear();
  for (const Batch& batch : world.mesh.batches) {
    const Material& material = materials[static_cast<std::size_t>(batch.material)];
    materials_.push_back(&material);
    auto& histories = histories_.emplace_back();
    std::size_t h = 0;
    for (const HistoryColumn& column : history_columns_of(material))
      histories[h++] = world.mesh.cells.get<T>(column.name);
    for (std::int64_t at = batch.begin; at < batch.end; at += width)
      chunks_.push_back({static_cast<int>(materials_.size()) - 1, static_cast<std::size_t>(at),
                         static_cast<int>(std::min<std::int64_t>(width, batch.end - at))});
  }
  tangents_.resize(chunks_.size()), energy_.resize(chunks_.size()), flattest_.resize(chunks_.size());
  inverse_sides_.resize(corners_.size()), force_.resize(corners_.size());
  const auto ids = static_cast<std::size_t>(world.next_id);
  ways_.resize(ids), pulls_.resize(ids), diagonal_.resize(ids);
  const Places<T, D> x(world.particles);
  parallel_for(chunks_.size(), grain, [&](std::size_t i) {
    for (std::size_t e = chunks_[i].first; e < chunks_[i].first + static_cast<std::size_t>(chunks_[i].count); ++e)
      inverse_sides_[e] = failed_[e] ? Mat<double, D>::zero() : inverse(mesh.sides(c, x, e));
  });
}

// D_s(u) D_s^-1; nothing of cells that have failed.
template <class T, int D>
Mat<double, D> ImplicitMesh<T, D>::gradient(std::size_t cell) const {
  const auto way = [&](int k) { return ways_[static_cast<std::size_t>(corners_[cell][k])]; };
  const Vec<double, D> first = way(0);
  Mat<double, D> sides;
  for (int k = 0; k < D; ++k) {
    const Vec<double, D> side = way(k + 1) - first;
    for (int r = 0; r < D; ++r) sides(r, k) = side[r];
  }
  return sides * inverse_sides_[cell];
}

template <class T, int D>
double ImplicitMesh<T, D>::respond(double dt, double share, double& flattest) {
  parallel_for(chunks_.size(), grain, [&](std::size_t i) {
    const Chunk& chunk = chunks_[i];
    PointBatch<D> b;
    b.count = chunk.count;
    const Histories& history = histories_[static_cast<std::size_t>(chunk.batch)];
    for (int k = 0; k < width; ++k) {
      const std::size_t e = chunk.first + static_cast<std::size_t>(k < chunk.count ? k : 0);
      const Mat<double, D> F = cast<double>(F_[e]), G = gradient(e);
      for (int j = 0; j < D * D; ++j) b.F[j][k] = F.e[j], b.G[j][k] = G.e[j];
      b.volume[k] = failed_[e] ? 0.0 : double(volume_[e]);
      for (std::size_t h = 0; h < history.size() && !history[h].empty(); ++h) b.history[h][k] = double(history[h][e]);
    }
    knead::respond(*materials_[static_cast<std::size_t>(chunk.batch)], dt, share, b);
    energy_[i] = 0, flattest_[i] = 1;
    for (int k = 0; k < chunk.count; ++k) {
      const std::size_t e = chunk.first + static_cast<std::size_t>(k);
      Mat<double, D> Q{};
      for (int j = 0; j < D * D; ++j) Q.e[j] = b.Q[j][k];
      force_[e] = Q * transpose(inverse_sides_[e]);
      energy_[i] += b.energy[k];
      flattest_[i] = std::min(flattest_[i], b.flattest[k]);
    }
    for (int j = 0; j < Tangent<T, D>::size; ++j)
      for (int k = 0; k < width; ++k) tangents_[i].e[j][k] = T(b.tangent[j][k]);
  });
  sum_pulls();
  double energy = 0;
  for (const double e : energy_) energy += e;
  for (const double f : flattest_) flattest = std::min(flattest, f);
  return energy;
}

template <class T, int D>
Mat<double, D> ImplicitMesh<T, D>::change_of_stress(const Tangents& tangents, int lane,
                                                    const Mat<double, D>& dG) const {
  Tangent<double, D> tangent;
  for (int e = 0; e < Tangent<double, D>::size; ++e)
    reinterpret_cast<double*>(&tangent)[e] = double(tangents.e[e][lane]);
  return tangent(dG);
}

template <class T, int D>
void ImplicitMesh<T, D>::stiffen() {
  parallel_for(chunks_.size(), grain, [&](std::size_t i) {
    for (int k = 0; k < chunks_[i].count; ++k) {
      const std::size_t e = chunks_[i].first + static_cast<std::size_t>(k);
      if (failed_[e]) continue;  // its force is zero since the response
      force_[e] = change_of_stress(tangents_[i], k, gradient(e)) * transpose(inverse_sides_[e]);
    }
  });
  sum_pulls();
}

template <class T, int D>
void ImplicitMesh<T, D>::sum_pulls() {
  parallel_for(pulls_.size(), 256, [&](std::size_t id) {
    Vec<double, D> sum{};
    mesh_->for_each_push(id, [&](std::size_t cell, int k) {
      if (k > 0)
        sum += force_[cell].column(k - 1);
      else
        for (int a = 0; a < D; ++a) sum -= force_[cell].column(a);
    });
    pulls_[id] = sum;
  });
}

template <class T, int D>
void ImplicitMesh<T, D>::find_diagonal() {
  // Of one corner of a cell: the answer along its gradient to its own way along each axis.
  const auto block = [&](std::size_t chunk, std::size_t cell, int corner) {
    const Mat<double, D>& inverse_sides = inverse_sides_[cell];
    Vec<double, D> gradient{};
    for (int a = 0; a < D; ++a)
      for (int k = 0; k < D; ++k)
        if (corner == 0)
          gradient[a] -= inverse_sides(k, a);
        else if (corner == k + 1)
          gradient[a] = inverse_sides(k, a);
    Mat<double, D> K{};
    for (int j = 0; j < D; ++j) {
      const Vec<double, D> answer = change_of_stress(tangents_[chunk], static_cast<int>(cell - chunks_[chunk].first),
                                                     outer(Vec<double, D>::axis(j), gradient)) *
                                    gradient;
      for (int r = 0; r < D; ++r) K(r, j) = answer[r];
    }
    return to_sym(0.5 * (K + transpose(K)));
  };
  // In which chunk a cell is: they follow each other.
  const auto chunk_of = [&](std::size_t cell) {
    const auto after = std::upper_bound(chunks_.begin(), chunks_.end(), cell,
                                        [](std::size_t c, const Chunk& chunk) { return c < chunk.first; });
    return static_cast<std::size_t>(after - chunks_.begin()) - 1;
  };
  parallel_for(diagonal_.size(), 256, [&](std::size_t id) {
    Sym<double, D> sum = Sym<double, D>::zero();
    mesh_->for_each_push(id, [&](std::size_t cell, int k) {
      if (!failed_[cell]) sum += block(chunk_of(cell), cell, k);
    });
    diagonal_[id] = sum;
  });
}

template <class T, int D>
std::size_t ImplicitMesh<T, D>::bytes() const {
  return tangents_.size() * sizeof(Tangents) + 2 * force_.size() * sizeof(Mat<double, D>) +
         ways_.size() * (2 * sizeof(Vec<double, D>) + sizeof(Sym<double, D>));
}

template class ImplicitMesh<float, 2>;
template class ImplicitMesh<float, 3>;
template class ImplicitMesh<double, 2>;
template class ImplicitMesh<double, 3>;

}  // namespace knead
