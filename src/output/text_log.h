// log.txt: a plain line for each thing worth knowing after a run.
#pragma once

#include <filesystem>
#include <mutex>
#include <string_view>

namespace knead {

class TextLog {
 public:
  // Goes on after what the file holds. A log that cannot be written is no reason to stop a run: lines are then dropped.
  explicit TextLog(const std::filesystem::path& path);
  ~TextLog();
  TextLog(const TextLog&) = delete;
  TextLog& operator=(const TextLog&) = delete;
  void line(std::string_view text);  // from any thread

 private:
  int file_ = -1;
  std::mutex mutex_;
};

}  // namespace knead
