// Mirror walls: a plane of grid nodes beyond which lies the mirror image of the matter. What the nodes behind the plane
// received is folded onto their images before the grid is updated, and velocities are reflected back afterwards, so
// that particles near the wall see the field that their images would make (the method of images). A wall that only
// takes the normal velocity of the nodes behind it is accurate to first order; this one is to second.
#pragma once

#include "grid/block_grid.h"
#include "mpm/update_grid.h"

#include <cmath>

namespace knead {

struct Mirror {
  int axis = 0;
  int plane = 0;      // the nodes' index along the axis
  bool above = true;  // the matter lies on the side of larger indices
  std::size_t boundary = 0;
};

// The walls with contact = "symmetry" that are switched on; the reader has seen to it that they lie on planes of nodes.
inline void find_mirrors(std::span<const Boundary> boundaries, double dx, std::vector<Mirror>& mirrors) {
  mirrors.clear();
  for (std::size_t i = 0; i < boundaries.size(); ++i) {
    const Boundary& b = boundaries[i];
    if (!b.on || b.grip || b.collider.contact != Contact::symmetry) continue;
    const Plane& plane = std::get<Plane>(b.collider.shape.value);
    int axis = 0;
    for (int a = 1; a < 3; ++a)
      if (std::abs(plane.normal[a]) > std::abs(plane.normal[axis])) axis = a;
    mirrors.push_back({axis, static_cast<int>(std::lround(plane.point[axis] / dx)), plane.normal[axis] > 0, i});
  }
}

// f(node behind the plane, its image) for every node behind that has an image on the grid, and for the nodes on the
// plane, which are their own image. Each image has one node behind, so that pairs may be worked on at once.
template <class T, int D, class F>
void for_each_mirrored(const BlockGrid<T, D>& grid, const Mirror& mirror, F&& f) {
  using Layout = BlockLayout<D>;
  parallel_for(grid.blocks(), 16, [&](std::size_t block) {
    const Vec<int, D> first = grid.first_node(block);
    const int low = first[mirror.axis], high = low + Layout::side - 1;
    if (mirror.above ? low > mirror.plane : high < mirror.plane) return;
    for (int n = 0; n < Layout::nodes; ++n) {
      Vec<int, D> image = first + Layout::node_offset(n);
      const int beyond = mirror.above ? mirror.plane - image[mirror.axis] : image[mirror.axis] - mirror.plane;
      if (beyond < 0) continue;
      image[mirror.axis] = 2 * mirror.plane - image[mirror.axis];
      const int other = grid.find(block_key(Layout::block_of(image)));
      if (other < 0) continue;  // only matter that is behind the wall reaches here; the wall slips there
      f(block * Layout::nodes + static_cast<std::size_t>(n),
        static_cast<std::size_t>(other) * Layout::nodes + static_cast<std::size_t>(Layout::node_index(image)));
    }
  });
}

// Before the update of the grid. Gravity, which the update adds to all the mass of a node, points the other way for
// the image's share.
//
// The wall gives what the matter's momentum lacks after this: of a node behind with mass m and momentum p, whose image
// moves on with v, the matter had p + m g dt and goes on with -m v, and its share at the image has gained as much from
// the fold. For FLIP that is right in the mean over many steps.
template <class T, int D>
void fold_mirrors(BlockGrid<T, D>& grid, std::span<const Mirror> mirrors, double dx, T dt, const Vec<T, D>& gravity,
                  Reactions& reactions) {
  for (const Mirror& mirror : mirrors) {
    const int axis = mirror.axis;
    reactions.start_stage(grid.blocks());
    const auto fold = [&](Node<T, D>& behind, Node<T, D>& image) {
      behind.v[axis] = -behind.v[axis];
      image.v += behind.v;
      image.m += behind.m;
    };
    for_each_mirrored(grid, mirror, [&](std::size_t behind, std::size_t image) {
      if (behind == image) {
        // On the plane matter and image cancel across it. The update of the grid sees to the new velocity.
        if (!grid.old.empty()) grid.old[image].v[axis] = T(0);
        return;
      }
      const Node<T, D> own = grid.nodes[behind];
      fold(grid.nodes[behind], grid.nodes[image]);
      const T fall = gravity[axis] * dt;
      grid.nodes[image].v[axis] -= T(2) * own.m * gravity[axis] * dt;
      if (reactions.measured() && own.m > T(0)) {
        const T v = grid.nodes[image].v[axis] / grid.nodes[image].m + fall;
        const std::size_t block = behind / BlockLayout<D>::nodes;
        reactions.add(block, mirror.boundary,
                      node_position(grid, block, static_cast<int>(behind % BlockLayout<D>::nodes), dx),
                      Vec3d::axis(axis) * (-2 * double(own.v[axis] + own.m * (v + fall))));
      }
      grid.nodes[behind] = Node<T, D>{};
      if (grid.old.empty()) return;
      fold(grid.old[behind], grid.old[image]);
      grid.old[behind] = Node<T, D>{};
    });
    reactions.finish_stage();
  }
}

// After it.
template <class T, int D>
void reflect_mirrors(BlockGrid<T, D>& grid, std::span<const Mirror> mirrors) {
  for (const Mirror& mirror : mirrors)
    for_each_mirrored(grid, mirror, [&](std::size_t behind, std::size_t image) {
      if (behind == image) return;
      const auto reflect = [&](std::vector<Node<T, D>>& nodes) {
        nodes[behind].v = nodes[image].v;
        nodes[behind].v[mirror.axis] = -nodes[image].v[mirror.axis];
      };
      reflect(grid.nodes);
      if (!grid.old.empty()) reflect(grid.old);
    });
}

}  // namespace knead
