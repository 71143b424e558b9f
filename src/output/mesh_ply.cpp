// PLY, binary little-endian: vertices with normal, texture coordinates and place at rest, faces with their group. All
// bodies in one.
#include "output/mesh_writer.h"
#include "scene/quantities.h"

#include <bit>

namespace knead {

namespace {

static_assert(std::endian::native == std::endian::little, "the head says that the numbers are little-endian");

class Ply final : public MeshWriter {
 public:
  std::string name() const override { return "ply"; }
  std::string doc() const override {
    return "PLY, binary, with normals, texture coordinates, rest position and group; for Blender, MeshLab, Open3D";
  }

  void write(const SurfaceFrame& frame, WholeFile& file) const override {
    std::vector<SplitMesh> split;
    std::size_t vertices = 0, faces = 0, lines = 0;
    const std::vector<std::vector<PointColumn>> columns = point_columns(frame);
    for (const NamedSurface& body : frame.bodies) {
      split.push_back(split_corners(body.mesh));
      vertices += split.back().point.size();
      faces += body.mesh.triangles.size();
      lines += body.mesh.lines.size();
    }
    file.write(fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment knead frame {} time {}\nelement vertex {}\n"
        "property float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\nproperty float "
        "nz\n"
        "property float s\nproperty float t\n{}property int point\n{}element face {}\nproperty list uchar int "
        "vertex_indices\nproperty uchar crack\n"
        "property int body\n",
        frame.number, frame.time, vertices,
        knows_rest(frame) ? "property float rest_x\nproperty float rest_y\nproperty float rest_z\n" : "",
        columns.empty() ? "" : property_lines(columns.front()), faces));
    if (lines)
      file.write(
          fmt::format("element edge {}\nproperty int vertex1\nproperty int vertex2\nproperty uchar crack\n", lines));
    file.write("end_header\n");
    write_vertices(frame, split, columns, file);
    write_faces(frame, split, file);
    write_lines(frame, split, file);
  }

 private:
  static std::string property_lines(const std::vector<PointColumn>& columns) {
    std::string lines;
    for (const PointColumn& c : columns)
      for (const std::string& name : component_names(c.name, c.components, 3)) lines += "property float " + name + "\n";
    return lines;
  }

  static void write_vertices(const SurfaceFrame& frame, const std::vector<SplitMesh>& split,
                             const std::vector<std::vector<PointColumn>>& columns, WholeFile& file) {
    const bool rest_known = knows_rest(frame);
    std::int32_t before = 0;
    for (std::size_t b = 0; b < split.size(); ++b) {
      const SurfaceMesh& mesh = frame.bodies[b].mesh;
      for (std::size_t v = 0; v < split[b].point.size(); ++v) {
        const auto p = std::size_t(split[b].point[v]);
        const Vec3f x = resized<float, 3>(mesh.points[p]);
        const Vec2f uv = resized<float, 2>(split[b].uv[v]);
        file.write(&x, sizeof x);
        file.write(&split[b].normals[v], sizeof(Vec3f));
        file.write(&uv, sizeof uv);
        if (rest_known) {
          const Vec3f rest = resized<float, 3>(mesh.rest[p]);
          file.write(&rest, sizeof rest);
        }
        const std::int32_t point = before + split[b].point[v];
        file.write(&point, sizeof point);
        for (const PointColumn& c : columns[b])
          file.write(&c.values[p * static_cast<std::size_t>(c.components)],
                     static_cast<std::size_t>(c.components) * sizeof(float));
      }
      before += static_cast<std::int32_t>(mesh.points.size());
    }
  }
  static void write_faces(const SurfaceFrame& frame, const std::vector<SplitMesh>& split, WholeFile& file) {
    std::int32_t before = 0;
    for (std::size_t b = 0; b < split.size(); ++b) {
      for (std::size_t t = 0; t < split[b].triangles.size(); ++t) {
        const std::uint8_t corners = 3, crack = t >= frame.bodies[b].mesh.outer;
        const Vec3i triangle = split[b].triangles[t] + Vec3i::filled(before);
        const std::int32_t body = frame.bodies[b].body;
        file.write(&corners, 1);
        file.write(&triangle, sizeof triangle);
        file.write(&crack, 1);
        file.write(&body, sizeof body);
      }
      before += static_cast<std::int32_t>(split[b].point.size());
    }
  }
  static void write_lines(const SurfaceFrame& frame, const std::vector<SplitMesh>& split, WholeFile& file) {
    std::int32_t before = 0;
    for (std::size_t b = 0; b < split.size(); ++b) {
      const SurfaceMesh& mesh = frame.bodies[b].mesh;
      for (std::size_t i = 0; i < mesh.lines.size(); ++i) {
        const Vec2i line = mesh.lines[i] + Vec2i::filled(before);
        const std::uint8_t crack = i >= mesh.outer_lines;
        file.write(&line, sizeof line);
        file.write(&crack, 1);
      }
      before += static_cast<std::int32_t>(split[b].point.size());
    }
  }
};

}  // namespace

const MeshWriter& ply_mesh_writer() {
  static const Ply writer;
  return writer;
}

}  // namespace knead
