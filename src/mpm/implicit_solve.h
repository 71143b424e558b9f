// Solving the equations of an implicit step: conjugate gradients for the linear ones, Newton's method with a line
// search for all of them (Gast 2015, with the projection of Teran 2005).
#pragma once

#include "mpm/implicit_system.h"

namespace knead {

struct ImplicitLimits {
  int newton_iterations, cg_iterations;
  double speed;       // m/s: the mean error of the velocities that is left
  double enough = 0;  // m/s: the error that will do where many iterations have not come down to that
};

// How a solve went: iterations done, and why it failed if it did.
struct SolveReport {
  int newton = 0, cg = 0;
  const char* failure = nullptr;
};

// Solves H dv = -r for the own parts, from zero, until the preconditioned residual has fallen to `tolerance` of what it
// was. The gradient r is in `residual`, and is used up. The result is in `dv`. Gives the number of iterations.
template <class System>
int conjugate_gradient(System& system, double tolerance, int iterations) {
  auto& s = system.s;
  using T = std::remove_cvref_t<decltype(s.dv[0].m)>;
  const auto for_each_block = [&](auto&& f) { parallel_for(system.blocks(), 4, f); };
  // z = preconditioned residual; gives residual . z.
  const auto precondition = [&](std::size_t block) {
    system.precondition(block, s.residual, s.z);
    double sum = 0;
    system.for_each_node(block, [&](std::size_t i, double) { sum += double(dot(s.residual[i].v, s.z[i].v)); });
    return sum;
  };
  system.clear(s.dv);
  double rz = system.sum_over_blocks([&](std::size_t block) {
    system.for_each_node(block, [&](std::size_t i, double) { s.residual[i].v = -s.residual[i].v; });
    const double sum = precondition(block);
    system.for_each_node(block, [&](std::size_t i, double) { s.p[i].v = s.z[i].v; });
    return sum;
  });
  const double enough = rz * tolerance * tolerance;
  int done = 0;
  while (done < iterations && rz > enough) {
    const double curvature = system.apply(s.p, s.Hp);
    ++done;
    if (!(curvature > 0)) break;  // rounding only: the projected Hessian is positive definite
    const T step = T(rz / curvature);
    const double next = system.sum_over_blocks([&](std::size_t block) {
      system.for_each_node(block, [&](std::size_t i, double) {
        s.dv[i].v += s.p[i].v * step;
        s.residual[i].v -= s.Hp[i].v * step;
      });
      return precondition(block);
    });
    const T keep = T(next / rz);
    rz = next;
    for_each_block([&](std::size_t block) {
      system.for_each_node(block, [&](std::size_t i, double) { s.p[i].v = s.z[i].v + s.p[i].v * keep; });
    });
  }
  return done;
}

// Writes the gradient at v, own parts and with friction, into `residual`; gives its size as a
// velocity, sqrt(sum |r|^2/m / sum m).
template <class System>
double residual_speed(System& system, double caution = 0) {
  auto& s = system.s;
  using T = std::remove_cvref_t<decltype(s.dv[0].m)>;
  constexpr int D = decltype(s.dv[0].v)::size;
  const double sum = system.sum_over_blocks([&](std::size_t block) {
    double squares = 0;
    std::size_t next = 0;
    auto& held = s.held[block];
    system.for_each_node(block, [&](std::size_t i, double mass) {
      Vec<double, D> r{};
      if (mass > 0) r = system.reaction(i, s.v);
      if (next < held.size() && held[next].node == i) {
        auto& h = held[next++];
        h.rub(s.v[i].v, caution);
        r = h.own(r - h.friction_impulse());
      }
      if (mass > 0) squares += dot(r, r) / mass;
      s.residual[i].v = resized<T, D>(r);
    });
    return squares;
  });
  const double mass = system.sum_over_blocks([&](std::size_t block) {
    double all = 0;
    system.for_each_node(block, [&](std::size_t, double m) { all += m; });
    return all;
  });
  return std::sqrt(sum / std::max(mass, 1e-300));
}

// The part of E(v) that is not the particles': inertia and friction.
template <class System, class V>
double inertia(const System& system, const V& v) {
  const auto& s = system.s;
  return system.sum_over_blocks([&](std::size_t block) {
    double sum = 0;
    system.for_each_node(block, [&](std::size_t i, double mass) {
      const auto d = v[i].v - s.target[i].v;
      sum += 0.5 * mass * dot(d, d);
    });
    for (const auto& h : s.held[block]) sum += h.friction_potential(v[h.node].v);
    return sum;
  });
}

// v, held where boundaries say so.
template <class System>
void hold(System& system) {
  auto& s = system.s;
  parallel_for(system.blocks(), 4, [&](std::size_t block) {
    for (const auto& h : s.held[block]) s.v[h.node].v = h.held(s.v[h.node].v);
  });
}

// v becomes the minimum of E, starting from what it is. evaluate(v) is the particles' part of E; accuracy(speed, first)
// says how well the linear system is to be solved where the residual is `speed` and was `first`.
template <class System, class Evaluate, class Accuracy>
SolveReport minimise(System& system, const ImplicitLimits& limits, Evaluate&& evaluate, Accuracy&& accuracy) {
  auto& s = system.s;
  SolveReport report;
  hold(system);
  Potential potential = evaluate(s.v);
  // Where the start turns matter inside out, a slower one does not.
  for (int halvings = 0; !potential.sound(); ++halvings) {
    if (halvings == 30) return {0, 0, "the boundaries turn matter inside out"};
    parallel_for(s.v.size(), 1024, [&](std::size_t i) { s.v[i].v *= 0.5; });
    hold(system);
    potential = evaluate(s.v);
  }
  double energy = inertia(system, s.v) + potential.energy, first = 0;
  double caution = 0;  // whole after a step that was too long, then less and less
  for (;; ++report.newton) {
    const double speed = residual_speed(system, caution);
    if (report.newton == 0) first = speed;
    if (speed <= limits.speed) return report;
    if (!std::isfinite(speed)) return {report.newton, report.cg, "a force is not a finite number"};
    if (report.newton == limits.newton_iterations)
      return {report.newton, report.cg, speed <= limits.enough ? nullptr : "Newton's method has not converged"};

    // The direction.
    system.invert_diagonal();
    report.cg += conjugate_gradient(system, accuracy(speed, first), limits.cg_iterations);
    const double slope = system.sum_over_blocks([&](std::size_t block) {
      double sum = 0;
      std::size_t next = 0;
      const auto& held = s.held[block];
      system.for_each_node(block, [&](std::size_t i, double mass) {
        auto r = system.reaction(i, s.v);
        if (next < held.size() && held[next].node == i) r -= held[next++].friction_impulse();
        for (int a = 0; mass > 0 && a < r.size; ++a) sum += r[a] * double(s.dv[i].v[a]);
      });
      return sum;
    });

    // The step along it: as far as the energy falls in proportion (Armijo).
    const double rounding = 1e-14 * (std::abs(energy) + std::abs(potential.energy));
    double step = 1;
    for (int halvings = 0;; ++halvings, step /= 2) {
      if (halvings == 30) return {report.newton, report.cg, "no step lowers the energy"};
      parallel_for(system.blocks(), 4, [&](std::size_t block) {
        system.for_each_node(block, [&](std::size_t i, double) {
          for (int a = 0; a < s.v[i].v.size; ++a) s.trial[i].v[a] = s.v[i].v[a] + step * double(s.dv[i].v[a]);
        });
      });
      potential = evaluate(s.trial);
      const double reached = inertia(system, s.trial) + potential.energy;
      if (!potential.sound() || !(reached <= energy + 1e-4 * step * slope + rounding)) continue;
      energy = reached;
      caution = step < 1 ? 1 : 0.5 * caution;
      break;
    }
    s.v.swap(s.trial);
  }
}

// By Newton's method: linear systems are solved to an accuracy that grows as the solution comes near.
template <class System>
SolveReport newton(System& system, const ImplicitLimits& limits) {
  return minimise(
      system, limits, [&](auto& v) { return system.evaluate(v); },
      [](double speed, double first) { return std::max(1e-3, std::min(0.05, std::sqrt(speed / first))); });
}

// With the stiffness of the last evaluation: but for friction the first linear system is all there is to solve.
template <class System>
SolveReport linear_solve(System& system, const ImplicitLimits& limits) {
  return minimise(
      system, limits, [&](auto& v) { return system.evaluate_linear(v); },
      [&](double speed, double) { return std::clamp(0.2 * limits.speed / speed, 1e-5, 0.1); });
}

}  // namespace knead
