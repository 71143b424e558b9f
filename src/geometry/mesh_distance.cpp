#include "geometry/mesh_distance.h"

#include "base/elementary.h"
#include "geometry/mesh_edges.h"

namespace knead {

namespace {

double angle_at(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
  const Vec3d u = b - a, v = c - a;
  return elementary::atan2(length(cross(u, v)), dot(u, v));
}

}  // namespace

MeshDistance::MeshDistance(TriangleMesh mesh, const MeshReport& report)
    : mesh_(std::move(mesh)),
      bounds_(bounds_of(mesh_)),
      tree_(mesh_),
      by_normal_(report.manifold && !report.intersects_itself) {
  if (!by_normal_) return;
  vertex_normals_.assign(mesh_.vertices.size(), Vec3d{});
  for (const Vec3i& t : mesh_.triangles) {
    const Vec3d* corners[3];
    for (int k = 0; k < 3; ++k) corners[k] = &mesh_.vertices[static_cast<std::size_t>(t[k])];
    const Vec3d n = normalized(cross(*corners[1] - *corners[0], *corners[2] - *corners[0]), Vec3d{});
    face_normals_.push_back(n);
    for (int k = 0; k < 3; ++k)
      vertex_normals_[static_cast<std::size_t>(t[k])] +=
          angle_at(*corners[k], *corners[(k + 1) % 3], *corners[(k + 2) % 3]) * n;
  }
  across_.assign(mesh_.triangles.size(), Vec3i::filled(-1));
  const std::vector<EdgeUse> edges = sorted_edges(mesh_);
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
    across_[static_cast<std::size_t>(edges[i].triangle)][edges[i].opposite] = edges[i + 1].triangle;
    across_[static_cast<std::size_t>(edges[i + 1].triangle)][edges[i + 1].opposite] = edges[i].triangle;
  }
}

Vec3d MeshDistance::normal_at(const TriangleTree::Nearest& nearest) const {
  const std::size_t t = static_cast<std::size_t>(nearest.triangle);
  const int feature = nearest.at.feature;
  if (feature < 0) return face_normals_[t];
  if (feature < 3) return face_normals_[t] + face_normals_[static_cast<std::size_t>(across_[t][feature])];
  return vertex_normals_[static_cast<std::size_t>(mesh_.triangles[t][feature - 3])];
}

double MeshDistance::operator()(const Vec3d& p) const {
  const TriangleTree::Nearest nearest = tree_.nearest(p);
  const double d = std::sqrt(nearest.distance2);
  if (!bounds_.contains(p, 3)) return d;
  if (!by_normal_) return tree_.winding(p) > 0.5 ? -d : d;
  return dot(p - nearest.at.point, normal_at(nearest)) < 0 ? -d : d;
}

Vec3d MeshDistance::gradient(const Vec3d& p) const {
  const TriangleTree::Nearest nearest = tree_.nearest(p);
  // On the surface itself the way to it has no direction.
  const double close = 1e-9 * length(bounds_.size());
  if (nearest.distance2 > close * close) return ((*this)(p) < 0 ? -1.0 : 1.0) * (p - nearest.at.point);
  const Vec3i& t = mesh_.triangles[static_cast<std::size_t>(nearest.triangle)];
  const Vec3d& corner = mesh_.vertices[static_cast<std::size_t>(t[0])];
  return by_normal_ ? normal_at(nearest)
                    : cross(mesh_.vertices[static_cast<std::size_t>(t[1])] - corner,
                            mesh_.vertices[static_cast<std::size_t>(t[2])] - corner);
}

double MeshDistance::volume() const { return signed_volume(mesh_); }

}  // namespace knead
