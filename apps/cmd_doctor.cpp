// `knead doctor`: the program, its libraries, the machine, and what is missing.
#include "apps/commands.h"
#include "apps/print.h"
#include "base/error.h"
#include "base/system.h"
#include "levels/make_solver.h"
#include "output/run_json.h"

#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

namespace knead {
namespace {

namespace fs = std::filesystem;

// The level in use, and the others that the program holds.
std::string vector_unit() {
  std::string others;
  for (const Level level : built_levels())
    if (level != level_in_use()) others += (others.empty() ? "; also built: " : ", ") + std::string(name_of(level));
  return fmt::format("{} ({}{})", name_of(level_in_use()), description_of(level_in_use()), others);
}

// Where a program lies on the PATH; empty where it does not.
std::string on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::string rest = path ? path : "";
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    std::string candidate = rest.substr(0, colon) + "/" + program;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  return "";
}

}  // namespace

int run_command(const DoctorCommand& command) {
  const Machine machine = this_machine();
  std::error_code no_space;
  const fs::space_info disk = fs::space(".", no_space);
  const std::string ffmpeg = on_path("ffmpeg");
  const bool writable = access(".", W_OK) == 0;

  std::vector<std::string> missing;
  if (ffmpeg.empty())
    missing.push_back("ffmpeg, needed for films (pictures work without it); install the package ffmpeg");
  if (!writable) missing.push_back("write permission in this folder; give runs another one with --out");
  if (!no_space && disk.available < (1u << 30)) missing.push_back("disk: less than 1 GiB is free in this folder");

  const std::vector<std::vector<std::string>> facts = {
      {"knead", program_version},
      {"built with", KNEAD_BUILD},
      {"libraries", KNEAD_LIBRARIES},
      {"vector unit", vector_unit()},
      {"system", machine.system},
      {"processor", machine.processor},
      {"cores", std::to_string(machine.cores)},
      {"memory", bytes_text(static_cast<double>(machine.memory)) + ", " +
                     bytes_text(static_cast<double>(available_memory())) + " available"},
      {"disk here", no_space ? "unknown" : bytes_text(static_cast<double>(disk.available)) + " free"},
      {"ffmpeg", ffmpeg.empty() ? "missing" : ffmpeg}};
  if (command.json) {
    nlohmann::ordered_json json;
    for (const auto& fact : facts) json[fact[0]] = fact[1];
    json["missing"] = missing;
    fmt::print("{}\n", json.dump());
  } else {
    fmt::print("{}", aligned(facts, false));
    for (const std::string& what : missing) fmt::print("{} {}\n", red("missing:"), what);
    if (missing.empty()) fmt::print("{}\n", green("Nothing is missing."));
  }
  return static_cast<int>(missing.empty() ? Exit::done : Exit::not_built);
}

}  // namespace knead
