// How liquid comes and goes: sources, drains and underwater explosions.
#pragma once

#include "base/table.h"
#include "geometry/shape.h"

namespace knead {

enum class Seeding { jittered, lattice, random };
std::span<const char* const> enum_names(Seeding);

// An opening in a plane through the middle of a shape, square to the velocity, from which liquid comes.
struct Source {
  std::string name;
  std::string material;
  int material_index = -1;  // set by the reader
  Shape shape;              // the opening is the plane's part in it
  Vec3d velocity{};         // m/s
  double start = 0;         // s
  std::optional<double> stop;
  std::optional<double> volume;  // m^3, after which it stops
  double flux = 1;               // times what fills the jet
  Seeding seeding = Seeding::jittered;
  std::optional<double> particles_per_cell;  // 3^dimension where it is not given
  std::optional<Vec3d> color;
  static const Table& table();
};

// Liquid in it is taken away.
struct Drain {
  std::string name;
  Shape shape;
  double start = 0;  // s
  static const Table& table();
};

// A bubble of gas that grows in no time and is gone.
struct Explosion {
  std::string name;
  Vec3d center{};          // m
  double time = 0;         // s
  double radius = 0.4;     // m, at the end
  double first = 0.03;     // m, at the start
  double duration = 0.04;  // s
  // m, and m/s at which it grows; 0 before and after.
  double radius_at(double t) const;
  double speed_at(double t) const;
  static const Table& table();
};

}  // namespace knead
