// How fast bonds let particles swing at most. With B_i u = sum_j u_j d_ij^T, the gradient of a motion u, the energy is
// at most sum_i V_i M_i |B_i u|^2 / 2, M being the modulus of pressure waves: no product of a motion and a direction
// costs more. By |B_i u| <= sum_j |d_ij| |u_j| and Cauchy's inequality
//
//   omega^2 <= max_j 1/m_j sum_i V_i M_i D_i |d_ij|,   D_i = sum_j |d_ij|,   j = i with d_ii = -sum_j d_ij
//
// (Irons and Treharne 1971 bound finite elements by their own frequencies in the same way). The stabilizer adds no more
// than its springs would without the gradient, 2 c_i w_ij to both of their ends. Inside a body the bound is two to
// three times the fastest swing, and the step of the wave is smaller; where a body is two or three particles thin it is
// near, and the step of the wave too large.
#include "meshless/solver.h"

namespace knead {

template <class T, int D>
void Meshless<T, D>::measure_swing(World& world) {
  world.tally.swing = 1;
  if (spec_.method == Method::composed || !spec_.is_explicit()) return;
  const Columns p(world.particles);
  const std::size_t n = p.x.size();
  const RestSpace<T, D>& bonds = quadratic() ? quadratic_ : rest_;
  bond_map_.resize(n), own_bond_.resize(n), pushes_.resize(n), springs_.resize(n);
  for (const Batch& batch : world.batches) {
    const Material& m = controls_.materials[static_cast<std::size_t>(batch.material)];
    const auto* law = std::get_if<StrainYieldLaw>(&m.value);
    const T modulus = T(density_of(m) * square(wave_speed_of(m)));
    const T shear = law ? StrainState<T, D>(*law).mu : T(kernel_of(world, batch).shear_modulus);
    parallel_for(static_cast<std::size_t>(batch.end - batch.begin), 64, [&](std::size_t k) {
      const std::size_t i = static_cast<std::size_t>(batch.begin) + k;
      Mat<T, D> map = Mat<T, D>::identity(), moment = rest_.moment(i);
      if (spec_.method == Method::embedded) {
        moment = p.P[i] * moment * transpose(p.P[i]);
        map = inverse(moment + held_to_before(p, moment, i)) * p.P[i];
      } else if (!quadratic()) {
        map = inverse_[i];
      }
      T sum = length(map * bonds.sum(i));
      bond_map_[i] = map, own_bond_[i] = sum;
      for (const Bond<T, D> b : bonds.from(i)) sum += length(map * b.g);
      // What has lost its neighbourhood bears nothing.
      const bool bears = spec_.method == Method::embedded ? !worn_out(p, moment, i) : !p.is_molten(i);
      const T volume = !bears ? T(0) : can_melt_ ? p.volume[i] * rest_share_[i] : p.volume[i];
      pushes_[i] = volume * modulus * sum;
      springs_[i] = T(4 * spec_.meshless.stabilizer) * shear * volume / std::max(trace(moment), T(1e-30));
    });
  }
  const double step = wave_share() * double(h_min_) / (2 * most_of_stable);
  for (const Batch& batch : world.batches) {
    const Material& m = controls_.materials[static_cast<std::size_t>(batch.material)];
    const auto first = static_cast<std::size_t>(batch.begin), count = static_cast<std::size_t>(batch.end) - first;
    const auto some = [&](std::size_t begin, std::size_t end) {
      T fastest = 0;
      for (std::size_t j = first + begin; j < first + end; ++j) {
        T stiffness = pushes_[j] * own_bond_[j] + springs_[j] * rest_.weight(j);
        for (const Bond<T, D> b : bonds.to(j)) {
          const auto i = static_cast<std::size_t>(b.other);
          stiffness += pushes_[i] * length(bond_map_[i] * b.g);
        }
        for (const Bond<T, D> b : rest_.to(j)) stiffness += springs_[static_cast<std::size_t>(b.other)] * b.w;
        fastest = std::max(fastest, stiffness / p.mass[j]);
      }
      return fastest;
    };
    const T fastest = parallel_reduce(count, 256, T(0), some, [](T a, T b) { return std::max(a, b); });
    const double wave = wave_speed_of(m) * std::sqrt(density_of(m) / lightest(world, batch));
    world.tally.swing = std::max(world.tally.swing, std::sqrt(double(fastest)) * step / std::max(wave, 1e-30));
  }
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
