// Pictures in memory, eight bits a channel, and PNG files of them.
#pragma once

#include "base/vec.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace knead {

// A colour as screens and files have it (sRGB, not premultiplied).
struct Color {
  std::uint8_t r = 0, g = 0, b = 0, a = 255;
  friend bool operator==(const Color&, const Color&) = default;
};

struct Image {
  int width = 0, height = 0;
  std::vector<Color> pixels;  // row by row from the top

  Image() = default;
  Image(int w, int h, Color background = {255, 255, 255})
      : width(w), height(h), pixels(std::size_t(w) * h, background) {}
  Color& at(int x, int y) { return pixels[std::size_t(y) * width + x]; }
  const Color& at(int x, int y) const { return pixels[std::size_t(y) * width + x]; }
};

// Between the screen's encoding and light (linear, 1 is white): IEC 61966-2-1.
double linear_from_srgb(double encoded);
double srgb_from_linear(double light);
Vec3f light_of(Color);
Color color_of_light(const Vec3f& light);  // rounded to the nearest of 256 levels, opaque
Color color_of(const Vec3d& srgb);         // components 0 to 1 as a user writes them
Color mixed(Color a, Color b, double t);   // a at t = 0, b at t = 1

// Lays a colour over a pixel with the given coverage, 0 to 1.
void blend(Color& pixel, Color over, double coverage);
// Copies `source` into `target` with its upper left corner at (x, y); what falls outside is dropped.
void paste(Image& target, const Image& source, int x, int y);

// The same image gives the same bytes. The file appears whole or not at all.
std::string png_bytes(const Image&);
void write_png(const std::filesystem::path&, const Image&);
Image read_png(const std::filesystem::path&);

}  // namespace knead
