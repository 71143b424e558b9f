#include "base/error.h"
#include "render/axes.h"
#include "render/canvas.h"
#include "render/colormap.h"
#include "render/font.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

using namespace knead;
namespace fs = std::filesystem;

namespace {

fs::path temporary(const std::string& name) { return fs::path(testing::TempDir()) / ("render_image_" + name); }

double ink_of(const Image& image) {
  double sum = 0;
  for (const Color& c : image.pixels) sum += 1 - c.r / 255.0;
  return sum;
}

}  // namespace

TEST(Image, png_round_trip_keeps_every_pixel) {
  for (const int alpha : {255, 77}) {
    Image image(37, 23);
    for (int y = 0; y < image.height; ++y)
      for (int x = 0; x < image.width; ++x)
        image.at(x, y) = {std::uint8_t(7 * x), std::uint8_t(11 * y), std::uint8_t(x * y), std::uint8_t(alpha)};
    const fs::path path = temporary("round_trip.png");
    write_png(path, image);
    const Image back = read_png(path);
    ASSERT_EQ(back.width, image.width);
    ASSERT_EQ(back.height, image.height);
    EXPECT_TRUE(back.pixels == image.pixels);
    EXPECT_EQ(png_bytes(image), png_bytes(back));
  }
}

TEST(Image, a_file_that_is_not_a_picture_is_refused) {
  const fs::path path = temporary("words.png");
  std::ofstream(path) << "words";
  try {
    read_png(path);
    FAIL();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code, Exit::bad_input);
    EXPECT_NE(std::string(failure.what()).find("not a PNG"), std::string::npos);
  }
}

TEST(Image, light_and_screen_levels_are_inverse) {
  for (int i = 0; i < 256; ++i) {
    const Color c{std::uint8_t(i), std::uint8_t(255 - i), 128};
    EXPECT_TRUE(color_of_light(light_of(c)) == c);
  }
}

TEST(Canvas, a_polygon_covers_its_exact_area) {
  Image image(100, 100);
  const Vec2d triangle[] = {{10.3, 12.6}, {80.1, 20.4}, {33.7, 90.2}};
  raster_canvas(image)->fill(triangle, {0, 0, 0});
  const Vec2d a = triangle[1] - triangle[0], b = triangle[2] - triangle[0];
  const double area = 0.5 * std::abs(a[0] * b[1] - a[1] * b[0]);
  // Eight scan lines a pixel and 256 levels: the edges add up to far less than a part in 200.
  EXPECT_NEAR(ink_of(image), area, 0.005 * area);
}

TEST(Canvas, a_line_covers_its_length_times_its_width) {
  for (const double width : {0.4, 1.0, 3.0}) {
    Image image(200, 100);
    raster_canvas(image)->segment({20.2, 30.7}, {180.4, 71.1}, {0, 0, 0}, width);
    const double drawn = std::hypot(160.2, 40.4) * width;
    EXPECT_NEAR(ink_of(image), drawn, 0.05 * drawn + width * width) << width;  // round ends, soft edges
  }
}

TEST(Canvas, what_falls_outside_is_dropped) {
  Image image(20, 20);
  const auto canvas = raster_canvas(image);
  canvas->segment({-1e6, -5}, {1e6, 25}, {0, 0, 0}, 2);
  canvas->rectangle({-50, -50}, {10, 10}, {0, 0, 0});
  canvas->text({-300, 10}, "far away", {14});
  canvas->text({15, 10}, "cut", {400});
  SUCCEED();
}

TEST(Font, every_printable_letter_has_ink_of_its_own) {
  std::vector<std::string> drawn;
  for (char c = 33; c < 127; ++c) {
    Image image(40, 40);
    raster_canvas(image)->text({8, 28}, std::string(1, c), {24, {0, 0, 0}});
    EXPECT_GT(ink_of(image), 3) << c;
    drawn.push_back(png_bytes(image));
  }
  std::sort(drawn.begin(), drawn.end());
  EXPECT_TRUE(std::adjacent_find(drawn.begin(), drawn.end()) == drawn.end());
}

TEST(Font, words_are_as_wide_as_they_say) {
  const TextStyle style{20, {0, 0, 0}};
  Image image(400, 60);
  const std::string words = "Energy [kg m^2/s^2]";
  raster_canvas(image)->text({50, 40}, words, style);
  int left = image.width, right = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.at(x, y).r < 128) left = std::min(left, x), right = std::max(right, x);
  EXPECT_NEAR(left, 50, 2);
  EXPECT_NEAR(right - left, text_width(words, style), 3);  // the pen's width
}

// Print has dots of one and a half stems or so; those of one stem vanish in small words.
TEST(Font, a_decimal_point_has_more_ink_than_a_square_as_wide_as_a_stroke) {
  for (const double size : {9.0, 13.0, 15.0, 24.0})
    for (const double shift : {0.0, 0.25, 0.5, 0.75}) {
      Image image(40, 40);
      raster_canvas(image)->text({12 + shift, 20 + shift}, ".", {size, {0, 0, 0}});
      const double stroke = font_pen * size / font_em;
      EXPECT_GT(ink_of(image), 2 * stroke * stroke) << size;
    }
}

TEST(Font, broken_utf8_becomes_boxes_and_never_fails) {
  EXPECT_EQ(code_points("a\xff\xc3").size(), 3u);
  EXPECT_EQ(code_points("m^2"), (std::vector<char32_t>{U'm', U'\u00b2'}));
  EXPECT_EQ(code_points("\u00e9\u2212"), (std::vector<char32_t>{U'\u00e9', U'\u2212'}));
}

TEST(Axes, ticks_are_round_numbers_within_the_range) {
  for (const auto& [low, high] : {std::pair{0.0, 1.0}, {-3.2, 17.9}, {1e-7, 3e-6}, {-5e8, 4e8}, {0.98, 1.02}}) {
    const Ticks ticks = nice_ticks(low, high, 6);
    EXPECT_GE(ticks.values.size(), 3u);
    EXPECT_LE(ticks.values.size(), 8u);
    for (const double v : ticks.values) {
      EXPECT_GE(v, low - 1e-9 * (high - low));
      EXPECT_LE(v, high + 1e-9 * (high - low));
      EXPECT_NEAR(v / ticks.step, std::round(v / ticks.step), 1e-6);
    }
  }
  EXPECT_EQ(tick_label(0.25, 0.05, 0), "0.25");
  EXPECT_EQ(tick_label(-2000, 500, 3), "\u22122.0");
  EXPECT_EQ(tick_label(-1e-18, 0.5, 0), "0.0");
  EXPECT_EQ(common_power(0, 45000), 3);
  EXPECT_EQ(common_power(0, 120), 0);
}

TEST(Colormap, ends_and_monotone_lightness_of_viridis) {
  const Colormap map("viridis");
  double before = -1;
  for (int i = 0; i <= 100; ++i) {
    const Vec3f light = light_of(map(i / 100.0));
    const double luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
    EXPECT_GT(luminance, before);
    before = luminance;
  }
  EXPECT_TRUE(map(-5) == map(0));
  EXPECT_TRUE(map(NAN) == map(0));
  EXPECT_THROW(Colormap("viridus"), Failure);
}
