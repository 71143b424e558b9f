#include "world/world.h"

namespace knead {

const char* name_of(Bound bound) {
  switch (bound) {
    case Bound::none:
      return "none";
    case Bound::speed:
      return "speed";
    case Bound::elastic_wave:
      return "elastic wave";
    case Bound::strain_rate:
      return "strain rate";
    case Bound::viscous:
      return "viscosity";
    case Bound::dt_max:
      return "dt_max";
    case Bound::given:
      return "given";
    case Bound::frame:
      return "frame";
    case Bound::heat:
      return "heat";
    case Bound::body_force:
      return "body force";
    case Bound::collider_speed:
      return "collider speed";
    case Bound::longest_step:
      return "longest step of liquids";
  }
  return "none";
}

}  // namespace knead
