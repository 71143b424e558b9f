// What colliders and grips prescribe in an implicit step of the method mls.
#pragma once

#include "base/mat.h"

namespace knead {

// A particle held by colliders or grips in an implicit solve: its velocity along the axes of `free` is unknown, the
// rest is `velocity`.
template <class T, int D>
struct Hold {
  Mat<T, D> free = Mat<T, D>::identity();
  Vec<T, D> velocity = Vec<T, D>::zero();
  Vec<T, D> normal = Vec<T, D>::zero();   // of a collider that lets go
  Vec<T, D> moving = Vec<T, D>::zero();   // the collider's own velocity there
  Vec<T, D> impulse = Vec<T, D>::zero();  // N s, what holding it took in the last solve
  T friction = 0, drag = 0;               // kg: friction is this times the slip, for the slip of the last solve
  T last_drag = 0, last_rub = 0;          // kg, N s: of the solve before
  int boundary = -1;
  bool grip = false, fresh = false;  // fresh: not yet in a solve

  bool lets_go() const { return !grip && dot(normal, normal) > T(0); }
  Vec<T, D> along_surface(const Vec<T, D>& a) const { return a - normal * dot(normal, a); }
  // N s, of friction at this velocity.
  Vec<T, D> rub(const Vec<T, D>& v) const { return along_surface(moving - v) * drag; }
};

}  // namespace knead
