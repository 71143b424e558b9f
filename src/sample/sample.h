// Shapes into points: where a body's particles start.
#pragma once

#include "geometry/shape.h"
#include "scene/sampling.h"

#include <cstdint>
#include <filesystem>

namespace knead {

struct Sample {
  std::vector<Vec3d> points;
  double volume = 0;             // m^3 (m^2 in 2D), the shape's own; a particle's share is volume / points.size()
  std::vector<double> shares{};  // m^3, of the points, where they are not equal
};

// More particles than this are refused unless the caller allows them: ids are 32-bit.
inline constexpr std::int64_t most_particles = 2'000'000'000;
// What a particle costs in memory, columns and scratch; for predictions.
inline constexpr std::int64_t bytes_per_particle = 300;

// How many points a shape will get: volume / spacing^dim.
double expected_count(const Shape& shape, int dim, double spacing);

// Fills a prepared shape with points, about one for each spacing^dim of its volume.
//   lattice   a square (cubic) lattice about the centre of the bounds: a box of k spacings gets k points along that
//   side jittered  one point at random in each cell of that lattice poisson   at random, no two closer than
//   poisson_radius(), and no room left for another
// The same shape, spacing and seed give the same points in the same order on any number of threads. Fails with
// Exit::resources, before it allocates, where more than max_count points are to be expected, and with Exit::bad_input
// where the shape is unbounded or too small to receive any point.
Sample sample_shape(const Shape& shape, int dim, Sampling sampling, double spacing, std::uint64_t seed,
                    std::int64_t max_count = most_particles);

// The least distance between Poisson-disc points that gives one point for each spacing^dim in the middle of a large
// shape.
double poisson_radius(double spacing, int dim);

// Points from a text file: a point a line, coordinates separated by commas, semicolons, spaces or tabs, an optional
// header line, comments after '#'. In 2D two numbers a line; a third must be 0. Fails with the file's name and the
// line.
std::vector<Vec3d> read_points_csv(const std::filesystem::path& file, int dim, std::int64_t max_count = most_particles);

}  // namespace knead
