// The surface of cracked bodies: its topology, its geometry, its smoothing, its texture coordinates.
#include "surface/crack_mesh.h"

#include "base/error.h"
#include "surface/crack_smoothing.h"
#include "surface/stretch_history.h"
#include "validate/crack_samples.h"

#include <gtest/gtest.h>

#include <cmath>

namespace knead {
namespace {

using namespace knead::samples;

// Nodes by the plain union-find of the source: all copies (core, feature) apart at first, then united along whole
// edges.
template <int d>
std::size_t nodes_by_union_find(const CoreComplex<d>& complex, const std::vector<std::uint8_t>& broken) {
  std::map<std::pair<std::vector<int>, int>, int> item;  // (feature's corners, core)
  std::vector<int> parent;
  const auto add = [&](std::vector<int> corners) {
    std::sort(corners.begin(), corners.end());
    for (const int p : corners)
      item[{corners, p}] = static_cast<int>(parent.size()), parent.push_back(static_cast<int>(parent.size()));
  };
  std::vector<std::vector<int>> features;
  for (std::size_t p = 0; p < complex.points.size(); ++p) features.push_back({int(p)});
  for (const auto& f : complex.edges) features.emplace_back(f.begin(), f.end());
  for (const auto& f : complex.triangles) features.emplace_back(f.begin(), f.end());
  for (const auto& f : complex.tets) features.emplace_back(f.begin(), f.end());
  for (auto& f : features) add(f), std::sort(f.begin(), f.end());
  const auto root = [&](int i) {
    while (parent[std::size_t(i)] != i) i = parent[std::size_t(i)];
    return i;
  };
  for (std::size_t e = 0; e < complex.edges.size(); ++e) {
    if (broken[e]) continue;
    const auto& [a, b] = complex.edges[e];
    for (const auto& f : features)
      if (std::binary_search(f.begin(), f.end(), a) && std::binary_search(f.begin(), f.end(), b))
        parent[std::size_t(root(item[{f, a}]))] = root(item[{f, b}]);
  }
  std::size_t count = 0;
  for (std::size_t i = 0; i < parent.size(); ++i) count += parent[i] == int(i);
  return count;
}

template <int d>
void check_node_counts(const SimplexMesh<d>& mesh) {
  const auto complex = make_core_complex(mesh);
  const std::size_t V = complex.points.size(), E = complex.edges.size(), F = complex.triangles.size(),
                    T = complex.tets.size();
  const auto count = [&](const std::vector<std::uint8_t>& broken) {
    return count_nodes(complex, make_crack_topology(complex, broken));
  };
  EXPECT_EQ(count(std::vector<std::uint8_t>(E, 0)), V + E + F + T);
  EXPECT_EQ(count(std::vector<std::uint8_t>(E, 1)), V + 2 * E + 3 * F + 4 * T);
  for (const double share : {0.1, 0.5, 0.9}) {
    const auto broken = some_broken(complex, share, 3);
    EXPECT_EQ(count(broken), nodes_by_union_find(complex, broken));
  }
}

TEST(SurfaceCracks, nodes_are_those_of_the_union_find) {
  check_node_counts(box_of_tets(2, 2, 2));
  check_node_counts(box_of_triangles(4, 3));
}

TEST(SurfaceCracks, edges_are_counted_ascending) {
  const auto complex = make_core_complex(box_of_tets(2, 2, 1));
  EXPECT_TRUE(std::is_sorted(complex.edges.begin(), complex.edges.end()));
  for (const auto& [a, b] : complex.edges) EXPECT_LT(a, b);
  // Euler's formula of a ball.
  EXPECT_EQ(complex.points.size() + complex.triangles.size(), complex.edges.size() + complex.tets.size() + 1);
}

TEST(SurfaceCracks, any_broken_edges_leave_a_closed_surface_of_the_same_volume) {
  const CrackedBody<3> body = uncracked(box_of_tets(4, 3, 3, 0.2));
  for (int percent = 0; percent <= 100; percent += 5) {
    const auto broken = some_broken(body.complex, percent / 100., unsigned(percent));
    const SurfaceMesh mesh = crack_mesh<3>(body, broken, at_rest(body.complex));
    EXPECT_TRUE(closed_and_manifold(mesh)) << percent << " %";
    double volume = 0;
    for (const double v : volumes(mesh, pieces_of(mesh))) volume += v;
    EXPECT_NEAR(volume, 3. / 4 * 3. / 4, 1e-12) << percent << " %";  // round-off of some ten thousand triangles
  }
}

TEST(SurfaceCracks, every_core_has_a_quarter_of_its_tetrahedra_when_all_is_broken) {
  const SimplexMesh<3> tets = box_of_tets(3, 2, 2, 0.2);
  const CrackedBody<3> body = uncracked(tets);
  const std::vector<std::uint8_t> broken(body.complex.edges.size(), 1);
  const SurfaceMesh mesh = crack_mesh<3>(body, broken, at_rest(body.complex));
  const Pieces pieces = pieces_of(mesh);
  std::vector<double> expected = core_volumes(tets), found = volumes(mesh, pieces);
  ASSERT_EQ(pieces.count, int(tets.points.size()));
  std::sort(expected.begin(), expected.end());
  std::sort(found.begin(), found.end());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-14);
}

TEST(SurfaceCracks, a_planar_cut_makes_two_pieces_of_the_right_volumes) {
  const SimplexMesh<3> tets = box_of_tets(4, 3, 2, 0.2);
  const CrackedBody<3> body = uncracked(tets);
  const double plane = 0.4;
  const SurfaceMesh mesh = crack_mesh<3>(body, cut_at(body.complex, plane), at_rest(body.complex));
  EXPECT_TRUE(closed_and_manifold(mesh));
  const Pieces pieces = pieces_of(mesh);
  ASSERT_EQ(pieces.count, 2);
  const std::vector<double> cores = core_volumes(tets), found = volumes(mesh, pieces);
  double low = 0, high = 0;
  for (std::size_t p = 0; p < cores.size(); ++p) (tets.points[p][0] < plane ? low : high) += cores[p];
  const int first = pieces.of_point[0];  // the corner at the origin
  EXPECT_NEAR(found[std::size_t(first)], low, 1e-12);
  EXPECT_NEAR(found[std::size_t(1 - first)], high, 1e-12);
}

// Velocities are what positions change by, also of nodes that several cores share, and damage is their mean.
TEST(SurfaceCracks, points_move_with_their_velocity) {
  const CrackedBody<3> body = uncracked(box_of_tets(3, 2, 2, 0.2));
  const auto broken = some_broken(body.complex, 0.3, 5);
  const auto at_time = [&](double t) {
    CoreMotion<3> motion = at_rest(body.complex);
    for (std::size_t p = 0; p < motion.x.size(); ++p) {
      const double w = 0.5 + 0.1 * double(p % 7);  // rad/s, about z
      const Vec3d v{0.1 * double(p % 3), 0.2, -0.1 * double(p % 5)};
      motion.x[p] += v * t;
      motion.R[p] = {{std::cos(w * t), -std::sin(w * t), 0, std::sin(w * t), std::cos(w * t), 0, 0, 0, 1}};
      motion.v.push_back(v), motion.spin.push_back({{0, -w, 0, w, 0, 0, 0, 0, 0}});
      motion.damage.push_back(0.25);
    }
    return crack_mesh<3>(body, broken, motion);
  };
  const double dt = 1e-4;
  const SurfaceMesh before = at_time(1 - dt), now = at_time(1), after = at_time(1 + dt);
  ASSERT_EQ(now.velocity.size(), now.points.size());
  ASSERT_EQ(now.damage.size(), now.points.size());
  for (std::size_t i = 0; i < now.points.size(); ++i) {
    EXPECT_LT(length((after.points[i] - before.points[i]) / (2 * dt) - now.velocity[i]), 1e-7);  // of order dt^2
    EXPECT_NEAR(now.damage[i], 0.25, 1e-15);
  }
  EXPECT_TRUE(crack_mesh<3>(body, broken, at_rest(body.complex)).velocity.empty());
}

TEST(SurfaceCracks, any_broken_edges_leave_closed_outlines_in_2d) {
  const CrackedBody<2> body = uncracked(box_of_triangles(7, 5));
  for (int percent = 0; percent <= 100; percent += 10) {
    const auto broken = some_broken(body.complex, percent / 100., unsigned(percent));
    const SurfaceMesh mesh = crack_mesh<2>(body, broken, at_rest(body.complex));
    std::vector<int> in(mesh.points.size(), 0), out(mesh.points.size(), 0);
    double area = 0, filled = 0;
    for (const Vec2i& line : mesh.lines) {
      ++out[std::size_t(line[0])], ++in[std::size_t(line[1])];
      area += cross(mesh.points[std::size_t(line[0])], mesh.points[std::size_t(line[1])])[2] / 2;
    }
    for (std::size_t p = 0; p < in.size(); ++p) EXPECT_TRUE(in[p] == out[p] && in[p] <= 1);
    for (const Vec3i& t : mesh.triangles) {
      const auto at = [&](int k) { return mesh.points[std::size_t(t[k])]; };
      filled += cross(at(1) - at(0), at(2) - at(0))[2] / 2;
    }
    EXPECT_NEAR(area, 5. / 7, 1e-13);
    EXPECT_NEAR(filled, 5. / 7, 1e-13);
  }
}

TEST(SurfaceCracks, an_uncracked_body_moves_like_its_input_surface) {
  const CrackedBody<3> body = uncracked(box_of_tets(3, 3, 3, 0.2));
  const Mat3d R = rotation_of(Vec<double, 4>{0.3, -0.5, 0.7, 0.2});
  EXPECT_NEAR(determinant(R), 1, 1e-14);
  CoreMotion<3> motion = at_rest(body.complex);
  for (auto& x : motion.x) x = R * x + Vec3d{3, -2, 1};
  for (auto& r : motion.R) r = R;
  const std::vector<std::uint8_t> whole(body.complex.edges.size(), 0);
  const SurfaceMesh mesh = crack_mesh<3>(body, whole, motion);
  ASSERT_EQ(mesh.triangles.size(), body.complex.sheet.size());
  for (std::size_t p = 0; p < mesh.points.size(); ++p)
    EXPECT_LT(length(mesh.points[p] - (R * mesh.rest[p] + Vec3d{3, -2, 1})), 1e-14);
  // Cracked too: every node of every core agrees with the one motion.
  const SurfaceMesh cracked = crack_mesh<3>(body, some_broken(body.complex, 0.5, 1), motion);
  for (std::size_t p = 0; p < cracked.points.size(); ++p)
    EXPECT_LT(length(cracked.points[p] - (R * cracked.rest[p] + Vec3d{3, -2, 1})), 1e-14);
}

TEST(SurfaceCracks, a_core_broken_off_moves_rigidly_with_its_particle) {
  const CrackedBody<2> body = uncracked(box_of_triangles(2, 2));
  CoreMotion<2> motion = at_rest(body.complex);
  motion.x[4] = motion.x[4] + Vec2d{0.1, 0.7};  // the one in the middle
  motion.R[4] = rotation_of(0.8);
  std::vector<std::uint8_t> broken;
  for (const auto& [a, b] : body.complex.edges) broken.push_back(a == 4 || b == 4);
  const SurfaceMesh mesh = crack_mesh<2>(body, broken, motion);
  // The triangles that make up its core are those that hold the moved particle.
  int found = 0;
  for (const Vec3i& t : mesh.triangles) {
    if (t[0] != 4 && t[1] != 4 && t[2] != 4) continue;
    ++found;
    for (int k = 0; k < 3; ++k) {
      const auto p = std::size_t(t[k]);
      const Vec2d X = resized<double, 2>(mesh.rest[p]), x = resized<double, 2>(mesh.points[p]);
      EXPECT_LT(length(x - (motion.R[4] * (X - body.complex.points[4]) + motion.x[4])), 1e-15);
    }
  }
  EXPECT_EQ(found, 12);  // two of each of the six triangles at it
}

TEST(SurfaceCracks, an_edge_breaks_when_stretched_and_stays_broken) {
  const auto complex = make_core_complex(box_of_triangles(1, 1));
  StretchHistory history = make_stretch_history(complex.edges.size(), 1.5);
  std::vector<Vec2d> x = complex.points;
  record(history, edge_stretch<2>(complex, x));
  for (auto& p : x) p = p * 1.6;
  record(history, edge_stretch<2>(complex, x));
  record(history, edge_stretch<2>(complex, complex.points));
  for (std::size_t e = 0; e < complex.edges.size(); ++e) {
    EXPECT_EQ(history.broken_at[e], 1);
    EXPECT_FLOAT_EQ(history.stretch[e], 1.6f);
    EXPECT_EQ(broken_edges(history, 0)[e], 0);
    EXPECT_EQ(broken_edges(history, 1)[e], 1);
    EXPECT_EQ(broken_edges(history, 2)[e], 1);
  }
  StretchHistory cached = make_stretch_history(2, 1.2);
  record(cached, std::vector<float>{1.1f, 1.3f});
  record(cached, std::vector<float>{1.25f, 1.0f});
  EXPECT_EQ(cached.broken_at, (std::vector<int>{1, 0}));
  EXPECT_EQ(cached.stretch, (std::vector<float>{1.25f, 1.3f}));
}

TEST(SurfaceCracks, smoothing_evens_the_crack_and_keeps_its_points_in_place) {
  CrackedBody<3> body = uncracked(box_of_tets(6, 5, 5, 0.3));
  const auto broken = cut_at(body.complex, 0.55);
  double before = roughness(body, broken);
  for (const int iterations : {2, 18}) {  // 20 in all
    smooth_crack<3>(body.complex, broken, {iterations, true}, body.rest);
    const double after = roughness(body, broken);
    EXPECT_LT(after, before);
    before = after;
  }
  for (std::size_t e = 0; e < body.complex.edges.size(); ++e) {
    EXPECT_GE(body.rest.along[e], least_share);
    EXPECT_LE(body.rest.along[e], 1 - least_share);
  }
  for (std::size_t f = 0; f < body.complex.triangles.size(); ++f) {
    double sum = 0;
    Vec3d at{};
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_GE(body.rest.inside[f][k], least_share * (1 - 1e-12));
      sum += body.rest.inside[f][k];
      at += body.complex.points[std::size_t(body.complex.triangles[f][k])] * body.rest.inside[f][k];
    }
    EXPECT_NEAR(sum, 1, 1e-14);
    EXPECT_LT(length(at - body.rest.triangle[f]), 1e-14);
  }
  // The outside is where it was, and both faces of the crack are one: not a drop of volume is lost.
  const SurfaceMesh mesh = crack_mesh<3>(body, broken, at_rest(body.complex));
  EXPECT_TRUE(closed_and_manifold(mesh));
  double volume = 0;
  for (const double v : volumes(mesh, pieces_of(mesh))) volume += v;
  EXPECT_NEAR(volume, 5. / 6 * 5. / 6, 1e-12);
}

TEST(SurfaceCracks, without_iterations_nothing_moves) {
  CrackedBody<3> body = uncracked(box_of_tets(2, 2, 2));
  const RestPoints<3> before = body.rest;
  smooth_crack<3>(body.complex, cut_at(body.complex, 0.3), {0, true}, body.rest);
  EXPECT_EQ(body.rest.along, before.along);
  EXPECT_EQ(body.rest.inside, before.inside);
  EXPECT_TRUE(body.rest.tet == before.tet);
}

TEST(SurfaceCracks, a_cut_through_a_sheet_becomes_straight) {
  // Squares cut along x = const by triangles whose points zigzag; the smoothed crack is the straight line, because the
  // points at its ends lie straight above each other.
  CrackedBody<2> body = uncracked(box_of_triangles(4, 12));
  const auto broken = cut_at(body.complex, 0.4);
  smooth_crack<2>(body.complex, broken, {400, true}, body.rest);
  for (std::size_t e = 0; e < body.complex.edges.size(); ++e)
    if (broken[e]) {
      EXPECT_NEAR(body.rest.edge[e][0], 0.375, 1e-6);  // the middle of the edges at both ends
    }
}

TEST(SurfaceCracks, an_edge_is_crossed_where_the_way_over_the_surface_is_shortest) {
  SimplexMesh<3> one;
  one.points = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0.1}, {0.5, 0.1, 0.4}};
  one.cells = {{0, 1, 2, 3}};
  CrackedBody<3> body = uncracked(one);
  const std::vector<std::uint8_t> broken{1, 0, 0, 0, 0, 0};  // from 0 to 1; both triangles at it are tips and stay
  smooth_crack<3>(body.complex, broken, {1, true}, body.rest);
  std::vector<Vec3d> tips;
  for (const int i : body.complex.edge_sheet[0])
    tips.push_back(body.rest.triangle[std::size_t(body.complex.sheet[std::size_t(i)].triangle)]);
  const auto way = [&](double s) {
    const Vec3d e = one.points[1] * s;
    return length(tips[0] - e) + length(tips[1] - e);
  };
  EXPECT_GT(std::abs(body.rest.along[0] - 0.5), 0.01);
  for (const double off : {-1e-3, 1e-3}) EXPECT_LT(way(body.rest.along[0]), way(body.rest.along[0] + off));
}

// Texture coordinates with a seam: every input triangle has its own.
CrackedBody<3> textured() {
  CrackedBody<3> body = uncracked(box_of_tets(4, 4, 4, 0.2));
  for (std::size_t i = 0; i < body.complex.sheet.size(); ++i)
    body.uv.push_back({Vec2d{0.1 * double(i), 1. / 3}, Vec2d{0.7, 0.2 + double(i)}, Vec2d{0.3, 0.9 * double(i)}});
  return body;
}

TEST(SurfaceCracks, triangles_that_no_crack_reaches_are_the_inputs_bit_by_bit) {
  const CrackedBody<3> body = textured();
  const auto broken = cut_at(body.complex, 0.4);
  const SurfaceMesh mesh = crack_mesh<3>(body, broken, at_rest(body.complex));
  ASSERT_EQ(mesh.uv.size(), mesh.outer);
  ASSERT_EQ(mesh.source.size(), mesh.outer);
  std::vector<int> parts(body.complex.sheet.size(), 0);
  for (std::size_t t = 0; t < mesh.outer; ++t) ++parts[std::size_t(mesh.source[t])];
  std::size_t whole = 0, split = 0;
  for (std::size_t t = 0; t < mesh.outer; ++t) {
    const auto i = std::size_t(mesh.source[t]);
    const auto& sheet = body.complex.sheet[i];
    bool reached = false;
    for (const int e : body.complex.triangle_edges[std::size_t(sheet.triangle)]) reached |= broken[std::size_t(e)] != 0;
    ASSERT_EQ(reached, parts[i] > 1);
    ++(reached ? split : whole);
    if (reached) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(mesh.uv[t][k], body.uv[i][k]);
      EXPECT_EQ(mesh.rest[std::size_t(mesh.triangles[t][int(k)])], body.complex.points[std::size_t(sheet.corners[k])]);
    }
  }
  EXPECT_GT(whole, 100u);
  EXPECT_GT(split, 50u);
}

TEST(SurfaceCracks, texture_coordinates_of_parts_are_those_of_their_place_in_the_triangle) {
  CrackedBody<3> body = textured();
  const auto broken = some_broken(body.complex, 0.4, 5);
  smooth_crack<3>(body.complex, broken, {5, true}, body.rest);
  const SurfaceMesh mesh = crack_mesh<3>(body, broken, at_rest(body.complex));
  for (std::size_t t = 0; t < mesh.outer; ++t) {
    const auto i = std::size_t(mesh.source[t]);
    const auto& c = body.complex.sheet[i].corners;
    const Vec3d a = body.complex.points[std::size_t(c[0])], u = body.complex.points[std::size_t(c[1])] - a,
                v = body.complex.points[std::size_t(c[2])] - a, n = cross(u, v);
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3d w = mesh.rest[std::size_t(mesh.triangles[t][int(k)])] - a;
      EXPECT_NEAR(dot(w, n), 0, 1e-15);
      const double s = dot(cross(w, v), n) / dot(n, n), r = dot(cross(u, w), n) / dot(n, n);
      const Vec2d uv = body.uv[i][0] * (1 - s - r) + body.uv[i][1] * s + body.uv[i][2] * r;
      EXPECT_LT(length(uv - mesh.uv[t][k]), 1e-11);  // coordinates up to 200
    }
  }
}

TEST(SurfaceCracks, the_inputs_vertices_come_first_in_their_order) {
  // A mesh whose first eight points are a box, as an input's would be, and one in the middle.
  SimplexMesh<3> cube = box_of_tets(1, 1, 1);
  CrackedBody<3> body = uncracked(cube);
  body.input_vertices = 8;
  for (const double share : {0., 0.5, 1.}) {
    const SurfaceMesh mesh = crack_mesh<3>(body, some_broken(body.complex, share, 9), at_rest(body.complex));
    for (std::size_t p = 0; p < 8; ++p) EXPECT_EQ(mesh.points[p], cube.points[p]);
  }
  // Inside vertices are no points of the surface, those of the boundary keep their order.
  const CrackedBody<3> larger = uncracked(box_of_tets(2, 2, 2));
  const std::vector<std::uint8_t> whole(larger.complex.edges.size(), 0);
  const SurfaceMesh mesh = crack_mesh<3>(larger, whole, at_rest(larger.complex));
  ASSERT_EQ(mesh.points.size(), 26u);
  for (std::size_t p = 0; p < 26; ++p) EXPECT_EQ(mesh.points[p], larger.complex.points[p < 13 ? p : p + 1]);
}

TEST(SurfaceCracks, the_surface_keeps_the_order_and_the_corners_of_the_input) {
  const SimplexMesh<3> tets = box_of_tets(2, 2, 2);
  std::vector<std::array<int, 3>> surface;
  for (const SheetTriangle& t : make_core_complex(tets).sheet)
    surface.push_back({t.corners[1], t.corners[2], t.corners[0]});
  std::reverse(surface.begin(), surface.end());
  const auto complex = make_core_complex(tets, surface);
  for (std::size_t i = 0; i < surface.size(); ++i) EXPECT_EQ(complex.sheet[i].corners, surface[i]);
  std::swap(surface[3][0], surface[3][1]);
  EXPECT_THROW(make_core_complex(tets, surface), Failure);  // turned inside
  surface.pop_back();
  EXPECT_THROW(make_core_complex(tets, surface), Failure);  // one is missing
}

TEST(SurfaceCracks, meshes_that_have_no_surface_are_refused) {
  SimplexMesh<3> inverted = box_of_tets(1, 1, 1);
  std::swap(inverted.cells[2][0], inverted.cells[2][1]);
  EXPECT_THROW(make_core_complex(inverted), Failure);
  // Three tetrahedra on one triangle, and three triangles on one edge.
  SimplexMesh<3> fan;
  fan.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.1, 0, 1}, {0, 0.1, 1}};
  fan.cells = {{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 1, 2, 5}};
  EXPECT_THROW(make_core_complex(fan), Failure);
  SimplexMesh<2> flat;
  flat.points = {{0, 0}, {1, 0}, {0, 1}, {0.5, 1}, {1, 1}};
  flat.cells = {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}};
  EXPECT_THROW(make_core_complex(flat), Failure);
}

TEST(SurfaceCracks, a_body_that_touches_itself_along_an_edge_has_a_surface) {
  // Two boxes of tetrahedra with an edge of the mesh in common: four triangles meet there.
  SimplexMesh<3> mesh = box_of_tets(2, 2, 2);
  const SimplexMesh<3> box = mesh;
  std::vector<int> place;
  for (const Vec3d& p : box.points) {
    const Vec3d q = p + Vec3d{1, 1, 0.5};
    const auto same = std::find_if(mesh.points.begin(), mesh.points.begin() + std::ptrdiff_t(box.points.size()),
                                   [&](const Vec3d& r) { return length(q - r) < 1e-12; });
    place.push_back(static_cast<int>(same - mesh.points.begin()));
    if (same != mesh.points.begin() + std::ptrdiff_t(box.points.size())) continue;
    place.back() = static_cast<int>(mesh.points.size());
    mesh.points.push_back(q);
  }
  for (const auto& cell : box.cells)
    mesh.cells.push_back({place[std::size_t(cell[0])], place[std::size_t(cell[1])], place[std::size_t(cell[2])],
                          place[std::size_t(cell[3])]});
  ASSERT_EQ(mesh.points.size(), 2 * box.points.size() - 2);
  CrackedBody<3> body = uncracked(mesh);
  for (const double share : {0., 0.3, 0.8, 1.}) {
    const auto broken = some_broken(body.complex, share, 5);
    smooth_crack(body.complex, std::span<const std::uint8_t>(broken), Smoothing{}, body.rest);
    const SurfaceMesh surface = crack_mesh<3>(body, broken, at_rest(body.complex));
    // Every side is run as often one way as the other.
    std::map<std::pair<int, int>, int> balance;
    for (const Vec3i& t : surface.triangles)
      for (int k = 0; k < 3; ++k) {
        const int a = t[k], b = t[(k + 1) % 3];
        balance[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
      }
    for (const auto& [side, sum] : balance) EXPECT_EQ(sum, 0) << share;
    const std::vector<double> volume = volumes(surface, pieces_of(surface));
    EXPECT_NEAR(std::accumulate(volume.begin(), volume.end(), 0.), 2, 1e-12) << share;
  }
}

TEST(SurfaceCracks, normals_are_split_at_creases_and_between_outside_and_crack) {
  const CrackedBody<3> body = uncracked(box_of_tets(4, 4, 4));
  const SurfaceMesh mesh = crack_mesh<3>(body, cut_at(body.complex, 0.4), at_rest(body.complex));
  const CornerNormals normals = corner_normals(mesh);
  for (std::size_t t = 0; t < mesh.outer; ++t)
    for (int k = 0; k < 3; ++k) {
      const Vec3f n = normals.normals[std::size_t(normals.of_corner[t][k])];
      EXPECT_NEAR(std::abs(n[0]) + std::abs(n[1]) + std::abs(n[2]), 1, 1e-6);  // of a side of the box
    }
  const SplitMesh split = split_corners(mesh);
  ASSERT_EQ(split.triangles.size(), mesh.triangles.size());
  for (std::size_t p = 0; p < mesh.points.size(); ++p) EXPECT_EQ(split.point[p], int(p));
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int k = 0; k < 3; ++k) {
      const auto v = std::size_t(split.triangles[t][k]);
      EXPECT_EQ(split.point[v], mesh.triangles[t][k]);
      EXPECT_EQ(split.normals[v], normals.normals[std::size_t(normals.of_corner[t][k])]);
    }
}

}  // namespace
}  // namespace knead
