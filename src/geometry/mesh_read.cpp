// Mesh files: OBJ and PLY by readers of their own, STL and glTF through assimp with checks before and after it.
#include "base/error.h"
#include "geometry/mesh.h"
#include "geometry/mesh_checks.h"
#include "geometry/whole_file.h"

#include <assimp/DefaultIOSystem.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cctype>
#include <cstdint>
#include <cstring>

namespace knead {

namespace {

namespace fs = std::filesystem;

// Lets the reader open the mesh file itself and the data files beside it (.bin of glTF), and nothing else: no pictures,
// no materials, nothing above the folder, nothing that is not a regular file.
class OnlyBeside : public Assimp::DefaultIOSystem {
 public:
  explicit OnlyBeside(const fs::path& file) : file_(fs::weakly_canonical(file)), folder_(file_.parent_path()) {}

  bool Exists(const char* path) const override { return allowed(path) && DefaultIOSystem::Exists(path); }
  Assimp::IOStream* Open(const char* path, const char* mode) override {
    return allowed(path) && std::strchr(mode, 'w') == nullptr ? DefaultIOSystem::Open(path, mode) : nullptr;
  }

 private:
  bool allowed(const char* path) const {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(path, error);
    if (error || !fs::is_regular_file(real, error)) return false;
    if (real == file_) return true;
    const auto differs = std::mismatch(folder_.begin(), folder_.end(), real.begin(), real.end()).first;
    return differs == folder_.end() && real.extension() == ".bin";
  }
  fs::path file_, folder_;
};

std::string lower_extension(const fs::path& file) {
  std::string e = file.extension().string();
  for (char& c : e) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return e;
}

// v upwards: assimp turns that of glTF.
Vec2d texture_coordinates(const aiVector3D& at, const std::string& name) {
  if (!std::isfinite(at.x) || !std::isfinite(at.y))
    fail(Exit::bad_input, "{}: has texture coordinates that are not finite", name);
  return {at.x, at.y};
}

TriangleMesh triangles_of(const aiScene& scene, const std::string& name) {
  TriangleMesh mesh;
  for (unsigned m = 0; m < scene.mNumMeshes; ++m) {
    const aiMesh& part = *scene.mMeshes[m];
    const int first = static_cast<int>(mesh.vertices.size());
    for (unsigned i = 0; i < part.mNumVertices; ++i) {
      const aiVector3D& x = part.mVertices[i];
      mesh.vertices.push_back({x.x, x.y, x.z});
      if (!(std::abs(x.x) <= largest_coordinate && std::abs(x.y) <= largest_coordinate &&
            std::abs(x.z) <= largest_coordinate))
        fail(Exit::bad_input, "{}: vertex {} of part {} has a coordinate that is not finite or beyond {:g}", name,
             i + 1, m + 1, largest_coordinate);
    }
    const aiVector3D* texture = part.mTextureCoords[0];
    for (unsigned i = 0; i < part.mNumFaces; ++i) {
      const aiFace& f = part.mFaces[i];
      if (f.mNumIndices != 3) continue;  // points and lines
      Vec3i t{};
      for (unsigned k = 0; k < 3; ++k) {
        if (f.mIndices[k] >= part.mNumVertices)
          fail(Exit::bad_input, "{}: face {} of part {} has index {} but there are {} vertices", name, i + 1, m + 1,
               f.mIndices[k], part.mNumVertices);
        t[static_cast<int>(k)] = first + static_cast<int>(f.mIndices[k]);
      }
      mesh.triangles.push_back(t);
      if (!texture && mesh.uv.empty()) continue;
      mesh.uv.resize(mesh.triangles.size());
      for (std::size_t k = 0; texture && k < 3; ++k)
        mesh.uv.back()[k] = texture_coordinates(texture[f.mIndices[k]], name);
    }
  }
  if (mesh.triangles.empty())
    fail(Exit::bad_input, "{}: has no faces ({} vertices); a mesh needs triangles", name, mesh.vertices.size());
  return mesh;
}

}  // namespace

void check_gltf(std::string_view text, const std::string& name, bool binary) {
  if (!binary) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == text.npos || text[start] != '{')
      fail(Exit::bad_input, "{}: is not a glTF file: it must begin with '{{'", name);
    return;
  }
  std::uint32_t head[3] = {};
  if (text.size() >= sizeof head) std::memcpy(head, text.data(), sizeof head);
  if (head[0] != 0x46546C67) fail(Exit::bad_input, "{}: is not a GLB file: it must begin with 'glTF'", name);
  if (head[1] != 2) fail(Exit::bad_input, "{}: is glTF version {}, but this program reads version 2", name, head[1]);
  if (head[2] != text.size())
    fail(Exit::bad_input, "{}: declares {} bytes but has {}; it is truncated", name, head[2], text.size());
}

TriangleMesh read_triangles(const fs::path& file) {
  const std::string name = file.string(), kind = lower_extension(file);
  if (kind != ".obj" && kind != ".ply" && kind != ".stl" && kind != ".gltf" && kind != ".glb") {
    fail(Exit::bad_input, "{}: '{}' is not a kind of mesh file; use .obj, .ply, .stl, .gltf or .glb", name, kind);
  }
  std::string text = read_whole_file(file, "mesh");
  if (kind == ".obj") return obj_triangles(text, name);
  if (kind == ".ply") return ply_triangles(text, name);
  Assimp::Importer reader;
  reader.SetIOHandler(new OnlyBeside(file));
  reader.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const unsigned steps = aiProcess_Triangulate | aiProcess_SortByPType;
  const aiScene* scene = nullptr;
  try {
    if (kind == ".gltf" || kind == ".glb") {
      check_gltf(text, name, kind == ".glb");
      scene = reader.ReadFile(name, steps | aiProcess_PreTransformVertices);
    } else {
      text = checked_stl(std::move(text), name);
      scene = reader.ReadFileFromMemory(text.data(), text.size(), steps, kind.c_str() + 1);
    }
  } catch (const Failure&) {
    throw;
  } catch (const std::exception& e) {
    fail(Exit::bad_input, "{}: cannot be read as a mesh: {}", name, e.what());
  }
  if (!scene) fail(Exit::bad_input, "{}: cannot be read as a mesh: {}", name, reader.GetErrorString());
  return triangles_of(*scene, name);
}

TriangleMesh read_mesh(const fs::path& file, MeshReport* report) {
  TriangleMesh mesh = read_triangles(file);
  MeshReport found = repair(mesh, file.string());
  if (report) *report = std::move(found);
  return mesh;
}

}  // namespace knead
