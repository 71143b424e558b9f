// Answers that take long to make, so that those who ask for them hold up neither the others nor the simulation.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <string>

namespace knead {

// Answers that take long are made one at a time: one is made and one waits, so that whoever asks something else is
// heard.
class Turns {
 public:
  // Fails (bad_input) where another waits already.
  std::string take(const std::function<std::string()>& make);

 private:
  std::atomic<int> asking_ = 0;
  std::mutex mutex_;
};

// An answer that takes long to make, kept for a while so that making it takes a small part of the time.
class Paced {
 public:
  // `make` gives a new one, unless the one of the same name is young still.
  std::string get(const std::string& name, const std::function<std::string()>& make);

 private:
  std::mutex mutex_;
  std::string name_, answer_;
  std::chrono::steady_clock::time_point due_{};
};

}  // namespace knead
