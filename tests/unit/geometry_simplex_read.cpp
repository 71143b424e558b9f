// Files of tetrahedra and triangles: every format gives the same mesh, and what is broken is said with its place.
#include "geometry/simplex_read.h"

#include "base/error.h"
#include "data/meshes.h"
#include "data/simplices.h"

#include <gtest/gtest.h>

namespace knead {
namespace {

using testing_meshes::put;
using testing_meshes::TemporaryFolder;

const std::vector<Vec3d> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1.5}, {9, 9, 9}};  // the last unused
const std::vector<std::array<int, 4>> tets{{0, 1, 2, 3}, {2, 1, 3, 4}};  // the second is inside out
const std::array<int, 3> triangle{0, 1, 2};                              // of the surface, to be passed by
const double volume = 1.0 / 6 + 2.5 / 6;

// Numbers of points in the files: neither from 0 nor in steps of 1.
long number(int p) { return 10 + 3 * p; }

std::string msh2_text() {
  std::string s = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"a $Nodes body\"\n$EndPhysicalNames\n";
  s += fmt::format("$Nodes\n{}\n", points.size());
  for (std::size_t p = 0; p < points.size(); ++p)
    s += fmt::format("{} {} {} {}\n", number(int(p)), points[p][0], points[p][1], points[p][2]);
  s += "$EndNodes\n$Elements\n3\n";
  s += fmt::format("1 2 2 0 1 {} {} {}\n", number(0), number(1), number(2));
  int n = 2;
  for (const auto& t : tets)
    s += fmt::format("{} 4 2 1 1 {} {} {} {}\n", n++, number(t[0]), number(t[1]), number(t[2]), number(t[3]));
  return s + "$EndElements\n";
}

std::string msh2_binary() {
  std::string s = "$MeshFormat\n2.2 1 8\n";
  put<std::int32_t>(s, 1);
  s += fmt::format("\n$EndMeshFormat\n$Nodes\n{}\n", points.size());
  for (std::size_t p = 0; p < points.size(); ++p) {
    put<std::int32_t>(s, int(number(int(p))));
    for (int k = 0; k < 3; ++k) put(s, points[p][k]);
  }
  s += "\n$EndNodes\n$Elements\n3\n";
  for (int v : {2, 1, 2, 1, 0, 1}) put<std::int32_t>(s, v);
  for (int p : triangle) put<std::int32_t>(s, int(number(p)));
  for (int v : {4, 2, 2}) put<std::int32_t>(s, v);
  for (std::size_t t = 0; t < tets.size(); ++t) {
    for (int v : {int(t) + 2, 1, 1}) put<std::int32_t>(s, v);
    for (int p : tets[t]) put<std::int32_t>(s, int(number(p)));
  }
  return s + "\n$EndElements\n";
}

// Two blocks of points, the second with parameters, and two of elements.
std::string msh4(bool binary) {
  std::string s = fmt::format("$MeshFormat\n4.1 {} 8\n", binary ? 1 : 0);
  auto ints = [&](std::initializer_list<int> values) {
    for (int v : values) binary ? put<std::int32_t>(s, v) : void(s += fmt::format("{} ", v));
  };
  auto sizes = [&](std::initializer_list<long> values) {
    for (long v : values)
      binary ? put<std::uint64_t>(s, static_cast<std::uint64_t>(v)) : void(s += fmt::format("{} ", v));
  };
  auto reals = [&](std::initializer_list<double> values) {
    for (double v : values) binary ? put(s, v) : void(s += fmt::format("{} ", v));
  };
  if (binary) put<std::int32_t>(s, 1), s += '\n';
  s += "$EndMeshFormat\n$Nodes\n";
  sizes({2, 6, 10, 25});
  ints({3, 1, 0}), sizes({4});
  for (int p = 0; p < 4; ++p) sizes({number(p)});
  for (std::size_t p = 0; p < 4; ++p) reals({points[p][0], points[p][1], points[p][2]});
  ints({2, 1, 1}), sizes({2});
  for (int p = 4; p < 6; ++p) sizes({number(p)});
  for (std::size_t p = 4; p < 6; ++p) reals({points[p][0], points[p][1], points[p][2], 0.25, 0.75});
  s += "\n$EndNodes\n$Elements\n";
  sizes({2, 3, 1, 3});
  ints({2, 1, 2}), sizes({1, 1, number(0), number(1), number(2)});
  ints({3, 1, 4}), sizes({2});
  for (std::size_t t = 0; t < 2; ++t)
    sizes({long(t) + 2, number(tets[t][0]), number(tets[t][1]), number(tets[t][2]), number(tets[t][3])});
  return s + "\n$EndElements\n";
}

std::string medit() {
  std::string s = "MeshVersionFormatted 2\n# a comment\nDimension\n3\nVertices\n6\n";
  for (const Vec3d& x : points) s += fmt::format("{} {} {} 7\n", x[0], x[1], x[2]);
  s += "Ridges 1\n1\nTriangles\n1\n1 2 3 0\nTetrahedra\n2\n";
  for (const auto& t : tets) s += fmt::format("{} {} {} {} -1\n", t[0] + 1, t[1] + 1, t[2] + 1, t[3] + 1);
  return s + "End\n";
}

std::string vtk(bool offsets) {
  std::string s =
      fmt::format("# vtk DataFile Version {}\ntwo POINTS 3\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 6 double\n",
                  offsets ? "5.1" : "3.0");
  for (const Vec3d& x : points) s += fmt::format("{} {} {}\n", x[0], x[1], x[2]);
  if (offsets)
    s += "CELLS 4 11\nOFFSETS vtktypeint64\n0 3 7 11\nCONNECTIVITY vtktypeint64\n0 1 2 0 1 2 3 2 1 3 4\n";
  else
    s += "CELLS 3 14\n3 0 1 2\n4 0 1 2 3\n4 2 1 3 4\n";
  return s + "CELL_TYPES 3\n5\n10\n10\nCELL_DATA 3\nSCALARS s int\nLOOKUP_TABLE default\n1 2 3\n";
}

const std::string node = [] {
  std::string s = "# points\n6 3 1 1\n";
  for (std::size_t p = 0; p < points.size(); ++p)
    s += fmt::format("{} {} {} {} 0.5 1\n", number(int(p)), points[p][0], points[p][1], points[p][2]);
  return s;
}();
const std::string ele = [] {
  std::string s = "2 4 1\n";
  for (std::size_t t = 0; t < 2; ++t)
    s += fmt::format("{} {} {} {} {} 1\n", t, number(tets[t][0]), number(tets[t][1]), number(tets[t][2]),
                     number(tets[t][3]));
  return s;
}();

TEST(SimplexRead, every_format_gives_the_same_mesh) {
  const TemporaryFolder folder;
  folder.write("t.node", node);
  const std::pair<const char*, std::string> files[] = {
      {"2t.msh", msh2_text()}, {"2b.msh", msh2_binary()}, {"4t.msh", msh4(false)}, {"4b.MSH", msh4(true)},
      {"m.mesh", medit()},     {"old.vtk", vtk(false)},   {"new.vtk", vtk(true)},  {"t.ele", ele}};
  for (const auto& [name, content] : files) {
    SCOPED_TRACE(name);
    SimplexReadReport report;
    const SimplexMesh<3> mesh = read_simplices<3>(folder.write(name, content), &report);
    ASSERT_EQ(mesh.points.size(), 5u);
    for (std::size_t p = 0; p < 5; ++p) EXPECT_TRUE(mesh.points[p] == points[p]);
    testing_meshes::expect_sound(mesh);
    EXPECT_NEAR(total_volume(mesh), volume, 1e-14);
    EXPECT_EQ(report.turned, 1u);
    EXPECT_EQ(report.unused, 1u);
    ASSERT_EQ(report.warnings.size(), 2u);
    EXPECT_NE(report.warnings[0].find("1 cell was inverted; reoriented"), std::string::npos);
    EXPECT_NE(report.warnings[1].find("1 point belongs to no cell; removed"), std::string::npos);
  }
}

TEST(SimplexRead, triangles_are_read_in_2d) {
  const TemporaryFolder folder;
  folder.write("t.node", "4 2 0 0\n1 0 0\n2 1 0\n3 1 1\n4 0 1\n");
  const SimplexMesh<2> mesh = read_simplices<2>(folder.write("t.ele", "2 3 0\n1 1 2 3\n2 1 3 4\n"));
  testing_meshes::expect_sound(mesh);
  EXPECT_NEAR(total_volume(mesh), 1, 1e-14);
  EXPECT_NEAR(total_volume(read_simplices<2>(folder.write("m.msh", msh2_text()))), 0.5, 1e-14);
}

std::string message(const TemporaryFolder& folder, const std::string& name, const std::string& content) {
  try {
    read_simplices<3>(folder.write(name, content));
  } catch (const Failure& e) {
    EXPECT_EQ(e.code, Exit::bad_input) << content;
    const std::string text = e.what(), path = (folder / name).string();
    return text.starts_with(path) ? text.substr(path.size()) : text;
  }
  return "nothing failed";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(SimplexRead, broken_files_are_told_with_line_and_remedy) {
  const TemporaryFolder folder;
  auto msh = [&](const std::string& from, const std::string& to) {
    return message(folder, "b.msh", replaced(msh2_text(), from, to));
  };
  EXPECT_EQ(msh("2 4 2 1 1 10 13 16 19", "2 4 2 1 1 10 13 16 99"),
            ":20: a cell has the corner 99, but there is no such point among the 6");
  EXPECT_EQ(msh("13 1 0 0", "-13 1 0 0"), ":11: a point has the number -13, but numbers cannot be negative");
  EXPECT_EQ(msh("13 1 0 0", "10 1 0 0"), ":11: there is another point with the number 10; each must be given once");
  EXPECT_EQ(msh("2 4 2 1 1", "2 4 2 -1 1"),
            ":20: element 2 has the tag -1, but tags of groups and bodies cannot be negative");
  EXPECT_EQ(msh("2 4 2 1 1 10 13 16 19", "2 4 2 1 1 10 13 16 16"), ":20: a cell has the corner 16 twice");
  EXPECT_EQ(msh("13 1 0 0", "13 1 nan 0"), ":11: point 13: the coordinate nan is not finite or beyond 1e+12");
  EXPECT_EQ(msh("13 1 0 0", "13 1 zero 0"), ":11: found 'zero' where a coordinate should be");
  EXPECT_EQ(msh("2.2 0 8", "5.0 0 8"),
            ":2: has the Gmsh version 5.0, but only 2.2 and 4.1 can be read; save it as one of these");
  EXPECT_EQ(msh("2 4 2 1 1", "2 77 2 1 1"), ":20: element type 77 is not known; mesh with triangles and tetrahedra");
  EXPECT_EQ(msh("$Nodes\n6", "$Nodes\n999999999"),
            fmt::format(":9: the number of nodes is 999999999, more than a file of {} bytes can hold",
                        msh2_text().size() + 8));
  EXPECT_EQ(msh("$Nodes\n6", "$Nodes\n7"), ":16: found '$EndNodes' where the number of a node should be");
  EXPECT_EQ(message(folder, "b.msh", ""), ":1: is not a Gmsh file: it must begin with $MeshFormat");
  EXPECT_EQ(message(folder, "b.msh", "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"),
            ": has no section $Nodes; it is truncated, or not a mesh");
  EXPECT_EQ(message(folder, "b.msh", msh2_binary().substr(0, 120)),
            ": at byte 117: the file ends where a coordinate should be; it is truncated");
  EXPECT_NE(message(folder, "b.mesh", replaced(medit(), "Tetrahedra\n2", "Corners\n2"))
                .find("has no tetrahedra (6 points, 1 triangle)"),
            std::string::npos);
  EXPECT_EQ(message(folder, "b.mesh", replaced(medit(), "1 2 3 4 -1", "1 2 3 7 -1")),
            ":20: a cell has the corner 7, but there is no such point among the 6");
  EXPECT_EQ(message(folder, "b.mesh", "hello"),
            ":1: is not a Medit file: it must begin with MeshVersionFormatted, not 'hello'");
  EXPECT_EQ(message(folder, "b.vtk", replaced(vtk(false), "ASCII", "BINARY")),
            ":3: is a binary VTK file; write it as text (ASCII), or as .msh");
  EXPECT_EQ(message(folder, "b.vtk", replaced(vtk(false), "4 2 1 3 4", "4 2 1 3 -4")),
            ":15: a cell has the corner -4, but there is no such point among the 6");
  EXPECT_EQ(message(folder, "b.vtk", replaced(vtk(true), "0 3 7 11", "0 8 7 11")), ":14: offsets must not fall");
  EXPECT_NE(message(folder, "b.vtk", replaced(vtk(false), "5\n10\n10", "5\n10\n12")).find("has 1 cell of another kind"),
            std::string::npos);
  EXPECT_NE(message(folder, "b.vtk", replaced(vtk(false), "1 1 1.5", "0.5 0.5 0")).find("1 of 2 cells have no volume"),
            std::string::npos);
  EXPECT_EQ(message(folder, "b.txt", "x"),
            ": '.txt' is not a kind of file with cells; use .msh, .mesh, .vtk, .node or .ele");
  folder.write("c.node", node);
  EXPECT_EQ(message(folder, "c.ele", "2 3 0\n"),
            ":1: cells have 3 corners, but in 3D they need 4 (up to 10 with points on edges)");
  EXPECT_EQ(message(folder, "c.ele", "3 4 1\n" + ele.substr(6)),
            ":3: the file ends where the number of a cell should be; it is truncated");
  EXPECT_NE(message(folder, "d.ele", ele).find("d.node: no such file"), std::string::npos);
}

// Whatever is cut off or overwritten: a message, never a crash or a wrong mesh without one.
TEST(SimplexRead, damaged_files_never_crash) {
  const TemporaryFolder folder;
  folder.write("e.node", node);
  const std::pair<const char*, std::string> files[] = {
      {"e.msh", msh2_text()}, {"f.msh", msh2_binary()}, {"g.msh", msh4(false)}, {"h.msh", msh4(true)},
      {"e.mesh", medit()},    {"e.vtk", vtk(true)},     {"e.ele", ele}};
  std::uint64_t random = 1;
  for (const auto& [name, content] : files)
    for (std::size_t n = 0; n < 150; ++n) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      std::string broken = content;
      const std::size_t at = (random >> 33) % broken.size();
      if (n % 2 == 0)
        broken.resize(at);
      else
        broken[at] = static_cast<char>(random >> 25);
      try {
        for (const auto& cell : read_simplices<3>(folder.write(name, broken)).cells)
          for (int p : cell) ASSERT_GE(p, 0);
      } catch (const Failure& e) {
        EXPECT_EQ(e.code, Exit::bad_input) << name << ": " << e.what();
      }
    }
}

}  // namespace
}  // namespace knead
