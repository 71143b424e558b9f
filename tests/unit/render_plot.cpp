#include "base/error.h"
#include "render/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <set>

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

const std::map<std::string, std::string> units = {{"time", "s"},          {"kinetic", "J"},    {"elastic", "J"},
                                                  {"gravitational", "J"}, {"dissipated", "J"}, {"max_speed", "m/s"},
                                                  {"mass", "kg"}};

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
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

// What is equal but for rounding would have the same label at every tick.
TEST(Plot, a_constant_has_one_tick_and_no_label_stands_twice) {
  for (const double value : {135.0, 0.0123456789, 4.2e7, -3.0})
    for (const double noise : {0.0, 1e-15, 1e-12, 1e-11, 1e-10, 1e-8}) {
      const double low = value - noise * std::abs(value), high = value + noise * std::abs(value);
      const auto canvas = svg_canvas(600, 400);
      plot_series(*canvas, {"mass", "time", "s", "mass", "kg"}, {{"mass", {0, 1, 2}, {low, high, value}}});
      const std::string svg = canvas->bytes();
      std::multiset<std::string> labels;  // those of the upright axis end at it
      for (std::size_t at = 0; (at = svg.find("<text", at)) != std::string::npos; ++at) {
        const std::size_t begin = svg.find('>', at) + 1;
        if (svg.substr(at, begin - at).find("\"end\"") != std::string::npos)
          labels.insert(svg.substr(begin, svg.find('<', begin) - begin));
      }
      ASSERT_FALSE(labels.empty());
      for (const std::string& label : labels)
        EXPECT_EQ(labels.count(label), 1u) << label << " of " << value << " +- " << noise;
    }
}

TEST(Plot, one_unit_stands_at_the_axis_and_several_in_the_legend) {
  StatsTable stats = energies();
  for (const char* name : {"max_speed", "mass"})
    stats.names.emplace_back(name), stats.values.push_back(stats.values[1]);
  const auto svg = [&](const std::vector<std::string>& columns) {
    const std::filesystem::path out = std::filesystem::path(testing::TempDir()) / "units.svg";
    plot_stats({{"", stats, units}}, "", columns, "time", out);
    return text_of(out);
  };
  EXPECT_NE(svg({"kinetic", "elastic"}).find("energy [J]"), std::string::npos);
  const std::string mixed = svg({"kinetic", "max_speed", "mass"});
  for (const char* words : {"kinetic [J]", "max_speed [m/s]", "mass [kg]", "units in the legend"})
    EXPECT_NE(mixed.find(words), std::string::npos) << words;
  const std::string two = svg({"kinetic", "elastic", "max_speed"});
  for (const char* words : {"energy [J]", "max_speed [m/s]", "max_speed (right)"})
    EXPECT_NE(two.find(words), std::string::npos) << words;
  EXPECT_EQ(two.find("units in the legend"), std::string::npos);
}

TEST(Plot, a_curve_of_the_second_unit_passes_through_its_points_on_the_right_axis) {
  Image image(800, 500);
  const std::vector<Series> series{{"a", {0, 1, 2}, {0, 5000, 10000}, false}, {"b", {0, 1, 2}, {3, 1, 2}, true}};
  const PlotFrame f = plot_series(*raster_canvas(image), {"", "time", "s", "a", "J", "b", "m"}, series);
  EXPECT_LT(f.right_high, 4);
  EXPECT_GT(f.right_low, 0);
  for (const auto& [x, y] : {std::pair{0.5, 2.0}, {1.5, 1.5}}) {
    const Vec2d at = f.place_right(x, y);
    EXPECT_TRUE(near(image.at(int(at[0]), int(at[1])), series_color(1))) << x;
  }
}

TEST(Plot, several_runs_stand_in_the_legend_by_their_names_and_any_column_may_be_x) {
  const std::filesystem::path out = std::filesystem::path(testing::TempDir()) / "runs.svg";
  plot_stats({{"runs/a", energies(), units}, {"runs/b", energies(), units}}, "", {"kinetic"}, "elastic", out);
  const std::string one = text_of(out);
  for (const char* words : {">runs/a<", ">runs/b<", "kinetic [J]", "elastic [J]"})
    EXPECT_NE(one.find(words), std::string::npos) << words;
  plot_stats({{"runs/a", energies(), units}, {"runs/b", energies(), units}}, "", {"kinetic", "elastic"}, "time", out);
  EXPECT_NE(text_of(out).find("runs/b: elastic"), std::string::npos);
  EXPECT_THROW(plot_stats({{"", energies()}}, "", {"kinetic"}, "tim", out), Failure);
}

TEST(Plot, unknown_columns_and_kinds_are_refused) {
  EXPECT_THROW(series_of(energies(), {"kinetik"}), Failure);
  EXPECT_THROW(plot_stats({{"", energies()}}, "", {}, "time", "plot.gif"), Failure);
}
