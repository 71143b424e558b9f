// Checks what concerns liquids: that a scene with solver.method = "liquid" asks for nothing that it does not have, and
// that sources, drains, explosions and open sides make sense.
#include "base/elementary.h"
#include "scene/check_context.h"
#include "scene/force_variables.h"

#include <algorithm>
#include <cmath>

namespace knead {

namespace {

class LiquidChecker : CheckContext {
 public:
  using CheckContext::CheckContext;

  void run() {
    name_and_check(scene_.sources, "source");
    name_and_check(scene_.drains, "drain");
    name_and_check(scene_.explosions, "explosion");
    for (std::size_t i = 0; i < scene_.sources.size(); ++i)
      check_source(scene_.sources[i], fmt::format("source.{}", i));
    for (std::size_t i = 0; i < scene_.drains.size(); ++i)
      prepare_shape(scene_.drains[i].shape, fmt::format("drain.{}.shape", i));
    for (std::size_t i = 0; i < scene_.explosions.size(); ++i)
      check_explosion(scene_.explosions[i], fmt::format("explosion.{}", i));
    check_open_sides();
    if (!mistakes_.sound("solver.method")) return;
    if (!scene_.solver.traits().inflow) return refuse_liquid_parts();
    check_material();
    check_counts();
    if (scene_.scene.domain) check_contact(scene_.scene.domain->contact, scene_.scene.domain->friction, "scene.domain");
    for (std::size_t i = 0; i < scene_.colliders.size(); ++i)
      check_contact(scene_.colliders[i].contact, scene_.colliders[i].friction, fmt::format("collider.{}", i));
    refuse_other_parts();
  }

 private:
  void check_source(Source&, const std::string& path);
  void check_explosion(const Explosion&, const std::string& path);
  void check_open_sides();
  void refuse_liquid_parts();
  void refuse_other_parts();
  void check_material();
  void check_counts();
  void check_contact(Contact, double friction, const std::string& path);
  // Whether the scene itself gives a material that value, and not its preset.
  bool is_said(const std::string& material, const char* key) const {
    const Node* all = root_.find("materials");
    const Node* one = all ? all->find(material) : nullptr;
    return one && one->find(key);
  }
  // Pa s; splashes of thinner liquid look the same without viscosity.
  static constexpr double watery = 0.01;
};

void LiquidChecker::check_source(Source& source, const std::string& path) {
  const auto there = std::find_if(scene_.materials.begin(), scene_.materials.end(),
                                  [&](const MaterialEntry& m) { return m.name == source.material; });
  if (there != scene_.materials.end())
    source.material_index = static_cast<int>(there - scene_.materials.begin());
  else if (mistakes_.sound(path + ".material"))
    unknown(path + ".material", source.material, "a material", names_of(scene_.materials));
  if (mistakes_.sound(path + ".velocity") && !(length(source.velocity) > 0))
    wrong(path + ".velocity",
          fmt::format("{}.velocity is zero, so nothing would come out; give the speed and direction of the jet", path));
  if (source.stop && *source.stop <= source.start)
    wrong(path + ".stop",
          fmt::format("{}.stop is {} s, not after {}.start, {} s", path, *source.stop, path, source.start));
  if (!prepare_shape(source.shape, path + ".shape")) return;
  const Bounds b = source.shape.bounds(dim_);
  if (!b.finite(dim_))
    wrong(path + ".shape", fmt::format("{}.shape is infinite; an opening must be finite", path));
  else if (b.empty(dim_))
    wrong(path + ".shape", fmt::format("{}.shape is empty: nothing is inside it", path));
}

void LiquidChecker::check_explosion(const Explosion& e, const std::string& path) {
  if (e.first >= e.radius)
    wrong(path + ".first", fmt::format("{}.first is {} m, not below {}.radius, {} m; the bubble must grow", path,
                                       e.first, path, e.radius));
  if (mistakes_.sound("solver.dx") && e.radius < 1.5 * scene_.solver.dx)
    odd(path + ".radius", fmt::format("{}.radius is {} m, less than one and a half cells (solver.dx is {} m), so it "
                                      "will have little effect; make it larger or solver.dx smaller",
                                      path, e.radius, scene_.solver.dx));
}

void LiquidChecker::check_open_sides() {
  if (!scene_.scene.domain) return;
  std::vector<std::string> sides;
  for (int axis = 0; axis < dim_; ++axis)
    for (const bool high : {false, true}) sides.push_back(domain_wall_name(axis, high).substr(7));
  const std::vector<std::string>& open = scene_.scene.domain->open;
  for (std::size_t i = 0; i < open.size(); ++i)
    if (std::find(sides.begin(), sides.end(), open[i]) == sides.end())
      wrong(fmt::format("scene.domain.open.{}", i),
            fmt::format("scene.domain.open.{} is \"{:.60}\"; it must be one of {}", i, open[i], listed(sides)));
}

void LiquidChecker::refuse_liquid_parts() {
  const auto refuse = [&](bool there, const char* path, const char* what) {
    if (there) wrong(path, fmt::format("{} need solver.method = \"liquid\"", what));
  };
  refuse(!scene_.sources.empty(), "source.0", "sources");
  refuse(!scene_.drains.empty(), "drain.0", "drains");
  refuse(!scene_.explosions.empty(), "explosion.0", "explosions");
}

// What solids have and liquids do not.
void LiquidChecker::refuse_other_parts() {
  if (!scene_.grips.empty()) wrong("grip.0", "grips hold solids; with solver.method = \"liquid\" use a [[collider]]");
  for (const int k : {3, 4, 5, 7, 8, 9})
    if (scene_.scene.body_force.uses(k)) {
      wrong("scene.body_force",
            "scene.body_force uses the initial position or the velocity of matter; with solver.method = \"liquid\" it "
            "may use x, y, z and t");
      break;
    }
  if (scene_.solver.liquid.is_given() && !scene_.scene.body_force.is_zero())
    odd("scene.body_force",
        "scene.body_force has no effect on particles that solver.liquid.flow carries; leave one of them out");
  if (!scene_.solver.is_explicit())
    wrong("solver.integrator", "solver.integrator is for solids; leave it out with solver.method = \"liquid\"");
  for (std::size_t i = 0; i < scene_.events.size(); ++i) {
    const Event& e = scene_.events[i];
    const std::string velocity = fmt::format("event.{}.velocity", i);
    if (depends_on_start(e.velocity))
      wrong(velocity,
            fmt::format(
                "{} uses the initial position of matter; with solver.method = \"liquid\" it may use x, y, z and t",
                velocity));
    if (scene_.solver.liquid.is_given() && !e.velocity.is_zero())
      wrong(velocity,
            fmt::format("{} cannot push particles that solver.liquid.flow carries; leave one of them out", velocity));
    if (scene_.solver.liquid.is_given() && e.gravity)
      odd(fmt::format("event.{}.gravity", i),
          fmt::format("event.{}.gravity has no effect on particles that solver.liquid.flow carries; leave one of them "
                      "out",
                      i));
    if (!e.material.empty() || e.reset || !e.set.entries.empty())
      wrong(fmt::format("event.{}", i),
            fmt::format("event.{} changes a material; with solver.method = \"liquid\" events release and enable "
                        "colliders and change velocities and gravity",
                        i));
  }
  for (std::size_t i = 0; i < scene_.probes.size(); ++i)
    if (const std::string where = fmt::format("probe.{}.where", i); !scene_.probes[i].where.empty())
      wrong(where, fmt::format("{} selects matter by its initial position, which solver.method = \"liquid\" does not "
                               "keep; select by `body`, or use a probe of type region",
                               where));
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
    if (scene_.bodies[i].temperature)
      wrong(fmt::format("body.{}.temperature", i),
            fmt::format("body.{}.temperature is given; solver.method = \"liquid\" does not compute heat; leave it out",
                        i));
}

// Liquid without viscosity slides along walls and is pulled by none: nothing else could be felt beyond a wall's own
// cells.
void LiquidChecker::check_contact(Contact contact, double friction, const std::string& path) {
  const char* remedy = "leave it out, or use solver.method = \"mpm\", whose fluids have viscosity and adhere to walls";
  if (contact == Contact::sticky || contact == Contact::slip)
    wrong(path + ".contact",
          fmt::format("{}.contact is \"{}\"; with solver.method = \"liquid\" walls neither hold nor pull; {}", path,
                      enum_names(contact)[static_cast<std::size_t>(contact)], remedy));
  if (friction > 0)
    wrong(path + ".friction", fmt::format("{}.friction is {}; with solver.method = \"liquid\" walls are smooth; {}",
                                          path, friction, remedy));
}

// Cells know how full they are, not of what.
void LiquidChecker::check_material() {
  const std::string* first = nullptr;
  const auto look = [&](const std::string& material, const std::string& path) {
    if (first && material != *first && mistakes_.sound(path))
      wrong(path, fmt::format("{} is \"{}\" and others are \"{}\"; with solver.method = \"liquid\" a scene has only "
                              "one liquid material",
                              path, material, *first));
    if (!first) first = &material;
  };
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
    look(scene_.bodies[i].material, fmt::format("body.{}.material", i));
  for (std::size_t i = 0; i < scene_.sources.size(); ++i)
    look(scene_.sources[i].material, fmt::format("source.{}.material", i));
  for (const MaterialEntry& m : scene_.materials) {
    const std::string path = "materials." + m.name;
    if (!first || m.name != *first || !mistakes_.sound(path)) continue;
    visit(m.material, [&]<class Law>(const Law& law) {
      if constexpr (!std::is_same_v<typename Law::Flow, FluidFlow>)
        wrong(path + ".model",
              fmt::format("{}.model is \"{}\"; solver.method = \"liquid\" needs \"fluid\"", path, Law::name));
      else if (law.flow.eta > (is_said(m.name, "viscosity") ? 0 : watery))
        odd(path + ".viscosity",
            fmt::format("{}.viscosity has no effect with solver.method = \"liquid\", whose liquid is inviscid; use "
                        "\"mpm\" for viscous ones, or leave it out",
                        path));
    });
  }
}

// All particles have one mass, and a lattice of them one number along each axis.
void LiquidChecker::check_counts() {
  std::optional<double> first;
  const auto look = [&](double count, const std::string& path) {
    const double side = std::round(elementary::pow(count, 1.0 / dim_));
    if (std::abs(elementary::power(side, dim_) - count) > 1e-9)
      wrong(path, fmt::format("{} is {}; with solver.method = \"liquid\" it must be a {} number: {}", path, count,
                              dim_ == 2 ? "square" : "cubic", dim_ == 2 ? "4, 9, 16 ..." : "8, 27, 64 ..."));
    else if (first && count != *first)
      wrong(path,
            fmt::format(
                "{} is {}, but that of the first liquid is {}; all liquid particles of a scene have the same mass",
                path, count, *first));
    if (!first) first = count;
  };
  for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
    look(scene_.particles_per_cell(scene_.bodies[i]), fmt::format("body.{}.particles_per_cell", i));
  for (std::size_t i = 0; i < scene_.sources.size(); ++i)
    look(scene_.particles_per_cell(scene_.sources[i]), fmt::format("source.{}.particles_per_cell", i));
}

}  // namespace

void check_liquid(Scene& scene, const Node& root, Mistakes& mistakes) { LiquidChecker(scene, root, mistakes).run(); }

}  // namespace knead
