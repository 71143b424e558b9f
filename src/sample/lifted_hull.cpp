#include "sample/lifted_hull.h"

#include "base/error.h"
#include "geometry/simplex_measure.h"

#include <algorithm>
#include <cstdio>
#include <memory>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace knead {

namespace {

// Qhull's state, and the file that it complains to.
struct Hull {
  qhT state;
  FILE* complaints = std::tmpfile();
  bool made = false;

  Hull() { qh_zero(&state, complaints); }
  Hull(const Hull&) = delete;
  ~Hull() {
    if (made) {
      qh_freeqhull(&state, !qh_ALL);
      int left = 0, total = 0;
      qh_memfreeshort(&state, &left, &total);
    }
    if (complaints) std::fclose(complaints);
  }
  std::string first_complaint() const {
    char text[200] = "";
    if (complaints) {
      std::rewind(complaints);
      if (!std::fgets(text, sizeof text, complaints)) text[0] = 0;
    }
    std::string s = text;
    while (!s.empty() && s.back() == '\n') s.pop_back();
    return s;
  }
};

}  // namespace

template <int d>
std::vector<typename SimplexMesh<d>::Cell> lifted_hull(const std::vector<Vec<double, d>>& points,
                                                       const std::vector<double>& weights, double unit) {
  // In units of the edges and about the middle, for precision.
  Vec<double, d> middle = Vec<double, d>::zero();
  for (const auto& p : points) middle += p / static_cast<double>(points.size());
  std::vector<double> lifted;
  lifted.reserve((points.size() + (1 << d)) * (d + 1));
  const auto lift = [&](const Vec<double, d>& x, double weight) {
    for (int k = 0; k < d; ++k) lifted.push_back(x[k]);
    lifted.push_back(dot(x, x) - weight);
  };
  double size = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec<double, d> x = (points[i] - middle) / unit;
    lift(x, weights[i] / (unit * unit));
    size = std::max(size, length(x));
  }
  // Far corners around them. Without these, all points of a flat side make one side of the hull, on which Qhull needs
  // the square of their number.
  for (int corner = 0; corner < 1 << d; ++corner) {
    Vec<double, d> x;
    for (int k = 0; k < d; ++k) x[k] = (corner >> k & 1 ? 1 : -1) * size * (3 + 0.1 * corner + 0.3 * k);
    lift(x, 0);
  }
  Hull hull;
  // Qbb scales the lift down to the coordinates: where rounding outgrew the weights, ties would be cut in two ways.
  char options[] = "qhull Qt Qbb Pp Q12";
  const int failed = qh_new_qhull(&hull.state, d + 1, static_cast<int>(points.size()) + (1 << d), lifted.data(), False,
                                  options, nullptr, hull.complaints);
  hull.made = true;
  if (failed)
    fail(Exit::numerical, "the Delaunay cells of {} points could not be found: {}", points.size(),
         hull.first_complaint());

  std::vector<typename SimplexMesh<d>::Cell> cells;
  qhT* qh = &hull.state;
  facetT* facet;
  FORALLfacets {
    if (facet->upperdelaunay || !(facet->normal[d] < 0)) continue;
    typename SimplexMesh<d>::Cell cell{};
    std::size_t n = 0;
    vertexT *vertex, **vertexp;
    FOREACHvertex_(facet->vertices) {
      if (n <= d) cell[n] = qh_pointid(qh, vertex->point);
      ++n;
    }
    if (n != d + 1) fail(Exit::unexpected, "qhull gave a cell with {} corners", n);
    if (*std::max_element(cell.begin(), cell.end()) >= static_cast<int>(points.size())) continue;
    SimplexCorners<d> x;
    for (std::size_t k = 0; k <= d; ++k) x[k] = points[static_cast<std::size_t>(cell[k])];
    if (signed_volume<d>(x) < 0) std::swap(cell[0], cell[1]), std::swap(x[0], x[1]);
    if (least_altitude<d>(x) > 1e-7 * unit) cells.push_back(cell);
  }
  return cells;
}

template std::vector<SimplexMesh<2>::Cell> lifted_hull<2>(const std::vector<Vec2d>&, const std::vector<double>&,
                                                          double);
template std::vector<SimplexMesh<3>::Cell> lifted_hull<3>(const std::vector<Vec3d>&, const std::vector<double>&,
                                                          double);

}  // namespace knead
