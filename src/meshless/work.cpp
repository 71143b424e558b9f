// The work of body forces, and what viscosity and dampers take, for the ledger.
#include "meshless/solver.h"

namespace knead {

// What body forces do a second while velocities change, W: they are the same all the while.
template <class T, int D>
double Meshless<T, D>::body_work(const Columns& p, std::span<const Vec<T, D>> before,
                                 std::span<const Vec<T, D>> after) const {
  if (p.body_a.empty()) return 0;
  const auto some = [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i)
      sum += 0.5 * double(p.mass[i]) * double(dot(p.body_a[i], before[i] + after[i]));
    return sum;
  };
  return parallel_reduce(p.x.size(), 256, 0.0, some, [](double a, double b) { return a + b; });
}

// What viscosity and dampers take a second while velocities change, W.
template <class T, int D>
double Meshless<T, D>::lost_power(std::span<const Vec<T, D>> before, std::span<const Vec<T, D>> after) const {
  const auto some = [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum -= 0.5 * double(dot(losing_[i], before[i] + after[i]));
    return sum;
  };
  return parallel_reduce(losing_.size(), 256, 0.0, some, [](double a, double b) { return a + b; });
}

// Viscosity and the dampers of contact take energy: their part of the force is kept by itself, for the ledger.
template <class T, int D>
void Meshless<T, D>::start_losses(std::size_t n) {
  if (!touches_ && viscosity_ == 0) return losing_.clear();
  losing_.resize(n);
  parallel_for(n, 1024, [&](std::size_t i) { losing_[i] = Vec<T, D>::zero(); });
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
