// Writers of surfaces: a frame's meshes into files of other programs. A writer is one source file and one line in the
// list of mesh_writer.cpp.
#pragma once

#include "output/cracked_bodies.h"
#include "output/export.h"

#include <map>

namespace knead {

class MeshWriter {
 public:
  virtual ~MeshWriter() = default;
  virtual std::string name() const = 0;  // also the extension of the files
  virtual std::string doc() const = 0;   // one line
  virtual void write(const SurfaceFrame& frame, WholeFile& file) const = 0;
  // Writes what a sequence needs besides its frames. `colors` are those of all outsides in them, by name.
  virtual void write_index(const std::filesystem::path& folder, const std::vector<ExportedFile>& files,
                           const std::map<std::string, Vec3f>& colors) const;
};

// The materials of a body's outside that has no colour of its own, and of cracks.
constexpr const char *plain_material = "outside", *crack_material = "crack";
constexpr Vec3f plain_color{0.8f, 0.8f, 0.8f}, crack_color{0.7f, 0.35f, 0.2f};
const char* material_of_outside(const NamedSurface& surface);

// A name of which only letters, digits and underscores are left, no digit first, with the number behind it unless that
// is 0.
std::string identifier(const std::string& name, std::size_t number = 0);

std::span<const MeshWriter* const> mesh_writers();
// The writer of that name; fails (usage) with the nearest one.
const MeshWriter& find_mesh_writer(std::string_view name);

// Writes frame.0001.obj, … into a folder.
ExportedFile write_surface(const MeshWriter& writer, const SurfaceFrame& frame, const std::filesystem::path& folder);

// Writes the surfaces of those of these frames that lie in the range into a folder, several at once; returns how many.
// `surface` is called from several threads. Damaged frames are left out where the range has someone to warn.
std::size_t write_surfaces(std::vector<std::int64_t> frames, const std::function<SurfaceFrame(std::int64_t)>& surface,
                           const MeshWriter& writer, const std::filesystem::path& out, const ExportOptions& range);

// What is known of the points of all bodies besides where they are, body by body: v, damage, and what they carry.
std::vector<std::vector<PointColumn>> point_columns(const SurfaceFrame& frame);
// Whether it is known where the points of all bodies were at rest.
bool knows_rest(const SurfaceFrame& frame);

const MeshWriter& obj_mesh_writer();
const MeshWriter& ply_mesh_writer();
const MeshWriter& vtp_mesh_writer();
const MeshWriter& usda_mesh_writer();

}  // namespace knead
