// Small scenes for tests of the solver: written as TOML, read by the real reader, built and stepped without files.
#pragma once

#include "run/simulation.h"

#include <string>

namespace knead::test {

// Stepped without second tries: a refused step is a finding.
struct Simulation : knead::Simulation {
  explicit Simulation(const std::string& text, const std::vector<std::string>& sets = {})
      : knead::Simulation(from_text(text, sets)) {}
  // Steps as large as is stable until `time`, or steps of dt where it is given, through the scene's events; false when
  // a step was refused.
  bool run_until(double time, double dt = 0) {
    solver->do_events(world);
    while (world.clock.time < time - 1e-12) {
      const double target = std::min(time, solver->next_event(world)), left = target - world.clock.time;
      const double step = std::min(dt > 0 ? dt : solver->max_dt(world).dt, left);
      if (!solver->step(world, step).ok()) return false;
      if (step == left) world.clock.time = target;
      solver->do_events(world);
    }
    return true;
  }
  bool run_steps(int steps, double dt = 0) {
    for (int i = 0; i < steps; ++i)
      if (!solver->step(world, dt > 0 ? dt : solver->max_dt(world).dt).ok()) return false;
    return true;
  }
};

// A scene with one body: [solver] lines, [materials.m] lines, [[body]] lines, and the rest.
inline std::string one_body(int dimension, const std::string& solver, const std::string& material,
                            const std::string& body, const std::string& general = "", const std::string& rest = "") {
  return "format = 1\n[scene]\nname = \"test\"\ndimension = " + std::to_string(dimension) + "\n" + general +
         "\n[solver]\nmethod = \"mpm\"\n" + solver + "\n[materials.m]\n" + material +
         "\n[[body]]\nname = \"body\"\nmaterial = \"m\"\n" + body + "\n" + rest + "\n";
}

// A probe that has the solver measure what is lost, and all energy with it: stays what it is.
inline const char* const losses_probe = "[[probe]]\nname = \"lost\"\ntype = \"losses\"\n";
inline double all_energy(const Ledger& l) {
  return l.kinetic + l.elastic + l.gravitational + l.dissipated - l.contact_work - l.body_work + l.transfer_loss +
         l.impact_loss;
}

}  // namespace knead::test
