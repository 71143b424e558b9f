#include "view/frame_cache.h"

#include "output/endless_read.h"
#include "output/run_frames.h"

#include <algorithm>
#include <chrono>

namespace knead {

namespace {

std::size_t bytes_of(const Frame& frame) {
  std::size_t bytes = sizeof frame;
  for (const Column& c : frame.particles.columns()) bytes += c.data.size();
  for (const auto& mesh : frame.edge_stretch) bytes += mesh.size() * sizeof(float);
  return bytes;
}

// None named: all.
bool has_all(const std::vector<std::string>& there, const std::vector<std::string>& wanted) {
  return there.empty() || (!wanted.empty() && std::all_of(wanted.begin(), wanted.end(), [&](const std::string& w) {
           return std::find(there.begin(), there.end(), w) != there.end();
         }));
}

}  // namespace

std::shared_ptr<const Frame> FrameCache::get(std::int64_t number, const std::vector<std::string>& columns) {
  const std::filesystem::path path = folder_.frame(number);
  std::error_code missing;
  const auto written = std::filesystem::last_write_time(path, missing);
  if (missing) fail(Exit::bad_input, "there is no frame {}", number);
  // One frame at a time. A forged one may be read for ever, and must not take all who answer with it.
  std::unique_lock lock(mutex_, std::defer_lock);
  while (!lock.try_lock_for(std::chrono::milliseconds(100)))
    if (!endless_read(std::chrono::seconds(5)).empty())
      fail(Exit::file, "frame {} must wait: another one takes too long to read", number);
  const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.number == number; });
  std::vector<std::string> wanted = columns;
  if (at != entries_.end()) {
    if (at->written == written && has_all(at->columns, columns)) {
      entries_.splice(entries_.begin(), entries_, at);
      return entries_.front().frame;
    }
    if (!wanted.empty()) wanted.insert(wanted.end(), at->columns.begin(), at->columns.end());
    entries_.erase(at);
  }
  // What the scene says of all frames is read anew too: that of a run under way may change.
  auto frame = std::make_shared<const Frame>(RunFrames(folder_).read(number, wanted));
  entries_.push_front({number, written, bytes_of(*frame), std::move(wanted), frame});
  std::size_t sum = 0;
  for (auto e = entries_.begin(); e != entries_.end();) {
    sum += e->bytes;
    e = sum > most_bytes_ && e != entries_.begin() ? entries_.erase(e) : std::next(e);
  }
  return frame;
}

}  // namespace knead
