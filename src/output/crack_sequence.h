// The surfaces of a run's cracked bodies, frame by frame, from its rest_mesh.h5 and its frames (Wang 2020,
// section 3.5).
#pragma once

#include "output/cracked_bodies.h"
#include "output/mesh_writer.h"
#include "output/run_frames.h"
#include "surface/stretch_history.h"

namespace knead {

struct CrackOptions {
  std::optional<double> stretch;  // at which edges break, in place of what rest_mesh.h5 says
  Smoothing smoothing;
  std::function<void(const std::string&)> warn;  // told of each damaged frame, which is left out
};

// Reads the meshes, and all frames once: when each edge breaks, and so where the crack will be in the end, must be
// known before the first frame is drawn. Fails (bad_input) where the run has no meshes or its frames lack what is
// needed.
class CrackSequence {
 public:
  explicit CrackSequence(const RunFolder& folder, const CrackOptions& options = {});

  // Numbers of the frames that can be read, ascending.
  const std::vector<std::int64_t>& frames() const { return frames_; }
  // May be called from several threads.
  SurfaceFrame surface(std::int64_t number) const;
  SurfaceFrame surface(const Frame& frame) const;

  std::size_t edges() const;
  std::size_t broken_edges() const;  // at the end

 private:
  CrackedBodies::Broken broken_at(int index) const;  // by the index of a frame

  RunFrames run_frames_;
  CrackedBodies bodies_;
  std::vector<StretchHistory> histories_;  // of the bodies
  std::vector<std::int64_t> frames_;
};

// Writes the frames from `first` to `last` into a folder, several at once; returns how many. `finish` gets each before
// it is written, from several threads.
std::size_t write_cracks(const CrackSequence& cracks, const MeshWriter& writer, const std::filesystem::path& out,
                         const ExportOptions& range, const std::function<void(SurfaceFrame&)>& finish = {});

}  // namespace knead
