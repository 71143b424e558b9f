#include "geometry/collider.h"

namespace knead {

std::span<const char* const> enum_names(Contact) {
  static constexpr const char* names[] = {"sticky", "slip", "separate", "symmetry"};
  return names;
}

double Collider::distance(const Vec3d& x, double t) const {
  return shape.distance(motion.moves() ? motion.to_local(x, t) : x);
}

const Table& Collider::table() {
  static const Table t{
      "collider",
      "A solid that matter cannot enter.",
      {field<&Collider::name>("name", "", "What messages and statistics call it."),
       field<&Collider::shape>("shape", "", "Its shape.").need(),
       field<&Collider::contact>(
           "contact", "",
           "sticky: matter takes the collider's velocity; slip: matter may only slide along it; "
           "separate: matter may slide or leave; symmetry: slip made exact by mirror images, for a plane "
           "at rest on nodes of the grid."),
       field<&Collider::friction>("friction", "", "Coulomb's coefficient, for contact = \"separate\" only.")
           .at_least(0, "friction resists motion, it never drives it"),
       field<&Collider::motion>("motion", "", "How it moves."),
       field<&Collider::temperature>("temperature", "K",
                                     "Its temperature, for methods without a grid; it warms or cools what touches it. "
                                     "Left out: it lets no heat through.")
           .above(0, "temperatures are absolute"),
       field<&Collider::heat_exchange>("heat_exchange", "W/(m^2 K)",
                                       "Heat that passes from it to matter that touches it, for each kelvin between "
                                       "them. Needed with temperature.")
           .at_least(0, "heat flows from hot to cold"),
       field<&Collider::enabled>("enabled", "",
                                 "Whether it is there from the start; an [[event]] may enable it later."),
       field<&Collider::visible>("visible", "", "Whether pictures show it."),
       field<&Collider::color>("color", "", "Red, green and blue, 0 to 1 (sRGB).")
           .within(0, 1, "a colour's parts lie in 0 to 1")}};
  return t;
}

}  // namespace knead
