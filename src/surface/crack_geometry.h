// Where the nodes of a cracked body are in a frame (Wang 2020, Eq. 3.29): each core moves like its particle, and a node
// that several cores share is in the middle of where they would have it.
#pragma once

#include "base/mat.h"
#include "surface/crack_topology.h"

namespace knead {

// How the particles, that is the vertices of the mesh, stand in a frame.
template <int d>
struct CoreMotion {
  std::vector<Vec<double, d>> x;  // m
  std::vector<Mat<double, d>> R;  // how each has turned since it was at rest
  // Where they are known:
  std::vector<Vec<double, d>> v{};     // m/s
  std::vector<Mat<double, d>> spin{};  // 1/s, of the turning: skew
  std::vector<double> damage{};        // share of the strength that is lost
};

// The rotation by an angle (rad), and that of a quaternion w, x, y, z, which need not have the length 1.
Mat2d rotation_of(double angle);
Mat3d rotation_of(const Vec<double, 4>& quaternion);

// All nodes: the vertices, then those of the topology.
template <int d>
std::vector<Vec<double, d>> node_positions(const CoreComplex<d>& complex, const CrackTopology<d>& topology,
                                           const RestPoints<d>& rest, const CoreMotion<d>& motion);

// How fast all nodes move, the change of their positions in time, and the mean damage of the cores that share each;
// nothing where these are not known of the particles.
template <int d>
std::vector<Vec<double, d>> node_velocities(const CoreComplex<d>& complex, const CrackTopology<d>& topology,
                                            const RestPoints<d>& rest, const CoreMotion<d>& motion);
template <int d>
std::vector<double> node_damage(const CoreComplex<d>& complex, const CrackTopology<d>& topology,
                                const RestPoints<d>& rest, const CoreMotion<d>& motion);

// Where a node was at rest.
template <int d>
Vec<double, d> rest_position(const CoreComplex<d>& complex, const CrackTopology<d>& topology, const RestPoints<d>& rest,
                             std::size_t node);

}  // namespace knead
