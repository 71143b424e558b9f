#include "geometry/mesh_orient.h"

#include "base/elementary.h"
#include "base/error.h"
#include "geometry/mesh_edges.h"

#include <numbers>

namespace knead {

namespace {

void turn(TriangleMesh& mesh, std::size_t i) {
  std::swap(mesh.triangles[i][1], mesh.triangles[i][2]);
  if (!mesh.uv.empty()) std::swap(mesh.uv[i][1], mesh.uv[i][2]);
}

struct Parts {
  std::vector<int> of;          // the part that each triangle belongs to
  std::vector<double> volumes;  // signed, a part
};

// For each triangle and corner the use of the opposite edge by the triangle across it, two triangles an edge.
std::vector<Vec3i> neighbours(const TriangleMesh& mesh, const std::vector<EdgeUse>& edges, std::vector<char>& agrees) {
  std::vector<Vec3i> across(mesh.triangles.size(), Vec3i::filled(-1));
  agrees.assign(3 * mesh.triangles.size(), 1);
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2) {
    const EdgeUse &a = edges[i], &b = edges[i + 1];
    across[static_cast<std::size_t>(a.triangle)][a.opposite] = b.triangle;
    across[static_cast<std::size_t>(b.triangle)][b.opposite] = a.triangle;
    // Neighbours agree where they run their edge in opposite directions.
    agrees[3 * static_cast<std::size_t>(a.triangle) + static_cast<std::size_t>(a.opposite)] = a.forward != b.forward;
    agrees[3 * static_cast<std::size_t>(b.triangle) + static_cast<std::size_t>(b.opposite)] = a.forward != b.forward;
  }
  return across;
}

// Walks over each part from its first triangle and turns what disagrees, or all the others where those are fewer.
Parts agree(TriangleMesh& mesh, const std::vector<EdgeUse>& edges, MeshReport& report, const std::string& name) {
  std::vector<char> agrees;
  const std::vector<Vec3i> across = neighbours(mesh, edges, agrees);
  Parts parts{std::vector<int>(mesh.triangles.size(), -1), {}};
  std::vector<char> turned(mesh.triangles.size(), 0);
  std::vector<std::size_t> members;
  for (std::size_t first = 0; first < mesh.triangles.size(); ++first) {
    if (parts.of[first] >= 0) continue;
    const int part = static_cast<int>(parts.volumes.size());
    members.assign(1, first);
    parts.of[first] = part;
    std::size_t count = 0;
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::size_t t = members[i];
      count += turned[t] != 0;
      for (int k = 0; k < 3; ++k) {
        const std::size_t next = static_cast<std::size_t>(across[t][k]);
        const char wanted = agrees[3 * t + static_cast<std::size_t>(k)] ? turned[t] : !turned[t];
        if (parts.of[next] < 0) {
          parts.of[next] = part, turned[next] = wanted;
          members.push_back(next);
        } else if (turned[next] != wanted) {
          fail(Exit::bad_input, "{}: the surface is one-sided (like a Klein bottle), so that it has no inside", name);
        }
      }
    }
    const bool invert = 2 * count > members.size();
    report.turned += invert ? members.size() - count : count;
    for (std::size_t t : members)
      if ((turned[t] != 0) != invert) turn(mesh, t);
    parts.volumes.push_back(0);
  }
  return parts;
}

void measure(const TriangleMesh& mesh, Parts& parts) {
  const Vec3d o = mesh.vertices[0];
  auto at = [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)] - o; };
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Vec3i& t = mesh.triangles[i];
    parts.volumes[static_cast<std::size_t>(parts.of[i])] += dot(at(t[0]), cross(at(t[1]), at(t[2]))) / 6;
  }
}

// How often the other parts wind around a point of this one.
double winding_of_others(const TriangleMesh& mesh, const Parts& parts, int part, const Vec3d& p) {
  double angle = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (parts.of[i] == part) continue;
    auto at = [&](int k) { return mesh.vertices[static_cast<std::size_t>(mesh.triangles[i][k])] - p; };
    const Vec3d a = at(0), b = at(1), c = at(2);
    const double la = length(a), lb = length(b), lc = length(c);
    angle +=
        2 * elementary::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return angle / (4 * std::numbers::pi);
}

void flip(TriangleMesh& mesh, Parts& parts, int part, MeshReport& report) {
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    if (part < 0 || parts.of[i] == part) turn(mesh, i);
  for (std::size_t i = 0; i < parts.volumes.size(); ++i)
    if (part < 0 || static_cast<int>(i) == part) parts.volumes[i] = -parts.volumes[i];
  report.flipped = true;
}

// A part of negative volume is a hollow where it lies within another part, and inside out where it does not. Past a
// thousand such parts the question costs too much, and they are taken for hollows.
void face_outwards(TriangleMesh& mesh, Parts& parts, MeshReport& report) {
  std::vector<int> first(parts.volumes.size(), -1);
  for (std::size_t i = mesh.triangles.size(); i-- > 0;)
    first[static_cast<std::size_t>(parts.of[i])] = static_cast<int>(i);
  int asked = 0;
  for (std::size_t part = 0; part < parts.volumes.size(); ++part) {
    if (parts.volumes[part] >= 0 || ++asked > 1000) continue;
    const Vec3d p = mesh.vertices[static_cast<std::size_t>(mesh.triangles[static_cast<std::size_t>(first[part])][0])];
    if (winding_of_others(mesh, parts, static_cast<int>(part), p) < 0.5)
      flip(mesh, parts, static_cast<int>(part), report);
  }
}

}  // namespace

void orient(TriangleMesh& mesh, MeshReport& report, const std::string& name) {
  const std::vector<EdgeUse> edges = sorted_edges(mesh);
  // Runs of one edge: two uses everywhere make a manifold; more must at least balance.
  std::size_t unbalanced = 0;
  for (std::size_t i = 0, j; i < edges.size(); i = j) {
    long balance = 0;
    for (j = i; j < edges.size() && edges[j].low == edges[i].low && edges[j].high == edges[i].high; ++j)
      balance += edges[j].forward ? 1 : -1;
    if (j - i != 2) report.manifold = false;
    if (balance != 0) ++unbalanced;
  }
  if (!report.manifold) {
    if (unbalanced > 0)
      fail(Exit::bad_input,
           "{}: {} edges are used more often in one direction than in the other, and some have more than two "
           "triangles, so inside and outside are undefined; orient the faces consistently or separate the surfaces",
           name, unbalanced);
    if (signed_volume(mesh) < 0) {
      for (std::size_t i = 0; i < mesh.triangles.size(); ++i) turn(mesh, i);
      report.flipped = true;
    }
    return;
  }
  Parts parts = agree(mesh, edges, report, name);
  measure(mesh, parts);
  if (signed_volume(mesh) < 0) flip(mesh, parts, -1, report);
  face_outwards(mesh, parts, report);
}

}  // namespace knead
