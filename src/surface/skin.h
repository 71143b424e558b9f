// A skin around particles: the surface of the field of Zhu and Bridson 2005 (section 6),
//
//   phi(x) = |x - sum_i w_i x_i| - sum_i w_i r_i,     w_i = k(|x - x_i| / R) / sum_j k(|x - x_j| / R),
//   k(s) = max(0, (1 - s^2)^3),
//
// which is smooth where particles lie side by side and a sphere around one that is alone. It is also below 0 half way
// between any two that are within 2 R: what is farther than a given distance from all of them is therefore left out.
#pragma once

#include "surface/surface_mesh.h"

#include <optional>
#include <span>

namespace knead {

struct SkinSpec {
  double cell = 0;   // m, of the lattice on which the field is looked at
  double reach = 0;  // m, R
  double fill = 0;   // m, from a particle: what is farther from all of them is outside
};

// In sizes of a particle, the side of the cube (in 2D the square) that it fills.
struct SkinOptions {
  double radius = 0.68;  // of the sphere around one that is alone; at this a flat side lies where the matter ends
  double cell = 0.5;     // of the lattice on which the skin is found
  std::optional<bool> by_material{};  // one skin for all bodies of a material; where not said, in liquids
};

// Each of a skin's points as a mean of the particles that make it there: particle[i] counts share[i], those of point p
// from begin[p] to begin[p + 1]. Shares of a point add up to 1.
struct SkinShares {
  std::vector<std::size_t> begin;
  std::vector<int> particle;
  std::vector<double> share;
};

// The skin of these points, each with its own radius: in 3D closed triangles of which no edge has more or less than
// two, seen from outside against the clock; in 2D, with z = 0, the triangles inside and the lines around. The same bits
// on any number of threads. Of each of the skin's points, `vertex` is the nearest of these, and `shares` gets what it
// is made of. Where matter was at rest a skin cannot tell: `rest` is empty.
SurfaceMesh skin_of(std::span<const Vec3d> points, std::span<const double> radii, int dimension, const SkinSpec& spec,
                    SkinShares* shares = nullptr);

}  // namespace knead
