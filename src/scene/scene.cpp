#include "scene/scene.h"

#include "base/elementary.h"
#include "base/error.h"
#include "scene/force_variables.h"

#include <algorithm>

#include <cmath>
#include <functional>

namespace knead {

std::span<const char* const> enum_names(Up) {
  static constexpr const char* names[] = {"y", "z"};
  return names;
}

const Table& Domain::table() {
  static const Table t{
      "domain",
      "Walls on all sides of a box, which matter cannot leave.",
      {
          field<&Domain::min>("min", "m", "Lower corner.").need(),
          field<&Domain::max>("max", "m", "Upper corner.").need(),
          field<&Domain::contact>("contact", "",
                                  "sticky: matter sticks to the walls; slip: it may only slide along them; separate: "
                                  "it may slide and leave; symmetry: mirror walls, like slip but accurate to second "
                                  "order (the walls must lie on grid nodes)."),
          field<&Domain::friction>("friction", "", "Coulomb friction coefficient, for contact = \"separate\" only.")
              .at_least(0, "friction never drives motion"),
          field<&Domain::open>("open", "",
                               "Sides without a wall, such as [\"x max\"]; liquid that leaves there is removed."),
      }};
  return t;
}

bool Domain::is_open(int axis, bool high) const {
  return std::find(open.begin(), open.end(), domain_wall_name(axis, high).substr(7)) != open.end();
}

const Table& General::table() {
  using G = General;
  static const Table t{
      "scene",
      "Settings of the whole scene: dimension, gravity, duration and frames.",
      {
          field<&G::name>("name", "", "Name, used for the run's folder and in captions. Default: the file's name."),
          field<&G::description>("description", "", "What the scene shows, in a sentence or two."),
          field<&G::dimension>("dimension", "", "2 or 3. In 2D matter is a slab 1 m thick in plane strain, with z = 0.")
              .within(2, 3, "a scene is in 2D or 3D"),
          field<&G::up>("up", "", "The axis that points up; 2D scenes have y up."),
          field<&G::gravity>("gravity", "m/s^2", "Acceleration of gravity. Default: 9.81 m/s^2 downwards.")
              .within(-1e6, 1e6, "no time step could follow a stronger pull"),
          field<&G::body_force>("body_force", "m/s^2",
                                "Acceleration in addition to gravity, such as [\"-4*x\", 0, 0]. X, Y, Z is the initial "
                                "position, vx, vy, vz the velocity: [\"-2*vx\", \"-2*vy\", \"-2*vz\"] is a drag.")
              .of(force_variables())
              .within(-1e6, 1e6, "no time step could follow a stronger pull"),
          field<&G::duration>("duration", "s", "Simulated time, rounded up to a whole frame.")
              .within(1e-9, 1e6, "some time must pass"),
          field<&G::fps>("fps", "1/s", "Frames per second of simulated time.")
              .within(1e-6, 1e9, "the frame rate must be finite"),
          field<&G::start_frame>("start_frame", "",
                                 "Number of the first frame, the initial state; frame n is at (n - start_frame) / fps.")
              .within(0, 1000000, "frame numbers have few digits"),
          field<&G::seed>("seed", "", "Seed of all random numbers; equal seeds give equal results.")
              .at_least(0, "seeds start at zero"),
          field<&G::domain>("domain", "", "Walls around the scene. Default: none."),
      }};
  return t;
}

const Table& InitialStress::table() {
  static const Table t{
      "stress",
      "Initial Cauchy stress of a body, tension positive. The matter fills its shape, strained as its law requires.",
      {
          field<&InitialStress::normal>("normal", "Pa", "Its components xx, yy and zz, such as [0, \"9810*(Y - 2)\"].")
              .of(start_variables()),
          field<&InitialStress::shear>("shear", "Pa", "Its components xy, xz and yz; in 2D xy and 0.")
              .of(start_variables()),
      }};
  return t;
}

const Table& Body::table() {
  static const Table t{
      "body",
      "A piece of matter: a shape filled with particles of one material. With solver.method = \"mpm\" bodies share one "
      "velocity field: where they touch they stick together without sliding, and separate only if the matter of one of "
      "them tears. The methods without a grid keep bodies separate (solver.meshless.fuse, friction).",
      {
          field<&Body::name>("name", "", "Name, used in messages, pictures and --set. Default: body0, body1, ..."),
          field<&Body::shape>("shape", "", "The region it fills at the start.").need(),
          field<&Body::material>("material", "", "Name of a material of this scene.").need(),
          field<&Body::velocity>("velocity", "m/s", "Initial velocity, such as [\"-y\", \"x\", 0].")
              .of(field_variables())
              .within(-1e6, 1e6, "no time step could follow faster matter"),
          field<&Body::spin>("spin", "rad/s",
                             "Initial angular velocity about its centre; in 2D only the third number matters.")
              .within(-1e6, 1e6, "no time step could follow faster matter"),
          field<&Body::displacement>(
              "displacement", "m",
              "With solver.method = \"mpm\": initial displacement from the stress-free shape, "
              "such as [\"0.01*X\", 0]; the matter is strained accordingly. Not for cells that bear.")
              .of(start_variables()),
          field<&Body::stress>("stress", "",
                               "With solver.method = \"mpm\": initial stress, such as that of its weight, so that it "
                               "does not vibrate. Not for cells that bear. Default: none."),
          field<&Body::damage>("damage", "",
                               "For materials that can break: share of the strength that is lost at the start, from 0 "
                               "to 1 (broken), as an expression of X, Y and Z: uneven with \"0.3*noise(20*X, 20*Y, "
                               "20*Z)\", notched with \"hypot(X, Y) < 0.01\". Default: none."),
          field<&Body::temperature>("temperature", "K",
                                    "Initial temperature, for methods without a grid. Default: 293.15 K if another "
                                    "body or a collider has a temperature; if nothing has one, heat is not computed.")
              .above(0, "temperatures are absolute"),
          field<&Body::sampling>("sampling", "",
                                 "How the body is filled with particles: a regular lattice, a lattice with random "
                                 "shifts, Poisson-disc points, or points from a file. Default: lattice; with "
                                 "solver.method = \"liquid\" jittered, evened out before the start."),
          field<&Body::particles_per_cell>(
              "particles_per_cell", "",
              "Particles per cell at the start. Default: 4 in 2D, 8 in 3D; 9 and 27 with solver.method = \"liquid\"; 1 "
              "in methods without a grid, where solver.dx is the particle spacing.")
              .within(0.1, 1000, "fewer leave holes in the matter, more only cost time"),
          field<&Body::points>("points", "m", "CSV file of particle positions, for sampling = \"file\"."),
          field<&Body::cells>(
              "cells", "",
              "With solver.method = \"mpm\": makes the body a mesh of triangles (2D) or tetrahedra (3D) with particles "
              "at its vertices. Stretching does not tear it, only damage of its material. stuffed has well-shaped "
              "cells, delaunay preserves the surface triangles of a mesh file, file reads the cells."),
          field<&Body::cells_file>(
              "cells_file", "m", "For cells = \"file\": .msh of Gmsh, .mesh of Medit, .vtk, .node or .ele of TetGen."),
          field<&Body::edge>(
              "edge", "m",
              "Edge length of the cells. Default: solver.dx; with cells_bear = false, from particles_per_cell.")
              .above(0, "edges have a length"),
          field<&Body::inner_particles>(
              "inner_particles", "",
              "Particles inside the cells, which make velocities smoother and take over where cells break: 3 per "
              "triangle, 4 per tetrahedron. None with cells_bear = false."),
          field<&Body::cells_bear>("cells_bear", "",
                                   "Whether the cells bear the stress. False: the particles at their vertices do, as "
                                   "in a body without cells, and the mesh only follows them, for crack surfaces."),
          field<&Body::crack_stretch>("crack_stretch", "",
                                      "Stretch beyond which an edge of the cells counts as a crack from then on: in "
                                      "surfaces and for counting pieces.")
              .above(1, "unstretched edges are intact"),
          field<&Body::color>("color", "", "Red, green and blue in pictures. Default: from a palette.")
              .within(0, 1, "colour components are from 0 to 1"),
      }};
  return t;
}

const Table& Output::table() {
  using O = Output;
  static const Table t{
      "output",
      "What a run writes.",
      {
          field<&O::columns>("columns", "", "Columns in frame files, such as [\"x\", \"v\"]. Empty: all."),
          field<&O::formats>("formats", "",
                             "Formats written in addition to the HDF5 frames: any of vtp, ply, csv, npz, geo."),
          field<&O::every>("every", "",
                           "Interval, in frames, at which frames and other formats are written; the last frame is "
                           "always written. stats.csv gets a row for every frame.")
              .within(1, 1000000, "at least every frame"),
          field<&O::checkpoint_every>("checkpoint_every", "", "Frames between checkpoints.")
              .within(1, 1000000, "at least every frame"),
          field<&O::keep_checkpoints>("keep_checkpoints", "", "Number of checkpoints kept, to go back to with --from.")
              .within(1, 1000000, "a run cannot be resumed without any"),
      }};
  return t;
}

const Table& Camera::table() {
  using C = Camera;
  static const Table t{
      "camera",
      "How pictures are made. Without it the camera frames the scene automatically.",
      {
          field<&C::position>("position", "m", "Position of the camera."),
          field<&C::target>("target", "m", "The point it looks at."),
          field<&C::fov>("fov", "rad", "Vertical field of view.").between(0, 3.0, "a lens sees less than 180 degrees"),
          field<&C::width>("width", "", "Pixels across.").within(16, 16384, "pictures have a sensible size"),
          field<&C::height>("height", "", "Pixels down.").within(16, 16384, "pictures have a sensible size"),
          field<&C::color>("color", "",
                           "What colours show: body, material, plain, or a quantity such as v, pressure or J_p (`knead "
                           "help quantities`)."),
          field<&C::colormap>("colormap", "", "Colours of a quantity: viridis, magma, coolwarm or grey."),
          field<&C::low>("low", "", "Value at the lower end of the colours. Default: the smallest in the film."),
          field<&C::high>("high", "", "Value at the upper end of the colours. Default: the largest in the film."),
          field<&C::radius>("radius", "", "Size of the drawn particles, relative to their own.")
              .between(0, 100, "particles need a size"),
          field<&C::ground>("ground", "",
                            "Whether to draw a ground where no collider is one, and the edges of a liquid's domain. "
                            "Default: in 3D, if the scene has a domain or a collider below."),
          field<&C::samples>("samples", "", "Rays per pixel; more are smoother and slower.")
              .within(1, 4096, "a pixel needs a ray"),
      }};
  return t;
}

const Table& Expect::table() {
  static const Table t{
      "expect",
      "What the scene expects of a run, checked with the columns of stats.csv.",
      {
          field<&Expect::name>("name", "", "What is checked, in a few words.").need(),
          field<&Expect::value>("value", "", "Expression, such as last(kinetic) / first(kinetic).").need(),
          field<&Expect::min>("min", "", "Lower bound."),
          field<&Expect::max>("max", "", "Upper bound."),
          field<&Expect::source>("source", "", "Where the bounds come from."),
      }};
  return t;
}

const Table& Scene::table() {
  static const Table t{"scene file",
                       "A scene file is TOML text. Numbers are in SI units; a string with a unit is allowed wherever a "
                       "number has a unit.",
                       {
                           field<&Scene::format>("format", "", "Version of the scene language."),
                           field<&Scene::scene>("scene", "", "Dimension, gravity, duration, frames."),
                           field<&Scene::solver>("solver", "", "Method, resolution and time step.").need(),
                           field<&Scene::bodies>("body", "", "Pieces of matter."),
                           field<&Scene::colliders>("collider", "", "Obstacles, at rest or moving."),
                           field<&Scene::sources>("source", "", "Where liquid comes from."),
                           field<&Scene::drains>("drain", "", "Where liquid goes."),
                           field<&Scene::explosions>("explosion", "", "Explosions under water."),
                           field<&Scene::grips>("grip", "", "Regions that hold and move matter."),
                           field<&Scene::events>("event", "", "What changes at a time."),
                           field<&Scene::probes>("probe", "", "What is measured into stats.csv."),
                           field<&Scene::output>("output", "", "What a run writes."),
                           field<&Scene::camera>("camera", "", "How pictures are made."),
                           field<&Scene::expects>("expect", "", "What the scene expects of a run."),
                       }};
  return t;
}

std::span<const char* const> output_formats() {
  static constexpr const char* names[] = {"vtp", "ply", "csv", "npz", "geo"};
  return names;
}

std::span<const char* const> camera_colormaps() {
  static constexpr const char* names[] = {"viridis", "magma", "coolwarm", "grey"};
  return names;
}

std::vector<std::string> column_names(const Scene& scene) {
  const MethodTraits& method = scene.solver.traits();
  if (!method.deformation) {
    std::vector<std::string> names{"x", "v", "mass", "volume", "id", "body", "pressure", "density"};
    if (scene.solver.liquid.transfer == LiquidTransfer::apic) names.push_back("C");
    return names;
  }
  std::vector<std::string> names{"x", "v", "mass", "volume", "id", "body", "F", "tau"};
  if (method.transfers && is_affine(scene.solver.transfer)) names.push_back("C");
  if (scene.needs_rest_positions() || method.rest_positions) names.push_back("X");
  if (method.bonds) names.push_back("h");
  if (method.rest_shape_laws) names.insert(names.end(), {"plastic", "strain"});
  if (scene.can_melt()) names.push_back("molten");
  if (scene.can_melt() && scene.solver.meshless.fuse) names.push_back("group");
  if (scene.has_heat()) names.push_back("temperature");
  if (scene.has_heat() && scene.can_melt()) names.push_back("latent");
  if (method.embedding) names.insert(names.end(), {"embedded", "P"});
  for (const MaterialEntry& m : scene.materials)
    for (const HistoryColumn& h : history_columns_of(m.material))
      if (std::find(names.begin(), names.end(), h.name) == names.end()) names.push_back(h.name);
  return names;
}

Vec3d Scene::gravity() const {
  if (scene.gravity) return *scene.gravity;
  return scene.up == Up::z ? Vec3d{0, 0, -9.81} : Vec3d{0, -9.81, 0};
}

Vec3d Scene::gravity_at(double time) const {
  Vec3d present = gravity();
  for (const Event& e : events_in_order())
    if (e.time <= time && e.gravity) present = *e.gravity;
  return present;
}

int Scene::frames() const {
  // A duration that is a whole number of frames up to rounding gets no further frame.
  return std::max(1, static_cast<int>(std::ceil(scene.duration * scene.fps - 1e-6)));
}

double Scene::frame_time(std::int64_t frame) const { return double(frame - scene.start_frame) / scene.fps; }

std::string Scene::at_place(const std::string& path) const {
  const auto found = places.find(path);
  return found == places.end() ? "" : found->second + ": ";
}

bool Scene::needs_rest_positions() const {
  return !scene.body_force.is_zero() || std::any_of(grips.begin(), grips.end(), std::mem_fn(&Grip::leads)) ||
         std::any_of(events.begin(), events.end(), [](const Event& e) { return depends_on_start(e.velocity); }) ||
         std::any_of(probes.begin(), probes.end(), [](const Probe& p) { return p.chosen.has_value(); });
}

bool Scene::has_heat() const {
  const auto warm = [](const auto& thing) { return thing.temperature.has_value(); };
  return std::any_of(bodies.begin(), bodies.end(), warm) || std::any_of(colliders.begin(), colliders.end(), warm);
}

bool Scene::can_melt() const {
  return std::any_of(materials.begin(), materials.end(), [](const MaterialEntry& m) { return melts(m.material); }) ||
         std::any_of(events.begin(), events.end(), [](const Event& e) { return e.changed && melts(*e.changed); });
}

std::vector<Event> Scene::events_in_order() const {
  std::vector<Event> all = events;
  for (const Grip& grip : grips)
    if (grip.release) {
      Event& event = all.emplace_back();
      event.time = *grip.release;
      event.release = {grip.name};
    }
  std::stable_sort(all.begin(), all.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
  return all;
}

std::string Scene::matter_name(std::size_t body) const {
  const bool source = body >= bodies.size();
  const auto text = [&](const auto& from) {
    return fmt::format("{} '{}', material '{}'", source ? "source" : "body", from.name, from.material);
  };
  return source ? text(sources[body - bodies.size()]) : text(bodies[body]);
}

double Scene::particles_per_cell(const Body& body) const {
  return body.particles_per_cell.value_or(elementary::power(solver.traits().particles_per_side, scene.dimension));
}

Sampling Scene::sampling(const Body& body) const { return body.sampling.value_or(solver.traits().sampling); }

double Scene::particles_per_cell(const Source& source) const {
  return source.particles_per_cell.value_or(elementary::power(3.0, scene.dimension));
}

}  // namespace knead
