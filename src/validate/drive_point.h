// One material point, driven from rest through a list of deformation gradients: what its law answers to each. The
// increments act as steps of a solver do: F_trial = (F_new F_old^-1) F_elastic, then the return map.
#pragma once

#include "base/mat.h"
#include "material/list.h"

#include <array>
#include <span>

namespace knead {

// A state of the path. A free direction's stretch F_ii is found so that no stress acts along it.
struct PathPoint {
  double time = 0;  // s
  Mat3d F = Mat3d::identity();
  std::array<bool, 3> free{};
};

struct PointResponse {
  double time = 0;              // s
  Mat3d F, F_elastic;           // as driven, with the free stretches found; the elastic part
  Mat3d kirchhoff, cauchy;      // Pa
  double energy = 0;            // J/m^3 of rest volume, elastic
  double dissipated = 0;        // J/m^3, since the start
  std::vector<double> history;  // of the flow rule, in the order of its columns
};

struct DriveOptions {
  int dimension = 3;    // 2: plane strain as in 2D scenes; F_33 stays 1
  bool single = false;  // in float, as particles usually are
  double dx = 1;        // m, size of a cell, for laws with a fracture energy
};

// The model or preset of that name with defaults but for `sets` ("young=1e6"), read and checked as in a scene file.
Material named_material(const std::string& name, const std::vector<std::string>& sets, int dimension = 3);

// Fails (bad_input) where a point of the path turns matter inside out, and (numerical) where a free direction cannot be
// freed.
std::vector<PointResponse> drive_point(const Material& material, std::span<const PathPoint> path,
                                       const DriveOptions& options = {});

}  // namespace knead
