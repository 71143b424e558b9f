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

// of_core(p, Y) in the mean over the cores that share a node, of each node behind the vertices; Y is its place at rest.
template <class Value, int d, class OfCore>
void add_means(std::vector<Value>& values, const CoreComplex<d>& complex, const CrackTopology<d>& topology,
               const RestPoints<d>& rest, OfCore&& of_core) {
  const auto mean = [&](const auto& corners, unsigned members, const Vec<double, d>& Y) {
    Value sum{};
    int count = 0;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (!(members >> i & 1)) continue;
      sum += of_core(static_cast<std::size_t>(corners[i]), Y);
      ++count;
    }
    return sum / double(count);
  };
  values.reserve(values.size() + topology.nodes.size());
  for (const CoreNode& node : topology.nodes) {
    const auto s = static_cast<std::size_t>(node.feature);
    if (node.dimension == 1)
      values.push_back(mean(complex.edges[s], node.members, rest.edge[s]));
    else if (node.dimension == 2)
      values.push_back(mean(complex.triangles[s], node.members, rest.triangle[s]));
    else
      values.push_back(mean(complex.tets[s], node.members, rest.tet[s]));
  }
}

}  // namespace

// y = R_p (Y_s - X_p) + x_p
template <int d>
std::vector<Vec<double, d>> node_positions(const CoreComplex<d>& complex, const CrackTopology<d>& topology,
                                           const RestPoints<d>& rest, const CoreMotion<d>& motion) {
  std::vector<Vec<double, d>> y = motion.x;
  add_means(y, complex, topology, rest, [&](std::size_t p, const Vec<double, d>& Y) {
    return motion.R[p] * (Y - complex.points[p]) + motion.x[p];
  });
  return y;
}

// dy/dt = W_p R_p (Y_s - X_p) + v_p
template <int d>
std::vector<Vec<double, d>> node_velocities(const CoreComplex<d>& complex, const CrackTopology<d>& topology,
                                            const RestPoints<d>& rest, const CoreMotion<d>& motion) {
  std::vector<Vec<double, d>> v = motion.v;
  if (v.empty()) return v;
  add_means(v, complex, topology, rest, [&](std::size_t p, const Vec<double, d>& Y) {
    return motion.spin[p] * (motion.R[p] * (Y - complex.points[p])) + motion.v[p];
  });
  return v;
}

template <int d>
std::vector<double> node_damage(const CoreComplex<d>& complex, const CrackTopology<d>& topology,
                                const RestPoints<d>& rest, const CoreMotion<d>& motion) {
  std::vector<double> damage = motion.damage;
  if (damage.empty()) return damage;
  add_means(damage, complex, topology, rest, [&](std::size_t p, const Vec<double, d>&) { return motion.damage[p]; });
  return damage;
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
template std::vector<Vec2d> node_velocities(const CoreComplex<2>&, const CrackTopology<2>&, const RestPoints<2>&,
                                            const CoreMotion<2>&);
template std::vector<Vec3d> node_velocities(const CoreComplex<3>&, const CrackTopology<3>&, const RestPoints<3>&,
                                            const CoreMotion<3>&);
template std::vector<double> node_damage(const CoreComplex<2>&, const CrackTopology<2>&, const RestPoints<2>&,
                                         const CoreMotion<2>&);
template std::vector<double> node_damage(const CoreComplex<3>&, const CrackTopology<3>&, const RestPoints<3>&,
                                         const CoreMotion<3>&);
template Vec2d rest_position(const CoreComplex<2>&, const CrackTopology<2>&, const RestPoints<2>&, std::size_t);
template Vec3d rest_position(const CoreComplex<3>&, const CrackTopology<3>&, const RestPoints<3>&, std::size_t);

}  // namespace knead
