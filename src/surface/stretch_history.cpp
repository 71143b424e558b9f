#include "surface/stretch_history.h"

#include <algorithm>

namespace knead {

StretchHistory make_stretch_history(std::size_t edges, double threshold) {
  return {threshold, 0, std::vector<float>(edges, 0.f), std::vector<int>(edges, StretchHistory::never)};
}

void record(StretchHistory& history, std::span<const float> stretch) {
  for (std::size_t e = 0; e < stretch.size(); ++e) {
    history.stretch[e] = std::max(history.stretch[e], stretch[e]);
    if (double(history.stretch[e]) > history.threshold)
      history.broken_at[e] = std::min(history.broken_at[e], history.frames);
  }
  ++history.frames;
}

template <int d>
std::vector<float> edge_stretch(const CoreComplex<d>& complex, std::span<const Vec<double, d>> x) {
  std::vector<float> stretch;
  stretch.reserve(complex.edges.size());
  for (const auto& [a, b] : complex.edges)
    stretch.push_back(float(length(x[std::size_t(a)] - x[std::size_t(b)]) /
                            length(complex.points[std::size_t(a)] - complex.points[std::size_t(b)])));
  return stretch;
}

std::vector<std::uint8_t> broken_edges(const StretchHistory& history, int frame) {
  std::vector<std::uint8_t> broken(history.broken_at.size());
  for (std::size_t e = 0; e < broken.size(); ++e) broken[e] = history.broken_at[e] <= frame;
  return broken;
}

template std::vector<float> edge_stretch(const CoreComplex<2>&, std::span<const Vec<double, 2>>);
template std::vector<float> edge_stretch(const CoreComplex<3>&, std::span<const Vec<double, 3>>);

}  // namespace knead
