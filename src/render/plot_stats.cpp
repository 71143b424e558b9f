// Which columns of a run's statistics are drawn, and in which units.
#include "base/error.h"
#include "output/whole_file.h"
#include "render/plot.h"

#include <algorithm>
#include <utility>

namespace knead {
namespace {

const std::vector<std::string>& energies() {
  static const std::vector<std::string> names{"kinetic", "elastic", "gravitational", "dissipated", "total"};
  return names;
}

// Statistics may hold the parts and not their sum.
Series sum_of_energies(const StatsTable& stats, const std::vector<double>& x) {
  Series total{"total", x, std::vector<double>(stats.rows(), 0.0)};
  for (const std::string& name : energies())
    if (stats.find(name) >= 0)
      for (std::size_t i = 0; i < stats.rows(); ++i) total.y[i] += stats.column(name)[i];
  return total;
}

}  // namespace

// What the axis of several curves of one unit is called.
std::string quantity_of(const std::string& unit) {
  static const std::pair<const char*, const char*> names[] = {
      {"J", "energy"}, {"kg", "mass"},   {"m^3", "volume"}, {"kg m/s", "momentum"}, {"kg m^2/s", "angular momentum"},
      {"m", "length"}, {"m/s", "speed"}, {"s", "time"},     {"N", "force"},         {"N m", "torque"},
      {"Pa", "stress"}};
  for (const auto& [of, name] : names)
    if (unit == of) return name;
  return "number";
}

std::vector<Series> series_of(const StatsTable& stats, const std::vector<std::string>& columns,
                              const std::string& x_name) {
  std::vector<Series> series;
  const std::vector<double>& x = stats.column(x_name);
  if (!columns.empty()) {
    for (const std::string& name : columns) series.push_back({name, x, stats.column(name)});
    return series;
  }
  for (const std::string& name : energies())
    if (stats.find(name) >= 0) series.push_back({name, x, stats.column(name)});
  if (series.empty()) fail(Exit::bad_input, "the statistics have no energies; name the columns to draw");
  if (stats.find("total") < 0) series.push_back(sum_of_energies(stats, x));
  return series;
}

namespace {

std::vector<std::string> units_of(const PlottedRun& run, const std::vector<Series>& series) {
  std::vector<std::string> units;
  for (const Series& s : series)
    if (const std::string unit = run.unit_of(s.name); std::find(units.begin(), units.end(), unit) == units.end())
      units.push_back(unit);
  return units;
}

// What the axis of the curves of a unit is called: the one column's name, or the quantity.
std::string axis_name(const PlottedRun& run, const std::vector<Series>& series, const std::string& unit) {
  std::vector<std::string> names;
  for (const Series& s : series)
    if (run.unit_of(s.name) == unit) names.push_back(s.name);
  return names.size() == 1 ? names[0] : quantity_of(unit);
}

}  // namespace

std::string plot_stats(const std::vector<PlottedRun>& runs, const std::string& title,
                       const std::vector<std::string>& columns, const std::string& x, const std::filesystem::path& out,
                       int width, int height) {
  const std::string kind = out.extension().string();
  if (kind != ".png" && kind != ".svg") fail(Exit::usage, "{}: plots are written as .png or .svg", out.string());
  PlotWords words{title, x, runs.empty() ? "" : runs[0].unit_of(x), "", ""};
  std::string odd;
  std::vector<Series> drawn;
  for (const PlottedRun& run : runs) {
    std::vector<Series> series = series_of(run.stats, columns, x);
    const std::vector<std::string> units = units_of(run, series);
    const bool two = units.size() == 2;
    if (units.size() > 2) {
      std::string all;
      for (std::size_t i = 0; i < units.size(); ++i)
        all += (i ? ", " : "") + (units[i].empty() ? std::string("no unit") : units[i]);
      odd = fmt::format("{} units ({}) but only two axes; choose columns with at most two units (--columns)",
                        units.size() == 3 ? "three" : std::to_string(units.size()), all);
    }
    words.y_unit = units.size() <= 2 ? units[0] : "";
    words.y_name = units.size() <= 2 ? axis_name(run, series, units[0]) : "units in the legend";
    if (two) words.right_name = axis_name(run, series, units[1]), words.right_unit = units[1];
    for (Series& s : series) {
      const std::string unit = run.unit_of(s.name);
      s.right = two && unit == units[1];
      if (units.size() > 2 && !unit.empty()) s.name += " [" + unit + "]";
      if (s.right) s.name += " (right)";
      if (runs.size() > 1) s.name = series.size() > 1 ? run.name + ": " + s.name : run.name;
      drawn.push_back(std::move(s));
    }
  }
  Image image(kind == ".png" ? width : 1, kind == ".png" ? height : 1);
  const auto canvas = kind == ".png" ? raster_canvas(image) : svg_canvas(width, height);
  plot_series(*canvas, words, drawn);
  write_whole(out, canvas->bytes());
  return odd;
}

}  // namespace knead
