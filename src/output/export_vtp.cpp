// VTK PolyData for ParaView: an XML head, then the arrays as raw bytes; and a PVD file that lists the frames with their
// times.
#include "output/components.h"
#include "output/exporter_list.h"
#include "output/vtk_xml.h"

#include <bit>
#include <charconv>
#include <numeric>

namespace knead {

namespace {

static_assert(std::endian::native == std::endian::little, "the head says that the arrays are little-endian");

const char* vtk_type(Scalar scalar) {
  switch (scalar) {
    case Scalar::f32:
      return "Float32";
    case Scalar::f64:
      return "Float64";
    case Scalar::i32:
      return "Int32";
  }
  return "";
}

class Vtp final : public Exporter {
 public:
  std::string name() const override { return "vtp"; }
  std::string doc() const override { return "VTK PolyData with every column, and a PVD index of times; for ParaView"; }

  void write(const Frame& frame, WholeFile& file) const override {
    const std::size_t n = frame.particles.count();
    std::vector<const Column*> columns;
    for (const Column& c : frame.particles.columns())
      if (c.name != "x") columns.push_back(&c);
    const Column points = padded_to_3d(*frame.particles.find("x"), frame.dimension);
    write_head(frame, columns, points, file);
    // The arrays, in the order of the head's offsets
    append_array(file, points.data.data(), points.data.size());
    std::vector<std::int32_t> indices(n);
    std::iota(indices.begin(), indices.end(), 0);
    append_array(file, indices.data(), 4 * n);
    std::iota(indices.begin(), indices.end(), 1);
    append_array(file, indices.data(), 4 * n);
    for (const Column* c : columns) {
      const Column padded = padded_to_3d(*c, frame.dimension);
      append_array(file, padded.data.data(), padded.data.size());
    }
    file.write("\n  </AppendedData>\n</VTKFile>\n");
  }

  void write_index(const std::filesystem::path& folder, const std::vector<ExportedFile>& files) const override {
    write_pvd(folder / index_name, files);
  }

  std::vector<ExportedFile> read_index(const std::filesystem::path& folder) const override {
    if (!std::filesystem::exists(folder / index_name)) return {};
    const std::string text = read_whole(folder / index_name, std::size_t(1) << 28);
    std::vector<ExportedFile> files;
    for (std::size_t at = 0; (at = text.find("<DataSet ", at)) != std::string::npos; ++at) {
      const std::string time = value_of(text, "timestep=\"", at), file = value_of(text, "file=\"", at);
      double seconds = 0;
      std::from_chars(time.data(), time.data() + time.size(), seconds);
      if (!file.empty()) files.push_back({seconds, file});
    }
    return files;
  }

 private:
  static constexpr const char* index_name = "frames.pvd";

  // What stands between the quotes after `key`.
  static std::string value_of(const std::string& text, std::string_view key, std::size_t from) {
    const std::size_t begin = text.find(key, from);
    if (begin == std::string::npos) return {};
    const std::size_t end = text.find('"', begin + key.size());
    return end == std::string::npos ? std::string() : text.substr(begin + key.size(), end - begin - key.size());
  }

  static void write_head(const Frame& frame, const std::vector<const Column*>& columns, const Column& points,
                         WholeFile& file) {
    const std::size_t n = frame.particles.count();
    std::size_t offset = 0;
    const std::string points_line = array_line("Points", vtk_type(points.scalar), 3, points.data.size(), offset);
    const std::string connectivity = array_line("connectivity", "Int32", 1, 4 * n, offset);
    const std::string offsets = array_line("offsets", "Int32", 1, 4 * n, offset);
    file.write(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n"
        "  <PolyData>\n    <FieldData>\n");
    file.write(fmt::format(
        "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
        frame.time));
    file.write(
        fmt::format("    </FieldData>\n    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" "
                    "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
                    n, n));
    file.write("      <Points>\n" + points_line + "      </Points>\n");
    file.write("      <Verts>\n" + connectivity + offsets + "      </Verts>\n      <PointData>\n");
    for (const Column* c : columns) {
      const Column one = padded_to_3d({c->name, c->scalar, c->components, c->unit, {}}, frame.dimension);
      file.write(array_line(c->name, vtk_type(c->scalar), one.components, n * one.stride(), offset));
    }
    file.write("      </PointData>\n    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n   _");
  }
};

}  // namespace

const Exporter& vtp_exporter() {
  static const Vtp exporter;
  return exporter;
}

}  // namespace knead
