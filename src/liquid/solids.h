// What liquid cannot enter, as one signed distance: colliders, walls of the domain, and the bubbles of explosions.
#pragma once

#include "scene/inflow.h"
#include "world/colliders.h"

namespace knead {

class Solids {
 public:
  Solids(const ColliderSet& colliders, std::vector<Explosion> explosions, double gap)
      : colliders_(&colliders), explosions_(std::move(explosions)), gap_(gap) {}

  // The bubbles as they stand at a time; the colliders are moved by who owns them.
  void move_to(double time);
  // Whether anything moves, now or later.
  bool may_move() const;
  // Whether something that moves is within `radius` of a point.
  bool moves_near(const Vec3d& center, double radius) const;
  // m/s, of the fastest bubble from `time` to `time` + dt.
  double fastest_bubble(double time, double dt) const;

  // Those that may be within `radius` of a point.
  class Near {
   public:
    bool empty() const { return some_.empty() && count_ == 0; }
    double distance(const Vec3d& x) const;
    // Out of the solid that x is deepest in.
    struct Surface {
      double distance = std::numeric_limits<double>::infinity();
      Vec3d normal{}, velocity{};
      int boundary = -1;  // of a collider or wall; a bubble has none
    };
    template <int D>
    Surface nearest(const Vec3d& x) const;
    // m/s, of the solid that x is in or nearest to.
    template <int D>
    Vec3d velocity(const Vec3d& x) const;

   private:
    friend class Solids;
    const Solids* solids_ = nullptr;
    ColliderSet::Some some_;
    bool all_ = false;
    std::size_t count_ = 0;
    std::array<std::uint32_t, 16> index_{};  // with more bubbles than that, all are asked
    template <class F>
    void for_each_bubble(F&& f) const {
      for (std::size_t i = 0; i < count_; ++i) f(solids_->bubbles_[all_ ? i : index_[i]]);
    }
  };
  Near near(const Vec3d& center, double radius) const;

 private:
  struct Bubble {
    Vec3d center{};
    double radius = 0, speed = 0;
  };
  const ColliderSet* colliders_;
  std::vector<Explosion> explosions_;
  double gap_;  // m, within which a point counts as on the surface
  std::vector<Bubble> bubbles_;
};

}  // namespace knead
