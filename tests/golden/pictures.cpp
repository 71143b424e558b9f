// Small pictures compared with those in the tree. To refresh one after a change that was looked at, run with
// KNEAD_REFRESH=1 in the environment.
#include "render/plot.h"
#include "render/render.h"
#include "support/picture_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

using namespace knead;

namespace {

struct Tolerance {
  double mean;       // levels of 256
  double far_share;  // of the pixels, that may differ by more than 24 levels
};
// Machines round differently, and a ray may just miss an edge on one of them: single pixels may differ much, but few of
// them, and the mean not at all to the eye.
constexpr Tolerance traced{0.5, 1.0 / 200};
// Drawings have no rays that may miss: rounding moves a level here and there, and one letter changed is a failure.
constexpr Tolerance drawn{0.01, 1.0 / 20000};

void expect_like_golden(const Image& image, const std::string& name, Tolerance tolerance) {
  const std::filesystem::path golden = std::filesystem::path(KNEAD_SOURCE_DIR) / "tests/golden" / (name + ".png");
  if (std::getenv("KNEAD_REFRESH")) write_png(golden, image);
  const Image wanted = read_png(golden);
  ASSERT_EQ(wanted.width, image.width);
  ASSERT_EQ(wanted.height, image.height);
  double sum = 0;
  std::size_t far = 0;
  Image difference(image.width, image.height);
  for (std::size_t i = 0; i < image.pixels.size(); ++i) {
    const Color a = image.pixels[i], b = wanted.pixels[i];
    const int d = std::max({std::abs(a.r - b.r), std::abs(a.g - b.g), std::abs(a.b - b.b)});
    sum += d;
    far += d > 24;
    const auto grey = std::uint8_t(255 - std::min(255, 8 * d));
    difference.pixels[i] = {255, grey, grey};
  }
  const double mean = sum / double(image.pixels.size());
  if (mean < tolerance.mean && double(far) < tolerance.far_share * double(image.pixels.size())) return;
  const std::filesystem::path folder = testing::TempDir();
  write_png(folder / (name + ".now.png"), image);
  write_png(folder / (name + ".difference.png"), difference);
  FAIL() << name << " differs: mean " << mean << " levels, " << far << " pixels by more than 24; see "
         << (folder / (name + ".difference.png")).string() << " and " << name << ".now.png beside it";
}

RenderOptions small() {
  RenderOptions options;
  options.width = 144, options.height = 81;
  options.words = false;
  return options;
}

}  // namespace

TEST(Golden, still_life_3d) {
  const Scene scene = test::scene_3d();
  const RenderOptions options = small();
  expect_like_golden(render_frame(scene, test::lattice_frame<3>(scene, 0.04), options), "still_life_3d", traced);
}

TEST(Golden, still_life_3d_by_speed) {
  const Scene scene = test::scene_3d();
  RenderOptions options = small();
  options.color = "v";
  expect_like_golden(render_frame(scene, test::lattice_frame<3>(scene, 0.04), options), "still_life_3d_by_speed",
                     traced);
}

// Its ground at the foot of the tank, all of the tank in the picture, and its edges.
TEST(Golden, tank_3d) {
  const Scene scene = test::tank_3d();
  expect_like_golden(render_frame(scene, test::lattice_frame<3>(scene, 0.05), small()), "tank_3d", traced);
}

TEST(Golden, disc_and_block_2d) {
  const Scene scene = test::scene_2d();
  RenderOptions options;
  options.width = 280, options.height = 170;
  options.color = "v";
  options.velocity = true;
  expect_like_golden(render_frame(scene, test::lattice_frame<2>(scene, 0.02), options), "disc_and_block_2d", drawn);
}

TEST(Golden, plot_of_two_curves) {
  Series rise{"rise", {}, {}}, wave{"wave", {}, {}};
  for (int i = 0; i <= 100; ++i) {
    rise.x.push_back(0.02 * i), rise.y.push_back(400.0 * i);
    wave.x.push_back(0.02 * i), wave.y.push_back(2e4 + 1e4 * std::sin(0.1 * i));
  }
  Image image(360, 240);
  plot_series(*raster_canvas(image), {"Two curves", "time", "s", "energy", "J"}, {rise, wave});
  expect_like_golden(image, "plot_of_two_curves", drawn);
}
