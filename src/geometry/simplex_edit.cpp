#include "geometry/simplex_edit.h"

namespace knead {

template <int d>
SimplexEdit<d>::SimplexEdit(SimplexMesh<d>& mesh, double edge) : mesh_(mesh), edge_(edge), stars_(mesh.points.size()) {
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (int p : mesh.cells[c]) stars_[static_cast<std::size_t>(p)].push_back(static_cast<int>(c));
}

template <int d>
double SimplexEdit<d>::score(const SimplexCorners<d>& x) const {
  return least_altitude<d>(x) / std::max(edge_, longest_edge<d>(x));
}

template <int d>
double SimplexEdit<d>::score(int cell) const {
  return score(corners_of(mesh_, mesh_.cells[static_cast<std::size_t>(cell)]));
}

template <int d>
double SimplexEdit<d>::score_at(int point, const Point& x) const {
  double least = 1;
  for (int c : star(point)) {
    const Cell& cell = mesh_.cells[static_cast<std::size_t>(c)];
    SimplexCorners<d> corners = corners_of(mesh_, cell);
    for (std::size_t k = 0; k <= d; ++k)
      if (cell[k] == point) corners[k] = x;
    least = std::min(least, score(corners));
  }
  return least;
}

template <int d>
double SimplexEdit<d>::score_at(int point) const {
  return score_at(point, mesh_.points[static_cast<std::size_t>(point)]);
}

template <int d>
bool SimplexEdit<d>::move(int point, const Point& x, double least) {
  if (!(score_at(point, x) >= least)) return false;
  mesh_.points[static_cast<std::size_t>(point)] = x;
  return true;
}

template <int d>
std::vector<int> SimplexEdit<d>::cells_at_edge(int a, int b) const {
  std::vector<int> cells;
  for (int c : star(a)) {
    const Cell& cell = mesh_.cells[static_cast<std::size_t>(c)];
    if (std::find(cell.begin(), cell.end(), b) != cell.end()) cells.push_back(c);
  }
  return cells;
}

template <int d>
int SimplexEdit<d>::add_point(const Point& x) {
  mesh_.points.push_back(x);
  stars_.emplace_back();
  return static_cast<int>(mesh_.points.size()) - 1;
}

template <int d>
int SimplexEdit<d>::add_cell(const Cell& cell) {
  const int c = static_cast<int>(mesh_.cells.size());
  mesh_.cells.push_back(cell);
  for (int p : cell) stars_[static_cast<std::size_t>(p)].push_back(c);
  return c;
}

template <int d>
void SimplexEdit<d>::remove_cell(int cell) {
  for (int p : mesh_.cells[static_cast<std::size_t>(cell)]) {
    std::vector<int>& star = stars_[static_cast<std::size_t>(p)];
    star.erase(std::find(star.begin(), star.end(), cell));
  }
  mesh_.cells[static_cast<std::size_t>(cell)].fill(-1);
}

template <int d>
void SimplexEdit<d>::finish() {
  std::erase_if(mesh_.cells, [](const Cell& cell) { return cell[0] < 0; });
}

template <int d>
int SimplexEdit<d>::split(int a, int b, const Point& x, double least) {
  const std::vector<int> old = cells_at_edge(a, b);
  std::vector<Cell> halves;
  const int middle = static_cast<int>(mesh_.points.size());
  for (int c : old)
    for (int end : {a, b}) {
      Cell half = mesh_.cells[static_cast<std::size_t>(c)];
      SimplexCorners<d> corners = corners_of(mesh_, half);
      for (std::size_t k = 0; k <= d; ++k)
        if (half[k] == end) half[k] = middle, corners[k] = x;
      if (!(score(corners) >= least)) return -1;
      halves.push_back(half);
    }
  add_point(x);
  for (int c : old) remove_cell(c);
  for (const Cell& half : halves) add_cell(half);
  return middle;
}

template <int d>
auto SimplexEdit<d>::Freedom::everywhere() -> Freedom {
  Freedom all{d};
  for (int i = 0; i < d; ++i) all.directions[static_cast<std::size_t>(i)] = Point::axis(i);
  return all;
}

template <int d>
bool SimplexEdit<d>::improve(int point, const Freedom& freedom) {
  const Point start = mesh_.points[static_cast<std::size_t>(point)];
  Point at = start;
  const double before = score_at(point, at);
  double best = before;
  auto try_at = [&](Point x) {
    double s = score_at(point, x);
    if (!(s > best * (1 + 1e-6) + 1e-9)) return false;
    if (freedom.allowed) {
      if (!freedom.allowed(x)) return false;
      s = score_at(point, x);
      if (!(s > best * (1 + 1e-6) + 1e-9)) return false;
    }
    best = s, at = x;
    return true;
  };
  // Towards the middle of the neighbours, then steps that get shorter.
  Point middle = Point::zero(), towards = Point::zero();
  double count = 0;
  for (int c : star(point))
    for (int p : mesh_.cells[static_cast<std::size_t>(c)])
      if (p != point) middle += mesh_.points[static_cast<std::size_t>(p)], count += 1;
  for (int i = 0; i < freedom.count; ++i) {
    const Point& along = freedom.directions[static_cast<std::size_t>(i)];
    towards += dot(middle / count - start, along) * along;
  }
  if (freedom.count > 0) try_at(start + towards);
  for (double step = 0.2 * edge_; step > 0.01 * edge_; step *= 0.5)
    for (int tries = 0; tries < 4; ++tries) {
      bool moved = false;
      for (int k = 0; k < 2 * freedom.count; ++k)
        moved |= try_at(at + freedom.directions[static_cast<std::size_t>(k / 2)] * (k % 2 == 0 ? step : -step));
      if (!moved) break;
    }
  mesh_.points[static_cast<std::size_t>(point)] = at;
  return best > before;
}

template <int d>
void SimplexEdit<d>::improve(const std::vector<int>& points, double poor, int rounds,
                             const std::function<Freedom(int)>& freedom) {
  bool moved = true;
  for (int round = 0; round < rounds && moved; ++round) {
    moved = false;
    for (int p : points)
      if (!star(p).empty() && score_at(p) < poor) moved |= improve(p, freedom(p));
  }
}

template class SimplexEdit<2>;
template class SimplexEdit<3>;

}  // namespace knead
