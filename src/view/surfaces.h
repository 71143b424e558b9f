// The surfaces of bodies, of one frame after the other as the page asks for them: of those that are meshes outside and
// cracks, of the others a skin around their particles. Made in the thread that asks, and the last ones kept.
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
  static std::vector<std::string> columns_for(const Scene& scene, const std::string& color);

  // The surfaces as the page takes them (packed.h). Cracks are smoothed as they are in the frame `last`, so that they
  // keep their place from frame to frame. Skins have no place at rest, and are left out there. Fails (bad_input) where
  // meshes or particles are too many to be drawn at once, (usage) where frames lack what a skin is made from.
  std::string bytes(const Scene& scene, const Frame& frame, const SurfaceRequest& request, const Frame& last);

  // More are refused: their surfaces would take many seconds and all memory.
  static constexpr std::size_t most_cells = 2'000'000, most_particles = 200'000;

 private:
  struct Kept {
    std::string key, bytes;
  };
  void open(const Scene& scene);
  void smooth(const Frame& last);
  SurfaceFrame surfaces_of(const Scene& scene, const Frame& frame, bool at_rest) const;

  RunFolder folder_;
  std::mutex mutex_;
  std::filesystem::file_time_type written_{};
  std::optional<CrackedBodies> bodies_;
  CrackedBodies::Broken smoothed_;  // the crack that they are smooth for
  std::list<Kept> kept_;            // the last used first
};

}  // namespace knead
