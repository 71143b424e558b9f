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
#include "view/forms_json.h"
#include "view/grid_of_particles.h"
#include "view/panel_json.h"
#include "view/scene_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

namespace knead {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_log_bytes = 64 << 10;     // in one answer
constexpr int most_levels = 50;                      // of a value
constexpr std::size_t most_file_bytes = 512u << 20;  // of a frame
constexpr int rest_of_work = 4;                      // of answers that are kept for a while

std::size_t cache_bytes() { return std::size_t(std::min<std::uint64_t>(available_memory() / 4, 2ull << 30)); }

// Texts of the user may hold any bytes.
std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

std::int64_t number_of(const std::string& which) {
  std::int64_t wanted = -1;
  const auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), wanted);
  if (error != std::errc() || end != which.data() + which.size() || wanted < 0)
    fail(Exit::bad_input, "a frame is named by its number, or 'now'");
  return wanted;
}

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

// A value of the page as TOML.
std::string toml_value(const Json& value, int level = 0) {
  if (level > most_levels) fail(Exit::bad_input, "a value nested more than {} levels deep", most_levels);
  if (value.is_string()) return quoted_text(value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  if (value.is_number_integer()) return fmt::format("{}", value.get<std::int64_t>());
  if (value.is_number()) return number_text(value.get<double>());
  if (value.is_array()) {
    std::string text;
    for (const Json& item : value) text += (text.empty() ? "" : ", ") + toml_value(item, level + 1);
    return "[" + text + "]";
  }
  if (value.is_object()) {
    std::string text;
    for (const auto& [key, inner] : value.items()) {
      text += (text.empty() ? "" : ", ") + key_text(key) + " = " + toml_value(inner, level + 1);
    }
    return "{ " + text + " }";
  }
  fail(Exit::bad_input, "a value must be a number, a text, true, false, or a list or table of these");
}

// {"do": "set", "path": "solver.dx", "value": 0.02}; instead of a value there may be its text, {"toml": "0.02"}.
Edit edit_of(const std::string& name, const Json& json) {
  constexpr std::pair<const char*, Edit::Kind> kinds[] = {
      {"event", Edit::Kind::event}, {"set", Edit::Kind::set}, {"add", Edit::Kind::add}, {"remove", Edit::Kind::remove}};
  const auto* kind = std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return k.first == name; });
  if (kind == std::end(kinds)) fail(Exit::bad_input, "there is no command '{}'", name);
  Edit edit{kind->second};
  if (edit.kind != Edit::Kind::event) edit.path = json.at("path").get<std::string>();
  if (edit.kind == Edit::Kind::remove) return edit;
  if (json.contains("toml"))
    edit.value = json.at("toml").get<std::string>();
  else
    edit.value = toml_value(json.at(edit.kind == Edit::Kind::event ? "event" : "value"));
  return edit;
}

// Whether a run of the scene has such a column.
bool column_of(const Scene& scene, const std::string& name) {
  const std::vector<std::string> names = column_names(scene);
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::optional<LiveOrder> order_of(const std::string& name) {
  constexpr std::pair<const char*, LiveOrder> orders[] = {{"play", LiveOrder::play},
                                                          {"pause", LiveOrder::pause},
                                                          {"step", LiveOrder::step},
                                                          {"frame", LiveOrder::frame},
                                                          {"restart", LiveOrder::restart}};
  for (const auto& [known, order] : orders)
    if (name == known) return order;
  return {};
}

}  // namespace

Viewer::Viewer(const RunFolder& folder) : folder_(folder), cache_(folder, cache_bytes()), surfaces_(folder) {
  current_scene();
}
Viewer::Viewer(LiveRun& live)
    : folder_(live.folder()), live_(&live), cache_(folder_, cache_bytes()), surfaces_(folder_) {}

// Changes when the scene does: the page then asks for it again.
std::string Viewer::revision() {
  if (live_) {
    const LiveStatus status = live_->status();
    return fmt::format("live {} {}", status.runs, status.scenes);
  }
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
  if (live_) json["run"] = live_->status().runs;
  json["folder"] = folder_.path().string();
  json["revision"] = revision();
  return dumped(json);
}

std::string Viewer::solids() { return dumped(solids_json(*current_scene())); }

std::string Viewer::panel() {
  const auto now = current_scene();
  return dumped(panel_json(*now, live_ ? *live_->next_scene() : *now, live_ ? live_->status().clock.time : 0));
}

std::string Viewer::forms() { return dumped(forms_json(current_scene()->scene.dimension)); }

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
    if (!live_) fail(Exit::bad_input, "this run does not go on here: its frames have numbers");
    return live_->now(columns);
  }
  return cache_.get(number_of(which), columns);
}

std::string Viewer::frame(const std::string& which, const FrameRequest& request) {
  const auto scene = current_scene();
  auto frame = frame_of(which, columns_for(request));
  if (!frame) return "";
  // A column that is not there is told with all that are.
  if (shows_column(request.color) && !frame->particles.find(request.color)) frame = frame_of(which, {});
  return frame_bytes(*scene, *frame, request);
}

std::string Viewer::frame_file(const std::string& which) {
  const std::filesystem::path path = folder_.frame(number_of(which));
  std::error_code missing;
  if (!std::filesystem::exists(path, missing)) fail(Exit::bad_input, "there is no frame {}", which);
  return read_whole(path, most_file_bytes);
}

std::string Turns::take(const std::function<std::string()>& make) {
  struct Asking {
    std::atomic<int>& count;
    ~Asking() { --count; }
  };
  const bool room = ++asking_ <= 2;
  const Asking asking{asking_};
  if (!room) fail(Exit::bad_input, "other answers that take long are being made; ask again");
  const std::lock_guard lock(mutex_);
  return make();
}

std::string Paced::get(const std::string& name, const std::function<std::string()>& make) {
  using Wall = std::chrono::steady_clock;
  {
    const std::lock_guard lock(mutex_);
    if (name == name_ && Wall::now() < due_) return answer_;
  }
  const auto started = Wall::now();
  std::string answer = make();
  const auto now = Wall::now();
  const std::lock_guard lock(mutex_);
  name_ = name, answer_ = answer;
  due_ = now + rest_of_work * (now - started);
  return answer;
}

std::string Viewer::surface(const std::string& which, const SurfaceRequest& request) {
  const auto scene = current_scene();
  const auto columns = Surfaces::columns_for(request.color);
  const auto frame = frame_of(which, columns);
  if (!frame) return "";
  if (which != "now") {
    const std::vector<std::int64_t> frames = folder_.frames();
    return turns_.take([&] { return surfaces_.bytes(*scene, *frame, request, *cache_.get(frames.back(), columns)); });
  }
  for (const std::string& name : columns)
    if (column_of(*scene, name) && !frame->particles.find(name)) return "";  // the next one has it
  const auto make = [&] { return turns_.take([&] { return surfaces_.bytes(*scene, *frame, request, *frame); }); };
  // A simulation that goes on needs the processors itself.
  return live_->status().phase == LivePhase::running ? live_surface_.get(revision() + request.name(), make) : make();
}

std::string Viewer::grid(const std::string& which) {
  const auto scene = current_scene();
  const auto frame = frame_of(which, columns_for_grid());
  if (!frame || (which == "now" && !frame->particles.find("v"))) return "";
  const auto known = which == "now" ? live_->grid(*frame) : nullptr;
  if (known && !known->x.empty()) return grid_bytes(*frame, *known, true);
  return turns_.take([&] { return grid_bytes(*frame, grid_of_particles(*scene, *frame), false); });
}

std::string Viewer::particle(const std::string& which, std::size_t row) {
  const auto scene = current_scene();
  const auto frame = frame_of(which, {});
  if (!frame) fail(Exit::bad_input, "there is no state to show yet");
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
  if (const Column* body = p.find("body")) {
    json["body"] = std::max(0.0, body->value(row));
    json["matter"] = scene->matter_name(std::size_t(std::max(0.0, body->value(row))));
  }
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

std::string Viewer::toml() { return to_toml(live_ ? *live_->next_scene() : *current_scene()); }

std::string Viewer::command(const std::string& text) {
  if (!live_) fail(Exit::bad_input, "this run does not go on here: it can be looked at, not steered");
  try {
    const Json json = Json::parse(text);
    const auto name = json.at("do").get<std::string>();
    Acts acts = Acts::live;
    if (const auto order = order_of(name)) {
      live_->note("told to " + name);
      live_->order(*order);
    } else if (name == "points") {
      return dumped({{"file", live_->keep_points(json.at("csv").get<std::string>())}});
    } else if (name == "forget") {
      live_->forget();
    } else {
      acts = live_->change(edit_of(name, json));
    }
    return dumped({{"acts", name_of(acts)}});
  } catch (const Json::exception& error) {
    fail(Exit::bad_input, "not a command: {}", error.what());
  }
}

}  // namespace knead
