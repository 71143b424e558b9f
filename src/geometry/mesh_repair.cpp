// From a triangle soup to a closed, consistently oriented surface.
#include "base/error.h"
#include "base/parallel.h"
#include "geometry/mesh.h"
#include "geometry/mesh_edges.h"
#include "geometry/mesh_orient.h"
#include "geometry/triangle_tree.h"

#include <array>
#include <atomic>
#include <numeric>
#include <unordered_map>

namespace knead {

Bounds bounds_of(const TriangleMesh& mesh) {
  Bounds b;
  for (const Vec3d& x : mesh.vertices) b.add(x);
  return b;
}

double signed_volume(const TriangleMesh& mesh) {
  // About a vertex of its own, so that a mesh far from the origin loses no digits.
  const Vec3d o = mesh.vertices.empty() ? Vec3d{} : mesh.vertices[0];
  auto at = [&](int v) { return mesh.vertices[static_cast<std::size_t>(v)] - o; };
  double six = 0;
  for (const Vec3i& t : mesh.triangles) six += dot(at(t[0]), cross(at(t[1]), at(t[2])));
  return six / 6;
}

std::vector<EdgeUse> sorted_edges(const TriangleMesh& mesh) {
  std::vector<EdgeUse> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const int a = mesh.triangles[i][(k + 1) % 3], b = mesh.triangles[i][(k + 2) % 3];
      edges.push_back({std::min(a, b), std::max(a, b), static_cast<int>(i), k, a < b});
    }
  std::sort(edges.begin(), edges.end(), [](const EdgeUse& a, const EdgeUse& b) {
    return std::tie(a.low, a.high, a.triangle, a.opposite) < std::tie(b.low, b.high, b.triangle, b.opposite);
  });
  return edges;
}

namespace {

// Those that are left keep their order.
void drop_unused_vertices(TriangleMesh& mesh) {
  std::vector<int> place(mesh.vertices.size(), -1);
  for (const Vec3i& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) place[static_cast<std::size_t>(t[k])] = 0;
  int used = 0;
  for (std::size_t v = 0; v < place.size(); ++v)
    if (place[v] == 0) {
      mesh.vertices[static_cast<std::size_t>(used)] = mesh.vertices[v];
      place[v] = used++;
    }
  mesh.vertices.resize(static_cast<std::size_t>(used));
  for (Vec3i& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) t[k] = place[static_cast<std::size_t>(t[k])];
}

// Replaces each vertex by the first of its kind and counts those merged away.
std::size_t replace_vertices(TriangleMesh& mesh, const std::vector<int>& kept) {
  std::size_t merged = 0;
  for (std::size_t v = 0; v < kept.size(); ++v) merged += kept[v] != static_cast<int>(v);
  for (Vec3i& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) t[k] = kept[static_cast<std::size_t>(t[k])];
  drop_unused_vertices(mesh);
  return merged;
}

std::size_t weld_equal(TriangleMesh& mesh) {
  std::vector<int> order(mesh.vertices.size()), kept(mesh.vertices.size());
  std::iota(order.begin(), order.end(), 0);
  auto key = [&](int v) {
    const Vec3d& x = mesh.vertices[static_cast<std::size_t>(v)];
    return std::tie(x.e[0], x.e[1], x.e[2]);
  };
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b) || (key(a) == key(b) && a < b); });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
    kept[static_cast<std::size_t>(order[i])] = same ? kept[static_cast<std::size_t>(order[i - 1])] : order[i];
  }
  return replace_vertices(mesh, kept);
}

// Merges vertices closer than `reach`, by a grid of cells of that size whose neighbours are looked at too.
std::size_t weld_close(TriangleMesh& mesh, double reach) {
  const Vec3d lo = bounds_of(mesh).lo;
  std::unordered_map<std::uint64_t, std::vector<int>> cells;
  std::vector<int> kept(mesh.vertices.size());
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const Vec3d x = mesh.vertices[v];
    std::int64_t c[3];
    for (int i = 0; i < 3; ++i) c[i] = static_cast<std::int64_t>((x[i] - lo[i]) / reach) + 1;
    auto cell = [&](int n) {
      return static_cast<std::uint64_t>(((c[0] + n % 3 - 1) << 42) ^ ((c[1] + n / 3 % 3 - 1) << 21) ^
                                        (c[2] + n / 9 - 1));
    };
    kept[v] = static_cast<int>(v);
    for (int n = 0; n < 27 && kept[v] == static_cast<int>(v); ++n)
      if (const auto found = cells.find(cell(n)); found != cells.end())
        for (int other : found->second)
          if (length(mesh.vertices[static_cast<std::size_t>(other)] - x) <= reach) {
            kept[v] = other;
            break;
          }
    if (kept[v] == static_cast<int>(v)) cells[cell(13)].push_back(static_cast<int>(v));
  }
  return replace_vertices(mesh, kept);
}

// Drops the triangles of which condition(number) holds, and counts them.
template <class Condition>
std::size_t remove_if(TriangleMesh& mesh, Condition condition) {
  std::size_t kept = 0;
  const std::size_t before = mesh.triangles.size();
  for (std::size_t i = 0; i < before; ++i) {
    if (condition(i)) continue;
    mesh.triangles[kept] = mesh.triangles[i];
    if (!mesh.uv.empty()) mesh.uv[kept] = mesh.uv[i];
    ++kept;
  }
  mesh.triangles.resize(kept);
  if (!mesh.uv.empty()) mesh.uv.resize(kept);
  return before - kept;
}

std::size_t remove_collapsed(TriangleMesh& mesh) {
  return remove_if(mesh, [&](std::size_t i) {
    const Vec3i& t = mesh.triangles[i];
    return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
  });
}

std::size_t remove_flat(TriangleMesh& mesh) {
  return remove_if(mesh, [&](std::size_t i) {
    auto at = [&](int k) { return mesh.vertices[static_cast<std::size_t>(mesh.triangles[i][k])]; };
    return cross(at(1) - at(0), at(2) - at(0)) == Vec3d{};
  });
}

std::size_t remove_repeated(TriangleMesh& mesh) {
  std::vector<std::pair<std::array<int, 3>, std::size_t>> keys;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    std::array<int, 3> k{mesh.triangles[i][0], mesh.triangles[i][1], mesh.triangles[i][2]};
    std::sort(k.begin(), k.end());
    keys.push_back({k, i});
  }
  std::sort(keys.begin(), keys.end());
  std::vector<char> repeated(mesh.triangles.size(), 0);
  for (std::size_t i = 1; i < keys.size(); ++i) repeated[keys[i].second] = keys[i].first == keys[i - 1].first;
  return remove_if(mesh, [&](std::size_t i) { return repeated[i] != 0; });
}

struct Openings {
  std::size_t edges = 0;
  Vec3d first{};  // the middle of one of them
};

// Edges with an odd number of triangles are where a surface ends.
Openings openings(const TriangleMesh& mesh) {
  Openings open;
  const std::vector<EdgeUse> edges = sorted_edges(mesh);
  for (std::size_t i = 0, j; i < edges.size(); i = j) {
    for (j = i; j < edges.size() && edges[j].low == edges[i].low && edges[j].high == edges[i].high;) ++j;
    if ((j - i) % 2 == 0) continue;
    if (open.edges++ == 0)
      open.first = (mesh.vertices[static_cast<std::size_t>(edges[i].low)] +
                    mesh.vertices[static_cast<std::size_t>(edges[i].high)]) *
                   0.5;
  }
  return open;
}

// Drops triangles that have no area or repeat another. A triangle that is flat but has three corners is kept where its
// removal would tear the surface.
Openings tidy(TriangleMesh& mesh, MeshReport& report) {
  report.degenerate += remove_collapsed(mesh);
  report.duplicate += remove_repeated(mesh);
  TriangleMesh without = mesh;
  const std::size_t flat = remove_flat(without);
  const Openings open = openings(without);
  if (flat == 0) return open;
  const Openings with = openings(mesh);
  if (with.edges < open.edges) return with;
  report.degenerate += flat;
  mesh = std::move(without);
  return open;
}

// Does an edge of one triangle cross another that shares no corner with it? Overlap within a plane does not count.
bool intersects_itself(const TriangleMesh& mesh) {
  const TriangleTree tree(mesh);
  std::atomic<bool> found = false;
  parallel_for(mesh.triangles.size(), 64, [&](std::size_t i) {
    if (found) return;
    const Vec3i t = mesh.triangles[i];
    auto shares_corner = [&](int other) {
      const Vec3i& o = mesh.triangles[static_cast<std::size_t>(other)];
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b)
          if (t[a] == o[b]) return true;
      return false;
    };
    for (int k = 0; k < 3; ++k) {
      if (t[k] > t[(k + 1) % 3]) continue;  // the neighbour asks for this edge
      const Vec3d &a = mesh.vertices[static_cast<std::size_t>(t[k])],
                  &b = mesh.vertices[static_cast<std::size_t>(t[(k + 1) % 3])];
      if (tree.crosses(a, b, shares_corner)) found = true;
    }
  });
  return found;
}

void describe(MeshReport& r, const std::string& name) {
  auto say = [&]<class... A>(fmt::format_string<A...> format, A&&... args) {
    r.warnings.push_back(name + ": " + fmt::format(format, std::forward<A>(args)...));
  };
  if (r.degenerate) say("{} triangles without an area were removed", r.degenerate);
  if (r.duplicate) say("{} triangles that repeat another were removed", r.duplicate);
  if (r.turned) say("{} triangles faced the wrong way and were flipped", r.turned);
  if (r.flipped) say("the surface was inside out and was flipped");
  if (!r.manifold)
    say("some edges have more than two triangles; inside is where the surface winds around at least once");
  if (r.intersects_itself) say("the surface crosses itself; inside is where it winds around at least once");
}

}  // namespace

MeshReport repair(TriangleMesh& mesh, const std::string& name) {
  MeshReport report;
  if (mesh.triangles.empty()) fail(Exit::bad_input, "{}: has no faces; a mesh needs triangles", name);
  const Bounds box = bounds_of(mesh);
  const double diagonal = length(box.size());
  const double farthest = std::max(length(box.lo), length(box.hi));
  std::string advice;
  if (farthest > 1e4 * diagonal) {
    const std::string lost =
        fmt::format("its coordinates reach {:.3g} but its size is {:.3g}, so digits are lost: move it to the origin",
                    farthest, diagonal);
    report.warnings.push_back(name + ": " + lost);
    advice = "; " + lost;
  }

  // Close the surface: merge equal vertices and, where that is not enough, those within a millionth of the size.
  report.welded = weld_equal(mesh);
  Openings open = tidy(mesh, report);
  if (open.edges > 0) {
    TriangleMesh closer = mesh;
    MeshReport other = report;
    other.welded += weld_close(closer, 1e-6 * diagonal);
    const Openings left = tidy(closer, other);
    if (left.edges == 0) mesh = std::move(closer), report = std::move(other), open = left;
  }
  if (mesh.triangles.empty()) fail(Exit::bad_input, "{}: all of its triangles are without an area{}", name, advice);
  if (open.edges > 0)
    fail(
        Exit::bad_input,
        "{}: the surface is open: it has {} boundary edges, one near ({:.4g}, {:.4g}, {:.4g}); a volume needs a closed "
        "surface, so fill its holes{}",
        name, open.edges, open.first[0], open.first[1], open.first[2], advice);

  drop_unused_vertices(mesh);
  orient(mesh, report, name);
  if (!(signed_volume(mesh) > 1e-12 * diagonal * diagonal * diagonal))
    fail(Exit::bad_input, "{}: the surface encloses no volume{}", name, advice);
  report.intersects_itself = intersects_itself(mesh);
  describe(report, name);
  return report;
}

}  // namespace knead
