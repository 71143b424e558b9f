// Contact with colliders: what a velocity becomes at a point inside one (mpm rules of Stomakhin 2013, section 8;
// Fumoto, Eq. 11 is "separate" without friction and the frame of solid cells of its program is "sticky").
#pragma once

#include "base/vec.h"
#include "geometry/collider.h"

namespace knead {

// v relative to the collider, n the outward normal.
template <class T, int D>
Vec<T, D> contact_velocity(Contact contact, T friction, const Vec<T, D>& v, const Vec<T, D>& n) {
  if (contact == Contact::sticky) return Vec<T, D>::zero();
  const T normal = dot(v, n);
  if (contact == Contact::separate && normal >= T(0)) return v;
  const Vec<T, D> tangential = v - n * normal;
  if (contact == Contact::slip || contact == Contact::symmetry) return tangential;
  // Coulomb: friction takes at most `friction` times the normal velocity that is lost.
  const T speed = length(tangential), loss = -friction * normal;
  return speed <= loss ? Vec<T, D>::zero() : tangential * (T(1) - loss / speed);
}

}  // namespace knead
