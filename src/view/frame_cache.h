// The frames of a run folder, the last ones used kept in memory.
#pragma once

#include "output/frame_file.h"
#include "output/run_folder.h"

#include <list>
#include <memory>
#include <mutex>

namespace knead {

class FrameCache {
 public:
  FrameCache(RunFolder folder, std::size_t most_bytes) : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  // With these columns at least, where the file has them; none named: with all. Fails as RunFrames::read does. From any
  // thread; a frame that was written anew is read anew.
  std::shared_ptr<const Frame> get(std::int64_t number, const std::vector<std::string>& columns);

 private:
  struct Entry {
    std::int64_t number;
    std::filesystem::file_time_type written;
    std::size_t bytes;
    std::vector<std::string> columns;  // that were asked for; none: all
    std::shared_ptr<const Frame> frame;
  };
  RunFolder folder_;
  std::size_t most_bytes_;
  std::timed_mutex mutex_;
  std::list<Entry> entries_;  // the last used first
};

}  // namespace knead
