// A solid that matter cannot enter: a shape, how it touches, and how it moves.
#pragma once

#include "geometry/motion.h"
#include "geometry/shape.h"

#include <span>

namespace knead {

// sticky: matter takes the collider's velocity; slip: it may only slide; separate: it may slide or leave; symmetry: the
// matter's mirror image lies behind the wall.
enum class Contact { sticky, slip, separate, symmetry };
std::span<const char* const> enum_names(Contact);

struct Collider {
  std::string name;
  Shape shape;
  Contact contact = Contact::separate;
  double friction = 0;
  Motion motion;
  std::optional<double> temperature;    // K
  std::optional<double> heat_exchange;  // W/(m^2 K), with matter that touches it
  bool enabled = true;                  // there from the start; an event may bring or take it
  bool visible = true;
  std::optional<Vec3d> color;  // sRGB, 0 to 1
  double opacity = 1;          // in pictures: 0 is invisible, below 1 what lies behind shows through

  double distance(const Vec3d& x, double t) const;
  // Whether pictures show anything of it.
  bool is_drawn() const { return visible && opacity > 0; }
  static const Table& table();
};

}  // namespace knead
