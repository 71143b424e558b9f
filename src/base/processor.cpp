#include "base/processor.h"

#include "base/error.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

namespace knead {
namespace {

constexpr std::array all_levels = {Level::plain, Level::avx2, Level::avx512};

// In their order.
struct Known {
  const char *name, *description;
};
constexpr Known known[] = {
#if defined(__x86_64__)
    {"plain", "SSE4.2, 4 floats"},
#else
    {"plain", "the baseline of this kind of processor"},
#endif
    {"avx2", "AVX2, 8 floats"},
    {"avx512", "AVX-512, 16 floats"}};

std::string names_of(std::span<const Level> levels) {
  std::string names;
  for (const Level level : levels) names += (names.empty() ? "" : ", ") + std::string(name_of(level));
  return names;
}

std::optional<Level> asked_for() {
  const char* const text = std::getenv("KNEAD_LEVEL");
  if (!text || !*text) return {};
  for (const Level level : all_levels)
    if (name_of(level) == text) return level;
  fail(Exit::usage, "KNEAD_LEVEL is \"{}\"; it may be {}, or be left out", text, names_of(all_levels));
}

}  // namespace

std::string_view name_of(Level level) { return known[static_cast<std::size_t>(level)].name; }
std::string description_of(Level level) { return known[static_cast<std::size_t>(level)].description; }

bool processor_has(Level level) {
#if defined(__x86_64__) && !defined(__clang_analyzer__)  // clang-tidy of version 14 knows no such names
  __builtin_cpu_init();
  switch (level) {
    case Level::plain:
      return __builtin_cpu_supports("x86-64-v2");
    case Level::avx2:
      return __builtin_cpu_supports("x86-64-v3");
    case Level::avx512:
      return __builtin_cpu_supports("x86-64-v4");
  }
#endif
  return level == Level::plain;
}

Level choose_level(std::span<const Level> built) {
  const auto contains = [&](Level level) { return std::find(built.begin(), built.end(), level) != built.end(); };
  if (const std::optional<Level> level = asked_for()) {
    if (!contains(*level))
      fail(Exit::not_built,
           "KNEAD_LEVEL is \"{}\", but this program was built only for {}; cmake -DKNEAD_LEVELS=... builds it for more",
           name_of(*level), names_of(built));
    if (!processor_has(*level))
      fail(Exit::not_built, "KNEAD_LEVEL is \"{}\", but this processor lacks {}; leave it unset to use the best one",
           name_of(*level), description_of(*level));
    return *level;
  }
  for (std::size_t i = built.size(); i-- > 0;)
    if (processor_has(built[i])) return built[i];
  fail(Exit::not_built,
       "this program was built for {}, which this processor lacks; build it here, or with "
       "cmake -DKNEAD_LEVELS=\"plain;avx2;avx512\" for all",
       description_of(built.front()));
}

}  // namespace knead
