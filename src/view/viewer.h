// What the viewer answers, as text and bytes: the state of a run, its frames, its statistics, its log; and what it does
// when it is told to.
#pragma once

#include "view/frame_bytes.h"
#include "view/frame_cache.h"
#include "view/live.h"
#include "view/surfaces.h"
#include "view/turns.h"

namespace knead {

class Viewer {
 public:
  // Of a run in a folder, done or still written by another process.
  explicit Viewer(const RunFolder& folder);
  // Of one that goes on here.
  explicit Viewer(LiveRun& live);

  // The page offers another run to be shown beside.
  void offer_beside() { beside_ = true; }

  // All may be called from several threads; they fail (bad_input) where what is asked for is not there.
  std::string scene();   // JSON
  std::string solids();  // JSON
  std::string panel();   // JSON: every value of the scene, with its unit, range and meaning
  std::string forms();   // JSON: what can be added to it, with what it needs
  std::string state();   // JSON
  // `which` is a frame's number, or "now" for the state of a run that goes on here; nothing where there is none yet.
  std::string frame(const std::string& which, const FrameRequest& request);
  std::string frame_file(const std::string& which);  // HDF5, as it is on the disk
  // Of bodies that are meshes: outside and cracks (surfaces.h).
  std::string surface(const std::string& which, const SurfaceRequest& request);
  std::string grid(const std::string& which);                       // velocities of the grid's nodes (packed.h)
  std::string particle(const std::string& which, std::size_t row);  // JSON: all columns of it
  // JSON: how a quantity of that particle went over the frames there are.
  std::string history(const std::string& which, std::size_t row, const std::string& quantity);
  std::string stats(std::size_t first_row);  // JSON
  std::string log(std::size_t first_byte);   // JSON
  std::string toml(bool next);               // the scene file; next: as a restart would have it
  // JSON as the page sends it: {"do": "pause"}. Gives what came of it.
  std::string command(const std::string& json);

 private:
  std::shared_ptr<const Scene> current_scene();
  std::string revision();
  std::shared_ptr<const Frame> frame_of(const std::string& which, const std::vector<std::string>& columns);

  RunFolder folder_;
  LiveRun* live_ = nullptr;
  bool beside_ = false;
  FrameCache cache_;
  Surfaces surfaces_;
  Turns turns_;
  Paced live_surface_;
  std::mutex mutex_;
  std::shared_ptr<const Scene> scene_;  // of a folder
  std::string scene_revision_;
};

}  // namespace knead
