#include "run/progress.h"

#include "base/printable.h"
#include "base/system.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
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

Progress::Progress(ProgressOptions options, std::int64_t first_frame, std::int64_t last_frame, TextLog& log)
    : options_(options), first_(first_frame), last_(last_frame), log_(log), terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { erase(); }

void Progress::erase() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

std::string Progress::left(const World& world) const {
  const double done = double(world.clock.frame - first_), all = double(last_ - first_);
  if (done <= 0) return "";
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  return fmt::format(", {} left", duration_text(elapsed / done * (all - done)));
}

void Progress::step(const World& world, const TimeStep& step, int retries) {
  particle_steps_ += double(world.particles.count());
  if (options_.verbose) {
    fmt::print(stderr, "step {}  t {:.7g} s  dt {:.3g} s ({})  {} retries\n", world.clock.step, world.clock.time,
               step.dt, name_of(step.bound), retries);
    return;
  }
  if (options_.quiet || !terminal_) return;
  const auto now = Clock::now();
  if (now - last_draw_ < std::chrono::milliseconds(100)) return;
  last_draw_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  fmt::print(stderr, "\r\033[Kframe {}/{}  t {:.5g} s  {} particles  dt {:.3g} s ({})  {:.3g} M particle steps/s  {}{}",
             world.clock.frame, last_, world.clock.time, world.particles.count(), step.dt, name_of(step.bound),
             particle_steps_ / std::max(elapsed, 1e-9) * 1e-6, bytes_text(double(peak_memory())), left(world));
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::frame(const World& world, const Ledger& ledger) {
  const auto now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - std::exchange(last_frame_, now)).count();
  const Tally& t = world.tally;
  const std::string line = fmt::format("frame {}/{}  t {:.5g} s  {} steps, dt {:.3g} to {:.3g} s ({})  {:.2f} s{}",
                                       world.clock.frame, last_, world.clock.time, t.frame_steps, t.frame_min_dt,
                                       t.frame_max_dt, name_of(t.frame_bound), seconds, left(world));
  log_.line(line);
  if (options_.json)
    fmt::print(
        "{{\"frame\": {}, \"time\": {}, \"steps\": {}, \"seconds\": {:.4g}, \"kinetic\": {}, \"elastic\": {}}}\n",
        world.clock.frame, world.clock.time, t.frame_steps, seconds, ledger.kinetic, ledger.elastic);
  if (options_.quiet || (terminal_ && !options_.verbose)) return;
  erase();
  fmt::print(stderr, "{}\n", line);
}

void Progress::say(const std::string& line) {
  log_.line(line);
  if (options_.quiet) return;
  erase();
  fmt::print(stderr, "{}\n", printable(line));
}

void Progress::warn(const std::string& line) {
  log_.line("warning: " + line);
  if (options_.quiet) return;
  erase();
  print_message("warning", line);
}

}  // namespace knead
