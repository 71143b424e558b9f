// How a ledger is summed, whatever the method.
#pragma once

#include "material/elastic.h"
#include "world/solver.h"

namespace knead {

inline Ledger empty_ledger() {
  Ledger l;
  l.min = Vec3d::filled(std::numeric_limits<double>::infinity());
  l.max = Vec3d::filled(-std::numeric_limits<double>::infinity());
  l.least_stretch = std::numeric_limits<double>::infinity(), l.most_stretch = 0;
  return l;
}

// Mass, place and velocity of a particle. The centre is weighted with mass until the end.
inline void add_particle(Ledger& l, double mass, double volume, const Vec3d& x, const Vec3d& v, const Vec3d& gravity) {
  l.mass += mass, l.volume += volume;
  l.momentum += v * mass, l.angular_momentum += cross(x, v) * mass;
  l.kinetic += 0.5 * mass * dot(v, v);
  l.gravitational -= mass * dot(gravity, x);
  l.center += x * mass;
  for (int a = 0; a < 3; ++a) l.min[a] = std::min(l.min[a], x[a]), l.max[a] = std::max(l.max[a], x[a]);
  l.max_speed = std::max(l.max_speed, length(v));
}

// The largest and the smallest singular value of its elastic deformation gradient.
inline void add_stretches(Ledger& l, double most, double least) {
  l.most_stretch = std::max(l.most_stretch, most), l.least_stretch = std::min(l.least_stretch, least);
  if (least < smallest_stretch) ++l.collapsed;
}

inline Ledger combined(Ledger a, const Ledger& b) {
  a.mass += b.mass, a.volume += b.volume;
  a.momentum += b.momentum, a.angular_momentum += b.angular_momentum;
  a.kinetic += b.kinetic, a.elastic += b.elastic, a.gravitational += b.gravitational;
  a.center += b.center;
  for (int i = 0; i < 3; ++i) a.min[i] = std::min(a.min[i], b.min[i]), a.max[i] = std::max(a.max[i], b.max[i]);
  a.max_speed = std::max(a.max_speed, b.max_speed);
  a.least_stretch = std::min(a.least_stretch, b.least_stretch);
  a.most_stretch = std::max(a.most_stretch, b.most_stretch);
  a.collapsed += b.collapsed;
  a.heat += b.heat;
  return a;
}

// With what is carried from step to step.
inline Ledger closed(Ledger all, const Tally& tally) {
  all.center = all.center / std::max(all.mass, std::numeric_limits<double>::min());
  all.dissipated = tally.dissipated, all.contact_work = tally.contact_work, all.body_work = tally.body_work;
  all.heat_in = tally.heat_in;
  return all;
}

}  // namespace knead
