#include "render/colormap.h"

#include "base/error.h"
#include "base/nearest.h"

#include <algorithm>
#include <cmath>

namespace knead {
namespace {

// Anchors at equal distances; between them colours are mixed.
constexpr Color viridis[] = {{68, 1, 84},    {72, 40, 120},  {62, 74, 137},  {49, 104, 142}, {38, 130, 142},
                             {31, 158, 137}, {53, 183, 121}, {109, 205, 89}, {180, 222, 44}, {253, 231, 37}};
constexpr Color magma[] = {{0, 0, 4},      {24, 15, 62},  {69, 16, 119},   {114, 31, 129},  {159, 47, 127},
                           {205, 64, 113}, {241, 96, 93}, {253, 149, 103}, {254, 202, 141}, {252, 253, 191}};
constexpr Color coolwarm[] = {{59, 76, 192},   {98, 130, 234},  {141, 176, 254}, {184, 208, 249}, {221, 221, 221},
                              {245, 196, 173}, {244, 154, 123}, {222, 96, 77},   {180, 4, 38}};
constexpr Color grey[] = {{35, 35, 38}, {235, 235, 235}};

constexpr const char* names[] = {"viridis", "magma", "coolwarm", "grey"};
constexpr std::span<const Color> maps[] = {viridis, magma, coolwarm, grey};

}  // namespace

std::span<const char* const> colormap_names() { return names; }

Colormap::Colormap(std::string_view name) {
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (name == names[i]) anchors_ = maps[i];
  if (anchors_.empty())
    fail(Exit::bad_input, "unknown colormap '{}'{}; there are viridis, magma, coolwarm and grey", name,
         did_you_mean(std::string(name), std::vector<std::string>(std::begin(names), std::end(names))));
}

Color Colormap::operator()(double t) const {
  const double at = (std::isfinite(t) ? std::clamp(t, 0.0, 1.0) : 0.0) * double(anchors_.size() - 1);
  const std::size_t i = std::min(std::size_t(at), anchors_.size() - 2);
  return mixed(anchors_[i], anchors_[i + 1], at - double(i));
}

Color palette_color(std::size_t i) {
  constexpr Color colors[] = {{232, 86, 62},  {27, 158, 163}, {244, 178, 48},  {62, 120, 214},
                              {104, 178, 76}, {146, 92, 204}, {228, 104, 160}, {150, 108, 74}};
  return colors[i % std::size(colors)];
}

}  // namespace knead
