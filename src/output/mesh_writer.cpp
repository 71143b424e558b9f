#include "output/mesh_writer.h"

#include "base/nearest.h"
#include "base/parallel.h"

#include <mutex>

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
  parallel_for(frames.size(), 1, [&](std::size_t i) {
    std::string problem;
    try {
      files[i] = write_surface(writer, surface(frames[i]), out);
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
  writer.write_index(out, written);
  return written.size();
}

Known what_is_known(const SurfaceFrame& frame) {
  Known known;
  for (const NamedSurface& body : frame.bodies) {
    known.velocity = known.velocity && body.mesh.velocity.size() == body.mesh.points.size();
    known.damage = known.damage && body.mesh.damage.size() == body.mesh.points.size();
  }
  return known;
}

}  // namespace knead
