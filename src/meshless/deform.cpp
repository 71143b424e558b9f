// How neighbourhoods have deformed, from their rest shape or over a step.
#include "base/elementary.h"
#include "meshless/solver.h"

namespace knead {

// F_i = (sum x_ij g_ij^T) A_i^-1 of places or motions x + low, the pulls of what is off the parcels' maps (rest_sums.h)
// and the squares of what is off F.
template <class T, int D>
void Meshless<T, D>::fit_gradients(std::span<const Vec<T, D>> x, std::span<const Vec<T, D>> low,
                                   std::span<Mat<T, D>> F) {
  using P = Pack<T>;
  pull_.resize(x.size()), squares_.resize(x.size());
  const auto keep = [&](std::size_t first, int count, Mat<P, D> map, const Stretch<P, D>& off, P squares) {
    const Mat<P, D> back = load_lanes<P>(inverse_.data() + first, count), more = off.moment * back;
    if (!all_span_) map = map * (load_lanes<P>(&rest_.moment(first), count) * back);
    for (int e = 0; e < D * D; ++e) squares = fma(-more.e[e], off.moment.e[e], squares);
    store_lanes<P>(map + more, F.data() + first, count);
    store_lanes<P>(off.pull, pull_.data() + first, count);
    store_scalars<P>(max(squares, P(0)), squares_.data() + first, count);
  };
  rest_sums_.template stretch<P>(rest_, x, low, keep);
}

// The gradients, completed where neighbours lie in a plane or on a line (Mueller 2004, Eq. 13); in the quadratic basis
// sum x_ij c_ij^T.
template <class T, int D>
void Meshless<T, D>::deform_from_rest(Columns& p) {
  if (quadratic()) {
    linear_F_.resize(p.x.size());
    fit_gradients(p.x, p.x_low, linear_F_);
    show_places<T, D>(p.x, p.x_low, shown_places_);
    parallel_for(p.x.size(), 128,
                 [&](std::size_t i) { p.F[i] = stretch_of<T, D>(quadratic_, shown_places_, i).moment; });
  } else {
    fit_gradients(p.x, p.x_low, p.F);
  }
  if (!all_span_) parallel_for(p.x.size(), 128, [&](std::size_t i) { complete(p.F[i], spanned_[i]); });
}

namespace {

// The inverses of W moments on the spaces that their neighbours span.
template <class P, int D>
Mat<P, D> inverse_on_span(const Mat<P, D>& moment) {
  using T = typename P::Scalar;
  const P mean = trace(moment) / P(D);
  const P roundness = determinant(moment) - P(1e-3) * (D == 2 ? mean * mean : mean * mean * mean);
  Mat<P, D> back = inverse(moment);
  if (all(roundness > P(0))) return back;
  for (int lane = 0; lane < P::width; ++lane) {
    if (roundness[lane] > T(0)) continue;
    const Mat<T, D> flat = inverse_of_moment(lane_of(moment, lane)).inverse;
    for (int e = 0; e < D * D; ++e) back.e[e].set(lane, flat.e[e]);
  }
  return back;
}

}  // namespace

// K = sum w x x^T with weights of present distances, N = sum w x x^T with those of distances pulled back by F_e, and
// the density, by the kernel of the pressure; and with them what forces need: H = V tau N^-1 (Gerszewski 2014,
// Eqs. 4.10 and 4.11 in their energy-consistent form), the pressure, and the force that a particle's own H gives it.
//
// With the printed cosine kernel the force on j is V_i V_j T_i grad W(r), r = F_e^-1 x_ij, the sign being such that
// tension pulls, and without its factor 2. T_i r is tau S x with S = F_e^-T F_e^-1, so that H = c/h V tau S; it is
// divided by chi = -1/D sum V_j r . grad W, 1 in full space and less at a surface.
template <class T, int D>
template <ElasticForce force>
void Meshless<T, D>::sum_moments(const Columns& p) {
  using P = Pack<T>;
  const std::size_t n = p.x.size();
  moment_.resize(n), carrier_.resize(n), bonds_.resize(n), pulled_.resize(n), place_.resize(n), flow_.resize(n);
  const T h = world_h_;
  const P inverse_h(T(1) / h), inverse_h2(T(1) / (h * h)), kernel(Spiky<D>::value(T(0), h));
  const P steep(kernel_detail::cosine<D> / elementary::power(double(h), D));  // c h
  constexpr double least_chi = 0.3;
  parallel_for(n, 512, [&](std::size_t i) {
    place_[i] = resized<T, 4>(local_place(p, i)), flow_[i] = resized<T, 4>(p.v[i]);
    place_[i][D] = p.mass[i], flow_[i][D] = p.volume[i];
  });
  slices_.for_each_slice([&](std::size_t slice, std::size_t first, int count) {
    const Mat<P, D> back = inverse(load_lanes<P>(p.F.data() + first, count));
    const Sym<P, D> S = to_sym(transpose(back) * back) * inverse_h2;
    const Vec<P, D> here = resized<P, D>(load_lanes<P>(place_.data() + first, count));
    Sym<P, D> K = Sym<P, D>::zero(), N = Sym<P, D>::zero();
    Vec<P, D> reach = Vec<P, D>::zero();
    const P length = load_scalars<P>(slices_.length() + first, count);
    P mass(0), near(0), chi(0), before(0);  // before: how many of the list
    for (const int* index : slices_.near(slice)) {
      const Vec<P, 4> other = load_lanes_at<P>(place_.data(), index);
      const Vec<P, D> away = resized<P, D>(other) - here;
      const P present = dot(away, away), w = poly6_shape(present * inverse_h2), square = squared_length<P, D>(S, away);
      P pulled;
      if constexpr (force == ElasticForce::cosine) {
        pulled = cosine_shape(square) * load_lanes_at<P>(flow_.data(), index)[D];
        chi = fma(pulled, square, chi);
      } else {
        pulled = poly6_shape(square);
        add_outer<P, D>(N, away, pulled);
      }
      add_outer<P, D>(K, away, w);
      for (int a = 0; a < D; ++a) reach[a] = fma(away[a], pulled, reach[a]);
      // A list is filled up with the particle itself, whose distance is 0 but whose mass is not.
      const P is_other = select(before < length, P(1), P(0));
      const P left = max(P(1) - present * rsqrt(max(present, P(1e-20))) * inverse_h, P(0));
      mass = fma(other[D] * is_other, left * left * left, mass);
      near = near + select(w > P(0), is_other, P(0));
      before = before + P(1);
    }
    const P density = kernel * (mass + load_scalars<P>(p.mass.data() + first, count));
    const P over = max(density - load_scalars<P>(rest_density_.data() + first, count), P(0));
    const Mat<P, D> tau = to_matrix<D>(load_lanes<P>(p.tau.data() + first, count));
    const P volume = load_scalars<P>(p.volume.data() + first, count);
    Mat<P, D> H;
    if constexpr (force == ElasticForce::cosine)
      H = tau * to_matrix<D>(S) * (steep * volume / max(steep * chi / P(D), P(least_chi)));
    else
      H = tau * inverse_on_span<P, D>(to_matrix<D>(N)) * volume;
    Carrier<P, D> shown;
    for (int e = 0; e < D * D; ++e) shown[e] = H.e[e];
    for (int e = 0; e < Sym<P, D>::size; ++e) shown[D * D + e] = S[e];
    shown[Carrier<P, D>::size - 1] = load_scalars<P>(square_sound_.data() + first, count) * over / (density * density);
    store_lanes<P>(shown, &carrier_[first].value, count);
    store_lanes<P>(H * reach, force_.data() + first, count);
    // Matter squeezed far has few neighbours within reach by distances pulled back; present ones tell then.
    if constexpr (force == ElasticForce::consistent) {
      const P mean =
          (N[sym_index<D>(0, 0)] + N[sym_index<D>(1, 1)] + (D == 3 ? N[sym_index<D>(D - 1, D - 1)] : P(0))) / P(D);
      const auto told = determinant(to_matrix<D>(N)) > P(0.1) * (D == 2 ? mean * mean : mean * mean * mean);
      for (int e = 0; e < Sym<P, D>::size; ++e) K[e] = select(told, N[e], K[e]);
      store_scalars<P>(select(told, P(1), P(0)), pulled_.data() + first, count);
    } else {
      store_scalars<P>(P(0), pulled_.data() + first, count);
    }
    store_lanes<P>(K, moment_.data() + first, count);
    store_scalars<P>(near, bonds_.data() + first, count);
  });
}

template <class T, int D>
void Meshless<T, D>::world_moments(const Columns& p) {
  if (spec_.meshless.elastic_force == ElasticForce::cosine)
    sum_moments<ElasticForce::cosine>(p);
  else
    sum_moments<ElasticForce::consistent>(p);
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

}  // namespace knead
