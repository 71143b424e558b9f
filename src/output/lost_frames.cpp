#include "output/lost_frames.h"

#include "base/counted.h"
#include "output/run_frames.h"

#include <algorithm>

namespace knead {

std::vector<std::int64_t> lost_frames(const RunFolder& folder, const ExportOptions& range) {
  const std::vector<std::int64_t> there = folder.frames();
  const auto numbering = there.empty() ? std::nullopt : outline_of(folder);
  if (!numbering) return {};
  const std::int64_t last = std::min(there.back(), range.last.value_or(there.back()));
  const std::int64_t first = range.first.value_or(numbering->start), step = std::max<std::int64_t>(1, range.every);
  std::vector<std::int64_t> lost;
  for (std::int64_t n = numbering->start; n <= last; n += numbering->every)
    if (n >= first && (n - first) % step == 0 && !std::binary_search(there.begin(), there.end(), n)) lost.push_back(n);
  return lost;
}

std::string lost_frames_warning(const RunFolder& folder, const ExportOptions& range) {
  const std::vector<std::int64_t> lost = lost_frames(folder, range);
  if (lost.empty()) return "";
  constexpr std::ptrdiff_t most = 8;
  return fmt::format("{} {} missing in {} and {} left out: {}{}", counted(lost.size(), "frame"),
                     lost.size() == 1 ? "is" : "are", folder.frames_folder().string(), lost.size() == 1 ? "is" : "are",
                     fmt::join(lost.begin(), lost.begin() + std::min(most, std::ssize(lost)), ", "),
                     std::ssize(lost) > most ? ", …" : "");
}

}  // namespace knead
