#include "base/error.h"
#include "render/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

using namespace knead;

namespace {

StatsTable energies() {
  StatsTable stats;
  stats.names = {"frame", "time", "kinetic", "elastic", "gravitational", "dissipated"};
  stats.values.resize(stats.names.size());
  for (int i = 0; i <= 50; ++i) {
    const double t = 0.04 * i;
    const double row[] = {i + 1.0, t, 900 * t * std::exp(-t), 300 * (1 - std::cos(3 * t)), 5000 - 1200 * t, 250 * t};
    for (std::size_t k = 0; k < stats.names.size(); ++k) stats.values[k].push_back(row[k]);
  }
  return stats;
}

bool near(Color a, Color b) { return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b) < 12; }

}  // namespace

TEST(Plot, every_curve_passes_through_its_points) {
  Image image(800, 500);
  const std::vector<Series> series = series_of(energies());
  ASSERT_EQ(series.size(), 5u);  // four parts and their sum
  EXPECT_EQ(series.back().name, "total");
  const PlotFrame f = plot_series(*raster_canvas(image), {"test", "time", "s", "energy", "J"}, series);
  for (std::size_t k = 0; k < series.size(); ++k) {
    int found = 0;
    for (std::size_t i = 0; i < series[k].x.size(); ++i) {
      const Vec2d at = f.place(series[k].x[i], series[k].y[i]);
      found += near(image.at(int(at[0]), int(at[1])), series_color(k));
    }
    EXPECT_GT(found, 35) << series[k].name;  // of 51; where curves cross, the later one lies on top
  }
}

TEST(Plot, svg_holds_a_line_a_curve_and_escapes_words) {
  const auto canvas = svg_canvas(600, 400);
  plot_series(*canvas, {"a < b & c", "time", "s", "y", "m^2"},
              {{"one", {0, 1, 2}, {1, NAN, 3}}, {"two", {0, 1}, {5, 6}}});
  const std::string svg = canvas->bytes();
  EXPECT_NE(svg.find("a &lt; b &amp; c"), std::string::npos);
  EXPECT_NE(svg.find("y [m\u00b2]"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_NE(svg.find("</svg>"), std::string::npos);
}

TEST(Plot, constant_empty_and_single_series_have_finite_axes) {
  for (const std::vector<double>& y : {std::vector<double>{2, 2, 2}, {}, {0}, {NAN, NAN}}) {
    Image image(300, 200);
    const std::vector<double> x(y.size(), 1.0);
    const PlotFrame f = plot_series(*raster_canvas(image), {}, {{"s", x, y}});
    EXPECT_LT(f.x_low, f.x_high);
    EXPECT_LT(f.y_low, f.y_high);
  }
}

TEST(Plot, one_unit_stands_at_the_axis_and_several_in_the_legend) {
  StatsTable stats = energies();
  stats.names.push_back("max_speed");
  stats.values.push_back(stats.values[1]);
  const auto svg = [&](const std::vector<std::string>& columns) {
    const std::filesystem::path out = std::filesystem::path(testing::TempDir()) / "units.svg";
    plot_stats(stats, "", columns, out);
    std::ifstream file(out);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_NE(svg({"kinetic", "elastic"}).find("energy [J]"), std::string::npos);
  const std::string mixed = svg({"kinetic", "max_speed"});
  for (const char* words : {"kinetic [J]", "max_speed [m/s]", "units in the legend"})
    EXPECT_NE(mixed.find(words), std::string::npos) << words;
}

TEST(Plot, unknown_columns_and_kinds_are_refused) {
  EXPECT_THROW(series_of(energies(), {"kinetik"}), Failure);
  EXPECT_THROW(plot_stats(energies(), "", {}, "plot.gif"), Failure);
}
