#include "view/snapshots.h"

#include "run/rest_meshes.h"

#include <algorithm>

namespace knead {

namespace {

// Snapshots may take so much of the time of a simulation that is watched.
constexpr double share_of_time = 0.02;
// Nobody looks any more when the last question is older.
constexpr std::chrono::seconds watched_for(3);
// Columns beyond which those that nobody wants any more are dropped.
constexpr std::size_t most_columns = 12;
// Nodes of the grid.
constexpr std::size_t most_nodes = 40'000;

}  // namespace

void Snapshots::watch() {
  const std::lock_guard guard(mutex_);
  asked_ = Wall::now();
}

std::shared_ptr<const Frame> Snapshots::get(const std::vector<std::string>& columns) {
  const std::lock_guard guard(mutex_);
  asked_ = Wall::now();
  if (columns.empty()) asked_all_ = asked_;
  if (columns_.size() > most_columns) columns_.clear();  // several pages with unlike wishes
  for (const std::string& name : columns)
    if (std::find(columns_.begin(), columns_.end(), name) == columns_.end()) columns_.push_back(name);
  return frame_;
}

std::shared_ptr<const GridVelocities> Snapshots::grid(const Frame& frame) {
  const std::lock_guard guard(mutex_);
  asked_grid_ = Wall::now();
  return frame_.get() == &frame ? grid_ : nullptr;
}

std::int64_t Snapshots::step() const {
  const std::lock_guard guard(mutex_);
  return step_;
}

void Snapshots::clear() {
  const std::lock_guard guard(mutex_);
  frame_.reset(), grid_.reset();
  step_ = -1;
}

std::optional<Snapshots::Wish> Snapshots::wish(std::int64_t step, bool stands_still) {
  const auto now = Wall::now();
  const std::lock_guard guard(mutex_);
  Wish wish;
  wish.all = stands_still || now - asked_all_ < watched_for;
  wish.grid = now - asked_grid_ < watched_for;
  const bool there = step_ == step && (has_all_ || !wish.all) && (grid_ || !wish.grid);
  if (now - asked_ > watched_for || there) return {};
  if (!stands_still && now < due_) return {};
  if (!wish.all) wish.columns = columns_.empty() ? std::vector<std::string>{"body", "volume"} : columns_;
  return wish;
}

void Snapshots::offer(const Simulation& simulation, bool stands_still) {
  const World& world = simulation.world;
  std::optional<Wish> wanted = wish(world.clock.step, stands_still);
  if (!wanted) return;
  const auto started = Wall::now();
  // The deformation has another name in the world.
  const auto there = [&](const std::string& name) {
    return world.particles.find(name) || (name == "F" && world.particles.find(strain_column));
  };
  std::erase_if(wanted->columns, [&](const std::string& name) { return !there(name); });
  auto frame = std::make_shared<Frame>(make_frame(world, wanted->columns, simulation.scene().solver.dx));
  if (frame->particles.find("R"))  // what surfaces of cracks are made from
    for (const auto stretch : edge_stretches(world)) frame->edge_stretch.emplace_back(stretch.begin(), stretch.end());
  std::shared_ptr<const GridVelocities> grid;
  if (const auto* shows = dynamic_cast<const ShowsGrid*>(simulation.solver.get()); shows && wanted->grid)
    grid = std::make_shared<const GridVelocities>(shows->grid_velocities(most_nodes));
  const auto now = Wall::now();
  const double cost = std::chrono::duration<double>(now - started).count();
  due_ = now + std::chrono::duration_cast<Wall::duration>(
                   std::chrono::duration<double>(std::max(0.04, cost / share_of_time)));
  const std::lock_guard guard(mutex_);
  frame_ = std::move(frame), grid_ = std::move(grid);
  step_ = world.clock.step, has_all_ = wanted->all;
}

}  // namespace knead
