// A node whose velocity is not all its own: colliders and grips take directions from it, which implicit steps leave out
// of their unknowns. Colliders that matter may leave hold a direction only while they push, and friction is found by
// turns: a node sticks until its reaction leaves Coulomb's cone, then slides with the friction of the last solve
// (Wang 2020, section 3.4, has the normal part; the cone is Stomakhin's, 2013, section 8).
#pragma once

#include "base/mat.h"

#include <array>

namespace knead {

// A direction along which a boundary prescribes the velocity.
template <int D>
struct HeldDirection {
  Vec<double, D> normal;  // out of the boundary
  double speed;           // m/s, of the boundary along the normal
  double friction;        // Coulomb's coefficient
  bool releasable;        // matter may leave along the normal
  bool active;
  std::size_t boundary;  // which one of the collider set
};

template <int D>
class HeldNode {
 public:
  std::size_t node = 0;               // index in the grid
  Vec<double, D> friction_impulse{};  // kg m/s, on the matter; none while it sticks

  explicit HeldNode(std::size_t n) : node(n) {}

  // Takes a direction; one that hardly differs from those taken before adds nothing and is left out.
  void hold(const HeldDirection<D>& direction, const Vec<double, D>& moving) {
    if (count_ == D) return;
    Vec<double, D> rest = direction.normal;
    for (int k = 0; k < count_; ++k) rest -= span_[k] * dot(rest, span_[k]);
    const double length2 = dot(rest, rest);
    if (length2 < 1e-4) return;
    span_[count_] = rest * (1 / std::sqrt(length2));
    held_[count_] = direction;
    moving_[count_] = moving;
    ++count_;
  }
  bool holds() const { return count_ > 0; }

  // Which directions are active at the start, judged by the velocity that the node would have without stress; whether
  // it sticks, by the explicit rule.
  void start(const Vec<double, D>& v) {
    double approach = 0;
    for (int k = 0; k < count_; ++k) {
      const double normal = dot(v, held_[k].normal) - held_[k].speed;
      held_[k].active = !held_[k].releasable || normal < 0;
      if (held_[k].active) approach += held_[k].friction * std::max(0.0, -normal);
    }
    friction_impulse = {};
    sticks_ = false;
    settle();
    const Vec<double, D> sliding = free_ * (v - carrier());
    sticks_ = approach > 0 && dot(sliding, sliding) <= approach * approach;
    settle();
  }

  // The part of a vector that is the node's own, and the velocity that has the prescribed part.
  Vec<double, D> own(const Vec<double, D>& a) const { return free_ * a; }
  Vec<double, D> held(const Vec<double, D>& v) const { return free_ * v + prescribed_; }
  const Mat<double, D>& free() const { return free_; }

  // Looks at the solved velocity and the reaction, the impulse that the boundary gave, and changes what is held. Gives
  // the size of the change as an impulse, kg m/s; 0 if all is as it should be. `slack` is the impulse that the solver's
  // tolerance leaves open.
  double revise(const Vec<double, D>& v, const Vec<double, D>& reaction, double mass, double slack) {
    double change = 0;
    const std::array<double, D> push = pushes(reaction);
    double cone = 0;  // the largest friction impulse
    for (int k = 0; k < count_; ++k) {
      HeldDirection<D>& h = held_[k];
      const double approach = mass * (h.speed - dot(v, h.normal));
      if (h.active && h.releasable && push[k] < -slack) h.active = false, change -= push[k];
      if (h.active) cone += h.friction * std::max(0.0, push[k]);
      if (!h.active && approach > slack) h.active = true, change += approach;
    }
    if (change > 0) {
      sticks_ = false;
      settle();
    }
    return change + revise_friction(v, reaction, cone, mass, slack);
  }

  // After the last solve: no direction is entered, and friction does not drag matter backwards.
  Vec<double, D> finished(Vec<double, D> v) const {
    if (!sticks_ && dot(friction_impulse, friction_impulse) > 0) {
      const Vec<double, D> sliding = free_ * (v - carrier());
      if (dot(sliding, friction_impulse) > 0) v -= sliding;
    }
    for (int k = 0; k < count_; ++k) {
      const double normal = dot(v, held_[k].normal) - held_[k].speed;
      if (!held_[k].active && normal < 0) v -= held_[k].normal * normal;
    }
    return v;
  }

  bool sticks() const { return sticks_; }
  int count() const { return count_; }
  const HeldDirection<D>& direction(int k) const { return held_[k]; }

  // The reaction as a sum of pushes along the active normals; what is left is tangential.
  std::array<double, D> pushes(const Vec<double, D>& reaction) const {
    std::array<double, D> push{};
    // The active normals are triangular in the active directions of the span.
    for (int k = count_ - 1; k >= 0; --k) {
      if (!held_[k].active) continue;
      double along = dot(reaction, active_span_[k]);
      for (int j = k + 1; j < count_; ++j) along -= push[j] * dot(held_[j].normal, active_span_[k]);
      push[k] = along / dot(held_[k].normal, active_span_[k]);
    }
    return push;
  }

 private:
  // The velocity of the boundary that friction is against: of the last active one.
  Vec<double, D> carrier() const {
    Vec<double, D> v{};
    for (int k = 0; k < count_; ++k)
      if (held_[k].active) v = moving_[k];
    return v;
  }

  // Projection and prescribed velocity from what is active (Gram-Schmidt).
  void settle() {
    free_ = Mat<double, D>::identity();
    prescribed_ = {};
    for (int k = 0; k < count_; ++k) {
      if (!held_[k].active) continue;
      Vec<double, D> q = free_ * held_[k].normal;
      q = q * (1 / std::sqrt(dot(q, q)));
      active_span_[k] = q;
      prescribed_ += q * ((held_[k].speed - dot(held_[k].normal, prescribed_)) / dot(held_[k].normal, q));
      free_ -= outer(q, q);
    }
    if (!sticks_) return;
    prescribed_ += free_ * carrier();
    free_ = Mat<double, D>::zero();
  }

  double revise_friction(const Vec<double, D>& v, const Vec<double, D>& reaction, double cone, double mass,
                         double slack) {
    if (sticks_) {
      Vec<double, D> tangential = reaction;
      const std::array<double, D> push = pushes(reaction);
      for (int k = 0; k < count_; ++k) tangential -= held_[k].normal * push[k];
      const double size = std::sqrt(dot(tangential, tangential));
      if (size <= cone + slack) return 0;
      friction_impulse = tangential * (cone / size);
      sticks_ = false;
      settle();
      return size - cone;
    }
    const Vec<double, D> before = friction_impulse, sliding = free_ * (v - carrier());
    const double speed = std::sqrt(dot(sliding, sliding));
    if (cone > 0 && dot(sliding, before) > 0) {  // friction has turned the motion around: it holds
      friction_impulse = {};
      sticks_ = true;
      settle();
      return mass * speed;
    }
    // Against the motion where there was none; else turned towards that, as far as the motion weighs against it.
    const bool first = !(dot(before, before) > 0);
    friction_impulse = first ? sliding * (speed > 0 ? -cone / speed : 0.0) : before - sliding * mass;
    const double size = std::sqrt(dot(friction_impulse, friction_impulse));
    if (size > cone) friction_impulse *= cone / size;
    const Vec<double, D> change = friction_impulse - before;
    return std::sqrt(dot(change, change));
  }

  int count_ = 0;
  bool sticks_ = false;
  std::array<HeldDirection<D>, D> held_{};
  std::array<Vec<double, D>, D> moving_{};       // m/s, of the boundary there
  std::array<Vec<double, D>, D> span_{};         // of all directions, orthonormal
  std::array<Vec<double, D>, D> active_span_{};  // of the active ones; the others' entries are not used
  Mat<double, D> free_ = Mat<double, D>::identity();
  Vec<double, D> prescribed_{};
};

}  // namespace knead
