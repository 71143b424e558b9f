#include "output/run_json.h"

#include "base/error.h"
#include "base/json_words.h"
#include "output/whole_file.h"

#include <nlohmann/json.hpp>

#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>

namespace knead {

namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const auto colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
  return "unknown";
}

}  // namespace

Machine this_machine() {
  Machine machine;
  utsname names{};
  if (::uname(&names) == 0) {
    machine.host = names.nodename;
    machine.system = std::string(names.sysname) + " " + names.release + " " + names.machine;
  }
  machine.processor = processor_name();
  machine.cores = static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN));
  machine.memory = std::int64_t(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  return machine;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

void write_run_json(const std::filesystem::path& path, const RunInfo& info) {
  const Machine& m = info.machine;
  nlohmann::ordered_json json{
      {"program", "knead"},
      {"version", info.version},
      {"command", info.command},
      {"scene", info.scene},
      {"scene_hash", info.scene_hash},
      {"threads", info.threads},
      {"device", info.device},
      {"machine",
       {{"host", m.host}, {"system", m.system}, {"processor", m.processor}, {"cores", m.cores}, {"memory", m.memory}}},
      {"status", info.status},
      {"started", info.started},
      {"finished", info.finished},
      {"wall_seconds", info.wall_seconds},
      {"frames", info.frames},
      {"steps", info.steps},
      {"particles", info.particles},
      {"last_frame", info.last_frame},
      {"resumed_from", info.resumed_from},
  };
  // Paths and arguments may hold any bytes; those that are not UTF-8 are replaced.
  write_whole(path, json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

RunInfo read_run_json(const std::filesystem::path& path) {
  const std::string text = read_whole(path, std::size_t(16) << 20);
  try {
    const nlohmann::json json = nlohmann::json::parse(text);
    RunInfo info;
    info.version = json.value("version", "");
    info.command = json.value("command", std::vector<std::string>{});
    info.scene = json.value("scene", "");
    info.scene_hash = json.value("scene_hash", "");
    info.threads = json.value("threads", 0);
    info.device = json.value("device", "");
    const nlohmann::json machine = json.value("machine", nlohmann::json::object());
    info.machine.host = machine.value("host", "");
    info.machine.system = machine.value("system", "");
    info.machine.processor = machine.value("processor", "");
    info.machine.cores = machine.value("cores", 0);
    info.machine.memory = machine.value("memory", std::int64_t(0));
    info.status = json.value("status", "");
    info.started = json.value("started", "");
    info.finished = json.value("finished", "");
    info.wall_seconds = json.value("wall_seconds", 0.0);
    info.frames = json.value("frames", std::int64_t(0));
    info.steps = json.value("steps", std::int64_t(0));
    info.particles = json.value("particles", std::int64_t(0));
    info.last_frame = json.value("last_frame", std::int64_t(0));
    info.resumed_from = json.value("resumed_from", std::int64_t(0));
    return info;
  } catch (const nlohmann::json::exception& error) {
    fail(Exit::bad_input, "'{}' is not the description of a run: {}", path.string(), json_words(error.what()));
  }
}

}  // namespace knead
