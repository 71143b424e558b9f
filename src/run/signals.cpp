#include "run/signals.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

namespace knead {

namespace {

// The handler runs in whichever thread the system takes.
std::atomic<int> stop_signal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may not wait");
struct sigaction old_int, old_term;

extern "C" void note_signal(int signal) {
  if (stop_signal) _exit(128 + signal);
  stop_signal = signal;
}

}  // namespace

StopRequests::StopRequests() {
  stop_signal = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &old_int);
  sigaction(SIGTERM, &action, &old_term);
}

StopRequests::~StopRequests() {
  sigaction(SIGINT, &old_int, nullptr);
  sigaction(SIGTERM, &old_term, nullptr);
}

int StopRequests::pending() { return stop_signal; }

}  // namespace knead
