// Mirror walls: a plane of grid nodes beyond which lies the mirror image of the matter. What the nodes behind the plane
// received is folded onto their images before the grid is updated, and velocities are reflected back afterwards, so
// that particles near the wall see the field that their images would make (the method of images). A wall that only
// takes the normal velocity of the nodes behind it is accurate to first order; this one is to second.
#pragma once

#include "grid/block_grid.h"
#include "mpm/update_grid.h"

#include <algorithm>
#include <cmath>

namespace knead {

struct Mirror {
  int axis = 0;
  int plane = 0;      // the nodes' index along the axis
  bool above = true;  // the matter lies on the side of larger indices
  std::size_t boundary = 0;

  // How many nodes behind the plane an index along the axis lies.
  int beyond(int index) const { return above ? plane - index : index - plane; }
};

template <class T, int D>
Vec<T, D> mirrored(Vec<T, D> v, int axis) {
  v[axis] = -v[axis];
  return v;
}

// The walls with contact = "symmetry" that are switched on; the reader has seen to it that they lie on planes of nodes.
inline void find_mirrors(std::span<const Boundary> boundaries, double dx, std::vector<Mirror>& mirrors) {
  mirrors.clear();
  for (const Boundary& b : boundaries) {
    if (!b.on || b.grip || b.collider.contact != Contact::symmetry) continue;
    const Plane& plane = std::get<Plane>(b.collider.shape.value);
    int axis = 0;
    for (int a = 1; a < 3; ++a)
      if (std::abs(plane.normal[a]) > std::abs(plane.normal[axis])) axis = a;
    mirrors.push_back({axis, static_cast<int>(std::lround(plane.point[axis] / dx)), plane.normal[axis] > 0,
                       static_cast<std::size_t>(&b - boundaries.data())});
  }
}

// f(block of the node behind, mirror, node behind the plane, its image) for every node behind that has an image on the
// grid, and for the nodes on the plane, which are their own image. Each image has one node behind, so that pairs may be
// worked on at once. A node behind two mirrors belongs to the first; its image, which lies behind the second, comes
// with that one.
template <class T, int D, class F>
void for_each_of_mirror(const BlockGrid<T, D>& grid, std::span<const Mirror> mirrors, std::size_t k, F&& f) {
  using Layout = BlockLayout<D>;
  const Mirror& mirror = mirrors[k];
  parallel_for(grid.blocks(), 16, [&](std::size_t block) {
    const Vec<int, D> first = grid.first_node(block);
    const int low = first[mirror.axis], high = low + Layout::side - 1;
    if (mirror.above ? low > mirror.plane : high < mirror.plane) return;
    for (int n = 0; n < Layout::nodes; ++n) {
      Vec<int, D> image = first + Layout::node_offset(n);
      if (mirror.beyond(image[mirror.axis]) < 0) continue;
      const auto taken = [&](const Mirror& before) { return before.beyond(image[before.axis]) > 0; };
      if (std::any_of(mirrors.begin(), mirrors.begin() + static_cast<std::ptrdiff_t>(k), taken)) continue;
      image[mirror.axis] = 2 * mirror.plane - image[mirror.axis];
      const int other = grid.find(block_key(Layout::block_of(image)));
      if (other < 0) continue;  // only matter that is behind the wall reaches here; the wall slips there
      f(block, mirror, block * Layout::nodes + static_cast<std::size_t>(n),
        static_cast<std::size_t>(other) * Layout::nodes + static_cast<std::size_t>(Layout::node_index(image)));
    }
  });
}
// In the order in which nodes are folded, and in that in which they are reflected.
template <class T, int D, class F>
void for_each_mirrored(const BlockGrid<T, D>& grid, std::span<const Mirror> mirrors, F&& f) {
  for (std::size_t k = 0; k < mirrors.size(); ++k) for_each_of_mirror(grid, mirrors, k, f);
}
template <class T, int D, class F>
void for_each_mirrored_back(const BlockGrid<T, D>& grid, std::span<const Mirror> mirrors, F&& f) {
  for (std::size_t k = mirrors.size(); k-- > 0;)
    for_each_of_mirror(grid, mirrors, k, [&](std::size_t, const Mirror& mirror, std::size_t behind, std::size_t image) {
      f(mirror, behind, image);
    });
}

// Before the update of the grid. Gravity, which the update adds to all the mass of a node, points the other way for
// the image's share. What was behind is kept for tell_mirrors where it is measured.
template <class T, int D>
void fold_mirrors(BlockGrid<T, D>& grid, std::span<const Mirror> mirrors, const Vec<T, D>& gravity, T dt, bool measured,
                  std::vector<Node<T, D>>& kept) {
  if (measured && !mirrors.empty()) kept.resize(grid.nodes.size());
  for_each_mirrored(grid, mirrors, [&](std::size_t, const Mirror& mirror, std::size_t behind, std::size_t image) {
    const int axis = mirror.axis;
    if (behind == image) {
      // On the plane matter and image cancel across it. The update of the grid sees to the new velocity.
      if (!grid.old.empty()) grid.old[image].v[axis] = T(0);
      if (!grid.unforced.empty()) grid.unforced[image].v[axis] = T(0);
      return;
    }
    const auto fold = [&](Node<T, D>& from, Node<T, D>& to) {
      to.v += mirrored(from.v, axis);
      to.m += from.m;
      from = Node<T, D>{};
    };
    const T weight = T(2) * grid.nodes[behind].m * gravity[axis] * dt;
    if (measured) kept[behind] = grid.nodes[behind];
    fold(grid.nodes[behind], grid.nodes[image]);
    grid.nodes[image].v[axis] -= weight;
    if (!grid.old.empty()) fold(grid.old[behind], grid.old[image]);
    if (!grid.unforced.empty()) fold(grid.unforced[behind], grid.unforced[image]);
  });
}

// After it.
template <class T, int D>
void reflect_mirrors(BlockGrid<T, D>& grid, std::span<const Mirror> mirrors) {
  for_each_mirrored_back(grid, mirrors, [&](const Mirror& mirror, std::size_t behind, std::size_t image) {
    if (behind == image) return;
    grid.nodes[behind].v = mirrored(grid.nodes[image].v, mirror.axis);
    if (!grid.old.empty()) grid.old[behind].v = mirrored(grid.old[image].v, mirror.axis);
  });
}

// The impulses that the mirrors gave to the matter behind their planes. Matter and image change their momentum across
// the plane by opposite amounts; so the wall gave twice what the nodes behind gained over gravity's `fall` and the
// impulse of stress, stress(node), as far as that is not in the momentum that was kept. What it gave to the nodes on
// the plane, the update of the grid has told.
template <class T, int D, class Stress>
void tell_mirrors(const BlockGrid<T, D>& grid, std::span<const Mirror> mirrors, std::span<const Node<T, D>> kept,
                  const Vec<double, D>& fall, double dx, Reactions& reactions, Stress&& stress) {
  if (!reactions.measured() || mirrors.empty()) return;
  reactions.start_stage(grid.blocks());
  for_each_mirrored(grid, mirrors, [&](std::size_t block, const Mirror& mirror, std::size_t behind, std::size_t image) {
    const Node<T, D>& before = kept[behind];
    if (behind == image || !(before.m > T(0))) return;
    const int axis = mirror.axis, n = static_cast<int>(behind - block * BlockLayout<D>::nodes);
    const double gained = double(before.m) * (double(grid.nodes[behind].v[axis]) - fall[axis]) -
                          double(before.v[axis]) - stress(behind)[axis];
    reactions.add(block, mirror.boundary, node_position(grid, block, n, dx), Vec3d::axis(axis) * (2 * gained));
  });
  reactions.finish_stage();
}

}  // namespace knead
