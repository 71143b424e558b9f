// Which level of instructions is taken, of those that a program holds.
#include "base/processor.h"

#include "base/error.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <optional>

namespace knead {
namespace {

// KNEAD_LEVEL as given, or unset, while it lives.
class Asked {
 public:
  explicit Asked(const char* level) {
    if (const char* before = std::getenv("KNEAD_LEVEL")) before_ = before;
    level ? setenv("KNEAD_LEVEL", level, 1) : unsetenv("KNEAD_LEVEL");
  }
  ~Asked() { before_ ? setenv("KNEAD_LEVEL", before_->c_str(), 1) : unsetenv("KNEAD_LEVEL"); }

 private:
  std::optional<std::string> before_;
};

Exit refusal(std::span<const Level> built) {
  try {
    choose_level(built);
  } catch (const Failure& failure) {
    return failure.code;
  }
  return Exit::done;
}

constexpr std::array all = {Level::plain, Level::avx2, Level::avx512};

TEST(Processor, the_best_level_it_has_is_taken) {
  const Asked nothing(nullptr);
  const Level best = choose_level(all);
  EXPECT_TRUE(processor_has(best));
  for (const Level level : all) EXPECT_FALSE(level > best && processor_has(level));
  EXPECT_EQ(choose_level(std::array{Level::plain}), Level::plain);
}

TEST(Processor, the_level_asked_for_is_taken_or_refused) {
  for (const Level level : all) {
    const Asked asked(std::string(name_of(level)).c_str());
    EXPECT_EQ(refusal(all), processor_has(level) ? Exit::done : Exit::not_built);
    if (processor_has(level)) {
      EXPECT_EQ(choose_level(all), level);
    }
  }
  const Asked unknown("sse9");
  EXPECT_EQ(refusal(all), Exit::usage);
  const Asked not_held("avx2");
  EXPECT_EQ(refusal(std::array{Level::plain}), Exit::not_built);
}

}  // namespace
}  // namespace knead
