// Changing a mesh of triangles or tetrahedra in place, each change only where the cells around stay well shaped.
#pragma once

#include "geometry/simplex_measure.h"

#include <functional>

namespace knead {

template <int d>
class SimplexEdit {
 public:
  using Point = Vec<double, d>;
  using Cell = typename SimplexMesh<d>::Cell;

  // `edge` is the length that edges should have.
  SimplexEdit(SimplexMesh<d>& mesh, double edge);

  // How well shaped a cell is: its least altitude over the wanted edge or its own longest, whichever is less. About 0.8
  // at best, 0 where it is flat, negative inside out.
  double score(const SimplexCorners<d>& x) const;
  double score(int cell) const;
  // The least score of the cells at a point, were the point at x.
  double score_at(int point, const Point& x) const;
  double score_at(int point) const;

  // These do nothing and say so where a cell would score less than `least`.
  bool move(int point, const Point& x, double least);
  int split(int a, int b, const Point& x, double least);  // the edge's new point in the middle, or -1

  // Takes an edge away (3D only): the cells around it are replaced by cells between its ends and the best triangulation
  // of the ring of points around it (Klincsek 1980). The first only inside the mesh and where the worst score rises.
  // The second makes the edge (to_a, to_b) between two points of the ring, also on a flat boundary, where cells score
  // at least `least`.
  bool remove_edge(int a, int b);
  bool swap_edge(int a, int b, int to_a, int to_b, double least);
  // Splits an edge of the boundary at a point x inside and closes the ring around it, so that the ends of the ring are
  // joined by an edge. The new point, or -1.
  int close_ring(int a, int b, const Point& x, double least);
  // Two cells at the side p, q, r become three around a new edge between the corners a and b that face it. 3D only.
  bool flip_side(const std::array<int, 3>& side, int a, int b, double least);

  // Where a point may go: along so many directions, and from a wished place to the nearest one that is allowed, if any.
  struct Freedom {
    int count = 0;
    std::array<Point, d> directions{};
    std::function<bool(Point& x)> allowed{};  // empty: everywhere

    static Freedom everywhere();
  };
  // Moves a point about as long as the worst score around it rises.
  bool improve(int point, const Freedom& freedom);
  // Rounds of this over those of the points where a cell scores less than `poor`.
  void improve(const std::vector<int>& points, double poor, int rounds, const std::function<Freedom(int)>& freedom);

  const std::vector<int>& star(int point) const { return stars_[static_cast<std::size_t>(point)]; }
  std::vector<int> cells_at_edge(int a, int b) const;
  const SimplexMesh<d>& mesh() const { return mesh_; }
  int add_point(const Point& x);
  int add_cell(const Cell& cell);
  void remove_cell(int cell);
  // The points around an edge (3D), against the clock seen from b; true with them where they close a ring.
  std::pair<std::vector<int>, bool> ring(int a, int b) const;
  bool is_live(int cell) const { return mesh_.cells[static_cast<std::size_t>(cell)][0] >= 0; }
  // Drops the cells that were removed. The edit ends here.
  void finish();

 private:
  struct Fans;
  bool replace_ring(int a, int b, const Fans& fans, double least);

  SimplexMesh<d>& mesh_;
  double edge_;
  std::vector<std::vector<int>> stars_;  // the cells at each point
};

}  // namespace knead
