// Small meshes and mesh files for tests.
#pragma once

#include "geometry/mesh.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>

namespace knead::testing_meshes {

// A folder that goes away with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() / fmt::format("knead_test_{}_{}", ::getpid(), count++);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::filesystem::path write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return path_ / name;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline TriangleMesh box_mesh(const Vec3d& center, const Vec3d& size) {
  TriangleMesh m;
  for (int i = 0; i < 8; ++i)
    m.vertices.push_back(center + scaled(size, Vec3d{(i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2 & 1) - 0.5}));
  m.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return m;
}

// An octahedron, each triangle cut into four `levels` times, pushed out to the sphere.
inline TriangleMesh sphere_mesh(const Vec3d& center, double radius, int levels) {
  TriangleMesh m;
  m.vertices = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  m.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  for (int l = 0; l < levels; ++l) {
    std::map<std::pair<int, int>, int> middles;
    auto middle = [&](int a, int b) {
      const auto [at, fresh] =
          middles.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<int>(m.vertices.size()));
      if (fresh)
        m.vertices.push_back(
            normalized(m.vertices[static_cast<std::size_t>(a)] + m.vertices[static_cast<std::size_t>(b)]));
      return at->second;
    };
    std::vector<Vec3i> finer;
    for (const Vec3i& t : m.triangles) {
      const int a = middle(t[0], t[1]), b = middle(t[1], t[2]), c = middle(t[2], t[0]);
      for (const Vec3i& f : {Vec3i{t[0], a, c}, Vec3i{a, t[1], b}, Vec3i{c, b, t[2]}, Vec3i{a, b, c}})
        finer.push_back(f);
    }
    m.triangles = std::move(finer);
  }
  for (Vec3d& v : m.vertices) v = center + radius * v;
  return m;
}

inline TriangleMesh joined(TriangleMesh a, const TriangleMesh& b) {
  const int first = static_cast<int>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const Vec3i& t : b.triangles) a.triangles.push_back(t + Vec3i::filled(first));
  return a;
}

inline TriangleMesh inside_out(TriangleMesh m) {
  for (Vec3i& t : m.triangles) std::swap(t[1], t[2]);
  return m;
}

inline std::string obj_text(const TriangleMesh& m) {
  std::string s;
  for (const Vec3d& v : m.vertices) s += fmt::format("v {} {} {}\n", v[0], v[1], v[2]);
  for (const auto& corners : m.uv)
    for (const Vec2d& uv : corners) s += fmt::format("vt {} {}\n", uv[0], uv[1]);
  for (std::size_t i = 0; i < m.triangles.size(); ++i) {
    const Vec3i t = m.triangles[i] + Vec3i::filled(1);
    if (m.uv.empty())
      s += fmt::format("f {} {} {}\n", t[0], t[1], t[2]);
    else
      s += fmt::format("f {}/{} {}/{} {}/{}\n", t[0], 3 * i + 1, t[1], 3 * i + 2, t[2], 3 * i + 3);
  }
  return s;
}

inline std::string stl_text(const TriangleMesh& m) {
  std::string s = "solid test\n";
  for (const Vec3i& t : m.triangles) {
    s += "facet normal 0 0 0\n outer loop\n";
    for (int k = 0; k < 3; ++k) {
      const Vec3d& v = m.vertices[static_cast<std::size_t>(t[k])];
      s += fmt::format("  vertex {} {} {}\n", v[0], v[1], v[2]);
    }
    s += " endloop\nendfacet\n";
  }
  return s + "endsolid test\n";
}

template <class T>
void put(std::string& s, T value, bool big = false) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if (big)
    for (std::size_t i = sizeof(T); i-- > 0;) s += raw[i];
  else
    s.append(raw, sizeof(T));
}

inline std::string stl_binary(const TriangleMesh& m, const std::string& head = "solid but binary") {
  std::string s = head;
  s.resize(80, ' ');
  put(s, static_cast<std::uint32_t>(m.triangles.size()));
  for (const Vec3i& t : m.triangles) {
    for (int k = 0; k < 3; ++k) put(s, 0.0f);
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) put(s, static_cast<float>(m.vertices[static_cast<std::size_t>(t[k])][i]));
    put(s, std::uint16_t(0));
  }
  return s;
}

inline std::string ply_header(const TriangleMesh& m, const std::string& format) {
  return fmt::format(
      "ply\nformat {} 1.0\ncomment made for a test\nelement vertex {}\nproperty float x\nproperty float y\nproperty "
      "float z\n"
      "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
      format, m.vertices.size(), m.triangles.size());
}

inline std::string ply_text(const TriangleMesh& m) {
  std::string s = ply_header(m, "ascii");
  for (const Vec3d& v : m.vertices) s += fmt::format("{} {} {}\n", v[0], v[1], v[2]);
  for (const Vec3i& t : m.triangles) s += fmt::format("3 {} {} {}\n", t[0], t[1], t[2]);
  return s;
}

inline std::string ply_binary(const TriangleMesh& m, bool big) {
  std::string s = ply_header(m, big ? "binary_big_endian" : "binary_little_endian");
  for (const Vec3d& v : m.vertices)
    for (int i = 0; i < 3; ++i) put(s, static_cast<float>(v[i]), big);
  for (const Vec3i& t : m.triangles) {
    put(s, std::uint8_t(3));
    for (int k = 0; k < 3; ++k) put(s, t[k], big);
  }
  return s;
}

// Texture coordinates a vertex: those of the last corner that has it; none where the mesh has none.
inline std::vector<Vec2d> vertex_uv(const TriangleMesh& m) {
  std::vector<Vec2d> uv(m.uv.empty() ? 0 : m.vertices.size());
  for (std::size_t i = 0; i < m.uv.size(); ++i)
    for (int k = 0; k < 3; ++k) uv[static_cast<std::size_t>(m.triangles[i][k])] = m.uv[i][static_cast<std::size_t>(k)];
  return uv;
}

// Positions, indices, then texture coordinates where there are some, as glTF keeps them: v downwards.
inline std::string gltf_data(const TriangleMesh& m) {
  std::string s;
  for (const Vec3d& v : m.vertices)
    for (int i = 0; i < 3; ++i) put(s, static_cast<float>(v[i]));
  for (const Vec3i& t : m.triangles)
    for (int k = 0; k < 3; ++k) put(s, static_cast<std::uint32_t>(t[k]));
  for (const Vec2d& uv : vertex_uv(m)) put(s, static_cast<float>(uv[0])), put(s, static_cast<float>(1 - uv[1]));
  return s;
}

// The JSON part; `uri` names the data file, empty for GLB. The node moves the mesh by 1 along x.
inline std::string gltf_json(const TriangleMesh& m, const std::string& uri) {
  const std::size_t positions = 12 * m.vertices.size(), indices = 12 * m.triangles.size(),
                    texture = 8 * vertex_uv(m).size();
  const Bounds b = bounds_of(m);
  const std::string accessor =
      fmt::format(R"(,{{"bufferView":2,"componentType":5126,"count":{},"type":"VEC2"}})", m.vertices.size());
  const std::string view =
      fmt::format(R"(,{{"buffer":0,"byteOffset":{},"byteLength":{}}})", positions + indices, texture);
  return fmt::format(
      R"({{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],"nodes":[{{"mesh":0,"translation":[1,0,0]}}],)"
      R"("meshes":[{{"primitives":[{{"attributes":{{"POSITION":0{}}},"indices":1}}]}}],)"
      R"("accessors":[{{"bufferView":0,"componentType":5126,"count":{},"type":"VEC3","min":[{},{},{}],"max":[{},{},{}]}},)"
      R"({{"bufferView":1,"componentType":5125,"count":{},"type":"SCALAR"}}{}],)"
      R"("bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":{}}},{{"buffer":0,"byteOffset":{},"byteLength":{}}}{}],)"
      R"("buffers":[{{"byteLength":{}{}}}]}})",
      texture ? ",\"TEXCOORD_0\":2" : "", m.vertices.size(), b.lo[0], b.lo[1], b.lo[2], b.hi[0], b.hi[1], b.hi[2],
      3 * m.triangles.size(), texture ? accessor : "", positions, positions, indices, texture ? view : "",
      positions + indices + texture, uri.empty() ? "" : ",\"uri\":\"" + uri + "\"");
}

inline std::string glb(const TriangleMesh& m) {
  std::string json = gltf_json(m, ""), data = gltf_data(m), s = "glTF";
  while (json.size() % 4) json += ' ';
  put(s, std::uint32_t(2));
  put(s, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + data.size()));
  put(s, static_cast<std::uint32_t>(json.size()));
  s += "JSON" + json;
  put(s, static_cast<std::uint32_t>(data.size()));
  s += std::string("BIN\0", 4) + data;
  return s;
}

}  // namespace knead::testing_meshes
