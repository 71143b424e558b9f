// A node whose velocity is not all its own: colliders and grips take directions from it, which implicit steps leave out
// of their unknowns. Colliders that matter may leave hold a direction only while they push (Wang 2020, section 3.4);
// friction takes part in the solve as a potential, given the pushes of the solve before.
#pragma once

#include "base/mat.h"

#include <array>

namespace knead {

// Coulomb's friction against the sliding velocity u, as an impulse that is the slope of a convex potential: the point
// of the disc |f| <= cone that is nearest to anchor - grip u (augmented Lagrangian of Alart and Curnier 1991). With the
// f and the push of one solve as anchor and cone of the next, what repeats itself is Coulomb's law without any creep:
// u = 0 inside the disc, f against u on its rim.
template <int D>
class Friction {
 public:
  Friction() = default;
  // Matter that pulls at nothing but the anchor's opposite slides at most with `creep`, m/s, before friction is whole.
  Friction(double cone, double creep, const Vec<double, D>& before, const Vec<double, D>& u)
      : cone_(cone), grip_(cone / creep), anchor_(nearest(before - u * grip_)) {}

  const Vec<double, D>& anchor() const { return anchor_; }
  Vec<double, D> impulse(const Vec<double, D>& u) const { return nearest(anchor_ - u * grip_); }
  // J; its gradient is -impulse.
  double potential(const Vec<double, D>& u) const {
    if (!(grip_ > 0)) return 0;
    const double size = length(anchor_ - u * grip_);
    return (size <= cone_ ? size * size / 2 : cone_ * (size - cone_ / 2)) / grip_;
  }
  // kg; the Hessian of the potential. Beyond the rim of the disc nothing resists a faster slide; with the whole
  // caution, 1, all directions resist alike, which is so much that the potential nowhere exceeds the parabola of it.
  Mat<double, D> hessian(const Vec<double, D>& u, double caution) const {
    const Vec<double, D> f = anchor_ - u * grip_;
    const double size = length(f);
    if (size <= cone_) return Mat<double, D>::identity() * grip_;
    const Mat<double, D> along = outer(f, f) * ((1 - caution) / (size * size));
    return (Mat<double, D>::identity() - along) * (grip_ * cone_ / size);
  }
  // The direction in which friction acts at u where it is whole; else zero.
  Vec<double, D> rim(const Vec<double, D>& u) const {
    const Vec<double, D> f = anchor_ - u * grip_;
    return length(f) < cone_ ? Vec<double, D>{} : f;
  }

 private:
  Vec<double, D> nearest(const Vec<double, D>& f) const {
    const double size = length(f);
    return size <= cone_ ? f : f * (cone_ / size);
  }
  double cone_ = 0;          // kg m/s, the largest impulse
  double grip_ = 0;          // kg
  Vec<double, D> anchor_{};  // kg m/s
};

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
  std::size_t node = 0;  // index in the grid

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

  // What explicit contact would do with the velocity v: directions that it approaches are active, and friction is
  // that of the impulse which stops it. `unstressed` is the velocity without stress, `speed` what the solver's
  // tolerance leaves open. Gives whether the node sticks.
  bool start(const Vec<double, D>& v, const Vec<double, D>& unstressed, double mass, double speed) {
    double cone = 0;
    for (int k = 0; k < count_; ++k) {
      const double approach = held_[k].speed - dot(v, held_[k].normal);
      held_[k].active = !held_[k].releasable || approach > 0;
      cone += held_[k].friction * mass * std::max(0.0, approach);
    }
    settle();
    creep_ = std::max(speed, 0.1 * length(unstressed - carrier()));
    const Vec<double, D> stopping = free_ * (carrier() - v) * mass;
    friction_ = Friction<D>(cone, creep_, stopping, {});
    rim_ = friction_.rim({});
    return cone > 0 && length(stopping) <= cone;
  }

  // The part of a vector that is the node's own, and the velocity that has the prescribed part.
  Vec<double, D> own(const Vec<double, D>& a) const { return free_ * a; }
  Vec<double, D> held(const Vec<double, D>& v) const { return free_ * v + prescribed_; }
  const Mat<double, D>& free() const { return free_; }
  Vec<double, D> still() const { return held(carrier()); }

  // Friction at the velocity v: its potential; its impulse and Hessian, which are kept.
  double friction_potential(const Vec<double, D>& v) const { return friction_.potential(sliding(v)); }
  // Newton's method would leap to and fro over the rim of Coulomb's disc; so its caution is whole where friction was
  // not whole or had another direction a moment ago.
  void rub(const Vec<double, D>& v, double caution) {
    const Vec<double, D> u = sliding(v), rim = friction_.rim(u);
    friction_impulse_ = friction_.impulse(u);
    friction_hessian_ = free_ * friction_.hessian(u, dot(rim, rim_) > 0 ? caution : 1.0) * free_;
    rim_ = rim;
  }
  const Vec<double, D>& friction_impulse() const { return friction_impulse_; }
  const Mat<double, D>& friction_hessian() const { return friction_hessian_; }

  // Looks at the solved velocity and the reaction, the impulse that the boundary gave, and changes what is held and the
  // friction. Gives the size of the change as an impulse, kg m/s.
  double revise(const Vec<double, D>& v, const Vec<double, D>& reaction, double mass, double speed) {
    double change = 0, cone = 0;
    const std::array<double, D> push = pushes(reaction);
    for (int k = 0; k < count_; ++k) {
      HeldDirection<D>& h = held_[k];
      const double approach = mass * (h.speed - dot(v, h.normal));
      double given = h.active ? push[k] : 0;
      if (h.active && h.releasable && push[k] < -mass * speed) h.active = false, change -= push[k];
      if (!h.active && approach > mass * speed) h.active = true, change += approach, given = approach;
      if (h.active) cone += h.friction * std::max(0.0, given);
    }
    if (change > 0) settle();
    const Vec<double, D> before = friction_.anchor();
    friction_ = Friction<D>(cone, creep_, free_ * before, sliding(v));
    rim_ = friction_.rim({});
    return change + length(friction_.anchor() - before);
  }

  // After the last solve: no direction is entered.
  Vec<double, D> finished(Vec<double, D> v) const {
    for (int k = 0; k < count_; ++k) {
      const double normal = dot(v, held_[k].normal) - held_[k].speed;
      if (!held_[k].active && normal < 0) v -= held_[k].normal * normal;
    }
    return v;
  }

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
  }

  Vec<double, D> sliding(const Vec<double, D>& v) const { return free_ * (v - carrier()); }

  int count_ = 0;
  std::array<HeldDirection<D>, D> held_{};
  std::array<Vec<double, D>, D> moving_{};       // m/s, of the boundary there
  std::array<Vec<double, D>, D> span_{};         // of all directions, orthonormal
  std::array<Vec<double, D>, D> active_span_{};  // of the active ones; the others' entries are not used
  Mat<double, D> free_ = Mat<double, D>::identity();
  Vec<double, D> prescribed_{};
  double creep_ = 0;  // m/s; with less, Newton's method has a hard time, with more, more solves are needed
  Friction<D> friction_;
  Vec<double, D> rim_{};               // of the friction where it was last asked
  Vec<double, D> friction_impulse_{};  // kg m/s, on the matter
  Mat<double, D> friction_hessian_{};  // kg
};

}  // namespace knead
