// Mesh files that are wrong: each gives its message and exit code, quickly, and never crashes.
#include "base/error.h"
#include "data/meshes.h"
#include "geometry/mesh.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <chrono>
#include <random>

namespace knead {
namespace {

using namespace testing_meshes;

const TriangleMesh box = box_mesh({}, {1, 1, 1});

Failure failure_of(const std::filesystem::path& file) {
  try {
    read_mesh(file);
  } catch (const Failure& e) {
    return e;
  }
  return Failure(Exit::done, "nothing failed");
}

// Writes a file, reads it as a mesh, and compares what follows the file's name in the message.
void expect_message(const std::string& name, const std::string& content, const std::string& message) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.write(name, content);
  const Failure f = failure_of(file);
  EXPECT_EQ(f.code, Exit::bad_input) << name;
  EXPECT_EQ(std::string(f.what()), file.string() + message);
}

TEST(MeshFile, without_faces_is_refused) {
  expect_message("a.obj", "", ": has no faces (0 vertices); a mesh needs triangles");
  expect_message("a.obj", "# nothing\n# here\n", ": has no faces (0 vertices); a mesh needs triangles");
  expect_message("a.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n", ": has no faces (2 vertices); a mesh needs triangles");
  expect_message("a.stl", "", ": is empty; a mesh needs triangles");
  expect_message("a.stl", "solid a\nendsolid a\n", ": has no faces; a mesh needs triangles");
  expect_message("a.stl", stl_binary({}), ": has no faces; a mesh needs triangles");
  expect_message("a.ply", ply_text({{{0, 0, 0}}, {}}), ": has no faces (1 vertices); a mesh needs triangles");
}

TEST(MeshFile, obj_indices_are_checked) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  expect_message("a.obj", three + "f 0 1 2\n", ":4: face index 0: indices count from 1 (or back from -1)");
  expect_message("a.obj", three + "f 1 2 4\n", ":4: face index 4 but only 3 vertices stand above");
  expect_message("a.obj", three + "f 1 2 -5\n", ":4: relative face index -5 but only 3 vertices stand above");
  expect_message("a.obj", three + "f 1 2 99999999999999999999\n",
                 ":4: the face's corner '99999999999999999999' is not a vertex index");
  expect_message("a.obj", three + "f 1\n", ":4: a face has 1 corner but needs at least 3");
  expect_message("a.obj", three + "f 1 2\n", ":4: a face has 2 corners but needs at least 3");
  expect_message("a.obj", three + "f a b c\n", ":4: the face's corner 'a' is not a vertex index");
  std::string many = three + "f";
  for (int i = 0; i < 100000; ++i) many += " 1";
  expect_message("a.obj", many + "\n", ":4: a face has more than 4096 corners");
}

TEST(MeshFile, texture_coordinates_are_checked) {
  const std::string three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n", mapped = three + "vt 0 0\nvt 1 0\n";
  expect_message("a.obj", mapped + "f 1/1 2/2 3/3\n",
                 ":6: texture index 3 but only 2 texture coordinates (vt) stand above");
  expect_message("a.obj", mapped + "f 1/1 2/2 3/-3\nvt 0 1\n",
                 ":6: relative texture index -3 but only 2 texture coordinates (vt) stand above");
  expect_message("a.obj", mapped + "f 1/1 2/0 3/2\n", ":6: texture index 0: indices count from 1 (or back from -1)");
  expect_message("a.obj", three + "f 1/1 2/1 3/1\n",
                 ":4: texture index 1 but only 0 texture coordinates (vt) stand above");
  expect_message("a.obj", mapped + "f 1/1 2/b 3/2\n",
                 ":6: the face's corner '2/b' has no index of texture coordinates behind its slash");
  expect_message("a.obj", mapped + "f 1/1 2 3/2\n",
                 ":6: 2 of the face's 3 corners have texture coordinates; give them to all or to none");
  expect_message("a.obj", mapped + "f 1/1/1/1 2/2 3/2\n",
                 ":6: the face's corner '1/1/1/1' is not v, v/vt, v//vn or v/vt/vn");
  expect_message("a.obj", mapped + "f 1/1/x 2/2 3/2\n",
                 ":6: the face's corner '1/1/x' is not v, v/vt, v//vn or v/vt/vn");
  expect_message("a.obj", three + "vt\n", ":4: 'vt' needs texture coordinates u v");
  expect_message("a.obj", three + "vt 0.5 nan\n", ":4: the texture coordinate 'nan' is not a finite number");
  expect_message("a.obj", three + "vt 0.5 1,5\n", ":4: the texture coordinate '1,5' is not a finite number");

  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
      "property float z\nproperty float s\nproperty float t\nelement face 1\n"
      "property list uchar int vertex_indices\nproperty list uchar float texcoord\nend_header\n";
  const std::string vertices = "0 0 0 0 0\n1 0 0 1 0\n0 1 0 0 ";
  expect_message("a.ply", head + vertices + "inf\n", ":15: vertex 3: the texture coordinate inf is not finite");
  expect_message("a.ply", head + vertices + "1\n3 0 1 2 4 0 0 1 0\n",
                 ":16: face 1 has 4 numbers as texcoord, but its 3 corners need 6");
  expect_message("a.ply", head + vertices + "1\n3 0 1 2 6 0 0 1 0 nan 0\n",
                 ":16: face 1: the texture coordinate nan is not finite");
  TriangleMesh mapped_box = box;
  mapped_box.uv.assign(box.triangles.size(), {});
  mapped_box.uv.back()[1][0] = std::numeric_limits<double>::infinity();
  expect_message("a.glb", glb(mapped_box), ": has texture coordinates that are not finite");
}

TEST(MeshFile, coordinates_are_checked) {
  expect_message("a.obj", "v 0 0 0\nv nan 0 0\n", ":2: vertex 2: the coordinate nan is not finite or beyond 1e+12");
  expect_message("a.obj", "v 0 0 -inf\n", ":1: vertex 1: the coordinate -inf is not finite or beyond 1e+12");
  expect_message("a.obj", "v 0 1e39 0\n", ":1: vertex 1: the coordinate 1e39 is not finite or beyond 1e+12");
  expect_message("a.obj", "v 0 1e999 0\n", ":1: vertex 1: '1e999' is not a number");
  expect_message("a.obj", "v 0 0\n", ":1: a vertex needs three coordinates");
  expect_message("a.obj", "v 0 zero 0\n", ":1: vertex 1: 'zero' is not a number");
  TriangleMesh broken = box;
  broken.vertices[2][1] = std::numeric_limits<double>::quiet_NaN();
  expect_message("a.ply", ply_text(broken), ":13: vertex 3: the coordinate nan is not finite or beyond 1e+12");
  expect_message("a.stl", stl_text(broken), ":5: the coordinate nan is not finite or beyond 1e+12");
  expect_message("a.stl", stl_binary(broken),
                 ": byte 96: triangle 1 has a coordinate that is not finite or beyond 1e+12");
  expect_message("a.glb", glb(broken), ": vertex 3 of part 1 has a coordinate that is not finite or beyond 1e+12");
}

TEST(MeshFile, long_lines_are_refused) {
  expect_message("a.obj", "v 0 0 0\n# " + std::string(3 << 20, 'x') + "\n", ":2: is longer than 1048576 bytes");
  std::string joined;
  for (int i = 0; i < 40; ++i) joined += std::string(50000, ' ') + "\\\n";
  expect_message("a.obj", "f " + joined, ":21: goes on for more than 1048576 bytes");
}

TEST(MeshFile, ply_is_checked) {
  const std::string good = ply_text(box);
  auto replaced = [&](const std::string& from, const std::string& to) {
    std::string s = good;
    return s.replace(s.find(from), from.size(), to);
  };
  expect_message("a.ply", "PLY\n", ":1: a PLY file begins with the line 'ply'");
  expect_message("a.ply", replaced("end_header\n", ""), ":10: '-0.5' is not a word of a PLY header");
  expect_message("a.ply", "ply\nformat ascii 1.0\n", ": the header has no 'end_header'");
  expect_message("a.ply", replaced("format ascii 1.0\n", ""), ": the header has no 'format'");
  expect_message("a.ply", replaced("ascii", "binary_middle_endian"),
                 ":2: the format 'binary_middle_endian' is not ascii, binary_little_endian or binary_big_endian");
  expect_message("a.ply", replaced("float x", "real x"),
                 ":5: 'real' is not a PLY type (char, uchar, short, ushort, int, uint, float, double)");
  expect_message("a.ply", replaced("element vertex 8", "element vertex -8"),
                 ":4: element 'vertex' needs a count from 0 to 200000000");
  expect_message("a.ply", replaced("property float z\n", ""), ": vertices need the properties x, y and z");
  expect_message("a.ply", replaced("vertex_indices", "corners"), ": faces need the property vertex_indices");
  expect_message("a.ply", replaced("3 0 2 1", "3 0 2 8"),
                 ":19: face 1: vertex index 8 but there are 8 vertices (0 to 7)");
  expect_message("a.ply", replaced("3 0 2 1", "3 0 2 -1"),
                 ":19: face 1: vertex index -1 but there are 8 vertices (0 to 7)");
  expect_message("a.ply", replaced("3 0 2 1", "-3 0 2 1"), ":19: face 1: a list cannot have -3 entries");
  expect_message("a.ply", replaced("3 0 2 1", "255 0 2 1"), ":19: face 1 has too few numbers");
  expect_message("a.ply", replaced("3 0 2 1", "2 0 2"), ":19: face 1 has 2 corners but needs at least 3");
  expect_message("a.ply", good.substr(0, good.rfind("\n3 ") + 1),
                 ":29: the file ends within element 'face': 11 of 12 are there");

  std::string binary = ply_binary(box, false);
  const std::size_t body = ply_header(box, "binary_little_endian").size() + 8 * 12;
  expect_message("a.ply", binary.substr(0, binary.size() - 5),
                 ": byte " + std::to_string(binary.size() - 8) + ": the file ends within face 12 of 12");
  binary[body] = '\xff';  // 255 corners in the first face: the next bytes are taken for indices
  const TemporaryFolder folder;
  EXPECT_EQ(failure_of(folder.write("a.ply", binary)).code, Exit::bad_input);
  // Text where the header says binary, and the other way round.
  std::string mixed = replaced("ascii", "binary_little_endian");
  EXPECT_EQ(failure_of(folder.write("b.ply", mixed)).code, Exit::bad_input);
  mixed = ply_binary(box, false);
  mixed.replace(mixed.find("binary_little_endian"), 20, "ascii");
  EXPECT_EQ(failure_of(folder.write("c.ply", mixed)).code, Exit::bad_input);
  mixed = ply_binary(box, false);
  mixed.replace(mixed.find("uchar int"), 9, "char int");
  mixed[mixed.find("end_header\n") + 11 + 96] = '\xfd';  // -3
  const Failure negative = failure_of(folder.write("d.ply", mixed));
  EXPECT_NE(std::string(negative.what()).find("face 1: a list cannot have -3 entries"), std::string::npos)
      << negative.what();
}

TEST(MeshFile, stl_size_must_match) {
  const std::string good = stl_binary(box);
  expect_message("a.stl", good.substr(0, good.size() - 1),
                 ": 12 triangles need 684 bytes, but the file has 683; it is truncated or not an STL file");
  expect_message("a.stl", good + "x",
                 ": 12 triangles need 684 bytes, but the file has 685; it is truncated or not an STL file");
  expect_message("a.stl", "abc", ": has 3 bytes, too few for an STL file");
  const std::string text = stl_text(box);
  expect_message("a.stl", text.substr(0, text.rfind("endfacet")), ":84: the file ends within a facet");
  expect_message("a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\n",
                 ":7: a facet has 2 vertices but needs 3");
}

TEST(MeshFile, gltf_is_checked) {
  const std::string good = glb(box);
  expect_message("a.glb", "glTX" + good.substr(4), ": is not a GLB file: it must begin with 'glTF'");
  expect_message("a.glb", good.substr(0, 100),
                 ": declares " + std::to_string(good.size()) + " bytes but has 100; it is truncated");
  std::string old = good;
  old[4] = 1;
  expect_message("a.glb", old, ": is glTF version 1, but this program reads version 2");
  expect_message("a.gltf", "hello", ": is not a glTF file: it must begin with '{'");

  // Data files are looked for beside the mesh and below, never above.
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "inner");
  folder.write("secret.bin", gltf_data(box));
  const Failure above = failure_of(folder.write("inner/a.gltf", gltf_json(box, "../secret.bin")));
  EXPECT_EQ(above.code, Exit::bad_input) << above.what();
  folder.write("inner/data.bin", gltf_data(box));
  EXPECT_EQ(failure_of(folder.write("inner/b.gltf", gltf_json(box, "data.bin"))).code, Exit::done);
  EXPECT_EQ(failure_of(folder.write("c.gltf", gltf_json(box, "missing.bin"))).code, Exit::bad_input);
}

TEST(MeshFile, surface_must_enclose_a_volume) {
  TriangleMesh open = box;
  open.triangles.pop_back();
  expect_message(
      "a.obj", obj_text(open),
      ": the surface is open: it has 3 boundary edges, one near (0.5, 0, 0); a volume needs a closed surface, so "
      "fill its holes");
  // A flat pillow.
  const TriangleMesh flat{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}, {1, 0, 3}, {1, 3, 2}}};
  expect_message("a.obj", obj_text(flat), ": the surface encloses no volume");
  const TriangleMesh line{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 1}, {2, 2, 2}}};
  expect_message("a.obj", obj_text(line), ": all of its triangles are without an area");
}

TEST(MeshFile, one_sided_and_ambiguous_surfaces_are_refused) {
  // A Klein bottle of squares: one way round closes as it is, the other with a flip.
  const int n = 6;
  TriangleMesh klein;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit;
  for (int i = 0; i < n * n; ++i) klein.vertices.push_back({unit(random), unit(random), unit(random)});
  auto at = [&](int i, int j) {
    if (i == n) i = 0, j = n - j;
    return i * n + (j + n) % n;
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      klein.triangles.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      klein.triangles.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  expect_message("a.obj", obj_text(klein),
                 ": the surface is one-sided (like a Klein bottle), so that it has no inside");

  // A fan of four triangles' pairs about one edge, faces at odds.
  TriangleMesh odd = joined(box, box_mesh({1, 1, 0}, {1, 1, 1}));
  for (std::size_t t : {12, 13}) std::swap(odd.triangles[t][0], odd.triangles[t][1]);
  const TemporaryFolder folder;
  const Failure f = failure_of(folder.write("a.obj", obj_text(odd)));
  EXPECT_EQ(f.code, Exit::bad_input);
  EXPECT_NE(std::string(f.what()).find("orient the faces consistently or separate the surfaces"), std::string::npos)
      << f.what();
}

TEST(MeshFile, an_edge_of_a_thousand_faces_costs_no_time) {
  // Thin wedges about one edge, each a closed tetrahedron.
  TriangleMesh fan{{{0, 0, 0}, {0, 0, 1}}, {}};
  const int wedges = 500;
  for (int i = 0; i < wedges; ++i) {
    const double a = 6.28 * i / wedges, b = a + 0.006;
    const int first = static_cast<int>(fan.vertices.size());
    fan.vertices.push_back({std::cos(a), std::sin(a), 0.5});
    fan.vertices.push_back({std::cos(b), std::sin(b), 0.5});
    for (const Vec3i& t :
         {Vec3i{0, 1, first}, Vec3i{1, 0, first + 1}, Vec3i{0, first, first + 1}, Vec3i{1, first + 1, first}})
      fan.triangles.push_back(t);
  }
  const TemporaryFolder folder;
  const auto start = std::chrono::steady_clock::now();
  MeshReport report;
  const TriangleMesh mesh = read_mesh(folder.write("fan.obj", obj_text(fan)), &report);
  EXPECT_FALSE(report.manifold);
  EXPECT_GT(signed_volume(mesh), 0);
  // The list of bad inputs allows five seconds; it takes a few milliseconds.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST(MeshFile, far_from_the_origin_is_warned_of) {
  const TemporaryFolder folder;
  MeshReport report;
  for (const auto& [at, size] : {std::pair(1e6, 4.0), {1e9, 1e-3}}) {
    read_mesh(folder.write("far.obj", obj_text(box_mesh({at, 0, 0}, {size, size, size}))), &report);
    ASSERT_EQ(report.warnings.size(), 1u);
    EXPECT_NE(report.warnings[0].find("move it to the origin"), std::string::npos);
  }
  // So far that nothing is left of its size.
  const Failure f = failure_of(folder.write("farther.obj", obj_text(box_mesh({9e11, 0, 0}, {1e-5, 1e-5, 1e-5}))));
  EXPECT_EQ(f.code, Exit::bad_input);
  EXPECT_NE(std::string(f.what()).find("move it to the origin"), std::string::npos) << f.what();
}

TEST(MeshFile, faces_of_thousands_of_corners_cost_no_time) {
  // A comb, whose teeth hide ears from each other, and corners at random, which cross themselves all over.
  std::string comb, wild;
  std::mt19937 random(1);
  for (int i = 0; i < 4096; ++i) {
    comb += fmt::format("v {} {} 0\n", i < 4094 ? i : 4094 * (4095 - i), i < 4094 ? 1 + i % 2 : 0);
    wild += fmt::format("v {} {} 0\n", random() % 1000, random() % 1000);
  }
  std::string face = "f";
  for (int i = 4096; i > 0; --i) face += fmt::format(" {}", i);
  const TemporaryFolder folder;
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& text : {comb, wild})
    EXPECT_EQ(read_triangles(folder.write("a.obj", text + face + "\n")).triangles.size(), 4094u);
  // The list of bad inputs allows five seconds.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(MeshFile, only_regular_files_are_opened) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "folder.obj");
  ASSERT_EQ(::mkfifo((folder / "pipe.obj").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder / "device.obj");
  const int server = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, (folder / "socket.obj").c_str(), sizeof(address.sun_path) - 1);
  ASSERT_EQ(::bind(server, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  for (const auto& [name, kind] :
       {std::pair("folder", "a folder"), {"pipe", "a pipe"}, {"device", "a device"}, {"socket", "a socket"}}) {
    const std::filesystem::path file = folder / (std::string(name) + ".obj");
    const Failure f = failure_of(file);
    EXPECT_EQ(f.code, Exit::bad_input);
    EXPECT_EQ(f.what(), file.string() + ": is " + kind + ", but a mesh must be a regular file");
  }
  ::close(server);
  EXPECT_EQ(failure_of(folder / "none.obj").what(), (folder / "none.obj").string() + ": no such file (wanted a mesh)");
  EXPECT_EQ(failure_of(folder / "none.obj").code, Exit::bad_input);
  EXPECT_EQ(failure_of(folder.write("a.abc", "x")).what(),
            (folder / "a.abc").string() + ": '.abc' is not a kind of mesh file; use .obj, .ply, .stl, .gltf or .glb");
  if (::geteuid() != 0) {
    const std::filesystem::path locked = folder.write("locked.obj", obj_text(box));
    std::filesystem::permissions(locked, std::filesystem::perms::none);
    EXPECT_EQ(failure_of(locked).code, Exit::file);
  }
}

// Every file cut short and every file with random bytes changed is read or refused; it never crashes or hangs.
TEST(MeshFile, damaged_files_are_read_or_refused) {
  const TemporaryFolder folder;
  TriangleMesh mapped = box;
  for (std::size_t i = 0; i < box.triangles.size(); ++i)
    mapped.uv.push_back({Vec2d{0, 0.5}, Vec2d{1, 0}, Vec2d{0.25, 1}});
  std::string corners = ply_text(box);
  corners.replace(corners.find("end_header"), 10, "property list uchar float texcoord\nend_header");
  for (std::size_t at = corners.find("\n3 "); at != corners.npos; at = corners.find("\n3 ", at + 1))
    corners.insert(corners.find('\n', at + 1), " 6 0 0.5 1 0 0.25 1");
  const std::pair<const char*, std::string> files[] = {{"a.obj", obj_text(box)},
                                                       {"a.stl", stl_text(box)},
                                                       {"b.stl", stl_binary(box)},
                                                       {"a.ply", ply_text(box)},
                                                       {"b.ply", ply_binary(box, false)},
                                                       {"c.ply", ply_binary(box, true)},
                                                       {"a.glb", glb(box)},
                                                       {"a.gltf", gltf_json(box, "a.bin")},
                                                       {"b.obj", obj_text(mapped)},
                                                       {"b.glb", glb(mapped)},
                                                       {"d.ply", corners}};
  folder.write("a.bin", gltf_data(box));
  std::mt19937 random(1);
  for (const auto& [name, good] : files) {
    ASSERT_EQ(failure_of(folder.write(name, good)).code, Exit::done) << name;
    for (int i = 0; i < 60; ++i) {
      std::string bad = good;
      if (i % 2 == 0)
        bad.resize(random() % good.size());
      else
        for (int k = 0; k < 1 + i / 10; ++k) bad[random() % bad.size()] = static_cast<char>(random());
      const Failure f = failure_of(folder.write(name, bad));
      ASSERT_TRUE(f.code == Exit::done || f.code == Exit::bad_input) << name << ": " << f.what();
    }
  }
}

}  // namespace
}  // namespace knead
