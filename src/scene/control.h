// What a scene prescribes and measures while it runs: grips, events and probes.
#pragma once

#include "base/table.h"
#include "geometry/motion.h"
#include "geometry/shape.h"

namespace knead {

// A region, at rest or moving, in which matter takes the grip's velocity. It is no obstacle: matter may lie in it.
struct Grip {
  std::string name;
  std::optional<Shape> shape;
  std::string body;  // whose own shape it is, where `shape` is not given
  Motion motion;
  std::vector<std::string> axes;  // "x", "y", "z": the components it holds; all where empty
  std::optional<double> release;  // s
  Shape region{};                 // of `shape` or `body`; set by the reader
  bool holds(int axis) const;
  static const Table& table();
};

// What changes at a time.
struct Event {
  double time = 0;                   // s
  std::vector<std::string> release;  // grips and colliders that go
  std::vector<std::string> enable;   // grips and colliders that come (back)
  static const Table& table();
};

enum class ProbeType { force };
std::span<const char* const> enum_names(ProbeType);

// A measurement that adds columns to stats.csv.
struct Probe {
  std::string name;
  ProbeType type = ProbeType::force;
  std::string on;              // force: a collider, a grip or a wall of the domain
  std::optional<Vec3d> about;  // m; force: a fixed point that the torque is about
  static const Table& table();
};

// What the walls of the domain are called: "domain y min".
std::string domain_wall_name(int axis, bool high);

}  // namespace knead
