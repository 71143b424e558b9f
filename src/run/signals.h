// Ctrl-C and SIGTERM ask a run to stop after its step; a second one quits at once.
#pragma once

namespace knead {

// Catches the signals as long as it lives.
class StopRequests {
 public:
  StopRequests();
  ~StopRequests();
  StopRequests(const StopRequests&) = delete;
  // 0, or the signal that asked to stop.
  static int pending();
};

}  // namespace knead
