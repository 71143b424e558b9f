// The value of a quantity (scene/quantities.h) at every particle.
#pragma once

#include "scene/quantities.h"
#include "world/particles.h"

#include <functional>

namespace knead {

// Of a particle, its volume over that at rest.
using VolumeRatio = std::function<double(std::size_t)>;

// Of the particles of a frame at a time: from their F and what their materials remember.
VolumeRatio volume_ratio_of(const Scene& scene, const Particles& particles, int dimension, double time);

// The names that may be asked of particles with these columns.
std::vector<std::string> quantity_names(const Particles& particles, int dimension);

// A number of each particle: vectors by their length, matrices by their Frobenius norm, F by its determinant. The
// particles must outlive it.
class Quantity {
 public:
  // Fails (bad_input) where these particles cannot tell it.
  Quantity(const std::string& text, const Particles& particles, int dimension, const VolumeRatio& ratio);
  double operator()(std::size_t particle) const { return value_(particle); }

  std::string title;  // "|v|", "det F", "pressure"
  std::string unit;   // of a name; none of an expression

 private:
  std::function<double(std::size_t)> value_;
};

// Of all particles, as floats.
std::vector<float> values_of(const Quantity& quantity, std::size_t count);

}  // namespace knead
