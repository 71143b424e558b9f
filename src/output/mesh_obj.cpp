// Wavefront OBJ: one object per body, one group and one material for its outside and for its cracks. Corners of the
// crack have their place at rest as texture coordinates u v w.
#include "output/mesh_writer.h"
#include "output/text_stream.h"

#include <bit>
#include <unordered_map>

namespace knead {

namespace {

// Distinct texture coordinates and their numbers.
class TextureCoordinates {
 public:
  std::size_t number_of(const Vec2d& uv) {
    const auto [at, is_new] = numbers_.try_emplace(
        Key{std::bit_cast<std::uint64_t>(uv[0]), std::bit_cast<std::uint64_t>(uv[1])}, list_.size());
    if (is_new) list_.push_back(uv);
    return at->second;
  }
  const std::vector<Vec2d>& list() const { return list_; }

 private:
  struct Key {
    std::uint64_t u, v;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const { return (k.u * 0x9E3779B97F4A7C15u) ^ (k.v + (k.u >> 17)); }
  };
  std::unordered_map<Key, std::size_t, Hash> numbers_;
  std::vector<Vec2d> list_;
};

class Obj final : public MeshWriter {
 public:
  std::string name() const override { return "obj"; }
  std::string doc() const override {
    return "Wavefront OBJ with groups outside and crack, in the bodies' colours; for nearly all programs";
  }

  void write(const SurfaceFrame& frame, WholeFile& file) const override {
    TextStream text(file);
    text.add(FMT_COMPILE("# knead frame {} time {}\nmtllib {}\n"), frame.number, frame.time, materials);
    Counts before;
    for (const NamedSurface& body : frame.bodies) add_object(body, before, text);
    text.flush();
  }

  void write_index(const std::filesystem::path& folder, const std::vector<ExportedFile>&,
                   const std::map<std::string, Vec3f>& colors) const override {
    std::string text;
    const auto add = [&](const std::string& name, const Vec3f& c) {
      text += fmt::format("newmtl {}\nKd {} {} {}\n\n", name, c[0], c[1], c[2]);
    };
    for (const auto& [name, color] : colors) add(name, color);
    add(crack_material, crack_color);
    write_whole(folder / materials, text);
  }

 private:
  static constexpr const char* materials = "surface.mtl";

  // Numbers in OBJ files begin at 1 and run through all objects.
  struct Counts {
    std::size_t points = 1, uv = 1, normals = 1;
  };

  static void add_object(const NamedSurface& body, Counts& before, TextStream& text) {
    const SurfaceMesh& mesh = body.mesh;
    const CornerNormals normals = corner_normals(mesh);
    text.add(FMT_COMPILE("o {}\n"), body.name);
    for (const Vec3d& p : mesh.points) text.add(FMT_COMPILE("v {} {} {}\n"), float(p[0]), float(p[1]), float(p[2]));
    // Texture coordinates: the distinct ones outside, then those of the points that the crack has
    TextureCoordinates uv;
    std::vector<std::array<std::size_t, 3>> uv_of(mesh.uv.size());
    for (std::size_t t = 0; t < mesh.uv.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k) uv_of[t][k] = uv.number_of(mesh.uv[t][k]);
    for (const Vec2d& c : uv.list()) text.add(FMT_COMPILE("vt {} {}\n"), c[0], c[1]);
    std::vector<std::size_t> rest_of(mesh.points.size(), 0);
    std::size_t count = uv.list().size();
    for (std::size_t t = mesh.outer; t < mesh.triangles.size(); ++t)
      for (int k = 0; k < 3; ++k) {
        const auto p = std::size_t(mesh.triangles[t][k]);
        if (rest_of[p]) continue;
        rest_of[p] = ++count;
        const Vec3d& X = mesh.rest[p];
        text.add(FMT_COMPILE("vt {} {} {}\n"), float(X[0]), float(X[1]), float(X[2]));
      }
    for (const Vec3f& n : normals.normals) text.add(FMT_COMPILE("vn {} {} {}\n"), n[0], n[1], n[2]);
    // Faces and lines
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      if (t == 0 || t == mesh.outer)
        text.add(FMT_COMPILE("g {}\nusemtl {}\n"), t < mesh.outer ? "outside" : "crack",
                 t < mesh.outer ? material_of_outside(body) : crack_material);
      for (int k = 0; k < 3; ++k) {
        const auto p = std::size_t(mesh.triangles[t][k]);
        const char* start = k == 0 ? "f " : " ";
        const std::size_t v = before.points + p, n = before.normals + std::size_t(normals.of_corner[t][k]);
        if (t >= mesh.outer)
          text.add(FMT_COMPILE("{}{}/{}/{}"), start, v, before.uv + rest_of[p] - 1, n);
        else if (!mesh.uv.empty())
          text.add(FMT_COMPILE("{}{}/{}/{}"), start, v, before.uv + uv_of[t][std::size_t(k)], n);
        else
          text.add(FMT_COMPILE("{}{}//{}"), start, v, n);
      }
      text.put("\n");
    }
    for (std::size_t i = 0; i < mesh.lines.size(); ++i) {
      if (i == 0 || i == mesh.outer_lines) text.add(FMT_COMPILE("g {}\n"), i < mesh.outer_lines ? "outline" : "crack");
      text.add(FMT_COMPILE("l {} {}\n"), before.points + std::size_t(mesh.lines[i][0]),
               before.points + std::size_t(mesh.lines[i][1]));
    }
    before.points += mesh.points.size();
    before.uv += count;
    before.normals += normals.normals.size();
  }
};

}  // namespace

const MeshWriter& obj_mesh_writer() {
  static const Obj writer;
  return writer;
}

}  // namespace knead
