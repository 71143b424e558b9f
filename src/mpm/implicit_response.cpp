#include "mpm/implicit_response.h"

#include "base/pack.h"

namespace knead {

namespace {

// Laws that go on through zero volume; the others need det F > 0.
template <class Elastic>
inline constexpr bool bears_inversion =
    std::is_same_v<Elastic, FixedCorotated> || std::is_same_v<Elastic, StVenantKirchhoff>;

// The stretches at which the law is differentiated. Laws with a logarithm go on below the smallest stretch along the
// tangent there; others only keep off the division by zero.
template <class Elastic, class P, int D>
KNEAD_INLINE Vec<P, D> sound_stretches(Vec<P, D> sigma) {
  for (int i = 0; i < D; ++i)
    sigma[i] =
        bears_inversion<Elastic> ? copysign(max(abs(sigma[i]), P(1e-9)), sigma[i]) : max(sigma[i], P(smallest_stretch));
  return sigma;
}

template <class P, class E>
KNEAD_INLINE E load(const double (*rows)[PointBatch<2>::width], int at) {
  E entry;
  for (std::size_t k = 0; k < sizeof(E) / sizeof(P); ++k) reinterpret_cast<P*>(&entry)[k] = P::load(rows[k] + at);
  return entry;
}
template <class P, class E>
KNEAD_INLINE void store(const E& entry, double (*rows)[PointBatch<2>::width], int at) {
  for (std::size_t k = 0; k < sizeof(E) / sizeof(P); ++k) reinterpret_cast<const P*>(&entry)[k].store(rows[k] + at);
}

template <class Law, int D>
void respond_of(const Law& law, double dt, double share, PointBatch<D>& b) {
  using P = Pack<double>;
  using Elastic = typename Law::Elastic;
  static_assert(PointBatch<D>::width % P::width == 0 && Law::history_size <= PointBatch<D>::max_history);
  for (int at = 0; at < b.count; at += P::width) {
    const auto G = load<P, Mat<P, D>>(b.G, at), F = load<P, Mat<P, D>>(b.F, at);
    const P volume = P::load(b.volume + at);
    auto history = law.template initial_history<P>();
    for (int h = 0; h < Law::history_size; ++h) history[h] = P::load(b.history[h] + at);

    // Energy and stress.
    const Svd<P, D> d = svd(F + G * F);
    const Vec<P, D> sigma = sound_stretches<Elastic>(d.sigma), tau = law.kirchhoff(sigma, history);
    Vec<P, D> slope{};  // dpsi / dsigma
    P energy = law.energy(sigma, history);
    for (int i = 0; i < D; ++i) {
      slope[i] = tau[i] / sigma[i];
      energy = energy + slope[i] * (d.sigma[i] - sigma[i]);
    }
    const Mat<P, D> W = F * d.V;
    Mat<P, D> Q{};
    for (int r = 0; r < D; ++r)
      for (int c = 0; c < D; ++c) {
        P q = d.U(r, 0) * slope[0] * W(c, 0);
        for (int k = 1; k < D; ++k) q = q + d.U(r, k) * slope[k] * W(c, k);
        Q(r, c) = volume * q;
      }
    energy = volume * energy;

    // The tangent.
    Tangent<P, D> tangent{
        positive_part(StressDifferential<P, D>{d.U, d.V, law.hessian(sigma, history), law.pair_slopes(sigma, history)}),
        P(0)};
    const P scale = volume * P(share);
    tangent.elastic.V = W;
    tangent.elastic.H *= scale;
    tangent.elastic.slopes.minus *= scale;
    tangent.elastic.slopes.plus *= scale;
    if constexpr (Law::viscous) {
      tangent.viscous = volume * P(2 * law.flow.viscosity() / dt) * determinant(F);
      const Mat<P, D> rate = P(0.5) * (G + transpose(G));
      Q += tangent.viscous * rate;
      energy = energy + P(0.5) * tangent.viscous * norm2(rate);
    }
    store<P>(Q, b.Q, at);
    energy.store(b.energy + at);
    (bears_inversion<Elastic> ? P(1) : product(d.sigma)).store(b.flattest + at);
    store<P>(tangent, b.tangent, at);
  }
}

}  // namespace

template <int D>
void respond(const Material& material, double dt, double share, PointBatch<D>& batch) {
  visit(material, [&](const auto& law) { respond_of(law, dt, share, batch); });
}
template void respond(const Material&, double, double, PointBatch<2>&);
template void respond(const Material&, double, double, PointBatch<3>&);

}  // namespace knead
