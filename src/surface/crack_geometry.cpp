#include "surface/crack_geometry.h"

#include "base/elementary.h"

#include <cmath>

namespace knead {

Mat2d rotation_of(double angle) {
  const double c = elementary::cos(angle), s = elementary::sin(angle);
  return {{c, -s, s, c}};
}

Mat3d rotation_of(const Vec<double, 4>& quaternion) {
  const Vec<double, 4> q = normalized(quaternion);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),  //
           2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),  //
           2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}

namespace {

// y = R_p (Y_s - X_p) + x_p, in the mean over the cores that share the node.
template <int d, std::size_t n>
Vec<double, d> mean_of_cores(const CoreComplex<d>& complex, const CoreMotion<d>& motion,
                             const std::array<int, n>& corners, unsigned members, const Vec<double, d>& Y) {
  Vec<double, d> sum{};
  int count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (!(members >> i & 1)) continue;
    const auto p = static_cast<std::size_t>(corners[i]);
    sum += motion.R[p] * (Y - complex.points[p]) + motion.x[p];
    ++count;
  }
  return sum / double(count);
}

}  // namespace

template <int d>
std::vector<Vec<double, d>> node_positions(const CoreComplex<d>& complex, const CrackTopology<d>& topology,
                                           const RestPoints<d>& rest, const CoreMotion<d>& motion) {
  std::vector<Vec<double, d>> y = motion.x;
  y.reserve(y.size() + topology.nodes.size());
  for (const CoreNode& node : topology.nodes) {
    const auto s = static_cast<std::size_t>(node.feature);
    if (node.dimension == 1)
      y.push_back(mean_of_cores(complex, motion, complex.edges[s], node.members, rest.edge[s]));
    else if (node.dimension == 2)
      y.push_back(mean_of_cores(complex, motion, complex.triangles[s], node.members, rest.triangle[s]));
    else
      y.push_back(mean_of_cores(complex, motion, complex.tets[s], node.members, rest.tet[s]));
  }
  return y;
}

template <int d>
Vec<double, d> rest_position(const CoreComplex<d>& complex, const CrackTopology<d>& topology, const RestPoints<d>& rest,
                             std::size_t node) {
  if (node < complex.points.size()) return complex.points[node];
  const CoreNode& n = topology.nodes[node - complex.points.size()];
  const auto s = static_cast<std::size_t>(n.feature);
  return n.dimension == 1 ? rest.edge[s] : n.dimension == 2 ? rest.triangle[s] : rest.tet[s];
}

template std::vector<Vec2d> node_positions(const CoreComplex<2>&, const CrackTopology<2>&, const RestPoints<2>&,
                                           const CoreMotion<2>&);
template std::vector<Vec3d> node_positions(const CoreComplex<3>&, const CrackTopology<3>&, const RestPoints<3>&,
                                           const CoreMotion<3>&);
template Vec2d rest_position(const CoreComplex<2>&, const CrackTopology<2>&, const RestPoints<2>&, std::size_t);
template Vec3d rest_position(const CoreComplex<3>&, const CrackTopology<3>&, const RestPoints<3>&, std::size_t);

}  // namespace knead
