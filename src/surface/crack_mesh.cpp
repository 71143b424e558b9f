#include "surface/crack_mesh.h"

#include <algorithm>
#include <bit>

namespace knead {

namespace {

// Nodes as points of the mesh: vertices that are seen, in their order, then the nodes of what has broken.
struct Numbering {
  std::vector<int> of_node;
  std::vector<std::size_t> nodes;  // of each point
};

template <int d>
Numbering number_points(const CrackedBody<d>& body, const CrackTopology<d>& topology) {
  const std::size_t vertices = body.complex.points.size(), count = vertices + topology.nodes.size();
  std::vector<std::uint8_t> seen(vertices, 0);
  for (const SheetTriangle& t : body.complex.sheet)
    for (const int p : t.corners) seen[std::size_t(p)] = 1;
  Numbering numbering;
  numbering.of_node.assign(count, -1);
  for (std::size_t node = 0; node < count; ++node)
    if (node >= vertices || node < body.input_vertices || seen[node]) {
      numbering.of_node[node] = static_cast<int>(numbering.nodes.size());
      numbering.nodes.push_back(node);
    }
  return numbering;
}

// One of the vertices that share a node.
template <int d>
int vertex_of(const CoreComplex<d>& complex, const CrackTopology<d>& topology, std::size_t node) {
  if (node < complex.points.size()) return static_cast<int>(node);
  const CoreNode& of = topology.nodes[node - complex.points.size()];
  const auto feature = std::size_t(of.feature);
  const auto slot = std::size_t(std::countr_zero(of.members));
  if (of.dimension == 1) return complex.edges[feature][slot];
  return of.dimension == 2 ? complex.triangles[feature][slot] : complex.tets[feature][slot];
}

// The outside, triangle by triangle of the input. Where an edge is broken, the triangle falls apart into a fan about
// its own point: along a side ab into (a, e, f) with the copies of a and (e, b, f) with those of b, or if that side is
// whole into (a, b, f).
template <int d>
class Outside {
 public:
  Outside(const CrackedBody<d>& body, const CrackTopology<d>& topology, SurfaceMesh& mesh)
      : body_(body), topology_(topology), mesh_(mesh) {}

  void add(std::size_t i) {
    const SheetTriangle& sheet = body_.complex.sheet[i];
    const auto f = std::size_t(sheet.triangle);
    if (topology_.triangle_first[f] < 0) return add(i, sheet.corners, {0, 1, 2}, {}, {});
    const std::array<double, 3>& shares = body_.rest.inside[f];
    Vec2d uv_f{};
    if (!body_.uv.empty())
      for (std::size_t k = 0; k < 3; ++k)
        uv_f += body_.uv[i][k] * shares[std::size_t(slot_of(body_.complex.triangles[f], sheet.corners[k]))];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t l = (k + 1) % 3;
      const int a = sheet.corners[k], b = sheet.corners[l];
      const int opposite = slot_of(body_.complex.triangles[f], sheet.corners[(k + 2) % 3]);
      const auto e = body_.complex.triangle_edges[f][std::size_t(opposite)];
      const int f_a = topology_.triangle_node(body_.complex, int(f), a);
      if (topology_.edge_first[std::size_t(e)] < 0) {
        add(i, {a, b, f_a}, {int(k), int(l), in_triangle}, uv_f, {});
        continue;
      }
      const double s = body_.rest.along[std::size_t(e)], of_b = body_.complex.edges[std::size_t(e)][1] == b ? s : 1 - s;
      const Vec2d uv_e = body_.uv.empty() ? Vec2d{} : body_.uv[i][k] * (1 - of_b) + body_.uv[i][l] * of_b;
      const int f_b = topology_.triangle_node(body_.complex, int(f), b);
      add(i, {a, topology_.edge_node(body_.complex, e, a), f_a}, {int(k), on_edge, in_triangle}, uv_f, uv_e);
      add(i, {topology_.edge_node(body_.complex, e, b), b, f_b}, {on_edge, int(l), in_triangle}, uv_f, uv_e);
    }
  }

 private:
  // What a corner is: 0 to 2 a corner of the input, or
  static constexpr int on_edge = 3, in_triangle = 4;

  void add(std::size_t input, const std::array<int, 3>& nodes, const std::array<int, 3>& kinds, const Vec2d& uv_f,
           const Vec2d& uv_e) {
    mesh_.triangles.push_back({nodes[0], nodes[1], nodes[2]});
    mesh_.source.push_back(static_cast<int>(input));
    if (body_.uv.empty()) return;
    std::array<Vec2d, 3>& uv = mesh_.uv.emplace_back();
    for (std::size_t k = 0; k < 3; ++k)
      uv[k] = kinds[k] == on_edge ? uv_e : kinds[k] == in_triangle ? uv_f : body_.uv[input][std::size_t(kinds[k])];
  }

  const CrackedBody<d>& body_;
  const CrackTopology<d>& topology_;
  SurfaceMesh& mesh_;
};

// 2D: the outline, whose edges end at their point where they are broken.
template <int d>
void add_outline(const CrackedBody<d>& body, const CrackTopology<d>& topology, std::span<const std::uint8_t> broken,
                 SurfaceMesh& mesh) {
  for (const auto& [a, b] : body.complex.outline) {
    const std::array<int, 2> sorted{std::min(a, b), std::max(a, b)};
    const auto e = std::size_t(std::lower_bound(body.complex.edges.begin(), body.complex.edges.end(), sorted) -
                               body.complex.edges.begin());
    if (!broken[e]) {
      mesh.lines.push_back({a, b});
      continue;
    }
    mesh.lines.push_back({a, topology.edge_node(body.complex, int(e), a)});
    mesh.lines.push_back({topology.edge_node(body.complex, int(e), b), b});
  }
  mesh.outer_lines = mesh.lines.size();
  for (const auto& [from, to] : topology.lines) mesh.lines.push_back({from, to});
}

}  // namespace

template <int d>
SurfaceMesh crack_mesh(const CrackedBody<d>& body, std::span<const std::uint8_t> broken, const CoreMotion<d>& motion) {
  const CrackTopology<d> topology = make_crack_topology(body.complex, broken);
  SurfaceMesh mesh;
  // Triangles and lines, first in terms of nodes
  Outside<d> outside(body, topology, mesh);
  for (std::size_t i = 0; i < body.complex.sheet.size(); ++i) outside.add(i);
  mesh.outer = mesh.triangles.size();
  // Always the diagonal from the edge to the tetrahedron: the other would be shared by both faces of a crack.
  for (const auto& [e, f, t, g] : topology.quads) {
    mesh.triangles.push_back({e, f, t});
    mesh.triangles.push_back({e, t, g});
  }
  if (d == 2) add_outline(body, topology, broken, mesh);
  // Then of points
  const Numbering numbering = number_points(body, topology);
  for (Vec3i& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) t[k] = numbering.of_node[std::size_t(t[k])];
  for (Vec2i& line : mesh.lines)
    for (int k = 0; k < 2; ++k) line[k] = numbering.of_node[std::size_t(line[k])];
  const std::vector<Vec<double, d>> y = node_positions(body.complex, topology, body.rest, motion);
  const std::vector<Vec<double, d>> v = node_velocities(body.complex, topology, body.rest, motion);
  const std::vector<double> damage = node_damage(body.complex, topology, body.rest, motion);
  mesh.points.reserve(numbering.nodes.size());
  mesh.rest.reserve(numbering.nodes.size());
  for (const std::size_t node : numbering.nodes) {
    mesh.points.push_back(resized<double, 3>(y[node]));
    mesh.rest.push_back(resized<double, 3>(rest_position(body.complex, topology, body.rest, node)));
    mesh.vertex.push_back(vertex_of(body.complex, topology, node));
    if (!v.empty()) mesh.velocity.push_back(resized<double, 3>(v[node]));
    if (!damage.empty()) mesh.damage.push_back(damage[node]);
  }
  return mesh;
}

template SurfaceMesh crack_mesh(const CrackedBody<2>&, std::span<const std::uint8_t>, const CoreMotion<2>&);
template SurfaceMesh crack_mesh(const CrackedBody<3>&, std::span<const std::uint8_t>, const CoreMotion<3>&);

}  // namespace knead
