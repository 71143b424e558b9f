// VTK PolyData of surfaces: a piece a body, the arrays as raw bytes behind an XML head.
#include "output/mesh_writer.h"
#include "output/vtk_xml.h"

#include <bit>

namespace knead {

namespace {

static_assert(std::endian::native == std::endian::little, "the head says that the arrays are little-endian");

// The arrays of one body.
struct Piece {
  std::vector<Vec3f> points, normals, rest;
  std::vector<Vec2f> uv;
  std::vector<PointColumn> columns;
  std::vector<std::int32_t> point, lines, line_ends, triangles, triangle_ends, crack, source, body;
};

Piece piece_of(const SurfaceMesh& mesh, std::int32_t body, const std::vector<PointColumn>& columns, bool rest_known) {
  SplitMesh split = split_corners(mesh);
  Piece piece;
  for (const int p : split.point) {
    piece.points.push_back(resized<float, 3>(mesh.points[std::size_t(p)]));
    if (rest_known) piece.rest.push_back(resized<float, 3>(mesh.rest[std::size_t(p)]));
    piece.point.push_back(p);
  }
  for (const PointColumn& c : columns) {
    PointColumn& split_column = piece.columns.emplace_back(PointColumn{c.name, c.components, {}});
    const auto n = static_cast<std::ptrdiff_t>(c.components);
    for (const int p : split.point)
      split_column.values.insert(split_column.values.end(), c.values.begin() + p * n, c.values.begin() + (p + 1) * n);
  }
  for (const Vec2d& uv : split.uv) piece.uv.push_back(resized<float, 2>(uv));
  piece.normals = std::move(split.normals);
  // Lines come before triangles, also in what each has
  for (const Vec2i& line : mesh.lines) {
    piece.lines.insert(piece.lines.end(), {line[0], line[1]});
    piece.line_ends.push_back(static_cast<std::int32_t>(piece.lines.size()));
    piece.crack.push_back(piece.line_ends.size() > mesh.outer_lines);
    piece.source.push_back(-1);
  }
  for (const Vec3i& t : split.triangles) {
    piece.triangles.insert(piece.triangles.end(), {t[0], t[1], t[2]});
    piece.triangle_ends.push_back(static_cast<std::int32_t>(piece.triangles.size()));
    const std::size_t i = piece.triangle_ends.size() - 1;
    piece.crack.push_back(i >= mesh.outer);
    piece.source.push_back(i < mesh.outer ? mesh.source[i] : -1);
  }
  piece.body.assign(piece.crack.size(), body);
  return piece;
}

// Calls `array(section, name, type, components, values)` for each array, in the order of the file.
template <class Call>
void each_array(const Piece& p, Call array) {
  array("Points", "Points", "Float32", 3, p.points);
  array("Lines", "connectivity", "Int32", 1, p.lines);
  array("Lines", "offsets", "Int32", 1, p.line_ends);
  array("Polys", "connectivity", "Int32", 1, p.triangles);
  array("Polys", "offsets", "Int32", 1, p.triangle_ends);
  const std::string of_points = "PointData TCoords=\"uv\" Normals=\"normal\"";
  array(of_points, "normal", "Float32", 3, p.normals);
  array(of_points, "uv", "Float32", 2, p.uv);
  if (!p.rest.empty()) array(of_points, "rest", "Float32", 3, p.rest);
  array(of_points, "point", "Int32", 1, p.point);
  for (const PointColumn& c : p.columns) array(of_points, c.name.c_str(), "Float32", c.components, c.values);
  array("CellData", "crack", "Int32", 1, p.crack);
  array("CellData", "source", "Int32", 1, p.source);
  array("CellData", "body", "Int32", 1, p.body);
}

std::string head_of(const Piece& piece, std::size_t& offset) {
  std::string text = fmt::format(
      "    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
      "NumberOfPolys=\"{}\">\n",
      piece.points.size(), piece.line_ends.size(), piece.triangle_ends.size());
  std::string open;
  const auto close = [&] {
    if (!open.empty()) text += "      </" + open.substr(0, open.find(' ')) + ">\n";
  };
  each_array(piece,
             [&](const std::string& section, const char* name, const char* type, int components, const auto& values) {
               if (section != open) {
                 close();
                 text += "      <" + section + ">\n";
                 open = section;
               }
               text += array_line(name, type, components, values.size() * sizeof(values[0]), offset);
             });
  close();
  return text + "    </Piece>\n";
}

class Vtp final : public MeshWriter {
 public:
  std::string name() const override { return "vtp"; }
  std::string doc() const override {
    return "VTK PolyData with normals, texture coordinates, rest position and group, and a PVD index; for ParaView";
  }

  void write(const SurfaceFrame& frame, WholeFile& file) const override {
    const std::vector<std::vector<PointColumn>> columns = point_columns(frame);
    std::vector<Piece> pieces;
    for (std::size_t b = 0; b < frame.bodies.size(); ++b)
      pieces.push_back(piece_of(frame.bodies[b].mesh, frame.bodies[b].body, columns[b], knows_rest(frame)));
    file.write(
        fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                    "header_type=\"UInt64\">\n  <PolyData>\n    <FieldData>\n      <DataArray type=\"Float64\" "
                    "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n    </FieldData>\n",
                    frame.time));
    std::size_t offset = 0;
    for (const Piece& piece : pieces) file.write(head_of(piece, offset));
    file.write("  </PolyData>\n  <AppendedData encoding=\"raw\">\n   _");
    for (const Piece& piece : pieces)
      each_array(piece, [&](const std::string&, const char*, const char*, int, const auto& values) {
        append_array(file, values.data(), values.size() * sizeof(values[0]));
      });
    file.write("\n  </AppendedData>\n</VTKFile>\n");
  }

  void write_index(const std::filesystem::path& folder, const std::vector<ExportedFile>& files,
                   const std::map<std::string, Vec3f>&) const override {
    write_pvd(folder / "frames.pvd", files);
  }
};

}  // namespace

const MeshWriter& vtp_mesh_writer() {
  static const Vtp writer;
  return writer;
}

}  // namespace knead
