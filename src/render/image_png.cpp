// PNG files, through the stb libraries.
#include "base/error.h"
#include "output/whole_file.h"
#include "render/image.h"

#include <fstream>
#include <iterator>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace knead {

std::string png_bytes(const Image& image) {
  std::string bytes;
  auto append = [](void* to, void* data, int size) { static_cast<std::string*>(to)->append((char*)data, size); };
  const bool opaque = std::all_of(image.pixels.begin(), image.pixels.end(), [](const Color& c) { return c.a == 255; });
  if (!opaque) {
    stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.pixels.data(), 4 * image.width);
    return bytes;
  }
  std::vector<std::uint8_t> rgb;
  rgb.reserve(3 * image.pixels.size());
  for (const Color& c : image.pixels) rgb.insert(rgb.end(), {c.r, c.g, c.b});
  stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, rgb.data(), 3 * image.width);
  return bytes;
}

void write_png(const std::filesystem::path& path, const Image& image) { write_whole(path, png_bytes(image)); }

Image read_png(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(Exit::file, "{}: cannot read", path.string());
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  int width = 0, height = 0, channels = 0;
  stbi_uc* data = stbi_load_from_memory((const stbi_uc*)bytes.data(), int(bytes.size()), &width, &height, &channels, 4);
  if (!data) fail(Exit::bad_input, "{}: not a PNG picture ({})", path.string(), stbi_failure_reason());
  Image image(width, height);
  for (std::size_t i = 0; i < image.pixels.size(); ++i)
    image.pixels[i] = {data[4 * i], data[4 * i + 1], data[4 * i + 2], data[4 * i + 3]};
  stbi_image_free(data);
  return image;
}

}  // namespace knead
