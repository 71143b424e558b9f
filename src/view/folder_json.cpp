#include "view/folder_json.h"

#include "output/components.h"
#include "output/folder_lock.h"
#include "output/run_frames.h"
#include "output/run_json.h"
#include "output/stats_csv.h"
#include "output/whole_file.h"
#include "world/quantities.h"

#include <algorithm>
#include <cmath>

namespace knead {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_moments = 120;         // of a history: a frame is read whole for each
constexpr std::size_t most_log_bytes = 64 << 10;  // in one answer

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// [first, last, step] of each stretch of evenly spaced numbers.
Json ranges_of(const std::vector<std::int64_t>& numbers) {
  Json ranges = Json::array();
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t j = i + 1;
    const std::int64_t step = j < numbers.size() ? numbers[j] - numbers[i] : 1;
    while (j + 1 < numbers.size() && numbers[j + 1] - numbers[j] == step) ++j;
    if (j >= numbers.size()) j = numbers.size() - 1;
    ranges.push_back({numbers[i], numbers[j], step});
    i = j + 1;
  }
  return ranges;
}

std::uintmax_t bytes_of(const std::filesystem::path& path) {
  std::error_code missing;
  const std::uintmax_t bytes = std::filesystem::file_size(path, missing);
  return missing ? 0 : bytes;
}

}  // namespace

Json files_json(const RunFolder& folder) {
  return {{"frames", ranges_of(folder.frames())},
          {"stats_bytes", bytes_of(folder.stats())},
          {"log_bytes", bytes_of(folder.log())}};
}

Json status_json(const RunFolder& folder) {
  try {
    const RunInfo run = read_run_json(folder.run_json());
    const bool killed = run.status == "running" && run.machine.host == this_machine().host && owner_is_gone(folder);
    return {{"status", killed ? "killed" : run.status}, {"last_frame", run.last_frame}};
  } catch (const Failure&) {
    return {{"status", "unknown"}, {"last_frame", 0}};  // a run that was moved without it
  }
}

Json stats_json(const RunFolder& folder, std::size_t first_row) {
  Json json{{"names", Json::array()}, {"first", first_row}, {"rows", 0}, {"columns", Json::array()}};
  std::error_code missing;
  if (!std::filesystem::exists(folder.stats(), missing)) return json;
  const StatsTable table = read_stats(folder.stats(), first_row);
  json["rows"] = table.first + table.rows();
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    Json column = Json::array();
    for (std::size_t r = 0; r < table.rows(); ++r)
      column.push_back(std::isnan(table.values[c][r]) ? Json(table.words[c][r]) : number(table.values[c][r]));
    json["names"].push_back(table.names[c]);
    json["columns"].push_back(std::move(column));
  }
  return json;
}

Json log_json(const RunFolder& folder, std::size_t first_byte) {
  std::error_code missing;
  std::string text;
  if (std::filesystem::exists(folder.log(), missing)) text = read_whole(folder.log(), 256u << 20);
  if (first_byte > text.size()) first_byte = 0;  // another run's
  if (text.size() - first_byte > most_log_bytes) first_byte = text.size() - most_log_bytes;
  return {{"first", first_byte}, {"bytes", text.size()}, {"text", text.substr(first_byte)}};
}

Json particle_json(const Scene& scene, const Frame& frame, std::size_t row) {
  const Particles& p = frame.particles;
  if (row >= p.count()) fail(Exit::bad_input, "the frame has {} particles", p.count());
  Json columns = Json::array();
  for (const Column& c : p.columns()) {
    Json values = Json::array();
    for (int k = 0; k < c.components; ++k) values.push_back(number(c.value(row, k)));
    columns.push_back(
        {{"name", c.name}, {"unit", c.unit}, {"components", component_names(c, frame.dimension)}, {"values", values}});
  }
  Json json{{"row", row}, {"frame", frame.number}, {"time", frame.time}, {"columns", columns}};
  if (const Column* body = p.find("body")) {
    const auto number = std::size_t(std::max(0.0, body->value(row)));
    json["body"] = number;
    // Later frames of an imported run may have more bodies than its first.
    const bool known = number < scene.bodies.size() + scene.sources.size();
    json["matter"] = known ? scene.matter_name(number) : fmt::format("body {}", number);
  }
  return json;
}

Json history_json(const Scene& scene, const RunFolder& folder, std::int32_t id, const std::string& quantity) {
  std::vector<std::string> columns = columns_for_quantity(scene, quantity);
  columns.emplace_back("id");
  Json history{{"title", quantity}, {"unit", ""}, {"times", Json::array()}, {"values", Json::array()}};
  const RunFrames run_frames(folder);
  const std::vector<std::int64_t> frames = folder.frames();
  const std::size_t step = frames.size() / most_moments + 1;
  for (std::size_t i = 0; i < frames.size();
       i = i + 1 == frames.size() ? i + 1 : std::min(i + step, frames.size() - 1)) {
    Frame frame;
    try {
      frame = run_frames.read(frames[i], columns);
    } catch (const Failure&) {
      continue;  // damaged, or taken away by a restart
    }
    const auto ids = frame.particles.get<std::int32_t>("id");
    const auto at = std::lower_bound(ids.begin(), ids.end(), id);
    history["times"].push_back(frame.time);
    if (at == ids.end() || *at != id) {
      history["values"].push_back(nullptr);
      continue;
    }
    const Quantity of(quantity, frame.particles, frame.dimension,
                      volume_ratio_of(scene, frame.particles, frame.dimension, frame.time));
    history["title"] = of.title, history["unit"] = of.unit;
    history["values"].push_back(number(of(std::size_t(at - ids.begin()))));
  }
  return history;
}

}  // namespace knead
