#include "run/signals.h"

#include <unistd.h>
#include <csignal>

namespace knead {

namespace {

volatile std::sig_atomic_t stop_signal = 0;
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
