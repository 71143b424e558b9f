#include "apps/terminal.h"

#include "apps/print.h"
#include "base/printable.h"
#include "base/system.h"
#include "run/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace knead {

Terminal::Terminal(Options options) : options_(options), terminal_(isatty(STDERR_FILENO) == 1) {}

void Terminal::erase() {
  if (drawn_) std::fputs("\r\033[K", stderr);
  drawn_ = false;
}

void Terminal::step(const RunMoment& now) {
  const Clock& clock = now.world.clock;
  if (options_.verbose) {
    fmt::print(stderr, "step {}  t {:.7g} s  dt {:.3g} s ({})  {} retries\n", clock.step, clock.time, now.step.dt,
               name_of(now.step.bound), now.retries);
    return;
  }
  if (options_.quiet || !terminal_) return;
  const auto moment = std::chrono::steady_clock::now();
  if (moment - last_draw_ < std::chrono::milliseconds(100)) return;
  last_draw_ = moment;
  fmt::print(stderr, "\r\033[Kframe {}/{}  t {:.5g} s  {} particles  dt {:.3g} s ({})  {:.3g} M particle steps/s  {}{}",
             clock.frame, now.last_frame, clock.time, now.world.particles.count(), now.step.dt, name_of(now.step.bound),
             now.particle_steps * 1e-6, bytes_text(double(peak_memory())),
             now.seconds_left ? fmt::format(", {} left", duration_text(*now.seconds_left)) : "");
  std::fflush(stderr);
  drawn_ = true;
}

void Terminal::frame(const World& world, const Ledger& ledger, double seconds, const std::string& line) {
  if (options_.json)
    fmt::print(
        "{{\"frame\": {}, \"time\": {}, \"steps\": {}, \"seconds\": {:.4g}, \"kinetic\": {}, \"elastic\": {}}}\n",
        world.clock.frame, world.clock.time, world.tally.frame_steps, seconds, ledger.kinetic, ledger.elastic);
  if (options_.quiet || (terminal_ && !options_.verbose)) return;
  erase();
  fmt::print(stderr, "{}\n", line);
}

void Terminal::say(const std::string& line) {
  if (options_.quiet) return;
  erase();
  fmt::print(stderr, "{}\n", printable_lines(line));
}

void Terminal::warn(const std::string& line) {
  if (options_.quiet) return;
  erase();
  print_message("warning", line);
}

}  // namespace knead
