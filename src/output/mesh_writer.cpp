#include "output/mesh_writer.h"

#include "base/nearest.h"
#include "base/parallel.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <mutex>

namespace knead {

void MeshWriter::write_index(const std::filesystem::path&, const std::vector<ExportedFile>&,
                             const std::map<std::string, Vec3f>&) const {}

const char* material_of_outside(const NamedSurface& surface) {
  return surface.outside ? surface.outside->name.c_str() : plain_material;
}

std::string identifier(const std::string& name, std::size_t number) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) result = "body_" + result;
  return number == 0 ? result : fmt::format("{}_{}", result, number);
}

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

std::size_t write_surfaces(std::vector<std::int64_t> frames, const std::function<SurfaceFrame(std::int64_t)>& surface,
                           const MeshWriter& writer, const std::filesystem::path& out, const ExportOptions& range) {
  if (frames.empty()) fail(Exit::bad_input, "there are no frames in the run yet");
  const std::int64_t first = range.first.value_or(frames.front()), last = range.last.value_or(frames.back());
  const std::string there = fmt::format("{} to {}", frames.front(), frames.back());
  std::erase_if(frames, [&](std::int64_t n) { return n < first || n > last; });
  if (frames.empty()) fail(Exit::bad_input, "there are no frames {} to {} in the run; it has {}", first, last, there);
  make_folder(out);
  std::vector<std::optional<ExportedFile>> files(frames.size());
  std::mutex reporting;
  std::size_t done = 0;
  std::map<std::string, Vec3f> colors;
  parallel_for(frames.size(), 1, [&](std::size_t i) {
    std::string problem;
    try {
      const SurfaceFrame made = surface(frames[i]);
      files[i] = write_surface(writer, made, out);
      const std::lock_guard lock(reporting);
      for (const NamedSurface& body : made.bodies)
        colors[material_of_outside(body)] = body.outside ? body.outside->color : plain_color;
    } catch (const Failure& failure) {
      if (failure.code != Exit::bad_input || !range.warn) throw;
      problem = failure.what();
    }
    const std::lock_guard lock(reporting);
    if (!problem.empty()) range.warn(problem + "; it is left out");
    if (range.progress) range.progress(++done, frames.size());
  });
  std::vector<ExportedFile> written;
  for (auto& file : files)
    if (file) written.push_back(std::move(*file));
  if (written.empty()) fail(Exit::bad_input, "none of the run's frames {} to {} could be read", first, last);
  writer.write_index(out, written, colors);
  return written.size();
}

namespace {

std::vector<PointColumn> columns_of(const SurfaceMesh& mesh) {
  std::vector<PointColumn> columns;
  if (mesh.velocity.size() == mesh.points.size()) {
    PointColumn& v = columns.emplace_back(PointColumn{"v", 3, {}});
    for (const Vec3d& velocity : mesh.velocity)
      for (int k = 0; k < 3; ++k) v.values.push_back(float(velocity[k]));
  }
  if (mesh.damage.size() == mesh.points.size())
    columns.push_back({"damage", 1, std::vector<float>(mesh.damage.begin(), mesh.damage.end())});
  columns.insert(columns.end(), mesh.columns.begin(), mesh.columns.end());
  return columns;
}

}  // namespace

std::vector<std::vector<PointColumn>> point_columns(const SurfaceFrame& frame) {
  std::vector<std::vector<PointColumn>> all;
  for (const NamedSurface& body : frame.bodies) all.push_back(columns_of(body.mesh));
  const auto everywhere = [&](const PointColumn& column) {
    const auto has = [&](const std::vector<PointColumn>& columns) {
      return std::any_of(columns.begin(), columns.end(), [&](const PointColumn& c) { return c.name == column.name; });
    };
    return std::all_of(all.begin(), all.end(), has);
  };
  std::vector<std::vector<PointColumn>> known(all.size());
  for (std::size_t b = 0; b < all.size(); ++b)
    std::copy_if(all[b].begin(), all[b].end(), std::back_inserter(known[b]), everywhere);
  return known;
}

bool knows_rest(const SurfaceFrame& frame) {
  return std::all_of(frame.bodies.begin(), frame.bodies.end(),
                     [](const NamedSurface& body) { return body.mesh.rest.size() == body.mesh.points.size(); });
}

}  // namespace knead
