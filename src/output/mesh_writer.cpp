#include "output/mesh_writer.h"

#include "base/nearest.h"

namespace knead {

void MeshWriter::write_index(const std::filesystem::path&, const std::vector<ExportedFile>&) const {}

std::span<const MeshWriter* const> mesh_writers() {
  static const std::vector<const MeshWriter*> list = {&obj_mesh_writer(), &ply_mesh_writer(), &vtp_mesh_writer(),
                                                      &usda_mesh_writer()};
  return list;
}

const MeshWriter& find_mesh_writer(std::string_view name) {
  std::vector<std::string> names;
  for (const MeshWriter* w : mesh_writers()) {
    if (w->name() == name) return *w;
    names.push_back(w->name());
  }
  fail(Exit::usage, "there is no format '{}' for surfaces{}; the formats are {}", name, did_you_mean(name, names),
       fmt::join(names, ", "));
}

ExportedFile write_surface(const MeshWriter& writer, const SurfaceFrame& frame, const std::filesystem::path& folder) {
  const std::string name = numbered_name("frame", frame.number, "." + writer.name());
  write_whole(folder / name, [&](WholeFile& file) { writer.write(frame, file); });
  return {frame.time, name};
}

}  // namespace knead
