// VTK's legacy format as text, unstructured grids. Points are numbered from 0; since version 5.1 cells are two lists.
#include "geometry/simplex_files.h"

namespace knead {

namespace {

constexpr int vtk_triangle = 5, vtk_tetrahedron = 10, vtk_first_volume = 10, vtk_last_volume = 14;

}  // namespace

FileCells read_vtk(std::string_view text, const std::string& name) {
  if (!text.starts_with("# vtk DataFile"))
    fail(Exit::bad_input, "{}:1: is not a VTK file: it must begin with '# vtk DataFile Version'", name);
  TextWords words(text, name);
  words.next_line();  // the version
  words.next_line();  // a title, which may be anything
  words.next_line();
  const std::string_view kind = words.next("ASCII or BINARY");
  if (kind == "BINARY") words.wrong("is a binary VTK file; write it as text (ASCII), or as .msh");
  if (kind != "ASCII") words.wrong("found '{:.40}' where ASCII or BINARY should be", kind);

  FileCells cells;
  std::vector<std::size_t> offsets{0};  // where each cell's corners begin
  std::vector<long long> corners, kinds;
  for (std::string_view keyword = words.next(); !keyword.empty(); keyword = words.next()) {
    if (keyword == "DATASET") {
      const std::string_view what = words.next("the kind of data");
      if (what != "UNSTRUCTURED_GRID") words.wrong("holds {:.40}, but UNSTRUCTURED_GRID is needed", what);
    } else if (keyword == "POINTS") {
      const std::size_t n = words.count("the number of points");
      words.next("the type of numbers");
      for (std::size_t i = 0; i < n; ++i) {
        Vec3d x{};
        for (int k = 0; k < 3; ++k) x[k] = words.number("a coordinate");
        cells.add_point(words, static_cast<long long>(i), x);
      }
    } else if (keyword == "CELLS") {
      const std::size_t n = words.count("the number of cells"), size = words.count("the size of the list");
      std::string_view first = words.next("a cell");
      if (first == "OFFSETS") {
        words.next("the type of numbers");
        offsets.clear();
        for (std::size_t i = 0; i < n; ++i) offsets.push_back(words.count("an offset"));
        if (offsets.empty() || offsets.back() != size)
          words.wrong("the last offset is not the number of corners, {}", size);
        for (std::size_t i = 1; i < offsets.size(); ++i)
          if (offsets[i] < offsets[i - 1]) words.wrong("offsets must not fall");
        if (words.next("CONNECTIVITY") != "CONNECTIVITY") words.wrong("CONNECTIVITY should be here");
        words.next("the type of numbers");
        for (std::size_t i = 0; i < size; ++i) corners.push_back(cells.corner(words, words.integer("a corner")));
      } else {
        for (std::size_t i = 0; i < n; ++i) {
          const std::optional<long long> m =
              i == 0 ? to_number<long long>(first) : words.integer("the number of corners");
          if (!m || *m < 0 || *m > most_corners) words.wrong("a cell must begin with how many corners it has");
          for (long long k = 0; k < *m; ++k) corners.push_back(cells.corner(words, words.integer("a corner")));
          offsets.push_back(corners.size());
        }
      }
    } else if (keyword == "CELL_TYPES") {
      const std::size_t n = words.count("the number of cells");
      if (n + 1 != offsets.size())
        words.wrong("there are {} kinds for {} cells; CELL_TYPES must follow CELLS", n, offsets.size() - 1);
      for (std::size_t i = 0; i < n; ++i) {
        const long long what = words.integer("the kind of a cell");
        const long long* at = corners.data() + offsets[i];
        const std::size_t m = offsets[i + 1] - offsets[i];
        if ((what == vtk_triangle && m != 3) || (what == vtk_tetrahedron && m != 4))
          words.wrong("cell {} has {} corners, but its kind, {}, needs {}", i, m, what, what == vtk_triangle ? 3 : 4);
        if (what == vtk_triangle) cells.triangles.push_back(cells.corners(words, std::array{at[0], at[1], at[2]}));
        if (what == vtk_tetrahedron)
          cells.tetrahedra.push_back(cells.corners(words, std::array{at[0], at[1], at[2], at[3]}));
        else if (what >= vtk_first_volume && what <= vtk_last_volume)
          ++cells.other_volumes;
      }
    } else if (keyword == "CELL_DATA" || keyword == "POINT_DATA") {
      break;  // what cells and points carry is not read
    }
  }
  if (!corners.empty() && cells.triangles.empty() && cells.tetrahedra.empty() && cells.other_volumes == 0)
    words.wrong("the file has no CELL_TYPES of triangles (5) or tetrahedra (10)");
  return cells;
}

}  // namespace knead
