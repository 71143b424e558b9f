// Checks grips, events and probes: that what they name is there, and that they make sense.
#include "scene/check_context.h"
#include "scene/table_reader.h"
#include "scene/value_text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

namespace knead {

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A table of which any part may be given.
Table optional_keys(Table table) {
  for (Field& f : table.fields) f.required = false;
  return table;
}

class ControlChecker : CheckContext {
 public:
  using CheckContext::CheckContext;

  void run() {
    name_and_check(scene_.grips, "grip");
    name_and_check(scene_.probes, "probe");
    for (std::size_t i = 0; i < scene_.grips.size(); ++i) check_grip(scene_.grips[i], fmt::format("grip.{}", i));
    check_events();
    check_grips_agree();
    for (std::size_t i = 0; i < scene_.probes.size(); ++i) check_probe(scene_.probes[i], fmt::format("probe.{}", i));
  }

 private:
  void check_grip(Grip&, const std::string& path);
  void check_displacement(const Grip&, const std::string& path);
  bool find_region(Grip&, const std::string& path);
  void check_grips_agree();
  bool contradict(const Grip&, const Grip&, double time) const;
  void check_events();
  void check_event(Event&, const std::string& path);
  void check_after_end(double time, const std::string& path, const std::string& what);
  void check_switched(const std::vector<std::string>& names, const std::string& path);
  template <class List>
  int find(const List&, const std::string& name, const std::string& kind, const std::string& path);
  void find_matter(Event&, const std::string& path);
  void change_material(Event&, const std::string& path);
  void check_probe(Probe&, const std::string& path);
  void check_force(const Probe&, const std::string& path);
  std::vector<std::string> boundary_names() const;

  std::map<std::string, Material> present_;  // as the events so far have left them
};

void ControlChecker::check_grip(Grip& grip, const std::string& path) {
  const std::vector<std::string> colliders = names_of(scene_.colliders);
  const auto same = std::find(colliders.begin(), colliders.end(), grip.name);
  if (same != colliders.end())
    wrong(path + ".name", fmt::format("{}.name is \"{}\", which is also the name of collider.{}; names must differ",
                                      path, grip.name, same - colliders.begin()));
  for (std::size_t i = 0; i < grip.axes.size(); ++i) {
    const std::string& axis = grip.axes[i];
    const bool known = axis == "x" || axis == "y" || (axis == "z" && dim_ == 3);
    if (!known)
      wrong(fmt::format("{}.axes.{}", path, i),
            fmt::format("{}.axes.{} is \"{}\"; it must be one of {}", path, i, axis, dim_ == 3 ? "x, y, z" : "x, y"));
  }
  check_motion(grip.motion, path + ".motion");
  check_jumps(grip.motion, path + ".motion");
  if (grip.leads()) check_displacement(grip, path);
  if (grip.release) check_after_end(*grip.release, path + ".release", fmt::format("grip '{}' lets go", grip.name));
  if (!find_region(grip, path) || !mistakes_.sound("solver.dx")) return;
  const double thick = thinnest(grip.region, dim_), dx = scene_.solver.dx;
  if (thick < dx * (1 - 1e-9))
    odd(path,
        fmt::format("{} ('{}') is {:.3g} m thick, less than a cell (solver.dx is {} m); grid nodes may miss it and "
                    "matter slip out; make it thicker or solver.dx smaller",
                    path, grip.name, thick, dx));
  if (grip.region.contains_mesh()) grip.region.bake(dx / 2);
}

// What melts forgets where it started.
void ControlChecker::check_displacement(const Grip& grip, const std::string& path) {
  const std::string key = path + ".displacement";
  if (grip.motion.moves())
    wrong(key, fmt::format("{} ('{}') has a motion and a displacement; give one of them", path, grip.name));
  const bool reset = std::any_of(scene_.events.begin(), scene_.events.end(), std::mem_fn(&Event::reset));
  if (scene_.can_melt() || reset)
    wrong(key, fmt::format("{} displaces matter from its initial position, which is unknown for matter that {}; give "
                           "the grip a motion",
                           key, reset ? "an event resets" : "melts"));
}

// Its own shape, or that of the body it names.
bool ControlChecker::find_region(Grip& grip, const std::string& path) {
  if (grip.shape.has_value() == !grip.body.empty()) {
    wrong(path, fmt::format("{} ('{}') must have either a shape or a body whose shape it takes", path, grip.name));
    return false;
  }
  if (grip.shape) {
    if (!prepare_shape(*grip.shape, path + ".shape")) return false;
    grip.region = *grip.shape;
    return true;
  }
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b)
    if (scene_.bodies[b].name == grip.body) {
      grip.region = scene_.bodies[b].shape;
      return mistakes_.sound(fmt::format("body.{}.shape", b));
    }
  unknown(path + ".body", grip.body, "a body", names_of(scene_.bodies));
  return false;
}

// Two grips that hold a component of the same matter at the same time must want the same of it. They are looked at from
// one change of what holds to the next, and at some moments between.
void ControlChecker::check_grips_agree() {
  const std::size_t n = scene_.grips.size();
  for (std::size_t i = 0; i < n; ++i)
    if (!mistakes_.sound(fmt::format("grip.{}", i))) return;
  if (n < 2 || !mistakes_.sound("event") || !mistakes_.sound("scene.duration") || !mistakes_.sound("scene.fps")) return;
  constexpr int moments = 8;
  const std::vector<Event> events = scene_.events_in_order();
  std::vector<bool> on(n, true);
  std::set<std::pair<std::size_t, std::size_t>> told;
  double start = 0;
  for (std::size_t e = 0; e <= events.size(); ++e) {
    const double last = scene_.frames() / scene_.scene.fps,
                 end = e < events.size() ? std::min(events[e].time, last) : last;
    for (std::size_t a = 0; a < n && start < end; ++a)
      for (std::size_t b = a + 1; b < n; ++b)
        for (int k = 0; k < moments && on[a] && on[b] && !told.contains({a, b}); ++k) {
          const double time = start + (end - start) * k / moments;
          if (!contradict(scene_.grips[a], scene_.grips[b], time)) continue;
          told.emplace(a, b);
          wrong(
              fmt::format("grip.{}", b),
              fmt::format("grip.{} ('{}') and grip.{} ('{}', line {}) hold the same matter at t = {:.6g} s and move it "
                          "differently; keep them apart, give them other `axes`, or let one go before",
                          b, scene_.grips[b].name, a, scene_.grips[a].name,
                          place_at(root_, fmt::format("grip.{}", a)).line, time));
        }
    if (e == events.size()) break;
    start = std::max(start, events[e].time);
    for (std::size_t a = 0; a < n; ++a) {
      if (contains(events[e].release, scene_.grips[a].name)) on[a] = false;
      if (contains(events[e].enable, scene_.grips[a].name)) on[a] = true;
    }
  }
}

// Whether a point of a lattice is in both and is moved by them differently along an axis that both hold.
bool ControlChecker::contradict(const Grip& a, const Grip& b, double time) const {
  const auto box_of = [&](const Grip& grip) {
    const Bounds drawn = grip.region.bounds(dim_);
    if (!drawn.finite(dim_)) return Bounds::everything();
    Bounds box;
    for (int corner = 0; corner < 8; ++corner) {
      Vec3d x{};
      for (int k = 0; k < dim_; ++k) x[k] = corner >> k & 1 ? drawn.hi[k] : drawn.lo[k];
      box.add(grip.motion.to_world(x, time));
    }
    return box;
  };
  Bounds common = box_of(a).common(box_of(b));
  if (!common.finite(dim_)) {  // walls without end: where the matter is at the start
    Bounds matter;
    for (const Body& body : scene_.bodies) matter.add(body.shape.bounds(dim_));
    common = common.common(matter);
  }
  if (common.empty(dim_) || !common.finite(dim_)) return false;
  constexpr int points = 12;
  for (int i = 0; i < points; ++i)
    for (int j = 0; j < points; ++j)
      for (int k = 0; k < (dim_ == 3 ? points : 1); ++k) {
        Vec3d x{};
        const int at[] = {i, j, k};
        for (int c = 0; c < dim_; ++c) x[c] = common.lo[c] + common.size()[c] * (at[c] + 0.5) / points;
        const auto holds = [&](const Grip& grip) { return grip.region.distance(grip.motion.to_local(x, time)) < 0; };
        if (!holds(a) || !holds(b)) continue;
        const auto wanted = [&](const Grip& grip) {
          return grip.leads() ? grip.displacement.slope(std::array{x[0], x[1], x[2], time}, 3)
                              : grip.motion.velocity_at(x, time);
        };
        const Vec3d u = wanted(a), v = wanted(b);
        for (int c = 0; c < dim_; ++c)
          if (a.holds(c) && b.holds(c) && std::abs(u[c] - v[c]) > 1e-9 * (std::abs(u[c]) + std::abs(v[c]))) return true;
      }
  return false;
}

void ControlChecker::check_after_end(double time, const std::string& path, const std::string& what) {
  if (!mistakes_.sound("scene.duration") || !mistakes_.sound("scene.fps")) return;
  const double end = scene_.frames() / scene_.scene.fps;
  if (time > end)
    odd(path, fmt::format("{} at {} s, after the end of the scene at {} s: it will never happen", what, time, end));
}

void ControlChecker::check_switched(const std::vector<std::string>& names, const std::string& path) {
  std::vector<std::string> there = names_of(scene_.colliders);
  for (const Grip& g : scene_.grips) there.push_back(g.name);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!contains(there, names[i])) unknown(fmt::format("{}.{}", path, i), names[i], "a grip or collider", there);
}

void ControlChecker::check_events() {
  for (const MaterialEntry& m : scene_.materials) present_[m.name] = m.material;
  std::vector<std::size_t> order(scene_.events.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return scene_.events[a].time < scene_.events[b].time; });
  for (std::size_t i : order) check_event(scene_.events[i], fmt::format("event.{}", i));
}

void ControlChecker::check_event(Event& event, const std::string& path) {
  check_after_end(event.time, path + ".time", path + " is");
  check_switched(event.release, path + ".release");
  check_switched(event.enable, path + ".enable");
  find_matter(event, path);
  change_material(event, path);
  const bool does = !event.release.empty() || !event.enable.empty() || !event.material.empty() || event.reset ||
                    !event.velocity.is_zero() || event.gravity;
  if (!does && mistakes_.sound(path))
    wrong(path, fmt::format("{} changes nothing; give release, enable, material, reset, velocity or gravity", path));
}

template <class List>
int ControlChecker::find(const List& list, const std::string& name, const std::string& kind, const std::string& path) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return static_cast<int>(i);
  unknown(path, name, kind, names_of(list));
  return -1;
}

void ControlChecker::find_matter(Event& event, const std::string& path) {
  if (!event.body.empty())
    event.body_index = find(scene_.bodies, event.body, "a body", path + ".body");
  else if (event.reset)
    wrong(path, fmt::format("{} changes a body's shape; `body` must say which", path));
  if (!event.material.empty())
    event.material_index = find(scene_.materials, event.material, "a material", path + ".material");
  if (!event.body.empty() && event.material.empty() && !event.reset && event.velocity.is_zero() &&
      mistakes_.sound(path))
    wrong(path, fmt::format("{} names body '{}' but changes nothing in it; give material, reset or velocity", path,
                            event.body));
  if (event.body_index >= 0 && (event.reset || !event.material.empty()) &&
      scene_.bodies[static_cast<std::size_t>(event.body_index)].cells != CellSource::none)
    wrong(path, fmt::format("{} changes the shape or the material of body '{}', but cells cannot change theirs; change "
                            "parameters with `set`, or leave cells out",
                            path, event.body));
  if (event.body_index < 0 || event.material_index < 0) return;
  const auto density = [&](int index) {
    return density_of(scene_.materials[static_cast<std::size_t>(index)].material);
  };
  // The mass is that of the first material, whatever the body has been since.
  const int first = scene_.bodies[static_cast<std::size_t>(event.body_index)].material_index;
  if (first >= 0 && std::abs(density(first) / density(event.material_index) - 1) > 1e-9)
    odd(path + ".material", fmt::format("{}: material '{}' has a different density from the initial material of body "
                                        "'{}', whose mass does not change; give it that density",
                                        path, event.material, event.body));
}

// The parameters of earlier events stay, so that events are looked at in the order of their times.
void ControlChecker::change_material(Event& event, const std::string& path) {
  const std::string set = path + ".set";
  if (event.set.entries.empty()) {
    if (!event.material.empty() && event.body.empty())
      wrong(path,
            fmt::format("{} names material '{}' but changes nothing in it; give body or set", path, event.material));
    return;
  }
  if (event.material.empty())
    return wrong(set, fmt::format("{}.set changes parameters; `material` must say of which material", path));
  if (!event.body.empty())
    return wrong(
        set, fmt::format("{}.set changes material '{}' for all its bodies; leave `body` out", path, event.material));
  if (event.material_index < 0) return;
  event.changed = present_[event.material];
  std::string text;
  for (const auto& [key, value] : event.set.entries) {
    if (key == "density" || key == Material::alternatives().tag)
      return wrong(
          set,
          fmt::format("{}.{}: an event cannot change the {}; mass is constant, and another model is another material",
                      set, key, key));
    text += fmt::format("{} = {}\n", key_text(key), value);
  }
  Node node = parse_toml(text, set);
  put_place(node, place_at(root_, set));
  for (const Alternative& a : Material::alternatives().alternatives)
    if (void* law = a.get(&*event.changed)) {
      TableReader(mistakes_, dim_).read_struct(node, optional_keys(*a.table), law, set);
    }
  for (const std::string& problem : problems_of(*event.changed)) wrong(set, fmt::format("{}: {}", set, problem));
  if (melting_temperature_of(*event.changed) && !scene_.has_heat())
    wrong(set, fmt::format("{}: melting_temperature is given and nothing has a temperature; give a [[body]] one", set));
  prepare(*event.changed);
  present_[event.material] = *event.changed;
}

// Expressions over stats.csv name columns, so that a probe's name must be such a name.
void ControlChecker::check_probe(Probe& probe, const std::string& path) {
  const auto letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  const auto good = [&](char c) { return letter(c) || std::isdigit(static_cast<unsigned char>(c)); };
  if (!letter(probe.name[0]) || !std::all_of(probe.name.begin(), probe.name.end(), good))
    wrong(path + ".name", fmt::format("{}.name is \"{}\"; it must be letters, digits and _, because it starts the "
                                      "names of columns in expressions",
                                      path, probe.name));
  const bool values = probe.type == ProbeType::mean || probe.type == ProbeType::count;
  if (probe.type == ProbeType::force) check_force(probe, path);
  if (probe.type == ProbeType::particle && !probe.at)
    wrong(path, fmt::format("{} ('{}') follows a particle; `at` must say where it is at the start", path, probe.name));
  check_motion(probe.motion, path + ".motion");
  if (probe.shape)
    prepare_shape(*probe.shape, path + ".shape");
  else if (probe.type == ProbeType::region)
    wrong(path, fmt::format("{} ('{}') measures a region; it must have a shape", path, probe.name));
  if (probe.type == ProbeType::losses && !scene_.solver.traits().losses && mistakes_.sound("solver.method"))
    wrong(path + ".type",
          fmt::format("{} ('{}') measures energy lost between particles and a grid, but solver.method = \"{}\" has no "
                      "grid; leave it out, or use solver.method = \"mpm\"",
                      path, probe.name, scene_.solver.traits().name));
  if (!probe.where.empty()) try {
      probe.chosen.emplace(probe.where, start_variables());
    } catch (const Failure& failure) {
      wrong(path + ".where", fmt::format("{}.where: {}; it is an expression of X, Y and Z", path, failure.what()));
    }
  const bool chooses =
      values || probe.type == ProbeType::region || probe.type == ProbeType::front || probe.type == ProbeType::sums;
  if (!probe.where.empty() && !chooses)
    wrong(path + ".where",
          fmt::format("{}.where selects matter for region, front, mean, count and sums; leave it out of a {} probe",
                      path, enum_names(probe.type)[static_cast<std::size_t>(probe.type)]));
  if (!probe.body.empty()) probe.body_index = find(scene_.bodies, probe.body, "a body", path + ".body");
  if (values && mistakes_.sound("materials")) {
    if (probe.column.empty())
      wrong(path, fmt::format("{} ('{}') measures a quantity; `column` must name it", path, probe.name));
    else
      check_quantity(path + ".column", probe.column);
  }
}

std::vector<std::string> ControlChecker::boundary_names() const {
  std::vector<std::string> names = names_of(scene_.colliders);
  for (const Grip& g : scene_.grips) names.push_back(g.name);
  if (scene_.scene.domain)
    for (int axis = 0; axis < dim_; ++axis)
      for (const bool high : {false, true}) names.push_back(domain_wall_name(axis, high));
  return names;
}

void ControlChecker::check_force(const Probe& probe, const std::string& path) {
  if (probe.on.empty())
    return wrong(path,
                 fmt::format("{} ('{}') measures a force; `on` must name the collider or grip", path, probe.name));
  const std::vector<std::string> names = boundary_names();
  if (!contains(names, probe.on))
    unknown(path + ".on", probe.on, "a collider, a grip or a wall", names);
  else if (std::count(names.begin(), names.end(), probe.on) > 1)
    wrong(path + ".on", fmt::format("{}.on is \"{}\", which several things are called", path, probe.on));
}

}  // namespace

void check_control(Scene& scene, const Node& root, Mistakes& mistakes) { ControlChecker(scene, root, mistakes).run(); }

}  // namespace knead
