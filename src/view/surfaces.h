// The surfaces of bodies that are meshes, outside and cracks, of one frame after the other as the page asks for them.
// Made in the thread that asks, and the last ones kept.
#pragma once

#include "output/cracked_bodies.h"
#include "output/run_folder.h"
#include "scene/scene.h"

#include <list>
#include <mutex>

namespace knead {

struct SurfaceRequest {
  std::string color = "body";  // as in Camera::color
  bool at_rest = false;        // where the matter started
  std::string name() const { return color + (at_rest ? " at rest" : ""); }
};

class Surfaces {
 public:
  explicit Surfaces(RunFolder folder) : folder_(std::move(folder)) {}

  // The columns of a frame that it needs.
  static std::vector<std::string> columns_for(const std::string& color);

  // The surfaces as the page takes them (packed.h). Cracks are smoothed as they are in the frame `last`, so that they
  // keep their place from frame to frame. Fails (bad_input) where the run has no meshes, and where these are too large
  // to be drawn at once.
  std::string bytes(const Scene& scene, const Frame& frame, const SurfaceRequest& request, const Frame& last);

  // Those largest are refused: their surfaces would take many seconds and all memory.
  static constexpr std::size_t most_cells = 2'000'000;

 private:
  struct Kept {
    std::string key, bytes;
  };
  void open();
  void smooth(const Frame& last);

  RunFolder folder_;
  std::mutex mutex_;
  std::filesystem::file_time_type written_{};
  std::optional<CrackedBodies> bodies_;
  CrackedBodies::Broken smoothed_;  // the crack that they are smooth for
  std::list<Kept> kept_;            // the last used first
};

}  // namespace knead
