// The methods and integrators as cases that hold for all of them know them.
#pragma once

#include "run/simulation.h"
#include "validate/cases.h"

#include <fmt/format.h>

namespace knead {

struct Way {
  std::string name;
  std::vector<std::string> sets;
  bool grid = false, implicit = false, liquid = false;
  bool damps = implicit;  // vibrations, within a few periods
};

// Half as far apart without a grid as the cells are wide, so that as many particles make up a body.
inline std::vector<Way> solid_ways() {
  const auto grid = [](const char* name, std::vector<std::string> sets, bool implicit = false) {
    return Way{name, std::move(sets), true, implicit};
  };
  const auto free = [](const char* name, std::vector<std::string> sets, bool implicit = false) {
    return Way{name, std::move(sets), false, implicit};
  };
  return {
      grid("mpm", {}),
      grid("mpm, mls", {"solver.transfer=\"mls\""}),
      grid("mpm, flip", {"solver.transfer=\"flip\""}),
      Way{.name = "mpm, pic", .sets = {"solver.transfer=\"pic\""}, .grid = true, .damps = true},
      grid("mpm, implicit", {"solver.integrator=\"implicit\""}, true),
      grid("mpm, semi-implicit", {"solver.integrator=\"semi-implicit\""}, true),
      free("mls", {"solver.method=\"mls\""}),
      free("mls, implicit", {"solver.method=\"mls\"", "solver.integrator=\"implicit\""}, true),
      free("embedded", {"solver.method=\"embedded\""}),
      free("composed", {"solver.method=\"composed\""}),
  };
}

inline Way liquid_way() {
  return {"liquid",
          {"solver.method=\"liquid\"", "materials.matter={ model = \"fluid\" }", "body.0.sampling=\"lattice\""},
          true,
          false,
          true};
}

inline std::vector<Way> all_ways() {
  std::vector<Way> all = solid_ways();
  all.push_back(liquid_way());
  return all;
}

// What the file says with the way's and more values set; cells of the width dx.
inline Scene scene_of(const CaseInput& in, const std::string& file, const Way& way, double dx,
                      const std::vector<std::string>& more = {}) {
  std::vector<std::string> sets = way.sets;
  sets.push_back(set_number("solver.dx", way.grid ? dx : dx / 2));
  sets.insert(sets.end(), more.begin(), more.end());
  return in.scenes.read(file, sets);
}

inline std::string set_vector(const std::string& path, const Vec3d& v) {
  return fmt::format("{}=[{}, {}, {}]", path, v[0], v[1], v[2]);
}

}  // namespace knead
