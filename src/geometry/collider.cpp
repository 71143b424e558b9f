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
      {field<&Collider::name>("name", "", "Name, used in messages and statistics."),
       field<&Collider::shape>("shape", "", "Its shape.").need(),
       field<&Collider::contact>("contact", "",
                                 "sticky: matter takes the collider's velocity; slip: it may only slide along it; "
                                 "separate: it may slide and leave; symmetry: a mirror wall, like slip but accurate to "
                                 "second order, for a plane at rest on grid nodes."),
       field<&Collider::friction>("friction", "", "Coulomb friction coefficient, for contact = \"separate\" only.")
           .at_least(0, "friction resists motion and never drives it"),
       field<&Collider::motion>("motion", "", "How it moves."),
       field<&Collider::temperature>(
           "temperature", "K",
           "Temperature, for methods without a grid; the collider heats or cools what touches it. Default: insulating.")
           .above(0, "temperatures are absolute"),
       field<&Collider::heat_exchange>(
           "heat_exchange", "W/(m^2 K)",
           "Heat transfer coefficient: heat flux to touching matter per kelvin of difference. Needed with temperature.")
           .at_least(0, "heat flows from hot to cold"),
       field<&Collider::enabled>("enabled", "",
                                 "Whether it is active from the start; an [[event]] may enable it later."),
       field<&Collider::visible>("visible", "", "Whether pictures show it."),
       field<&Collider::color>("color", "", "Red, green and blue, 0 to 1 (sRGB).")
           .within(0, 1, "colour components are from 0 to 1"),
       field<&Collider::opacity>("opacity", "",
                                 "How much it covers in pictures; below 1, what lies behind it shows through.")
           .within(0, 1, "0 is invisible and 1 is opaque")}};
  return t;
}

}  // namespace knead
