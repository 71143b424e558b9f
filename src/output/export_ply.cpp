// PLY, binary little-endian: a vertex a particle, a property a component of each column.
#include "output/components.h"
#include "output/exporter_list.h"

#include <bit>

namespace knead {

namespace {

static_assert(std::endian::native == std::endian::little, "the head says that the numbers are little-endian");

const char* ply_type(Scalar scalar) {
  switch (scalar) {
    case Scalar::f32:
      return "float";
    case Scalar::f64:
      return "double";
    case Scalar::i32:
      return "int";
  }
  return "";
}

class Ply final : public Exporter {
 public:
  std::string name() const override { return "ply"; }
  std::string doc() const override {
    return "PLY points with every column as properties; for Blender, MeshLab, Open3D";
  }

  void write(const Frame& frame, WholeFile& file) const override {
    // Positions first, as readers expect; vectors always with z.
    std::vector<Column> columns;
    columns.push_back(padded_to_3d(*frame.particles.find("x"), frame.dimension));
    for (const Column& c : frame.particles.columns())
      if (c.name != "x") columns.push_back(padded_to_3d(c, frame.dimension));
    std::string head = "ply\nformat binary_little_endian 1.0\n";
    head += fmt::format("comment knead frame {} time {}\nelement vertex {}\n", frame.number, frame.time,
                        frame.particles.count());
    for (const Column& c : columns)
      for (const std::string& component : component_names(c, 3))
        head += fmt::format("property {} {}\n", ply_type(c.scalar), component);
    file.write(head + "end_header\n");
    for (std::size_t i = 0; i < frame.particles.count(); ++i)
      for (const Column& c : columns) file.write(c.data.data() + i * c.stride(), c.stride());
  }
};

}  // namespace

const Exporter& ply_exporter() {
  static const Ply exporter;
  return exporter;
}

}  // namespace knead
