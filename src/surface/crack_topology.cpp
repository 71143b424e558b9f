#include "surface/crack_topology.h"

namespace knead {

namespace {

// How the corners of a feature fall into classes, by which of its edges are broken.
struct Classes {
  std::int8_t count = 0;
  std::array<std::int8_t, 4> of_corner{};  // numbered by their first corners
};

// The edges of a feature as pairs of its corners, in the order of the bits of a pattern.
constexpr int triangle_sides[3][2] = {{1, 2}, {2, 0}, {0, 1}};
constexpr int tet_sides[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// Union-find over the corners, joined by every edge that is not broken.
template <int corners, int sides>
constexpr Classes classes_of(const int (&side)[sides][2], unsigned broken) {
  int parent[4] = {0, 1, 2, 3};
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i];
    return i;
  };
  for (int s = 0; s < sides; ++s)
    if (!(broken >> s & 1)) {
      const int a = root(side[s][0]), b = root(side[s][1]);
      parent[a < b ? b : a] = a < b ? a : b;
    }
  Classes classes;
  int number[4] = {-1, -1, -1, -1};
  for (int i = 0; i < corners; ++i) {
    const int r = root(i);
    if (number[r] < 0) number[r] = classes.count++;
    classes.of_corner[static_cast<std::size_t>(i)] = static_cast<std::int8_t>(number[r]);
  }
  return classes;
}

template <int corners, int sides>
constexpr auto all_classes(const int (&side)[sides][2]) {
  std::array<Classes, (1u << sides)> table{};
  for (unsigned broken = 0; broken < table.size(); ++broken) table[broken] = classes_of<corners>(side, broken);
  return table;
}

constexpr auto triangle_classes = all_classes<3>(triangle_sides);
constexpr auto tet_classes = all_classes<4>(tet_sides);

template <std::size_t n>
std::uint8_t pattern_of(const std::array<int, n>& edges, std::span<const std::uint8_t> broken) {
  unsigned pattern = 0;
  for (std::size_t i = 0; i < n; ++i) pattern |= unsigned(broken[std::size_t(edges[i])] != 0) << i;
  return static_cast<std::uint8_t>(pattern);
}

// The nodes of one feature, a class each; returns the number of the first.
int add_nodes(std::vector<CoreNode>& nodes, std::size_t vertices, std::size_t feature, int dimension,
              const Classes& classes) {
  const std::size_t first = nodes.size();
  nodes.resize(first + std::size_t(classes.count),
               {static_cast<std::int32_t>(feature), static_cast<std::uint8_t>(dimension), 0});
  for (std::size_t i = 0; i <= std::size_t(dimension); ++i)
    nodes[first + std::size_t(classes.of_corner[i])].members |= static_cast<std::uint8_t>(1u << i);
  return static_cast<int>(vertices + first);
}

constexpr Classes both_ends{2, {0, 1}};

// Around a broken edge pq of a tetrahedron pqrs of positive volume, the cores of p and q face each other in the quad
// e_pq f_pqr t f_pqs, whose normal leads from p to q.
void add_quads(const CoreComplex<3>& complex, CrackTopology<3>& topology, std::size_t t) {
  constexpr int corners[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}};
  for (unsigned s = 0; s < 6; ++s) {
    if (!(topology.tet_broken[t] >> s & 1)) continue;
    const auto& [p, q, r, s_] = corners[s];
    const int e = complex.tet_edges[t][s];
    const int f_r = complex.tet_triangles[t][std::size_t(s_)], f_s = complex.tet_triangles[t][std::size_t(r)];
    const auto quad_of = [&](int core) -> std::array<int, 4> {
      return {topology.edge_node(complex, e, core), topology.triangle_node(complex, f_r, core),
              topology.tet_node(complex, int(t), core), topology.triangle_node(complex, f_s, core)};
    };
    topology.quads.push_back(quad_of(complex.tets[t][std::size_t(p)]));
    const auto facing = quad_of(complex.tets[t][std::size_t(q)]);
    topology.quads.push_back({facing[0], facing[3], facing[2], facing[1]});
  }
}

// Likewise in a triangle against the clock: the segment e_pq f bounds the core of p to its left, f e_pq that of q.
void add_lines(const CoreComplex<2>& complex, CrackTopology<2>& topology, std::size_t t) {
  for (unsigned s = 0; s < 3; ++s) {
    if (!(topology.triangle_broken[t] >> s & 1)) continue;
    const int e = complex.triangle_edges[t][s];
    const int p = complex.triangles[t][std::size_t(triangle_sides[s][0])];
    const int q = complex.triangles[t][std::size_t(triangle_sides[s][1])];
    topology.lines.push_back({topology.edge_node(complex, e, p), topology.triangle_node(complex, int(t), p)});
    topology.lines.push_back({topology.triangle_node(complex, int(t), q), topology.edge_node(complex, e, q)});
  }
}

}  // namespace

template <int d>
int CrackTopology<d>::edge_node(const CoreComplex<d>& complex, int edge, int p) const {
  return edge_first[std::size_t(edge)] + slot_of(complex.edges[std::size_t(edge)], p);
}
template <int d>
int CrackTopology<d>::triangle_node(const CoreComplex<d>& complex, int triangle, int p) const {
  const auto slot = std::size_t(slot_of(complex.triangles[std::size_t(triangle)], p));
  return triangle_first[std::size_t(triangle)] +
         triangle_classes[triangle_broken[std::size_t(triangle)]].of_corner[slot];
}
template <int d>
int CrackTopology<d>::tet_node(const CoreComplex<d>& complex, int tet, int p) const {
  const auto slot = std::size_t(slot_of(complex.tets[std::size_t(tet)], p));
  return tet_first[std::size_t(tet)] + tet_classes[tet_broken[std::size_t(tet)]].of_corner[slot];
}

template <int d>
CrackTopology<d> make_crack_topology(const CoreComplex<d>& complex, std::span<const std::uint8_t> broken) {
  CrackTopology<d> topology;
  const std::size_t vertices = complex.points.size();
  // The nodes of what has a broken edge
  topology.edge_first.assign(complex.edges.size(), -1);
  for (std::size_t e = 0; e < complex.edges.size(); ++e)
    if (broken[e]) topology.edge_first[e] = add_nodes(topology.nodes, vertices, e, 1, both_ends);
  topology.triangle_first.assign(complex.triangles.size(), -1);
  topology.triangle_broken.resize(complex.triangles.size());
  for (std::size_t t = 0; t < complex.triangles.size(); ++t)
    if (const std::uint8_t pattern = topology.triangle_broken[t] = pattern_of(complex.triangle_edges[t], broken))
      topology.triangle_first[t] = add_nodes(topology.nodes, vertices, t, 2, triangle_classes[pattern]);
  topology.tet_first.assign(complex.tets.size(), -1);
  topology.tet_broken.resize(complex.tets.size());
  for (std::size_t t = 0; t < complex.tets.size(); ++t)
    if (const std::uint8_t pattern = topology.tet_broken[t] = pattern_of(complex.tet_edges[t], broken))
      topology.tet_first[t] = add_nodes(topology.nodes, vertices, t, 3, tet_classes[pattern]);
  // What the crack is made of
  if constexpr (d == 3)
    for (std::size_t t = 0; t < complex.tets.size(); ++t) add_quads(complex, topology, t);
  else
    for (std::size_t t = 0; t < complex.triangles.size(); ++t) add_lines(complex, topology, t);
  return topology;
}

template <int d>
std::size_t count_nodes(const CoreComplex<d>& complex, const CrackTopology<d>& topology) {
  std::size_t count = complex.points.size() + topology.nodes.size();
  for (const int first : topology.edge_first) count += first < 0;
  for (const int first : topology.triangle_first) count += first < 0;
  for (const int first : topology.tet_first) count += first < 0;
  return count;
}

template struct CrackTopology<2>;
template struct CrackTopology<3>;
template CrackTopology<2> make_crack_topology(const CoreComplex<2>&, std::span<const std::uint8_t>);
template CrackTopology<3> make_crack_topology(const CoreComplex<3>&, std::span<const std::uint8_t>);
template std::size_t count_nodes(const CoreComplex<2>&, const CrackTopology<2>&);
template std::size_t count_nodes(const CoreComplex<3>&, const CrackTopology<3>&);

}  // namespace knead
