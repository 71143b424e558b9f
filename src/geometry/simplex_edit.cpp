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
  const bool from_a = star(a).size() <= star(b).size();
  for (int c : star(from_a ? a : b)) {
    const Cell& cell = mesh_.cells[static_cast<std::size_t>(c)];
    if (std::find(cell.begin(), cell.end(), from_a ? b : a) != cell.end()) cells.push_back(c);
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
std::pair<std::vector<int>, bool> SimplexEdit<d>::ring(int a, int b) const {
  std::vector<std::array<int, 2>> steps;
  if constexpr (d == 3)
    for (int c : cells_at_edge(a, b)) {
      Cell cell = mesh_.cells[static_cast<std::size_t>(c)];
      // Even permutations to (a, b, p, q).
      const auto at = static_cast<std::size_t>(std::find(cell.begin(), cell.end(), a) - cell.begin());
      if (at != 0) std::swap(cell[0], cell[at]), std::swap(cell[at == 1 ? 2 : 1], cell[at == 3 ? 2 : 3]);
      while (cell[1] != b) std::rotate(cell.begin() + 1, cell.begin() + 2, cell.end());
      steps.push_back({cell[2], cell[3]});
    }
  if (steps.empty()) return {};
  // Where it is open, it starts at the one that no other leads to.
  int start = steps[0][0];
  for (const auto& [p, q] : steps)
    if (std::none_of(steps.begin(), steps.end(), [&, p = p](const auto& s) { return s[1] == p; })) start = p;
  std::vector<int> points{start};
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const auto next = std::find_if(steps.begin(), steps.end(), [&](const auto& s) { return s[0] == points.back(); });
    if (next == steps.end()) return {};  // several rings: the edge lies on the boundary more than once
    if ((*next)[1] == start) return {points, n + 1 == steps.size()};
    points.push_back((*next)[1]);
  }
  return {points, false};
}

// The best triangulations of chains of points around an edge, each closed by a side from its last point to its first.
template <int d>
struct SimplexEdit<d>::Fans {
  double worst = 1;
  std::vector<std::array<int, 3>> triangles{};  // against the clock seen from b

  // best[i][j]: the worst score when the points i to j are triangulated as well as can be; via[i][j] is the third
  // corner of the triangle at the side from i to j.
  void add(const SimplexEdit& edit, int a, int b, const std::vector<int>& chain) {
    const std::size_t n = chain.size();
    auto at = [&](int p) { return edit.mesh_.points[static_cast<std::size_t>(p)]; };
    auto pair_score = [&](std::size_t i, std::size_t k, std::size_t j) {
      if constexpr (d == 3) {
        const Point x = at(chain[i]), y = at(chain[k]), z = at(chain[j]);
        return std::min(edit.score({x, y, z, at(b)}), edit.score({x, z, y, at(a)}));
      } else {
        return -1.0;
      }
    };
    std::vector<double> best(n * n, 1);
    std::vector<std::size_t> via(n * n, 0);
    for (std::size_t span = 2; span < n; ++span)
      for (std::size_t i = 0; i + span < n; ++i) {
        const std::size_t j = i + span;
        best[i * n + j] = -2;
        for (std::size_t k = i + 1; k < j; ++k) {
          const double s = std::min({best[i * n + k], best[k * n + j], pair_score(i, k, j)});
          if (s > best[i * n + j]) best[i * n + j] = s, via[i * n + j] = k;
        }
      }
    worst = std::min(worst, best[n - 1]);
    if (!(worst > 0)) return;
    std::vector<std::array<std::size_t, 2>> open{{0, n - 1}};
    while (!open.empty()) {
      const auto [i, j] = open.back();
      open.pop_back();
      if (j == i + 1) continue;
      const std::size_t k = via[i * n + j];
      triangles.push_back({chain[i], chain[k], chain[j]});
      open.push_back({i, k}), open.push_back({k, j});
    }
  }
};

template <int d>
bool SimplexEdit<d>::replace_ring(int a, int b, const Fans& fans, double least) {
  if constexpr (d == 2) {
    return false;
  } else {
    if (!(fans.worst > 0 && fans.worst >= least)) return false;
    for (int c : cells_at_edge(a, b)) remove_cell(c);
    for (const auto& [x, y, z] : fans.triangles) add_cell({x, y, z, b}), add_cell({x, z, y, a});
    return true;
  }
}

template <int d>
bool SimplexEdit<d>::remove_edge(int a, int b) {
  const auto [around, closed] = ring(a, b);
  constexpr std::size_t longest = 12;  // longer rings seldom help, and cost the cube of their length
  if (!closed || around.size() > longest) return false;
  double before = 1;
  for (int c : cells_at_edge(a, b)) before = std::min(before, score(c));
  Fans fans;
  fans.add(*this, a, b, around);
  return replace_ring(a, b, fans, before * (1 + 1e-6) + 1e-9);
}

template <int d>
bool SimplexEdit<d>::swap_edge(int a, int b, int to_a, int to_b, double least) {
  auto [around, closed] = ring(a, b);
  constexpr std::size_t longest = 60;
  if (around.size() > longest) return false;
  const auto first = std::find(around.begin(), around.end(), to_a);
  if (first == around.end()) return false;
  if (closed) std::rotate(around.begin(), first, around.end());
  const auto last = std::find(around.begin(), around.end(), to_b);
  if (last == around.end()) return false;
  Fans fans;
  if (closed) {
    fans.add(*this, a, b, std::vector<int>(around.begin(), last + 1));
    std::vector<int> rest(last, around.end());
    rest.push_back(to_a);
    fans.add(*this, a, b, rest);
  } else {
    if (std::minmax(around.front(), around.back()) != std::minmax(to_a, to_b)) return false;
    fans.add(*this, a, b, around);
  }
  return replace_ring(a, b, fans, least);
}

template <int d>
int SimplexEdit<d>::close_ring(int a, int b, const Point& x, double least) {
  if constexpr (d == 2) {
    return -1;
  } else {
    const auto [around, closed] = ring(a, b);
    if (closed || around.size() < 3) return -1;
    const int middle = static_cast<int>(mesh_.points.size());
    std::vector<Cell> fresh;
    for (std::size_t i = 0; i < around.size(); ++i) {
      const int p = around[i], q = around[(i + 1) % around.size()];
      for (const Cell& cell : {Cell{a, middle, p, q}, Cell{middle, b, p, q}}) {
        SimplexCorners<3> corners;
        for (std::size_t k = 0; k < 4; ++k)
          corners[k] = cell[k] == middle ? x : mesh_.points[static_cast<std::size_t>(cell[k])];
        if (!(score(corners) >= least)) return -1;
        fresh.push_back(cell);
      }
    }
    add_point(x);
    for (int c : cells_at_edge(a, b)) remove_cell(c);
    for (const Cell& cell : fresh) add_cell(cell);
    return middle;
  }
}

template <int d>
bool SimplexEdit<d>::flip_side(const std::array<int, 3>& side, int a, int b, double least) {
  if constexpr (d == 2) {
    return false;
  } else {
    std::vector<int> old;
    for (int c : star(side[0])) {
      const Cell& cell = mesh_.cells[static_cast<std::size_t>(c)];
      auto has = [&](int p) { return std::find(cell.begin(), cell.end(), p) != cell.end(); };
      if (has(side[1]) && has(side[2]) && (has(a) || has(b))) old.push_back(c);
    }
    if (old.size() != 2) return false;
    std::vector<Cell> fresh;
    for (std::size_t k = 0; k < 3; ++k) {
      Cell cell{a, b, side[k], side[(k + 1) % 3]};
      if (signed_volume<3>(corners_of(mesh_, cell)) < 0) std::swap(cell[0], cell[1]);
      fresh.push_back(cell);
    }
    // The new cells have the volume of the old only where the new edge passes through the side.
    double volume = 0, worst = 1;
    for (int c : old) volume += signed_volume<3>(corners_of(mesh_, mesh_.cells[static_cast<std::size_t>(c)]));
    for (const Cell& cell : fresh) {
      volume -= signed_volume<3>(corners_of(mesh_, cell));
      worst = std::min(worst, score(corners_of(mesh_, cell)));
    }
    if (!(worst >= least) || std::abs(volume) > 1e-9 * edge_ * edge_ * edge_) return false;
    for (int c : old) remove_cell(c);
    for (const Cell& cell : fresh) add_cell(cell);
    return true;
  }
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
  double step = 0.2 * edge_;
  for (int halvings = 0; halvings < 5; ++halvings, step *= 0.5)
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
