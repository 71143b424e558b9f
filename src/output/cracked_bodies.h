// The bodies of a run that are meshes, from its rest_mesh.h5: which of their edges are broken in a frame, and the
// surfaces that follow (Wang 2020, section 3.5).
#pragma once

#include "output/frame_file.h"
#include "surface/crack_smoothing.h"
#include "surface/surface_mesh.h"

#include <memory>
#include <optional>

namespace knead {

// A material of files.
struct NamedColor {
  std::string name;
  Vec3f color;  // linear, the part of the light that is thrown back
};

struct NamedSurface {
  std::string name;       // of the body
  std::int32_t body = 0;  // its number, as in the column `body`
  SurfaceMesh mesh;
  std::vector<std::size_t> rows{};      // of the frame: the particle that each vertex of the body's mesh is
  std::vector<std::int32_t> others{};   // bodies that it is of too
  std::optional<NamedColor> outside{};  // where it is not said, the writers' own
};

// The surfaces of a frame.
struct SurfaceFrame {
  std::int64_t number = 0;
  double time = 0;  // s
  std::vector<NamedSurface> bodies;
};

class CrackedBodies {
 public:
  // A number an edge of each body, not 0 for those that are broken.
  using Broken = std::vector<std::vector<std::uint8_t>>;

  // `stretch` is the one at which edges break, in place of what the file says. Fails (bad_input) where there is no such
  // file, or it is wrong.
  explicit CrackedBodies(const std::filesystem::path& rest_mesh, std::optional<double> stretch = {});
  ~CrackedBodies();
  CrackedBodies(CrackedBodies&&) noexcept;

  int dimension() const { return dimension_; }
  std::vector<std::size_t> edges() const;  // how many each body has
  std::size_t cells() const;               // of all bodies
  double threshold(std::size_t body) const;

  // How far each edge has been stretched, at most up to the frame where that is known, else in the frame. Fails
  // (bad_input) where the frame is of other meshes.
  std::vector<std::vector<float>> stretch(const Frame& frame) const;
  // By that alone: what an earlier frame broke is broken still where the frame knows it.
  Broken broken(const Frame& frame) const;

  // The points of edges, triangles and tetrahedra take the place that is smooth for this crack.
  void smooth(const Broken& broken, const Smoothing& smoothing);

  // May be called from several threads, but not while smooth() is.
  SurfaceFrame surface(const Frame& frame, const Broken& broken) const;

 private:
  struct Bodies;
  int dimension_ = 0;
  std::unique_ptr<Bodies> bodies_;
};

}  // namespace knead
