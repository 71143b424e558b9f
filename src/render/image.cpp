#include "render/image.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace knead {

double linear_from_srgb(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

double srgb_from_linear(double l) { return l <= 0.0031308 ? 12.92 * l : 1.055 * std::pow(l, 1 / 2.4) - 0.055; }

namespace {

std::uint8_t level(double x) { return std::uint8_t(std::lround(255 * std::clamp(x, 0.0, 1.0))); }

const std::array<float, 256>& light_of_level() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> t{};
    for (int i = 0; i < 256; ++i) t[i] = float(linear_from_srgb(i / 255.0));
    return t;
  }();
  return table;
}

}  // namespace

Vec3f light_of(Color c) {
  const auto& table = light_of_level();
  return {table[c.r], table[c.g], table[c.b]};
}

Color color_of_light(const Vec3f& light) {
  auto encode = [](float l) { return level(srgb_from_linear(std::clamp(double(l), 0.0, 1.0))); };
  return {encode(light[0]), encode(light[1]), encode(light[2])};
}

Color color_of(const Vec3d& c) { return {level(c[0]), level(c[1]), level(c[2])}; }

Color mixed(Color a, Color b, double t) {
  auto mix = [t](int p, int q) { return std::uint8_t(std::lround(p + (q - p) * std::clamp(t, 0.0, 1.0))); };
  return {mix(a.r, b.r), mix(a.g, b.g), mix(a.b, b.b), mix(a.a, b.a)};
}

void blend(Color& pixel, Color over, double coverage) {
  const std::uint8_t alpha = pixel.a;
  const double t = coverage * over.a / 255.0;
  over.a = 255;
  pixel = mixed(pixel, over, t);
  pixel.a = std::max(alpha, pixel.a);
}

void paste(Image& target, const Image& source, int x, int y) {
  const int left = std::max(0, -x), right = std::min(source.width, target.width - x);
  if (left >= right) return;
  for (int row = std::max(0, -y); row < std::min(source.height, target.height - y); ++row)
    std::copy(&source.at(left, row), &source.at(left, row) + (right - left), &target.at(x + left, y + row));
}

}  // namespace knead
