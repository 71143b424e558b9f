// The colliders as they stand at one moment: where they are, how they move, what they do to a velocity inside them.
#pragma once

#include "mpm/contact.h"
#include "scene/scene.h"

#include <array>

namespace knead {

// The scene's colliders, and a wall for each side of its domain.
std::vector<Collider> colliders_of(const Scene&);

class ColliderSet {
 public:
  // A point counts as inside up to a millionth of a cell outside, so that nodes on a wall belong to it whatever the
  // rounding.
  ColliderSet(std::vector<Collider> colliders, double dx) : colliders_(std::move(colliders)), skin_(1e-6 * dx) {
    move_to(0);
  }
  void move_to(double time);

  // Some of the colliders, by reference to the set.
  class Some {
   public:
    bool empty() const { return count_ == 0; }
    // The velocity v at the point x after contact with each collider that x is in, one after the other.
    template <class T, int D>
    Vec<T, D> collide(Vec<T, D> v, const Vec3d& x) const {
      for (int i = 0; i < count_; ++i) {
        const Posed& c = set_->posed_[static_cast<std::size_t>(all_ ? i : index_[static_cast<std::size_t>(i)])];
        const Vec3d local = c.to_local(x);
        if (!(c.collider->shape.distance(local) <= set_->skin_)) continue;
        const Vec<T, D> moving = resized<T, D>(c.velocity_at(x));
        const Vec<T, D> normal = resized<T, D>(c.rotation * c.collider->shape.normal(local, D));
        v = contact_velocity(c.collider->contact, T(c.collider->friction), v - moving, normal) + moving;
      }
      return v;
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
    const Collider* collider;
    Mat3d rotation, back;  // to the world, and from it
    Vec3d pivot, center;   // in the scene's drawing, and now
    Vec3d velocity, spin;  // m/s of the center, rad/s
    Vec3d to_local(const Vec3d& x) const { return back * (x - center) + pivot; }
    Vec3d velocity_at(const Vec3d& x) const { return velocity + cross(spin, x - center); }
  };
  std::vector<Collider> colliders_;
  double skin_;  // m
  std::vector<Posed> posed_;
};

}  // namespace knead
