// Colliders and grips as they stand at one moment: where they are, how they move, what they do to a velocity inside
// them.
#pragma once

#include "scene/scene.h"
#include "world/contact.h"

#include <array>
#include <limits>

namespace knead {

// What velocities are held to: a collider, a wall of the domain, or a grip, whose region is the collider's shape.
struct Boundary {
  Collider collider;
  std::array<bool, 3> held{};  // the components that a grip holds; none of a collider
  bool grip = false;
  bool on = true;
  Formula displacement;  // m, of a grip that leads each particle by itself; see Grip
  Boundary(Collider c) : collider(std::move(c)) {}
  bool leads() const { return !displacement.is_zero(); }
  bool moves() const { return leads() || collider.motion.moves(); }
  // Where it leads what started at `start`.
  Vec3d led(const Vec3d& start, double time) const {
    return start + displacement.at(std::array{start[0], start[1], start[2], time});
  }
  // m/s, of what it leads; and how that is strained by it, d led / d start.
  Vec3d led_velocity(const Vec3d& start, double time) const {
    return displacement.slope(std::array{start[0], start[1], start[2], time}, 3);
  }
  Mat3d led_gradient(const Vec3d& start, double time) const {
    Mat3d gradient = Mat3d::identity();
    for (int c = 0; c < 3; ++c) {
      const Vec3d slope = displacement.slope(std::array{start[0], start[1], start[2], time}, c);
      for (int r = 0; r < 3; ++r) gradient(r, c) += slope[r];
    }
    return gradient;
  }
};

// The scene's colliders, a wall for each side of its domain, and its grips, which have the last word.
std::vector<Boundary> boundaries_of(const Scene&);

class ColliderSet {
 public:
  // A point counts as inside up to a millionth of a cell outside, so that nodes on a wall belong to it whatever the
  // rounding.
  ColliderSet(std::vector<Boundary> boundaries, double dx);
  void move_to(double time);
  double time() const { return time_; }  // s, of that
  // One whose place or velocity is not a finite number; null where all is well.
  const Boundary* lost() const;
  // m/s, of the fastest of the surfaces that reach into the box `matter` at some time from `time` to `time` + dt, where
  // they are in it; 0 where none does. Infinite where a turning one has no end, nor the box.
  double fastest(const Bounds& matter, double time, double dt, int dimension) const;
  // Which there are, switched on or not; what is switched counts from the next move on.
  std::span<const Boundary> boundaries() const { return boundaries_; }
  void set_on(std::size_t boundary, bool on) { boundaries_[boundary].on = on; }

  // Some of the boundaries, by reference to the set.
  class Some {
   public:
    bool empty() const { return count_ == 0; }
    // The velocity v at the point x after contact with each boundary that x is in, one after the other;
    // changed(boundary, change of velocity) is told about each.
    template <class T, int D, class Changed>
    Vec<T, D> collide(Vec<T, D> v, const Vec3d& x, Changed&& changed) const {
      for (int i = 0; i < count_; ++i) {
        const Posed& c = set_->posed_[static_cast<std::size_t>(all_ ? i : index_[static_cast<std::size_t>(i)])];
        const Collider& solid = c.boundary->collider;
        const Vec3d local = set_->drawn(c, x);
        if (!(solid.shape.distance(local) <= set_->skin_)) continue;
        const Vec<T, D> before = v, moving = resized<T, D>(set_->velocity_at(c, x, local));
        if (c.boundary->grip) {
          for (int a = 0; a < D; ++a)
            if (c.boundary->held[static_cast<std::size_t>(a)]) v[a] = moving[a];
        } else {
          const Vec<T, D> normal = resized<T, D>(c.rotation * solid.shape.normal(local, D));
          v = contact_velocity(solid.contact, T(solid.friction), v - moving, normal) + moving;
        }
        changed(static_cast<std::size_t>(c.boundary - set_->boundaries_.data()), v - before);
      }
      return v;
    }
    // f(boundary's index, boundary, its velocity at x, its normal there) for each boundary that x is in.
    template <int D, class F>
    void for_each_at(const Vec3d& x, F&& f) const {
      for_each_within<D>(x, set_->skin_,
                         [&](std::size_t index, const Boundary& boundary, double, const Vec<double, D>& velocity,
                             const Vec<double, D>& normal) { f(index, boundary, velocity, normal); });
    }
    // f(boundary's index, boundary, distance of x, its velocity there, its normal) for each boundary that x is in, or
    // nearer to than `reach`.
    template <int D, class F>
    void for_each_within(const Vec3d& x, double reach, F&& f) const {
      for (int i = 0; i < count_; ++i) {
        const Posed& c = set_->posed_[static_cast<std::size_t>(all_ ? i : index_[static_cast<std::size_t>(i)])];
        const Vec3d local = set_->drawn(c, x);
        const double distance = c.boundary->collider.shape.distance(local);
        if (!(distance <= reach)) continue;
        f(static_cast<std::size_t>(c.boundary - set_->boundaries_.data()), *c.boundary, distance,
          resized<double, D>(set_->velocity_at(c, x, local)),
          resized<double, D>(c.rotation * c.boundary->collider.shape.normal(local, D)));
      }
    }
    // Of x from the nearest of them; negative inside, infinite where there are none.
    double distance(const Vec3d& x) const {
      double least = std::numeric_limits<double>::infinity();
      for (int i = 0; i < count_; ++i) {
        const Posed& c = set_->posed_[static_cast<std::size_t>(all_ ? i : index_[static_cast<std::size_t>(i)])];
        least = std::min(least, c.boundary->collider.shape.distance(set_->drawn(c, x)));
      }
      return least;
    }
    template <class T, int D>
    Vec<T, D> collide(const Vec<T, D>& v, const Vec3d& x) const {
      return collide(v, x, [](std::size_t, const Vec<T, D>&) {});
    }

   private:
    friend class ColliderSet;
    const ColliderSet* set_ = nullptr;
    bool all_ = false;
    int count_ = 0;
    std::array<int, 16> index_{};  // with more than that, all are asked
  };

  Some all() const;
  // Those that may hold a point within `radius` of `center`.
  Some near(const Vec3d& center, double radius) const;

 private:
  struct Posed {
    const Boundary* boundary;
    Mat3d rotation, back;  // to the world, and from it
    Vec3d pivot, center;   // in the scene's drawing, and now
    Vec3d velocity, spin;  // m/s of the center, rad/s
    Vec3d to_local(const Vec3d& x) const { return back * (x - center) + pivot; }
    Vec3d velocity_at(const Vec3d& x) const { return velocity + cross(spin, x - center); }
  };
  // Where in the scene's drawing the point of a boundary is that is now at x; not a number where a grip that leads
  // matter has led none there.
  Vec3d drawn(const Posed& c, const Vec3d& x) const { return c.boundary->leads() ? start_of(c, x) : c.to_local(x); }
  Vec3d start_of(const Posed&, const Vec3d& x) const;
  // m/s, of that point.
  Vec3d velocity_at(const Posed& c, const Vec3d& x, const Vec3d& drawn) const {
    return c.boundary->leads() ? c.boundary->led_velocity(drawn, time_) : c.velocity_at(x);
  }
  std::vector<Boundary> boundaries_;
  std::vector<Bounds> boxes_;  // of the shapes of those, as drawn
  double skin_;                // m
  double time_ = 0;            // s
  std::vector<Posed> posed_;   // those that are on
};

}  // namespace knead
