#include "output/run_frames.h"

#include "base/error.h"
#include "output/frame_part.h"
#include "output/whole_file.h"
#include "scene/node.h"

#include <algorithm>

namespace knead {

namespace {

std::optional<Node> scene_of(const RunFolder& folder) try {
  return parse_toml(read_whole(folder.scene(), std::size_t(1) << 26), folder.scene().string());
} catch (const Failure&) {
  return {};
}

std::optional<RunOutline> outline_in(const Node& scene) {
  const auto number = [&](const char* table, const char* key) -> std::optional<std::int64_t> {
    const Node* in = scene.find(table);
    const Node* value = in ? in->find(key) : nullptr;
    return value && value->kind == Node::Kind::integer ? std::optional(value->integer) : std::nullopt;
  };
  const auto count = [&](const char* list) {
    const Node* all = scene.find(list);
    return all ? std::ssize(all->items) : 0;
  };
  const auto start = number("scene", "start_frame"), every = number("output", "every");
  constexpr std::int64_t most = 1'000'000;  // as the tables of the scene have it
  if (!start || !every || *start < 0 || *start > most || *every < 1 || *every > most) return {};
  return RunOutline{*start, *every, count("body") + count("source")};
}

}  // namespace

std::optional<RunOutline> outline_of(const RunFolder& folder) {
  const std::optional<Node> scene = scene_of(folder);
  return scene ? outline_in(*scene) : std::nullopt;
}

bool is_imported(const RunFolder& folder) {
  const std::optional<Node> scene = scene_of(folder);
  return scene && !outline_in(*scene);
}

Frame RunFrames::read(std::int64_t number, std::vector<std::string> columns) const {
  const std::filesystem::path path = folder_.frame(number);
  const bool all = columns.empty();
  columns.insert(columns.end(), {"id", "body"});
  Frame frame = all ? read_frame(path) : read_frame_part(path, std::move(columns));
  const Column *column = frame.particles.find("body"), *id = frame.particles.find("id");
  if (!column || !outline_) return frame;
  if (column->scalar != Scalar::i32 || column->components != 1)
    fail(Exit::bad_input, "'{}' is damaged: the column 'body' is not a whole number", path.string());
  const auto body = column->as<std::int32_t>();
  const auto wrong =
      std::find_if(body.begin(), body.end(), [&](std::int32_t b) { return b < 0 || b >= outline_->origins; });
  if (wrong == body.end()) return frame;
  const auto i = static_cast<std::size_t>(wrong - body.begin());
  fail(Exit::bad_input, "'{}' is damaged: particle {} is of body {}; the scene has {} bodies and sources, from 0",
       path.string(), id ? id->as<std::int32_t>()[i] : static_cast<std::int64_t>(i), *wrong, outline_->origins);
}

}  // namespace knead
