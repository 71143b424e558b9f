#include "world/controls.h"

#include "base/parallel.h"
#include "scene/force_variables.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>

namespace knead {

Controls::Controls(const Scene& scene)
    : gravity(scene.gravity()),
      body_force(scene.scene.body_force),
      rest_positions(scene.needs_rest_positions()),
      bodies(scene.bodies.size()),
      frame(1 / scene.scene.fps),
      events(scene.events_in_order()),
      colliders(boundaries_of(scene), scene.solver.dx),
      reactions(scene, colliders.boundaries()) {
  for (const MaterialEntry& m : scene.materials) materials.push_back(m.material);
}

double Controls::next_event(const World& world) const {
  const auto next = static_cast<std::size_t>(world.clock.events);
  return next < events.size() ? events[next].time : std::numeric_limits<double>::infinity();
}

void Controls::apply(const Event& event) {
  const auto names = [](const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  for (std::size_t b = 0; b < colliders.boundaries().size(); ++b) {
    const std::string& name = colliders.boundaries()[b].collider.name;
    if (names(event.release, name)) colliders.set_on(b, false);
    if (names(event.enable, name)) colliders.set_on(b, true);
  }
  if (event.gravity) gravity = *event.gravity;
  if (event.changed) materials[static_cast<std::size_t>(event.material_index)] = *event.changed;
}

void Controls::apply_past(const World& world) {
  for (std::int64_t i = 0; i < world.clock.events; ++i) apply(events[static_cast<std::size_t>(i)]);
}

std::optional<Problem> Controls::move_to(double time) {
  colliders.move_to(time);
  reactions.start_step(time);
  return problem_of(colliders);
}

std::optional<Problem> problem_of(const ColliderSet& colliders) {
  const Boundary* lost = colliders.lost();
  if (!lost) return {};
  return Problem{.what = fmt::format("the motion of '{}' is not a finite number", lost->collider.name),
                 .remedy = "correct the expressions of its motion, or end the scene before"};
}

template <int D>
Mat<double, D> gradient_of(const Formula& velocity, const Vec3d& x, const Vec3d& start, double time,
                           const Mat<double, D>& rest) {
  Mat<double, D> by_x = Mat<double, D>::zero(), by_start = by_x;
  if (velocity.is_constant()) return by_x;
  const FieldValues at = field_values(x, start, time);
  for (int c = 0; c < D; ++c) {
    const Vec3d here = velocity.slope(at, c), there = velocity.slope(at, 3 + c);
    for (int r = 0; r < D; ++r) by_x(r, c) = here[r], by_start(r, c) = there[r];
  }
  return by_x + by_start * rest;
}

template <class T, int D>
void add_velocity(const Event& event, World& world) {
  Particles& particles = world.particles;
  const bool affine = particles.find("C");
  const auto C = affine ? particles.get<Mat<T, D>>("C") : std::span<Mat<T, D>>();
  const bool strained = affine && particles.find(strain_column);  // liquids are not
  const auto x = particles.get<Vec<T, D>>("x"), v = particles.get<Vec<T, D>>("v");
  const auto start = depends_on_start(event.velocity) ? particles.get<Vec<T, D>>("X") : x;
  const auto mass = particles.get<T>("mass");
  const auto body = particles.get<std::int32_t>("body");
  const double time = world.clock.time;
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (event.body_index >= 0 && body[i] != event.body_index) continue;  // without a body: all matter
    const Vec3d at = resized<double, 3>(x[i]), before = resized<double, 3>(v[i]);
    const Vec3d added = event.velocity.at(field_values(at, resized<double, 3>(start[i]), time));
    if (!std::isfinite(dot(added, added)))
      fail(Exit::numerical,
           "{}: the velocity that an event adds is not a finite number at ({:.6g}, {:.6g}, {:.6g}) m, "
           "t = {} s",
           event.velocity.place, at[0], at[1], at[2], time);
    v[i] += resized<T, D>(added);
    const Vec3d after = resized<double, 3>(v[i]);
    world.tally.body_work += 0.5 * double(mass[i]) * dot(after - before, after + before);
    for (int a = 0; a < D; ++a) world.tally.max_speed = std::max(world.tally.max_speed, std::abs(after[a]));
    if (!affine) continue;
    // Plastic flow is not remembered as a whole: what matter was at the start is told by its elastic strain.
    const Mat<double, D> elastic = strained ? deformation_of<T, D>(particles, i) : Mat<double, D>::identity();
    const Mat<double, D> rest = determinant(elastic) > 1e-3 ? inverse(elastic) : Mat<double, D>::identity();
    C[i] += cast<T>(gradient_of<D>(event.velocity, at, resized<double, 3>(start[i]), time, rest));
  }
}

// Every column is put in the new order, and what the new law remembers and the old one does not starts at its initial
// value.
template <class T>
std::vector<std::size_t> switch_material(const Event& event, const std::vector<Material>& materials, World& world) {
  Particles& particles = world.particles;
  const std::size_t n = particles.count();
  const auto body = particles.get<std::int32_t>("body");
  std::vector<std::int32_t> material(n);
  for (const Batch& b : world.batches)
    for (auto i = static_cast<std::size_t>(b.begin); i < static_cast<std::size_t>(b.end); ++i) {
      material[i] = b.material;
      if (body[i] != event.body_index) continue;
      material[i] = event.material_index;
      const auto known = history_columns_of(materials[static_cast<std::size_t>(b.material)]);
      for (const HistoryColumn& h : history_columns_of(materials[static_cast<std::size_t>(event.material_index)])) {
        const bool kept = std::any_of(known.begin(), known.end(),
                                      [&](const HistoryColumn& k) { return std::string_view(k.name) == h.name; });
        if (!kept) particles.get<T>(h.name)[i] = T(h.initial);
      }
    }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return material[a] < material[b]; });

  world.batches.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t m = material[order[i]];
    const auto at = static_cast<std::int64_t>(i);
    if (world.batches.empty() || world.batches.back().material != m) world.batches.push_back({m, at, at});
    ++world.batches.back().end;
  }
  for (Column& column : particles.columns()) {
    const std::size_t stride = column.stride();
    const Bytes old = column.data;
    for (std::size_t i = 0; i < n; ++i)
      std::memcpy(column.data.data() + i * stride, old.data() + order[i] * stride, stride);
  }
  return order;
}

template <class T, int D>
void check_body_force(const Formula& force, const World& world) {
  if (force.is_zero()) return;
  const auto x = world.particles.get<Vec<T, D>>("x"), start = world.particles.get<Vec<T, D>>("X"),
             v = world.particles.get<Vec<T, D>>("v");
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec3d at = resized<double, 3>(x[i]);
    const Vec3d a = body_force_at(force, x[i], start[i], v[i], world.clock.time);
    if (!std::isfinite(dot(a, a)))
      fail(Exit::bad_input, "{}: scene.body_force is not a finite number at ({:.6g}, {:.6g}, {:.6g}) m, t = {} s",
           force.place, at[0], at[1], at[2], world.clock.time);
  }
}

// Forces vary less from particle to particle than the bound has room (a factor 4 in da/dx), so that of many particles
// one in eight is asked.
template <class T, int D>
double body_force_rate(const Formula& force, const World& world) {
  const bool by_place = force.uses(0) || force.uses(1) || force.uses(2), by_velocity = depends_on_velocity(force);
  if (!by_place && !by_velocity) return 0;
  const auto x = world.particles.get<Vec<T, D>>("x"), start = world.particles.get<Vec<T, D>>("X"),
             v = world.particles.get<Vec<T, D>>("v");
  const std::size_t stride = x.size() > 4096 ? 8 : 1;
  // The largest sum of a row bounds every eigenvalue. An infinitely steep place does not count: there are few, and the
  // force itself is finite.
  const auto largest_row = [&](const ForceValues& values, int first_variable) {
    const Mat3d slopes = force_slopes(force, values, first_variable);
    double largest = 0;
    for (int r = 0; r < D; ++r) {
      double sum = 0;
      for (int c = 0; c < D; ++c) sum += std::abs(slopes(r, c));
      if (std::isfinite(sum)) largest = std::max(largest, sum);
    }
    return largest;
  };
  // The largest of all is the same in any order, and needs no memory of its own.
  std::atomic<double> fastest = 0;
  parallel_chunks((x.size() + stride - 1) / stride, 1024, [&](std::size_t begin, std::size_t end) {
    double rate = 0;
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t i = k * stride;
      const ForceValues values = force_values(x[i], start[i], v[i], world.clock.time);
      if (by_place) rate = std::max(rate, std::sqrt(largest_row(values, first_place_variable)));
      if (by_velocity) rate = std::max(rate, largest_row(values, first_velocity_variable));
    }
    for (double known = fastest; known < rate && !fastest.compare_exchange_weak(known, rate);) {
    }
  });
  return fastest;
}

// The box around all particles, which is the same in any order of them.
template <class T, int D>
Bounds box_of_matter(const World& world) {
  const auto x = world.particles.get<Vec<T, D>>("x");
  Bounds all;
  std::mutex mutex;
  parallel_chunks(x.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
    Vec<T, D> lo = x[begin], hi = lo;
    for (std::size_t i = begin; i < end; ++i)
      for (int a = 0; a < D; ++a) lo[a] = std::min(lo[a], x[i][a]), hi[a] = std::max(hi[a], x[i][a]);
    const std::lock_guard lock(mutex);
    all.add(Bounds{resized<double, 3>(lo), resized<double, 3>(hi)});
  });
  return all;
}

// Matter is looked at only where something is fast at all.
template <class T, int D>
double collider_speed(const Controls& controls, const World& world, double dt, double reach, double harmless) {
  const double time = world.clock.time, ahead = std::min(dt, controls.frame);
  const auto fastest = [&](const Bounds& matter) { return controls.colliders.fastest(matter, time, ahead, D); };
  if (fastest(Bounds::everything()) <= harmless) return 0;
  const double speed = fastest(box_of_matter<T, D>(world).grown(reach));
  return speed > harmless ? speed : 0;
}

template Mat<double, 2> gradient_of(const Formula&, const Vec3d&, const Vec3d&, double, const Mat<double, 2>&);
template Mat<double, 3> gradient_of(const Formula&, const Vec3d&, const Vec3d&, double, const Mat<double, 3>&);
template void add_velocity<float, 2>(const Event&, World&);
template void add_velocity<float, 3>(const Event&, World&);
template void add_velocity<double, 2>(const Event&, World&);
template void add_velocity<double, 3>(const Event&, World&);
template std::vector<std::size_t> switch_material<float>(const Event&, const std::vector<Material>&, World&);
template std::vector<std::size_t> switch_material<double>(const Event&, const std::vector<Material>&, World&);
template void check_body_force<float, 2>(const Formula&, const World&);
template void check_body_force<float, 3>(const Formula&, const World&);
template void check_body_force<double, 2>(const Formula&, const World&);
template void check_body_force<double, 3>(const Formula&, const World&);
template double collider_speed<float, 2>(const Controls&, const World&, double, double, double);
template double collider_speed<float, 3>(const Controls&, const World&, double, double, double);
template double collider_speed<double, 2>(const Controls&, const World&, double, double, double);
template double collider_speed<double, 3>(const Controls&, const World&, double, double, double);
template double body_force_rate<float, 2>(const Formula&, const World&);
template double body_force_rate<float, 3>(const Formula&, const World&);
template double body_force_rate<double, 2>(const Formula&, const World&);
template double body_force_rate<double, 3>(const Formula&, const World&);

}  // namespace knead
