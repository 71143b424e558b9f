#include "output/lost_frames.h"

#include "base/counted.h"
#include "base/error.h"
#include "output/whole_file.h"
#include "scene/node.h"

#include <algorithm>

namespace knead {

namespace {

// From the scene as the run wrote it, with every default, and without the files that it names.
struct Numbering {
  std::int64_t start = 0, every = 1;
};
std::optional<Node> scene_of(const RunFolder& folder) try {
  return parse_toml(read_whole(folder.scene(), std::size_t(1) << 26), folder.scene().string());
} catch (const Failure&) {
  return {};
}
std::optional<Numbering> numbering_in(const Node& scene) {
  const auto number = [&](const char* table, const char* key) -> std::optional<std::int64_t> {
    const Node* in = scene.find(table);
    const Node* value = in ? in->find(key) : nullptr;
    return value && value->kind == Node::Kind::integer ? std::optional(value->integer) : std::nullopt;
  };
  const auto start = number("scene", "start_frame"), every = number("output", "every");
  if (!start || !every || *every < 1) return {};
  return Numbering{*start, *every};
}

}  // namespace

std::vector<std::int64_t> lost_frames(const RunFolder& folder, const ExportOptions& range) {
  const std::vector<std::int64_t> there = folder.frames();
  if (there.empty()) return {};
  const std::optional<Node> scene = scene_of(folder);
  const auto numbering = scene ? numbering_in(*scene) : std::nullopt;
  if (!numbering) return {};
  const std::int64_t last = std::min(there.back(), range.last.value_or(there.back()));
  const std::int64_t first = range.first.value_or(numbering->start), step = std::max<std::int64_t>(1, range.every);
  std::vector<std::int64_t> lost;
  for (std::int64_t n = numbering->start; n <= last; n += numbering->every)
    if (n >= first && (n - first) % step == 0 && !std::binary_search(there.begin(), there.end(), n)) lost.push_back(n);
  return lost;
}

bool is_imported(const RunFolder& folder) {
  const std::optional<Node> scene = scene_of(folder);
  return scene && !numbering_in(*scene);
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
