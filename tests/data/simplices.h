// What every sound mesh of triangles or tetrahedra fulfils.
#pragma once

#include "geometry/simplex_measure.h"

#include <gtest/gtest.h>

#include <map>

namespace knead::testing_meshes {

// All cells have a volume; the boundary is closed, faces outwards and is nowhere touched twice from the same side.
template <int d>
void expect_sound(const SimplexMesh<d>& mesh) {
  ASSERT_FALSE(mesh.cells.empty());
  for (const auto& cell : mesh.cells) ASSERT_GT(signed_volume<d>(corners_of(mesh, cell)), 0);
  const auto facets = boundary_facets(mesh);
  std::map<std::vector<int>, int> rims;  // the ends of facets, counted by direction
  double enclosed = 0;
  for (const auto& f : facets) {
    SimplexCorners<d> x{};  // from the origin to the facet, by the divergence theorem
    for (std::size_t k = 0; k < d; ++k) x[k + 1] = mesh.points[static_cast<std::size_t>(f[k])];
    enclosed += signed_volume<d>(x);
    if constexpr (d == 2) {
      ++rims[{f[0]}], --rims[{f[1]}];
    } else {
      for (std::size_t k = 0; k < 3; ++k) {
        const int a = f[k], b = f[(k + 1) % 3];
        rims[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
      }
    }
  }
  for (const auto& [rim, count] : rims) ASSERT_EQ(count, 0) << "open at " << rim[0];
  EXPECT_NEAR(enclosed, total_volume(mesh), 1e-9 * total_volume(mesh));
}

}  // namespace knead::testing_meshes
