// The surface of a cracked body in one frame (Wang 2020, section 3.5): its outside, with the texture coordinates and
// the order of vertices of the input, and its cracks.
#pragma once

#include "surface/crack_geometry.h"
#include "surface/surface_mesh.h"

namespace knead {

// What stays the same over the frames of a body.
template <int d>
struct CrackedBody {
  CoreComplex<d> complex;
  RestPoints<d> rest;
  std::vector<std::array<Vec2d, 3>> uv;  // of the corners of the complex's sheet triangles; empty: none
  // The first so many points of the mesh are the input's vertices and become the first of the surface, used or not.
  std::size_t input_vertices = 0;
};

// An input triangle without a broken edge comes out as it was; the point of an edge is only there where that edge is
// broken, so that triangles which the crack reaches fit to those that it does not.
template <int d>
SurfaceMesh crack_mesh(const CrackedBody<d>& body, std::span<const std::uint8_t> broken, const CoreMotion<d>& motion);

}  // namespace knead
