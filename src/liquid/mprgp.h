// MPRGP, modified proportioning with reduced gradient projections (Dostal 2009), preconditioned in the face: it
// minimises q.L q / 2 + b.q over q >= l, which is the problem q >= l, w = L q + b >= 0, (q - l) w = 0 for any symmetric
// positive definite L.
//
//   g = L q + b                                the gradient
//   F = {i : q_i > l_i}                        the free set, the others are active
//   phi = g on F, else 0                       the free gradient
//   beta = min(g, 0) off F, else 0             the chopped gradient; phi + beta is the projected gradient
//   phi~ = min((q - l) / alpha, phi)           the reduced free gradient
#pragma once

#include "base/parallel.h"
#include "liquid/lcp_report.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace knead {

enum class Expansion {
  standard,   // a step of fixed length along the free gradient: proven to converge
  projected,  // the whole conjugate gradient step, cut off at the bounds: faster; standard where it raises the energy
};

// Operator:       Vector, size(), resize(Vector&), multiply(x, out), norm_bound() >= the largest eigenvalue
// Preconditioner: build(free), 0 or 1 for each entry; apply(phi, z): z = M_FF^-1 phi on F and 0 off it
template <class Operator>
class Mprgp {
 public:
  using Vector = typename Operator::Vector;

  // in_out: the start, then the answer. The report's residual is the largest entry of the projected gradient; it is
  // never below max_i |min(w_i, L_ii (q_i - l_i))|.
  template <class Preconditioner>
  LcpReport solve(const Operator& L, Preconditioner& P, const Vector& right, const Vector& lower, Vector& in_out,
                  Expansion expansion, double tolerance, int most_iterations) {
    make_room(L);
    const double alpha = 1.9 / L.norm_bound();
    const double *b = right.data(), *l = lower.data();
    double *q = in_out.data(), *g = g_.data(), *p = p_.data(), *Ap = Ap_.data(), *z = z_.data();
    double *phi = phi_.data(), *beta = beta_.data();
    LcpReport report;

    const auto multiply = [&](const Vector& x, Vector& out) { L.multiply(x, out), ++report.products; };
    const auto gradient = [&] {
      multiply(in_out, g_);
      each([&](auto i) { g[i] += b[i]; });
    };
    const auto energy = [&] { return sum([&](auto i) { return q[i] * (g[i] + b[i]); }) / 2; };
    const auto split = [&] {  // gives whether F changed
      return largest([&](auto i) {
               const std::uint8_t is_free = q[i] > l[i];
               phi[i] = is_free ? g[i] : 0;
               beta[i] = is_free ? 0 : std::min(g[i], 0.0);
               return double(std::exchange(free_[i], is_free) != is_free);
             }) > 0;
    };
    const auto face = [&] { P.build(free_); };
    const auto restart = [&] {
      P.apply(phi_, z_);
      each([&](auto i) { p[i] = z[i]; });
    };

    each([&](auto i) { q[i] = std::max(q[i], l[i]); });
    gradient(), split(), face(), restart();
    for (int steps = 0;; ++report.iterations) {
      report.residual = largest([&](auto i) { return std::abs(phi[i] + beta[i]); });
      report.converged = report.residual <= tolerance;
      if (report.converged) {  // by a gradient that steps have kept up: the true one judges
        gradient(), split();
        report.residual = largest([&](auto i) { return std::abs(phi[i] + beta[i]); });
        report.converged = report.residual <= tolerance;
        if (!report.converged) face(), restart();
      }
      if (report.converged || report.iterations >= most_iterations || !std::isfinite(report.residual)) return report;

      const double reduced = sum([&](auto i) { return std::min((q[i] - l[i]) / alpha, phi[i]) * phi[i]; });
      if (sum([&](auto i) { return beta[i] * beta[i]; }) <= reduced) {  // proportional: work inside the face
        multiply(p_, Ap_);
        if (!(dot(g, p) > 0 && dot(p, Ap) > 1e-14 * dot(p, p))) {  // lost in rounding: along the gradient itself
          each([&](auto i) { p[i] = phi[i]; });
          multiply(p_, Ap_);
          if (!(dot(p, Ap) > 1e-14 * dot(p, p))) return report;  // nothing holds it: a singular part
        }
        const double pAp = dot(p, Ap), a_cg = dot(g, p) / pAp;
        const double a_f = -largest([&](auto i) { return p[i] > 0 ? -(q[i] - l[i]) / p[i] : -infinity; }, -infinity);
        if (a_cg <= a_f) {  // conjugate gradient step
          each([&](auto i) { q[i] -= a_cg * p[i], g[i] -= a_cg * Ap[i]; });
          if (++steps % 50 == 0) gradient();
          if (split()) {
            face(), restart();
          } else {
            P.apply(phi_, z_);
            const double along = dot(z, Ap) / pAp;
            each([&](auto i) { p[i] = z[i] - along * p[i]; });
          }
        } else {  // expansion: the active set grows
          double before = -infinity;
          if (expansion == Expansion::projected) {
            before = energy();
            each([&](auto i) { z[i] = q[i], q[i] = std::max(l[i], q[i] - a_cg * p[i]); });
            gradient();
          }
          if (!(energy() < before)) {
            if (expansion == Expansion::projected) {
              each([&](auto i) { q[i] = z[i]; });
              gradient();
            }
            each([&](auto i) { q[i] = std::max(l[i], q[i] - a_f * p[i]), g[i] -= a_f * Ap[i]; });
            split();
            each([&](auto i) { q[i] = std::max(l[i], q[i] - alpha * phi[i]); });
            gradient();
          }
          split(), face(), restart();
        }
      } else {  // proportioning: the active set shrinks
        each([&](auto i) { p[i] = beta[i]; });
        multiply(p_, Ap_);
        const double a = dot(g, p) / dot(p, Ap);
        if (!std::isfinite(a)) return report;
        each([&](auto i) { q[i] -= a * p[i], g[i] -= a * Ap[i]; });
        split(), face(), restart();
      }
    }
  }

  std::size_t bytes() const {
    return (g_.size() + p_.size() + Ap_.size() + z_.size() + phi_.size() + beta_.size()) * sizeof(double) +
           free_.size();
  }

 private:
  static constexpr std::size_t chunk = 4096;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  void make_room(const Operator& L) {
    for (Vector* v : {&g_, &p_, &Ap_, &z_, &phi_, &beta_}) L.resize(*v);
    free_.assign(L.size(), 0);
    partial_.resize(L.size() / chunk + 1);
  }
  template <class F>
  void each(F&& f) {
    parallel_for(free_.size(), chunk, f);
  }
  // Over all entries, chunk by chunk in their order.
  template <class F, class Combine>
  double reduce(double start, F&& f, Combine&& combine) {
    parallel_chunks(free_.size(), chunk, [&](std::size_t begin, std::size_t end) {
      double s = start;
      for (std::size_t i = begin; i < end; ++i) s = combine(s, f(i));
      partial_[begin / chunk] = s;
    });
    for (std::size_t c = 0; c * chunk < free_.size(); ++c) start = combine(start, partial_[c]);
    return start;
  }
  template <class F>
  double sum(F&& f) {
    return reduce(0, f, [](double a, double b) { return a + b; });
  }
  template <class F>
  double largest(F&& f, double start = 0) {
    return reduce(start, f, [](double a, double b) { return worse(a, b); });  // inlined, as a function is not
  }
  double dot(const double* a, const double* b) {
    return sum([&](auto i) { return a[i] * b[i]; });
  }

  Vector g_, p_, Ap_, z_, phi_, beta_;
  std::vector<std::uint8_t> free_;
  std::vector<double> partial_;
};

}  // namespace knead
