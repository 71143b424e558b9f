// What colliders and grips prescribe in an implicit step of the method mls.
#pragma once

#include "base/mat.h"

#include <algorithm>

namespace knead {

// A particle held by colliders or grips in an implicit solve: its velocity along the axes of `free` is unknown, the
// rest is `velocity`. A contact that rubs either sticks, and then nothing is free, or slides under a friction that is
// known but for its direction.
template <class T, int D>
struct Hold {
  Mat<T, D> free = Mat<T, D>::identity();
  Vec<T, D> velocity = Vec<T, D>::zero();
  Vec<T, D> normal = Vec<T, D>::zero();   // of a collider that lets go
  Vec<T, D> moving = Vec<T, D>::zero();   // the collider's own velocity there
  Vec<T, D> impulse = Vec<T, D>::zero();  // N s, what holding it took in the last solve
  Vec<T, D> sliding = Vec<T, D>::zero();  // N s, friction of a contact that slides, at no slip
  Mat<T, D> turning = Mat<T, D>::zero();  // kg, how it turns against the slip
  T friction = 0;                         // Coulomb's coefficient
  int boundary = -1;
  bool grip = false, fresh = false;  // fresh: not yet in a solve
  bool sticks = false;

  bool lets_go() const { return !grip && dot(normal, normal) > T(0); }
  Vec<T, D> along_surface(const Vec<T, D>& a) const { return a - normal * dot(normal, a); }
  // N s, of friction at this velocity where it slides; what sticks is held by `impulse`.
  Vec<T, D> rub(const Vec<T, D>& v) const { return sliding + turning * (moving - v); }

  void stick() {
    sticks = true, free = Mat<T, D>::zero(), velocity = normal * dot(normal, velocity) + along_surface(moving);
    sliding = Vec<T, D>::zero(), turning = Mat<T, D>::zero();
  }
};

// A contact after a solve, by Coulomb's law: friction is the point of the disc of the radius `most` that is nearest to
// `pull`, which is what friction was less the slip times a stiffness (Alart and Curnier 1991). All in N s.
template <class T, int D>
struct Rubbing {
  Vec<T, D> slip, rub, pull;  // slip: m/s; rub: friction of the solve
  T stiffness, most;          // stiffness: kg

  Rubbing(const Hold<T, D>& hold, const Vec<T, D>& v, T k)
      : slip(hold.sticks ? Vec<T, D>::zero() : hold.along_surface(v - hold.moving)),
        rub(hold.sticks ? hold.along_surface(hold.impulse) : hold.rub(v)),
        pull(rub - slip * k),
        stiffness(k),
        most(hold.friction * std::max(T(0), dot(hold.impulse, hold.normal))) {}

  bool holds() const { return length(pull) <= most; }
  // How far friction is from what it should be.
  T error() const { return length(rub - (holds() ? pull : pull * (most / length(pull)))); }
  void slide(Hold<T, D>& hold) const {
    const T size = length(pull);
    const Vec<T, D> direction = pull * (T(1) / size);
    const Mat<T, D> along = Mat<T, D>::identity() - outer(hold.normal, hold.normal);
    hold.sticks = false, hold.free = along, hold.velocity = hold.normal * dot(hold.normal, hold.velocity);
    hold.turning = (along - outer(direction, direction)) * (stiffness * most / size);
    hold.sliding = direction * most + hold.turning * slip;
  }
};

}  // namespace knead
