#include "render/texture.h"

#include "base/error.h"
#include "base/nearest.h"
#include "base/noise.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

namespace knead {
namespace {

Vec3f rgb(int r, int g, int b) { return light_of({std::uint8_t(r), std::uint8_t(g), std::uint8_t(b)}); }
Vec3f between(const Vec3f& a, const Vec3f& b, double t) {
  const float s = float(std::clamp(t, 0., 1.));
  return a * (1 - s) + b * s;
}
// Noise with finer and fainter detail.
double rough(const Vec3d& X) {
  return (smooth_noise(X) + 0.5 * smooth_noise(X * 2.03) + 0.25 * smooth_noise(X * 4.1) +
          0.125 * smooth_noise(X * 8.3)) /
         1.875;
}

// Which square along an axis. Faces of boxes lie in the planes between squares: they belong to one side, whatever the
// last digits of a place say.
double square_of(double squares) { return std::floor(std::round(squares * 4096) / 4096); }

Texture checker(bool inside) {
  const Vec3f one = inside ? rgb(214, 92, 70) : rgb(236, 228, 208), two = inside ? rgb(168, 52, 44) : rgb(72, 108, 146);
  return [=](const Vec3d& X, const Vec2d* uv) {
    const double squares = uv ? square_of(8 * (*uv)[0]) + square_of(8 * (*uv)[1])
                              : square_of(4 * X[0]) + square_of(4 * X[1]) + square_of(4 * X[2]);
    return std::fmod(std::abs(squares), 2) < 0.5 ? one : two;
  };
}

// Rings about the y axis, on the outside as well: the same wood all through.
Texture wood() {
  const Vec3f light = rgb(206, 158, 104), dark = rgb(134, 86, 48);
  return [=](const Vec3d& X, const Vec2d*) {
    const Vec3d bent{X[0] + 0.12 * rough({2 * X[0], 0.7 * X[1], 2 * X[2]}), X[1], X[2]};
    const double rings = 11 * std::hypot(bent[0] - 0.3, bent[2] + 0.2), t = rings - std::floor(rings);
    const double ring = smooth_step(0.05, 0.75, t) * (1 - smooth_step(0.88, 1, t));
    const double fibres = 0.22 * (rough({60 * X[0], 3 * X[1], 60 * X[2]}) - 0.5);
    return between(light, dark, ring + fibres);
  };
}

// A peel with pores; inside nine segments about the y axis in their skins, and the white of the peel around.
Texture orange(bool inside) {
  if (!inside) {
    const Vec3f peel = rgb(244, 142, 28), pore = rgb(214, 108, 16);
    return [=](const Vec3d& X, const Vec2d*) {
      return between(peel, pore, 0.8 * smooth_step(0.5, 0.8, smooth_noise(X * 60.)) + 0.6 * (rough(X * 2.) - 0.4));
    };
  }
  const Vec3f flesh = rgb(250, 158, 42), deep = rgb(232, 116, 20), skin = rgb(252, 232, 188);
  return [=](const Vec3d& X, const Vec2d*) {
    const double radius = std::hypot(X[0], X[2]), segment = 9 * (std::atan2(X[2], X[0]) / (2 * std::numbers::pi) + 0.5);
    const double to_skin = std::abs(segment - std::round(segment)) * 2 * std::numbers::pi / 9 * radius;
    const double in_flesh =
        smooth_step(0.012, 0.03, to_skin) * smooth_step(0.05, 0.09, radius) * (1 - smooth_step(0.86, 0.9, length(X)));
    const double fibres = rough({9 * X[0], 22 * X[1], 9 * X[2]});
    return between(skin, between(flesh, deep, fibres), in_flesh);
  };
}

// A crust, darker in places; inside crumb with holes.
Texture bread(bool inside) {
  if (!inside) {
    const Vec3f light = rgb(206, 142, 76), dark = rgb(122, 70, 30);
    return [=](const Vec3d& X, const Vec2d*) {
      return between(light, dark, 1.5 * (rough(X * 3.) - 0.25) + 0.35 * (smooth_noise(X * 30.) - 0.5));
    };
  }
  const Vec3f crumb = rgb(244, 216, 160), hole = rgb(190, 144, 84);
  return [=](const Vec3d& X, const Vec2d*) {
    const double holes =
        smooth_step(0.62, 0.72, smooth_noise(X * 9.)) + 0.8 * smooth_step(0.62, 0.75, smooth_noise(X * 23.));
    return between(crumb, hole, holes + 0.25 * (rough(X * 14.) - 0.5));
  };
}

// A picture that repeats, with 0, 0 at its lower left; where there are no texture coordinates, across the body.
Texture picture(const std::string& path) {
  const Image image = read_png(path);
  const auto light = std::make_shared<std::vector<Vec3f>>();
  for (const Color& c : image.pixels) light->push_back(light_of(c));
  return [light, w = image.width, h = image.height](const Vec3d& X, const Vec2d* uv) {
    const Vec2d at = uv ? *uv : Vec2d{0.5 + 0.5 * X[0], 0.5 + 0.5 * X[1]};
    const double x = at[0] * w - 0.5, y = (1 - at[1]) * h - 0.5;
    if (!(std::abs(x) < 1e9 && std::abs(y) < 1e9)) return Vec3f{};
    const auto pixel = [&](std::int64_t i, std::int64_t j) {
      return (*light)[std::size_t(((j % h) + h) % h * w + ((i % w) + w) % w)];
    };
    const auto i = std::int64_t(std::floor(x)), j = std::int64_t(std::floor(y));
    const double s = x - std::floor(x), t = y - std::floor(y);
    return between(between(pixel(i, j), pixel(i + 1, j), s), between(pixel(i, j + 1), pixel(i + 1, j + 1), s), t);
  };
}

Texture one_color(const Vec3f& color) {
  return [=](const Vec3d&, const Vec2d*) { return color; };
}

// #rrggbb
Vec3f written_color(const std::string& text) {
  unsigned number = 0;
  const char *begin = text.data() + 1, *end = text.data() + text.size();
  const auto [rest, trouble] = std::from_chars(begin, end, number, 16);
  if (text.size() != 7 || trouble != std::errc() || rest != end)
    fail(Exit::usage, "'{}' is not a colour; write it as #c08040", text);
  return rgb(int(number >> 16), int(number >> 8 & 255), int(number & 255));
}

}  // namespace

std::string texture_of(const std::string& body, const std::vector<std::string>& said) {
  std::string texture = "plain";
  for (const std::string& words : said) {
    const std::size_t at = words.find('=');
    if (at == std::string::npos || words.substr(0, at) == body)
      texture = words.substr(at == std::string::npos ? 0 : at + 1);
  }
  return texture;
}

Texture make_texture(const std::string& name, bool inside, const Vec3f& plain) {
  if (name == "plain") return one_color(plain);
  if (name == "checker") return checker(inside);
  if (name == "wood") return wood();
  if (name == "orange") return orange(inside);
  if (name == "bread") return bread(inside);
  if (name.starts_with('#')) return one_color(written_color(name));
  if (name.ends_with(".png") || name.ends_with(".PNG")) return picture(name);
  const std::vector<std::string> names = {"plain", "checker", "wood", "orange", "bread"};
  fail(Exit::usage, "there is no texture '{}'{}; there are {}, #rrggbb and PNG files", name, did_you_mean(name, names),
       fmt::join(names, ", "));
}

}  // namespace knead
