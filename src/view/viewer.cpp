#include "view/viewer.h"

#include "base/system.h"
#include "output/whole_file.h"
#include "render/coloring.h"
#include "scene/read.h"
#include "scene/write.h"
#include "view/command_json.h"
#include "view/folder_json.h"
#include "view/forms_json.h"
#include "view/grid_of_particles.h"
#include "view/panel_json.h"
#include "view/scene_json.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

namespace knead {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_file_bytes = 512u << 20;  // of a frame

std::size_t cache_bytes() { return std::size_t(std::min<std::uint64_t>(available_memory() / 4, 2ull << 30)); }

// Texts of the user may hold any bytes.
std::string dumped(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::int64_t number_of(const std::string& which) {
  std::int64_t wanted = -1;
  const auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), wanted);
  if (error != std::errc() || end != which.data() + which.size() || wanted < 0)
    fail(Exit::bad_input, "a frame is named by its number, or 'now'");
  return wanted;
}

Json live_json(const LiveStatus& s) {
  Json stages = Json::array();
  for (const Profile::Stage& stage : s.stages) stages.push_back({{"name", stage.name}, {"seconds", stage.seconds}});
  return {{"phase", name_of(s.phase)},
          {"message", s.message},
          {"run", s.runs},
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
          {"unlike_file", s.unlike_file},
          {"by_hand", s.by_hand},
          {"warnings", s.warnings},
          {"pace", s.pace},
          {"stages", stages}};
}

// read() of a frame's file, which a restart may take away meanwhile, or put another one in its place. One that is
// damaged is not the fault of who asks for it.
template <class Read>
auto read_frame_file(const RunFolder& folder, std::int64_t number, Read read) {
  for (bool again = true;; again = false) {
    try {
      return read();
    } catch (const Failure& failure) {
      std::error_code ignored;
      if (!std::filesystem::exists(folder.frame(number), ignored))
        fail(Exit::bad_input, "there is no frame {}", number);
      if (!again) throw Failure(Exit::file, failure.what());
    }
  }
}

// Whether a run of the scene has such a column.
bool column_of(const Scene& scene, const std::string& name) {
  const std::vector<std::string> names = column_names(scene);
  return std::find(names.begin(), names.end(), name) != names.end();
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

std::string Viewer::forms() { return dumped(forms_json(live_ ? *live_->next_scene() : *current_scene())); }

std::string Viewer::state() {
  // Asked for first: what is in the folder while a run starts may be of the one before.
  const auto status = live_ ? std::optional(live_->status()) : std::nullopt;
  Json json = files_json(folder_);
  if (status && status->phase == LivePhase::starting) json["frames"] = Json::array(), json["stats_bytes"] = 0;
  json["revision"] = revision();
  if (live_) {
    live_->watch();
    json["live"] = live_json(*status);
    const LiveRun::Pending pending = live_->pending();
    json["live"]["pending"] = {{"next_frame", pending.next_frame}, {"after_restart", pending.after_restart}};
  } else {
    json.update(status_json(folder_));
  }
  return dumped(json);
}

std::shared_ptr<const Frame> Viewer::frame_of(const std::string& which, const std::vector<std::string>& columns) {
  if (which == "now") {
    if (!live_) fail(Exit::bad_input, "this run is not simulated here: its frames have numbers");
    return live_->now(columns);
  }
  const std::int64_t number = number_of(which);
  return read_frame_file(folder_, number, [&] { return cache_.get(number, columns); });
}

std::string Viewer::frame(const std::string& which, const FrameRequest& request) {
  const auto scene = current_scene();
  const std::vector<std::string> columns = columns_for(*scene, request);
  auto frame = frame_of(which, columns);
  if (!frame) return "";
  const auto missing = [&](const std::string& name) { return !frame->particles.find(name); };
  if (std::any_of(columns.begin(), columns.end(), missing)) {
    const auto coming = [&](const std::string& name) { return missing(name) && column_of(*scene, name); };
    if (which == "now" && std::any_of(columns.begin(), columns.end(), coming)) return "";  // the next one has it
    frame = frame_of(which, {});  // it is told with all that are there
  }
  return frame_bytes(*scene, *frame, request);
}

std::string Viewer::frame_file(const std::string& which) {
  const std::int64_t number = number_of(which);
  return read_frame_file(folder_, number, [&] { return read_whole(folder_.frame(number), most_file_bytes); });
}

std::string Viewer::surface(const std::string& which, const SurfaceRequest& request) {
  const auto scene = current_scene();
  const auto columns = Surfaces::columns_for(*scene, request.color);
  const auto frame = frame_of(which, columns);
  if (!frame) return "";
  if (which != "now") {
    const std::vector<std::int64_t> frames = folder_.frames();
    if (frames.empty()) fail(Exit::bad_input, "there is no frame {}", which);  // a restart has just taken it away
    return turns_.take(
        [&] { return surfaces_.bytes(*scene, *frame, request, *frame_of(std::to_string(frames.back()), columns)); });
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
  const auto frame = frame_of(which, {});
  if (!frame) fail(Exit::bad_input, "there is no state to show yet");
  return dumped(particle_json(*current_scene(), *frame, row));
}

std::string Viewer::history(const std::string& which, std::size_t row, const std::string& quantity) {
  const auto frame = frame_of(which, {"id"});
  if (!frame) fail(Exit::bad_input, "there is no state to show yet");
  const Column* id = frame->particles.find("id");
  if (!id || row >= frame->particles.count())
    fail(Exit::bad_input, "the frame has {} particles", frame->particles.count());
  const auto scene = current_scene();
  return turns_.take(
      [&] { return dumped(history_json(*scene, folder_, static_cast<std::int32_t>(id->value(row)), quantity)); });
}

std::string Viewer::stats(std::size_t first_row) { return dumped(stats_json(folder_, first_row)); }

std::string Viewer::log(std::size_t first_byte) { return dumped(log_json(folder_, first_byte)); }

std::string Viewer::toml(bool next) { return to_toml(next && live_ ? *live_->next_scene() : *current_scene()); }

std::string Viewer::command(const std::string& text) {
  if (!live_) fail(Exit::bad_input, "this run is not simulated here: it can be watched but not steered");
  return dumped(obey(*live_, text));
}

}  // namespace knead
