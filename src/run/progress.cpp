#include "run/progress.h"

#include "base/one_line.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace knead {

std::string duration_text(double seconds) {
  constexpr double year = 365.25 * 24 * 3600;
  if (!(seconds < 1000 * year)) return "more than a thousand years";
  if (seconds > year) return fmt::format("{:.3g} years", seconds / year);
  if (seconds < 60) return fmt::format("{:.3g} s", seconds);
  if (seconds < 3600)
    return fmt::format("{:.0f} min {:02.0f} s", std::floor(seconds / 60), std::floor(std::fmod(seconds, 60)));
  return fmt::format("{:.0f} h {:02.0f} min", std::floor(seconds / 3600), std::floor(std::fmod(seconds, 3600) / 60));
}

Progress::Progress(std::int64_t first_frame, std::int64_t last_frame, TextLog& log, RunObserver* observer)
    : first_(first_frame), last_(last_frame), log_(log), observer_(observer) {}

Progress::~Progress() {
  if (observer_) observer_->finished();
}

double Progress::seconds_since(Clock::time_point then) const {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

std::optional<double> Progress::seconds_left(const World& world) const {
  const double done = double(world.clock.frame - first_), all = double(last_ - first_);
  if (done <= 0) return {};
  return seconds_since(start_) / done * (all - done);
}

void Progress::step(const World& world, const TimeStep& step, int retries) {
  particle_steps_ += double(world.particles.count());
  if (!observer_) return;
  const double speed = particle_steps_ / std::max(seconds_since(start_), 1e-9);
  observer_->step({world, step, retries, last_, speed, seconds_left(world)});
}

void Progress::frame(const World& world, const Ledger& ledger) {
  const double seconds = seconds_since(std::exchange(last_frame_, Clock::now()));
  const std::optional<double> left = seconds_left(world);
  const Tally& t = world.tally;
  const std::string line =
      fmt::format("frame {}/{}  t {:.5g} s  {} steps, dt {:.3g} to {:.3g} s ({})  {:.2f} s{}", world.clock.frame, last_,
                  world.clock.time, t.frame_steps, t.frame_min_dt, t.frame_max_dt, name_of(t.frame_bound), seconds,
                  left ? fmt::format(", {} left", duration_text(*left)) : "");
  log_.line(line);
  if (observer_) observer_->frame(world, ledger, seconds, line);
}

void Progress::say(const std::string& line) {
  log_.line(line);
  if (observer_) observer_->say(line);
}

void Progress::warn(const std::string& text) {
  const std::string line = one_line(text);
  log_.line("warning: " + line);
  if (observer_) observer_->warn(line);
}

}  // namespace knead
