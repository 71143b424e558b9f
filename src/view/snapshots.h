// The state of a simulation between its frames, copied for those who look. Copies are made only while somebody looks,
// of the columns that are looked at, and take a small part of the time.
#pragma once

#include "output/frame_file.h"
#include "run/simulation.h"
#include "world/grid_velocities.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace knead {

class Snapshots {
 public:
  // From any thread.
  void watch();  // somebody looks: snapshots are made for some seconds
  // As it was a moment ago; none before the first. The next ones have these columns, or all where none are named; of a
  // simulation that stands still they have all.
  std::shared_ptr<const Frame> get(const std::vector<std::string>& columns);
  // Of the snapshot that `frame` is; none where it was made without, as the next ones will not be.
  std::shared_ptr<const GridVelocities> grid(const Frame& frame);
  std::int64_t step() const;  // of the one that there is, or -1

  // From the simulation's thread: makes one where it is wanted and the time for it has come.
  void offer(const Simulation& simulation, bool stands_still);
  void clear();

 private:
  using Wall = std::chrono::steady_clock;

  // What the next one is to have; nothing where none is wanted yet.
  struct Wish {
    std::vector<std::string> columns;
    bool all = false, grid = false;
  };
  std::optional<Wish> wish(std::int64_t step, bool stands_still);

  mutable std::mutex mutex_;
  std::shared_ptr<const Frame> frame_;
  std::shared_ptr<const GridVelocities> grid_;
  std::int64_t step_ = -1;
  bool has_all_ = false;                                   // columns
  Wall::time_point asked_{}, asked_all_{}, asked_grid_{};  // last, for any, one of all columns, one with the grid
  std::vector<std::string> columns_;                       // that were asked for
  Wall::time_point due_{};                                 // the simulation's own
};

}  // namespace knead
