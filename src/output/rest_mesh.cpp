#include "output/rest_mesh.h"

#include "output/columns.h"
#include "output/hdf5.h"

#include <algorithm>
#include <cmath>

namespace knead {

namespace {

const std::string format = "knead-rest-mesh";
constexpr std::int64_t newest_rest_mesh = 1;

std::string group_of(std::size_t mesh) { return fmt::format("/meshes/{}", mesh); }

// How the numbers of a type stand in files.
template <class Number>
constexpr hdf5::Type file_type = sizeof(Number) == 8 ? hdf5::Type::f64 : hdf5::Type::i32;

// An array of entries of one number or several.
template <class Number, class Entry>
std::vector<std::size_t> extents_of(std::size_t count) {
  static_assert(sizeof(Entry) % sizeof(Number) == 0);
  if constexpr (sizeof(Entry) == sizeof(Number))
    return {count};
  else
    return {count, sizeof(Entry) / sizeof(Number)};
}
template <class Number, class Entry>
void write_array(hdf5::Writer& out, const std::string& path, const std::vector<Entry>& entries) {
  out.dataset(path, file_type<Number>, extents_of<Number, Entry>(entries.size()), entries.data());
}
template <class Number, class Entry>
std::vector<Entry> read_array(const hdf5::Reader& in, const std::string& path) {
  const hdf5::Dataset set = in.describe(path);
  if (set.type != file_type<Number> || set.extents.empty() || set.extents != extents_of<Number, Entry>(set.extents[0]))
    in.damaged(fmt::format("'{}' has another shape or type than it should", path));
  std::vector<Entry> entries(set.extents[0]);
  in.read(path, set, entries.data());
  return entries;
}

template <class Corners>
void check_corners(const hdf5::Reader& in, const std::string& path, const std::vector<Corners>& cells,
                   std::size_t points) {
  for (const Corners& cell : cells)
    for (const int p : cell)
      if (p < 0 || static_cast<std::size_t>(p) >= points)
        in.damaged(fmt::format("'{}' names a point {} of {}", path, p, points));
}

template <int d>
RestMesh<d> read_one(const hdf5::Reader& in, std::size_t i) {
  const std::string group = group_of(i);
  RestMesh<d> rest;
  rest.body = in.text(group, "body");
  rest.index = static_cast<std::int32_t>(in.integer(group, "index"));
  rest.stretch = in.number(group, "stretch");
  const std::int64_t input_vertices = in.integer(group, "input_vertices");
  rest.mesh.points = read_array<double, Vec<double, d>>(in, group + "/points");
  rest.mesh.cells = read_array<int, typename SimplexMesh<d>::Cell>(in, group + "/cells");
  rest.particles = read_array<int, std::int32_t>(in, group + "/particles");
  rest.surface = read_array<int, std::array<int, 3>>(in, group + "/surface");
  rest.uv = read_array<double, std::array<Vec2d, 3>>(in, group + "/uv");
  // They must fit to each other.
  const std::size_t points = rest.mesh.points.size();
  check_corners(in, group + "/cells", rest.mesh.cells, points);
  check_corners(in, group + "/surface", rest.surface, points);
  if (rest.particles.size() != points)
    in.damaged(fmt::format("'{}' has {} points, but {} particles", group, points, rest.particles.size()));
  if (const std::size_t corners = d == 2 ? rest.mesh.cells.size() : rest.surface.size();
      !rest.uv.empty() && rest.uv.size() != corners)
    in.damaged(fmt::format("'{}' has texture coordinates of {} triangles for {}", group, rest.uv.size(), corners));
  if (input_vertices < 0 || static_cast<std::size_t>(input_vertices) > points)
    in.damaged(fmt::format("'{}' has {} points, but claims {} of the input", group, points, input_vertices));
  rest.input_vertices = static_cast<std::int32_t>(input_vertices);
  if (!(rest.stretch > 0)) in.damaged(fmt::format("'{}' breaks edges at a stretch of {}", group, rest.stretch));
  return rest;
}

}  // namespace

template <int d>
void write_rest_meshes(const std::filesystem::path& path, const std::vector<RestMesh<d>>& meshes) {
  WholeFile file(path);
  hdf5::Writer out(file, path);
  out.attribute("/", "format", format);
  out.attribute("/", "version", newest_rest_mesh);
  out.attribute("/", "dimension", std::int64_t(d));
  out.group("/meshes");
  out.attribute("/meshes", "count", static_cast<std::int64_t>(meshes.size()));
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const RestMesh<d>& rest = meshes[i];
    const std::string group = group_of(i);
    out.group(group);
    out.attribute(group, "body", rest.body);
    out.attribute(group, "index", std::int64_t(rest.index));
    out.attribute(group, "stretch", rest.stretch);
    out.attribute(group, "input_vertices", std::int64_t(rest.input_vertices));
    write_array<double>(out, group + "/points", rest.mesh.points);
    write_array<int>(out, group + "/cells", rest.mesh.cells);
    write_array<int>(out, group + "/particles", rest.particles);
    write_array<int>(out, group + "/surface", rest.surface);
    write_array<double>(out, group + "/uv", rest.uv);
  }
  out.finish();
  file.keep();
}

int rest_mesh_dimension(const std::filesystem::path& path) {
  const hdf5::Reader in(path);
  check_format(in, path, format, newest_rest_mesh);
  const std::int64_t dimension = in.integer("/", "dimension");
  if (dimension != 2 && dimension != 3) in.damaged(fmt::format("its dimension is {}", dimension));
  return static_cast<int>(dimension);
}

template <int d>
std::vector<RestMesh<d>> read_rest_meshes(const std::filesystem::path& path) {
  const hdf5::Reader in(path);
  check_format(in, path, format, newest_rest_mesh);
  if (const std::int64_t dimension = in.integer("/", "dimension"); dimension != d)
    in.damaged(fmt::format("its dimension is {}, not {}", dimension, d));
  const std::int64_t count = in.integer("/meshes", "count");
  if (count < 0 || count > most_meshes) in.damaged(fmt::format("it claims to hold {} meshes", count));
  std::vector<RestMesh<d>> meshes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) meshes.push_back(read_one<d>(in, i));
  return meshes;
}

template void write_rest_meshes(const std::filesystem::path&, const std::vector<RestMesh<2>>&);
template void write_rest_meshes(const std::filesystem::path&, const std::vector<RestMesh<3>>&);
template std::vector<RestMesh<2>> read_rest_meshes(const std::filesystem::path&);
template std::vector<RestMesh<3>> read_rest_meshes(const std::filesystem::path&);

}  // namespace knead
