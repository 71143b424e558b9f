// Medit's .mesh: keywords, each followed by a count and as many rows. Points are numbered from 1.
#include "geometry/simplex_files.h"

namespace knead {

FileCells read_medit(std::string_view text, const std::string& name) {
  TextWords words(text, name);
  FileCells cells;
  int dim = 3;
  bool begun = false;
  auto row = [&]<std::size_t n>(std::array<long long, n> corners) {
    for (long long& p : corners) p = words.integer("a corner");
    words.integer("a reference");
    return cells.corners(words, corners);
  };
  for (std::string_view keyword = words.next(); !keyword.empty(); keyword = words.next()) {
    if (!begun && keyword != "MeshVersionFormatted")
      words.wrong("is not a Medit file: it must begin with MeshVersionFormatted, not '{:.40}'", keyword);
    begun = true;
    if (keyword == "MeshVersionFormatted") {
      words.integer("the version");
    } else if (keyword == "Dimension") {
      const long long n = words.integer("the dimension");
      if (n != 2 && n != 3) words.wrong("the dimension is {}, but must be 2 or 3", n);
      dim = static_cast<int>(n);
    } else if (keyword == "Vertices") {
      const std::size_t n = words.count("the number of points");
      for (std::size_t i = 0; i < n; ++i) {
        Vec3d x{};
        for (int k = 0; k < dim; ++k) x[k] = words.number("a coordinate");
        words.integer("a reference");
        cells.add_point(words, static_cast<long long>(i) + 1, x);
      }
    } else if (keyword == "Tetrahedra") {
      const std::size_t n = words.count("the number of tetrahedra");
      for (std::size_t i = 0; i < n; ++i) cells.tetrahedra.push_back(row(std::array<long long, 4>{}));
    } else if (keyword == "Triangles") {
      const std::size_t n = words.count("the number of triangles");
      for (std::size_t i = 0; i < n; ++i) cells.triangles.push_back(row(std::array<long long, 3>{}));
    } else if (keyword == "Hexahedra" || keyword == "Prisms" || keyword == "Pyramids") {
      cells.other_volumes += words.count("the number of cells");
    } else if (keyword == "End") {
      break;
    }
    // Other keywords have numbers only, which the loop passes by.
  }
  if (!begun) fail(Exit::bad_input, "{}: is empty", name);
  return cells;
}

}  // namespace knead
