#include "view/frame_cache.h"

#include <algorithm>

namespace knead {

namespace {

std::size_t bytes_of(const Frame& frame) {
  std::size_t bytes = sizeof frame;
  for (const Column& c : frame.particles.columns()) bytes += c.data.size();
  for (const auto& mesh : frame.edge_stretch) bytes += mesh.size() * sizeof(float);
  return bytes;
}

}  // namespace

std::shared_ptr<const Frame> FrameCache::get(std::int64_t number) {
  const std::filesystem::path path = folder_.frame(number);
  std::error_code missing;
  const auto written = std::filesystem::last_write_time(path, missing);
  if (missing) fail(Exit::bad_input, "there is no frame {}", number);
  const std::lock_guard lock(mutex_);
  const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.number == number; });
  if (at != entries_.end() && at->written == written) {
    entries_.splice(entries_.begin(), entries_, at);
    return entries_.front().frame;
  }
  if (at != entries_.end()) entries_.erase(at);
  const auto frame = std::make_shared<const Frame>(read_frame(path));
  entries_.push_front({number, written, bytes_of(*frame), frame});
  std::size_t sum = 0;
  for (auto e = entries_.begin(); e != entries_.end();) {
    sum += e->bytes;
    e = sum > most_bytes_ && e != entries_.begin() ? entries_.erase(e) : std::next(e);
  }
  return frame;
}

}  // namespace knead
