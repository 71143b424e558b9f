#include "geometry/simplex_read.h"

#include "base/counted.h"
#include "geometry/simplex_files.h"
#include "geometry/simplex_measure.h"
#include "geometry/whole_file.h"

#include <cctype>

namespace knead {

namespace {

namespace fs = std::filesystem;

FileCells read_cells(const fs::path& file) {
  std::string kind = file.extension().string();
  for (char& c : kind) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const std::string name = file.string();
  if (kind == ".msh") return read_msh(read_whole_file(file, "mesh"), name);
  if (kind == ".mesh") return read_medit(read_whole_file(file, "mesh"), name);
  if (kind == ".vtk") return read_vtk(read_whole_file(file, "mesh"), name);
  if (kind == ".node" || kind == ".ele") {
    const fs::path nodes = fs::path(file).replace_extension(".node"), cells = fs::path(file).replace_extension(".ele");
    return read_tetgen(read_whole_file(nodes, "list of points"), nodes.string(),
                       read_whole_file(cells, "list of cells"), cells.string());
  }
  fail(Exit::bad_input, "{}: '{}' is not a kind of file with cells; use .msh, .mesh, .vtk, .node or .ele", name, kind);
}

}  // namespace

template <int d>
SimplexMesh<d> read_simplices(const fs::path& file, SimplexReadReport* report) {
  FileCells read = read_cells(file);
  const std::string name = file.string();
  SimplexMesh<d> mesh;
  if constexpr (d == 3) {
    if (read.other_volumes > 0)
      fail(Exit::bad_input, "{}: has {} of another kind (hexahedra, prisms or pyramids); mesh it with tetrahedra alone",
           name, counted(read.other_volumes, "cell"));
    if (read.tetrahedra.empty())
      fail(Exit::bad_input, "{}: has no tetrahedra ({}, {}); in 3D a mesh of the inside is needed, not of the surface",
           name, counted(read.points.size(), "point"), counted(read.triangles.size(), "triangle"));
    mesh.cells = std::move(read.tetrahedra);
  } else {
    if (read.triangles.empty())
      fail(Exit::bad_input, "{}: has no triangles ({}); in 2D a mesh of triangles is needed", name,
           counted(read.points.size(), "point"));
    mesh.cells = std::move(read.triangles);
  }
  for (const Vec3d& x : read.points) mesh.points.push_back(resized<double, d>(x));
  SimplexReadReport found;
  Vec<double, d> lo = mesh.points[0], hi = lo;
  for (auto& cell : mesh.cells) {
    if (d == 2)
      for (int p : cell)
        if (read.points[static_cast<std::size_t>(p)][2] != 0)
          fail(Exit::bad_input, "{}: has a triangle off the plane z = 0, but this scene is in 2D", name);
    for (int p : cell)
      for (int k = 0; k < d; ++k) {
        const double x = mesh.points[static_cast<std::size_t>(p)][k];
        lo[k] = std::min(lo[k], x), hi[k] = std::max(hi[k], x);
      }
    const double volume = signed_volume<d>(corners_of(mesh, cell));
    if (volume < 0) std::swap(cell[0], cell[1]), ++found.turned;
  }
  // Flat to rounding: neither side is the inside.
  std::size_t flat = 0;
  for (const auto& cell : mesh.cells) flat += least_altitude<d>(corners_of(mesh, cell)) < 1e-12 * length(hi - lo);
  if (flat > 0)
    fail(Exit::bad_input,
         "{}: {} of {} cells have no volume; mesh it again, or remove them in the program that made it", name, flat,
         mesh.cells.size());
  found.unused = drop_unused_points(mesh);
  if (found.turned > 0)
    found.warnings.push_back(
        fmt::format("{}: {} inverted; reoriented", name,
                    found.turned == 1 ? "1 cell was" : fmt::format("{} cells were", found.turned)));
  if (found.unused > 0)
    found.warnings.push_back(fmt::format("{}: {} belong{} to no cell; removed", name, counted(found.unused, "point"),
                                         found.unused == 1 ? "s" : ""));
  if (report) *report = std::move(found);
  return mesh;
}

template SimplexMesh<2> read_simplices(const fs::path&, SimplexReadReport*);
template SimplexMesh<3> read_simplices(const fs::path&, SimplexReadReport*);

}  // namespace knead
