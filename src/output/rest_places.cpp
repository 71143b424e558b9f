#include "output/rest_places.h"

#include "base/error.h"
#include "output/frame_part.h"

#include <algorithm>
#include <cstring>

namespace knead {

RestPlaces::RestPlaces(const RunFolder& folder, const Scene& scene) {
  const std::vector<std::int64_t> frames = folder.frames();
  const auto displaced = [](const Body& body) { return !body.displacement.is_zero(); };
  if (std::any_of(scene.bodies.begin(), scene.bodies.end(), displaced)) return;
  if (!scene.sources.empty() || frames.empty() || frames.front() != scene.scene.start_frame) return;
  try {
    first_ = read_frame_part(folder.frame(frames.front()), {"id"}).particles;
  } catch (const Failure& failure) {
    if (failure.code != Exit::bad_input) throw;
  }
}

void RestPlaces::add_to(Frame& frame) const {
  const Column *id = frame.particles.find("id"), *first_id = first_.find("id");
  if (!id || !first_id || frame.particles.find("X")) return;
  const Column& x = *first_.find("x");
  if (x.components != frame.dimension) return;
  const auto known = first_id->as<std::int32_t>();
  std::vector<std::size_t> rows;
  for (const std::int32_t number : id->as<std::int32_t>()) {
    const auto at = std::lower_bound(known.begin(), known.end(), number);
    if (at == known.end() || *at != number) return;
    rows.push_back(static_cast<std::size_t>(at - known.begin()));
  }
  Column& rest = frame.particles.add("X", x.scalar, x.components, "m");
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::memcpy(rest.data.data() + i * rest.stride(), x.data.data() + rows[i] * x.stride(), x.stride());
}

}  // namespace knead
