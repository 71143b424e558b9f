// Line plots of numbers over time, as PNG or SVG.
#pragma once

#include "output/stats_csv.h"
#include "render/canvas.h"

#include <filesystem>
#include <string>
#include <vector>

namespace knead {

struct Series {
  std::string name;
  std::vector<double> x, y;  // NaN in y leaves a gap
};

struct PlotWords {
  std::string title;
  std::string x_name, x_unit;
  std::string y_name, y_unit;
};

// Where the data lie on a canvas: the same for every canvas of one size.
struct PlotFrame {
  double left, top, right, bottom;  // pixels
  double x_low, x_high, y_low, y_high;
  Vec2d place(double x, double y) const {
    return {left + (x - x_low) / (x_high - x_low) * (right - left),
            bottom - (y - y_low) / (y_high - y_low) * (bottom - top)};
  }
};
Color series_color(std::size_t i);

// Draws the curves with axes, round ticks and a legend, and says where the data came to lie.
PlotFrame plot_series(Canvas& canvas, const PlotWords& words, const std::vector<Series>& series);

// The energies that a run's statistics hold, against time; or the columns named. Fails (bad_input) on unknown names.
std::vector<Series> series_of(const StatsTable& stats, const std::vector<std::string>& columns = {});
// The unit of a column of statistics as far as its name tells, else "".
std::string unit_of_statistic(const std::string& name);

// `out` ends in .png or .svg. The file appears whole or not at all.
void plot_stats(const StatsTable& stats, const std::string& title, const std::vector<std::string>& columns,
                const std::filesystem::path& out, int width = 1000, int height = 600);

}  // namespace knead
