// Ends a command that reads a frame without end.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

namespace knead {

// While it lives, a forged frame that keeps the HDF5 library busy for ever ends the program with a message and code 3.
class EndlessReads {
 public:
  EndlessReads();
  ~EndlessReads();
  EndlessReads(const EndlessReads&) = delete;
  EndlessReads& operator=(const EndlessReads&) = delete;

 private:
  void watch();
  std::mutex mutex_;
  std::condition_variable change_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace knead
