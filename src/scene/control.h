// What a scene prescribes and measures while it runs: grips, events and probes.
#pragma once

#include "base/table.h"
#include "geometry/motion.h"
#include "geometry/shape.h"
#include "material/list.h"

namespace knead {

// A region, at rest or moving, in which matter takes the grip's velocity. It is no obstacle: matter may lie in it.
struct Grip {
  std::string name;
  std::optional<Shape> shape;
  std::string body;  // whose own shape it is, where `shape` is not given
  Motion motion;
  Formula displacement;           // m, of X, Y, Z and t: where matter that started in the region is led, without motion
  std::vector<std::string> axes;  // "x", "y", "z": the components it holds; all where empty
  std::optional<double> release;  // s
  Shape region{};                 // of `shape` or `body`; set by the reader
  bool holds(int axis) const;
  bool leads() const { return !displacement.is_zero(); }
  static const Table& table();
};

// What changes at a time.
struct Event {
  double time = 0;                   // s
  std::vector<std::string> release;  // grips and colliders that go
  std::vector<std::string> enable;   // grips and colliders that come (back)
  std::string body;                  // whose material or velocity changes; velocity: all matter's where empty
  std::string material;              // that the body becomes, or whose parameters change
  bool reset = false;                // the body forgets its strain
  Settings set;                      // parameters of the material
  Formula velocity;                  // m/s, added
  std::optional<Vec3d> gravity;      // m/s^2, from then on
  // Set by the reader.
  int body_index = -1, material_index = -1;
  std::optional<Material> changed;  // the material with its new parameters
  static const Table& table();
};

enum class ProbeType { force, particle, region, front, mean, count, pieces, losses, sums };
enum class Axis { x, y, z };
std::span<const char* const> enum_names(ProbeType);
std::span<const char* const> enum_names(Axis);

// A measurement that adds columns to stats.csv.
struct Probe {
  std::string name;
  ProbeType type = ProbeType::force;
  std::string on;                      // force: a collider, a grip or a wall of the domain
  std::optional<Vec3d> about;          // m; force: a fixed point that the torque is about
  std::optional<Vec3d> at;             // m; particle: the one nearest to it at the start
  std::optional<Shape> shape;          // region; front, mean, count: only what lies in it
  Motion motion;                       // of the region
  std::string body;                    // front, mean, count, sums, pieces: all bodies where empty
  std::string where;                   // region, front, mean, count, sums: of X, Y, Z, positive where matter counts
  Axis axis = Axis::x;                 // front
  double quantile = 0.995;             // front: the share of mass that lies behind it
  std::string column;                  // mean, count: one of probe_quantities()
  std::optional<double> above, below;  // count
  double share = 0.05;                 // pieces: of the mass, that makes a piece a main one
  // Set by the reader.
  int body_index = -1;
  std::optional<Expression> chosen{};  // `where`
  static const Table& table();
};

// What the walls of the domain are called: "domain y min".
std::string domain_wall_name(int axis, bool high);

}  // namespace knead
