// How neighbourhoods have deformed, from their rest shape or over a step.
#include "meshless/solver.h"

namespace knead {

// F_i = (sum x_ij g_ij^T) A_i^-1, completed where neighbours lie in a plane or on a line (Mueller 2004, Eq. 13).
template <class T, int D>
void Meshless<T, D>::deform_from_rest(Columns& p) {
  parallel_for(p.x.size(), 256, [&](std::size_t i) {
    Mat<T, D> F = stretched_moment<T, D>(rest_.from(i), p.x, i) * inverse_[i].inverse;
    complete(F, inverse_[i]);
    p.F[i] = F;
  });
}

// K = sum w x x^T with weights of present distances, N = sum w x x^T with those of distances pulled back by F_e, and
// the density.
template <class T, int D>
void Meshless<T, D>::world_moments(const Columns& p) {
  using P = Pack<T>;
  const std::size_t n = p.x.size();
  moment_.resize(n), pulled_moment_.resize(n), density_.resize(n), carrier_.resize(n), bonds_.resize(n);
  const T h = h_max_, inverse_h2 = T(1) / (h * h);
  const bool pressed = sound_ > 0;
  const T self = Poly6<D>::value(T(0), h), kernel = self;
  parallel_for(n, 128, [&](std::size_t i) {
    const Mat<T, D> back = inverse(p.F[i]);
    const Sym<T, D> metric = to_sym(transpose(back) * back) * inverse_h2;
    for (int k = 0; k < Sym<T, D>::size; ++k) carrier_[i][D * D + k] = metric[k];
    const Vec<P, D> here = spread<P>(p.x[i]);
    const Sym<P, D> S = spread<P>(metric);
    Sym<P, D> K = Sym<P, D>::zero(), N = Sym<P, D>::zero();
    P mass(0), count(0);
    int padding = 0;
    world_.for_each_pack(i, [&](const int* index) {
      const Vec<P, D> away = load_lanes_at<P>(p.x.data(), index) - here;
      const P w = poly6_shape(dot(away, away) * P(inverse_h2));
      add_outer<P, D>(K, away, w);
      add_outer<P, D>(N, away, poly6_shape(squared_length<P, D>(S, away)));
      if (pressed) mass = fma(load_lanes_at<P>(p.mass.data(), index), w, mass);
      count = count + select(w > P(0), P(1), P(0));
      padding += P::width;
    });
    padding -= static_cast<int>(world_.list(i).size());
    moment_[i] = sums_of_lanes(K), pulled_moment_[i] = sums_of_lanes(N);
    bonds_[i] = static_cast<int>(sum_of_lanes(count)) - padding;
    density_[i] = kernel * (sum_of_lanes(mass) + p.mass[i] * T(1 - padding));
  });
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
