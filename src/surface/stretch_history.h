// Which edges are broken when: an edge breaks once it has been stretched beyond a threshold, and stays broken
// (Wang 2020, Eq. 3.28, whose quotient is meant at the time s and not at t):
//
//   zeta_ab(t) = max over s <= t of |x_a(s) - x_b(s)| / |X_a - X_b| > zeta_c
#pragma once

#include "surface/core_complex.h"

#include <limits>

namespace knead {

struct StretchHistory {
  static constexpr int never = std::numeric_limits<int>::max();

  double threshold = 1.5;      // zeta_c
  int frames = 0;              // recorded so far
  std::vector<float> stretch;  // zeta of each edge so far
  std::vector<int> broken_at;  // the index of the frame in which it broke, or `never`
};

StretchHistory make_stretch_history(std::size_t edges, double threshold);

// Takes the next frame into account: the stretch of each edge, better the largest of all steps up to the frame than
// that of the frame alone.
void record(StretchHistory& history, std::span<const float> stretch);
// The stretch of each edge where the vertices are at `x`.
template <int d>
std::vector<float> edge_stretch(const CoreComplex<d>& complex, std::span<const Vec<double, d>> x);

// A number an edge, 1 for those broken in a frame or before it.
std::vector<std::uint8_t> broken_edges(const StretchHistory& history, int frame);

}  // namespace knead
