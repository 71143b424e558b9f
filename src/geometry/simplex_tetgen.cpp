// TetGen's (and in 2D Triangle's) .node and .ele: a line of counts, then a numbered row for each point or cell.
#include "geometry/simplex_files.h"

namespace knead {

FileCells read_tetgen(std::string_view nodes, const std::string& nodes_name, std::string_view rows,
                      const std::string& rows_name) {
  FileCells cells;
  TextWords n(nodes, nodes_name);
  const std::size_t points = n.count("the number of points");
  const long long dim = n.integer("the dimension");
  if (dim != 2 && dim != 3) n.wrong("the dimension is {}, but must be 2 or 3", dim);
  const std::size_t attributes = n.count("the number of attributes"), marks = n.count("the number of marks");
  for (std::size_t i = 0; i < points; ++i) {
    const long long number = n.integer("the number of a point");
    Vec3d x{};
    for (int k = 0; k < dim; ++k) x[k] = n.number("a coordinate");
    for (std::size_t k = 0; k < attributes + marks; ++k) n.number("an attribute");
    cells.add_point(n, number, x);
  }

  TextWords c(rows, rows_name);
  const std::size_t count = c.count("the number of cells"), corners = c.count("the number of corners");
  const std::size_t extra = c.count("the number of attributes"), needed = static_cast<std::size_t>(dim) + 1;
  if (corners < needed || corners > 10)
    c.wrong("cells have {} corners, but in {}D they need {} (up to 10 with points on edges)", corners, dim, needed);
  for (std::size_t i = 0; i < count; ++i) {
    const long long number = c.integer("the number of a cell");
    if (number < 0) c.wrong("a cell has the number {}, but numbers cannot be negative", number);
    std::array<long long, 10> at{};
    for (std::size_t k = 0; k < corners; ++k) at[k] = c.integer("a corner");
    for (std::size_t k = 0; k < extra; ++k) c.number("an attribute");
    if (dim == 3)
      cells.tetrahedra.push_back(cells.corners(c, std::array{at[0], at[1], at[2], at[3]}));
    else
      cells.triangles.push_back(cells.corners(c, std::array{at[0], at[1], at[2]}));
  }
  return cells;
}

}  // namespace knead
