#include "view/viewer.h"

#include "base/system.h"
#include "output/components.h"
#include "output/run_json.h"
#include "output/stats_csv.h"
#include "output/whole_file.h"
#include "render/coloring.h"
#include "scene/read.h"
#include "scene/value_text.h"
#include "scene/write.h"
#include "view/panel_json.h"
#include "view/scene_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace knead {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_log_bytes = 64 << 10;  // in one answer

std::size_t cache_bytes() { return std::size_t(std::min<std::uint64_t>(available_memory() / 4, 2ull << 30)); }

// Texts of the user may hold any bytes.
std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

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

Json live_json(const LiveStatus& s) {
  Json stages = Json::array();
  for (const Profile::Stage& stage : s.stages) stages.push_back({{"name", stage.name}, {"seconds", stage.seconds}});
  return {{"phase", name_of(s.phase)},
          {"message", s.message},
          {"frame", s.clock.frame},
          {"time", s.clock.time},
          {"step", s.clock.step},
          {"dt", s.step.dt},
          {"bound", name_of(s.step.bound)},
          {"last_frame", s.last_frame},
          {"particles", s.particles},
          {"shown_step", s.shown_step},
          {"waiting", s.waiting},
          {"for_restart", s.for_restart},
          {"stages", stages}};
}

// Values that name files stay the scene file's own: nothing that comes over the network opens one.
void refuse_files(const std::string& key, const Json& value) {
  for (const char* file : {"file", "points", "cells_file"})
    if (key == file && value.is_string()) fail(Exit::bad_input, "files are named in the scene file only");
}

// A value of the page as TOML.
std::string toml_value(const Json& value) {
  if (value.is_string()) return quoted_text(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  if (value.is_number()) return number_text(value.get<double>());
  if (value.is_array()) {
    std::string text;
    for (const Json& item : value) text += (text.empty() ? "" : ", ") + toml_value(item);
    return "[" + text + "]";
  }
  if (value.is_object()) {
    std::string text;
    for (const auto& [key, inner] : value.items()) {
      refuse_files(key, inner);
      text += (text.empty() ? "" : ", ") + key_text(key) + " = " + toml_value(inner);
    }
    return "{ " + text + " }";
  }
  fail(Exit::bad_input, "a value must be a number, a text, true, false, or a list or table of these");
}

EventEdit event_of(const Json& json) {
  EventEdit edit;
  for (const auto& [key, value] : json.items()) {
    if (key == "time") fail(Exit::bad_input, "an event of the page acts at the next frame; it has no time of its own");
    edit.lines += key_text(key) + " = " + toml_value(value) + "\n";
  }
  return edit;
}

BodyEdit body_of(const Json& json) {
  BodyEdit edit;
  for (const auto& [key, value] : json.items()) {
    refuse_files(key, value);
    edit.lines += key_text(key) + " = " + toml_value(value) + "\n";
  }
  return edit;
}

ValueEdit value_of(const Json& json) {
  const std::string path = json.at("path").get<std::string>();
  const std::string last = path.substr(path.rfind('.') + 1);
  if (path.empty() || path.find_first_of("=\n\r\"'") != std::string::npos)
    fail(Exit::bad_input, "'{}' is no path", path);
  refuse_files(last, json.at("value"));
  return {path + "=" + toml_value(json.at("value"))};
}

LiveOrder order_of(const std::string& name) {
  constexpr std::pair<const char*, LiveOrder> orders[] = {{"play", LiveOrder::play},
                                                          {"pause", LiveOrder::pause},
                                                          {"step", LiveOrder::step},
                                                          {"frame", LiveOrder::frame},
                                                          {"restart", LiveOrder::restart}};
  for (const auto& [known, order] : orders)
    if (name == known) return order;
  fail(Exit::bad_input, "there is no command '{}'", name);
}

}  // namespace

Viewer::Viewer(const RunFolder& folder) : folder_(folder), cache_(folder, cache_bytes()) { current_scene(); }
Viewer::Viewer(LiveRun& live) : folder_(live.folder()), live_(&live), cache_(folder_, cache_bytes()) {}

// Changes when the scene does: the page then asks for it again.
std::string Viewer::revision() {
  if (live_) return fmt::format("live {}", live_->status().scenes);
  std::error_code missing;
  const auto written = std::filesystem::last_write_time(folder_.scene(), missing);
  return fmt::format("{}", missing ? 0 : written.time_since_epoch().count());
}

std::shared_ptr<const Scene> Viewer::current_scene() {
  if (live_) return live_->scene();
  const std::string now = revision();
  const std::lock_guard lock(mutex_);
  if (!scene_ || scene_revision_ != now) {
    scene_ = std::make_shared<const Scene>(read_scene(folder_.scene()));
    scene_revision_ = now;
  }
  return scene_;
}

std::string Viewer::scene() {
  Json json = scene_json(*current_scene());
  json["live"] = live_ != nullptr;
  json["beside"] = beside_;
  json["folder"] = folder_.path().string();
  json["revision"] = revision();
  return dumped(json);
}

std::string Viewer::solids() { return dumped(solids_json(*current_scene())); }

std::string Viewer::panel() { return dumped(panel_json(*current_scene(), live_ ? live_->status().clock.time : 0)); }

std::string Viewer::state() {
  Json json{{"revision", revision()}, {"frames", ranges_of(folder_.frames())}};
  std::error_code missing;
  json["stats_bytes"] = std::filesystem::file_size(folder_.stats(), missing);
  if (missing) json["stats_bytes"] = 0;
  json["log_bytes"] = std::filesystem::file_size(folder_.log(), missing);
  if (missing) json["log_bytes"] = 0;
  if (live_) {
    live_->watch();
    json["live"] = live_json(live_->status());
  } else {
    try {
      json["status"] = read_run_json(folder_.run_json()).status;
    } catch (const Failure&) {
      json["status"] = "unknown";  // a run that was moved without it
    }
  }
  return dumped(json);
}

std::shared_ptr<const Frame> Viewer::frame_of(const std::string& which, const std::vector<std::string>& columns) {
  if (which == "now") {
    const auto frame = live_ ? live_->now(columns) : nullptr;
    if (!frame) fail(Exit::bad_input, "there is no state to show yet");
    return frame;
  }
  std::int64_t wanted = -1;
  const auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), wanted);
  if (error != std::errc() || end != which.data() + which.size() || wanted < 0)
    fail(Exit::bad_input, "a frame is named by its number, or 'now'");
  return cache_.get(wanted, columns);
}

std::string Viewer::frame(const std::string& which, const FrameRequest& request) {
  const auto scene = current_scene();
  auto frame = frame_of(which, columns_for(request));
  // A column that is not there is told with all that are.
  if (shows_column(request.color) && !frame->particles.find(request.color)) frame = frame_of(which, {});
  return frame_bytes(*scene, *frame, request);
}

std::string Viewer::particle(const std::string& which, std::size_t row) {
  const auto scene = current_scene();
  const auto frame = frame_of(which, {});
  const Particles& p = frame->particles;
  if (row >= p.count()) fail(Exit::bad_input, "the frame has {} particles", p.count());
  Json columns = Json::array();
  for (const Column& c : p.columns()) {
    Json values = Json::array();
    for (int k = 0; k < c.components; ++k) values.push_back(number(c.value(row, k)));
    columns.push_back(
        {{"name", c.name}, {"unit", c.unit}, {"components", component_names(c, frame->dimension)}, {"values", values}});
  }
  Json json{{"row", row}, {"frame", frame->number}, {"time", frame->time}, {"columns", columns}};
  if (const Column* body = p.find("body"))
    json["matter"] = scene->matter_name(std::size_t(std::max(0.0, body->value(row))));
  return dumped(json);
}

std::string Viewer::stats(std::size_t first_row) {
  Json json{{"names", Json::array()}, {"first", first_row}, {"rows", 0}, {"columns", Json::array()}};
  std::error_code missing;
  if (!std::filesystem::exists(folder_.stats(), missing)) return dumped(json);
  const StatsTable table = read_stats(folder_.stats());
  json["rows"] = table.rows();
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    Json column = Json::array();
    for (std::size_t r = first_row; r < table.rows(); ++r)
      column.push_back(std::isnan(table.values[c][r]) ? Json(table.words[c][r]) : number(table.values[c][r]));
    json["names"].push_back(table.names[c]);
    json["columns"].push_back(std::move(column));
  }
  return dumped(json);
}

std::string Viewer::log(std::size_t first_byte) {
  std::error_code missing;
  std::string text;
  if (std::filesystem::exists(folder_.log(), missing)) text = read_whole(folder_.log(), 256u << 20);
  if (first_byte > text.size()) first_byte = 0;  // another run's
  if (text.size() - first_byte > most_log_bytes) first_byte = text.size() - most_log_bytes;
  return dumped({{"first", first_byte}, {"bytes", text.size()}, {"text", text.substr(first_byte)}});
}

std::string Viewer::toml() { return live_ ? live_->next_scene() : to_toml(*current_scene()); }

std::string Viewer::command(const std::string& text) {
  if (!live_) fail(Exit::bad_input, "this run does not go on here: it can be looked at, not steered");
  Json json;
  std::string name;
  try {
    json = Json::parse(text);
    name = json.at("do").get<std::string>();
    if (name == "event") {
      const EventEdit edit = event_of(json.at("event"));
      live_->change(edit);
      return R"({"acts": "next frame"})";
    }
    if (name == "body") {
      live_->change(body_of(json.at("body")));
      return R"({"acts": "after restart"})";
    }
    if (name == "set") {
      live_->change(value_of(json));
      return R"({"acts": "after restart"})";
    }
  } catch (const Json::exception& error) {
    fail(Exit::bad_input, "not a command: {}", error.what());
  }
  const LiveOrder order = order_of(name);
  live_->note("told to " + name);
  live_->order(order);
  return R"({"acts": "live"})";
}

}  // namespace knead
