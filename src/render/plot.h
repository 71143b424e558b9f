// Line plots of numbers, over time or each other, as PNG or SVG.
#pragma once

#include "output/stats_csv.h"
#include "render/canvas.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace knead {

struct Series {
  std::string name;
  std::vector<double> x, y;  // NaN leaves a gap
  bool right = false;        // belongs to the axis on the right
};

struct PlotWords {
  std::string title;
  std::string x_name, x_unit;
  std::string y_name, y_unit;
  std::string right_name{}, right_unit{};
};

// Where the data lie on a canvas: the same for every canvas of one size.
struct PlotFrame {
  double left, top, right, bottom;  // pixels
  double x_low, x_high, y_low, y_high;
  double right_low = 0, right_high = 1;  // of the axis on the right
  Vec2d place(double x, double y) const {
    return {left + (x - x_low) / (x_high - x_low) * (right - left),
            bottom - (y - y_low) / (y_high - y_low) * (bottom - top)};
  }
  Vec2d place_right(double x, double y) const {
    return place(x, y_low + (y - right_low) / (right_high - right_low) * (y_high - y_low));
  }
};
Color series_color(std::size_t i);

// Draws the curves with axes, round ticks and a legend, and says where the data came to lie.
PlotFrame plot_series(Canvas& canvas, const PlotWords& words, const std::vector<Series>& series);

// The energies that a run's statistics hold, or the columns named, against time or another column. Fails (bad_input) on
// unknown names.
std::vector<Series> series_of(const StatsTable& stats, const std::vector<std::string>& columns = {},
                              const std::string& x = "time");

struct PlottedRun {
  std::string name;  // in the legend, where there are several
  StatsTable stats;
  std::map<std::string, std::string> units{};  // of columns, where they have one
  std::string unit_of(const std::string& column) const {
    const auto unit = units.find(column);
    return unit == units.end() ? "" : unit->second;
  }
};

// The same columns of all runs. Two units have an axis each; more stand in the legend, and the warning that is returned
// says so. `out` ends in .png or .svg. The file appears whole or not at all.
std::string plot_stats(const std::vector<PlottedRun>& runs, const std::string& title,
                       const std::vector<std::string>& columns, const std::string& x, const std::filesystem::path& out,
                       int width = 1000, int height = 600);

}  // namespace knead
