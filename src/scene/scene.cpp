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
          field<&Domain::contact>(
              "contact", "",
              "sticky holds matter, slip lets it slide along, separate lets it slide and leave, symmetry "
              "is slip made exact by mirror images (the walls must lie on nodes of the grid)."),
          field<&Domain::friction>("friction", "", "Coulomb coefficient, for contact = \"separate\" only.")
              .at_least(0, "friction never pushes"),
          field<&Domain::open>("open", "",
                               "Sides without a wall, such as [\"x max\"]; liquid that leaves there is taken away."),
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
      "What holds for the whole scene: dimension, gravity, duration and frames.",
      {
          field<&G::name>("name", "", "Name, used for the run's folder and in captions. Left out: the file's name."),
          field<&G::description>("description", "", "What the scene shows, in a sentence or two."),
          field<&G::dimension>("dimension", "", "2 or 3. In 2D matter is a slab 1 m thick in plane strain, and z = 0.")
              .within(2, 3, "scenes are flat or in space"),
          field<&G::up>("up", "", "The axis that points up; 2D scenes have y up."),
          field<&G::gravity>("gravity", "m/s^2", "Acceleration of gravity. Left out: 9.81 m/s^2 downwards.")
              .within(-1e6, 1e6, "no time step could follow a stronger pull"),
          field<&G::body_force>(
              "body_force", "m/s^2",
              "Acceleration of matter besides gravity, such as [\"-4*x\", 0, 0]; X, Y, Z is where it "
              "was at the start, vx, vy, vz its velocity: [\"-2*vx\", \"-2*vy\", \"-2*vz\"] is a drag.")
              .of(force_variables())
              .within(-1e6, 1e6, "no time step could follow a stronger pull"),
          field<&G::duration>("duration", "s", "Time simulated, rounded up to a whole frame.")
              .within(1e-9, 1e6, "a scene shows some time passing"),
          field<&G::fps>("fps", "1/s", "Frames per second of simulated time.")
              .within(1e-6, 1e9, "frames follow each other at a finite rate"),
          field<&G::start_frame>("start_frame", "",
                                 "Number of the first frame, the initial state; frame n is at (n - start_frame) / fps.")
              .within(0, 1000000, "frame numbers are written with few digits"),
          field<&G::seed>("seed", "", "Start of every random choice; equal seeds give equal results.")
              .at_least(0, "seeds are counted from zero"),
          field<&G::domain>("domain", "", "Walls around the scene. Left out: matter may go anywhere."),
      }};
  return t;
}

const Table& InitialStress::table() {
  static const Table t{
      "stress",
      "Cauchy's stress of a body at the start, positive where it pulls; the matter lies in its shape, strained as its "
      "law needs it.",
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
      "field of velocities: where they touch they stick together, without sliding, and come apart only as the matter "
      "of either tears; the methods without a grid keep bodies apart (solver.meshless.fuse, friction).",
      {
          field<&Body::name>("name", "", "Name, used in messages, pictures and --set. Left out: body0, body1, ..."),
          field<&Body::shape>("shape", "", "The region it fills at the start.").need(),
          field<&Body::material>("material", "", "Name of a material of this scene.").need(),
          field<&Body::velocity>("velocity", "m/s", "Velocity at the start, such as [\"-y\", \"x\", 0].")
              .of(field_variables())
              .within(-1e6, 1e6, "no time step could follow faster matter"),
          field<&Body::spin>("spin", "rad/s",
                             "Angular velocity at the start, about its centre; in 2D the third number counts.")
              .within(-1e6, 1e6, "no time step could follow faster matter"),
          field<&Body::displacement>(
              "displacement", "m",
              "With solver.method = \"mpm\": how far from its place in the shape, where it is free of stress, matter "
              "starts, such as [\"0.01*X\", 0]; strained accordingly.")
              .of(start_variables()),
          field<&Body::stress>(
              "stress", "",
              "With solver.method = \"mpm\": the stress it starts with, such as that of its weight, so "
              "that it does not swing. Left out: none."),
          field<&Body::temperature>("temperature", "K",
                                    "Temperature at the start, for methods without a grid. Left out: 293.15 K where "
                                    "another body or a collider has one; where nothing has one, no heat is computed.")
              .above(0, "temperatures are absolute"),
          field<&Body::sampling>("sampling", "",
                                 "How it is filled with particles: a regular lattice, the lattice with each point "
                                 "moved at random, Poisson-disc points, or points of a file. Left out: lattice; "
                                 "jittered with solver.method = \"liquid\", evened out before the start."),
          field<&Body::particles_per_cell>(
              "particles_per_cell", "",
              "Particles in a grid cell at the start. Left out: 4 in 2D, 8 in 3D; 9 and 27 with "
              "solver.method = \"liquid\"; 1 without a grid, where solver.dx is their distance.")
              .within(0.1, 1000, "fewer leave holes in the matter and more only cost time"),
          field<&Body::points>("points", "m", "CSV file of particle positions, for sampling = \"file\"."),
          field<&Body::cells>(
              "cells", "",
              "With solver.method = \"mpm\": the body is a mesh of triangles (2D) or tetrahedra (3D), whose "
              "corners are its particles and which no stretching tears, only damage of its material. "
              "stuffed has well-shaped cells, delaunay keeps the triangles of a mesh's surface, file reads "
              "them."),
          field<&Body::cells_file>(
              "cells_file", "m", "For cells = \"file\": .msh of Gmsh, .mesh of Medit, .vtk, .node or .ele of TetGen."),
          field<&Body::edge>("edge", "m",
                             "Length of the cells' edges. Left out: solver.dx; with cells_bear = false as "
                             "particles_per_cell has it.")
              .above(0, "edges have a length"),
          field<&Body::inner_particles>(
              "inner_particles", "",
              "Particles inside the cells, which make velocities smoother and take over where "
              "cells break: 3 in a triangle, 4 in a tetrahedron. None with cells_bear = false."),
          field<&Body::cells_bear>(
              "cells_bear", "",
              "Whether the cells bear the stress. False: the particles at their corners do, as in a body without "
              "cells, and the mesh only follows them, for surfaces of cracks."),
          field<&Body::crack_stretch>("crack_stretch", "",
                                      "An edge of the cells that was ever longer than so many times its length at "
                                      "the start is a crack, in surfaces and, with cells_bear = false, for pieces.")
              .above(1, "unstretched edges are whole"),
          field<&Body::color>("color", "", "Red, green and blue in pictures. Left out: from a palette.")
              .within(0, 1, "colours run from 0 to 1"),
      }};
  return t;
}

const Table& Output::table() {
  using O = Output;
  static const Table t{
      "output",
      "What is written while running.",
      {
          field<&O::columns>("columns", "", "Columns kept in frame files, such as [\"x\", \"v\"]. Empty: all."),
          field<&O::formats>("formats", "", "Written besides the HDF5 frames: any of vtp, ply, csv, npz, geo."),
          field<&O::every>("every", "",
                           "Frames and further formats are written every so many frames; the last one always is.")
              .within(1, 1000000, "frames are counted from one"),
          field<&O::checkpoint_every>("checkpoint_every", "", "Frames between checkpoints.")
              .within(1, 1000000, "frames are counted from one"),
          field<&O::keep_checkpoints>("keep_checkpoints", "",
                                      "How many of the last checkpoints are kept, to go back to with --from.")
              .within(1, 1000000, "a run cannot be resumed without any"),
      }};
  return t;
}

const Table& Camera::table() {
  using C = Camera;
  static const Table t{
      "camera",
      "How pictures are made; left out, the camera frames the scene by itself.",
      {
          field<&C::position>("position", "m", "Where the camera stands."),
          field<&C::target>("target", "m", "The point it looks at."),
          field<&C::fov>("fov", "rad", "Vertical field of view.").between(0, 3.0, "a lens sees less than half a turn"),
          field<&C::width>("width", "", "Pixels across.").within(16, 16384, "pictures have a sensible size"),
          field<&C::height>("height", "", "Pixels down.").within(16, 16384, "pictures have a sensible size"),
          field<&C::color>("color", "", "What colours show: body, material, plain, or a column such as v or J_p."),
          field<&C::colormap>("colormap", "", "Colours of a column: viridis, magma, coolwarm or grey."),
          field<&C::low>("low", "", "Value at the lower end of the colours. Left out: the smallest of the film."),
          field<&C::high>("high", "", "Value at the upper end of the colours. Left out: the largest of the film."),
          field<&C::radius>("radius", "", "Size of the drawn particles, times their own.")
              .between(0, 100, "particles need a size"),
          field<&C::ground>("ground", "",
                            "Whether a ground is drawn where no collider is one. Left out: in 3D where the scene has a "
                            "domain or a collider below."),
          field<&C::samples>("samples", "", "Rays per pixel; more are smoother and slower.")
              .within(1, 4096, "a pixel needs a ray"),
      }};
  return t;
}

const Table& Expect::table() {
  static const Table t{
      "expect",
      "How the scene is judged after a run, from the columns of stats.csv.",
      {
          field<&Expect::name>("name", "", "What is judged, in a few words.").need(),
          field<&Expect::value>("value", "", "Expression, such as last(kinetic) / first(kinetic).").need(),
          field<&Expect::min>("min", "", "Lower bound."),
          field<&Expect::max>("max", "", "Upper bound."),
          field<&Expect::source>("source", "", "Where the bounds come from."),
      }};
  return t;
}

const Table& Scene::table() {
  static const Table t{
      "scene file",
      "A scene file is TOML text. Numbers are in SI units; a text with a unit is welcome wherever a number has a unit.",
      {
          field<&Scene::format>("format", "", "Version of the scene language."),
          field<&Scene::scene>("scene", "", "Dimension, gravity, duration, frames."),
          field<&Scene::solver>("solver", "", "Method, resolution, time step.").need(),
          field<&Scene::bodies>("body", "", "Pieces of matter."),
          field<&Scene::colliders>("collider", "", "Obstacles, at rest or moving."),
          field<&Scene::sources>("source", "", "Where liquid comes from."),
          field<&Scene::drains>("drain", "", "Where liquid goes."),
          field<&Scene::explosions>("explosion", "", "Explosions under water."),
          field<&Scene::grips>("grip", "", "Regions that hold and move matter."),
          field<&Scene::events>("event", "", "What changes at a time."),
          field<&Scene::probes>("probe", "", "What is measured into stats.csv."),
          field<&Scene::output>("output", "", "What is written while running."),
          field<&Scene::camera>("camera", "", "How pictures are made."),
          field<&Scene::expects>("expect", "", "How the scene is judged."),
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
  if (scene.solver.is_liquid()) {
    std::vector<std::string> names{"x", "v", "mass", "volume", "id", "body", "pressure", "density"};
    if (scene.solver.liquid.transfer == LiquidTransfer::apic) names.push_back("C");
    if (scene.needs_rest_positions()) names.push_back("X");
    return names;
  }
  std::vector<std::string> names{"x", "v", "mass", "volume", "id", "body", "F", "tau"};
  const bool mpm = !scene.solver.is_meshless();
  if (mpm && is_affine(scene.solver.transfer)) names.push_back("C");
  if (scene.needs_rest_positions() || scene.solver.method == Method::mls || scene.solver.method == Method::embedded)
    names.push_back("X");
  if (!mpm) names.push_back("h");
  if (scene.solver.method == Method::mls) names.insert(names.end(), {"plastic", "strain"});
  if (scene.can_melt()) names.push_back("molten");
  if (scene.can_melt() && scene.solver.meshless.fuse) names.push_back("group");
  if (scene.has_heat()) names.push_back("temperature");
  if (scene.has_heat() && scene.can_melt()) names.push_back("latent");
  if (scene.solver.method == Method::embedded) names.insert(names.end(), {"embedded", "P"});
  for (const MaterialEntry& m : scene.materials)
    for (const HistoryColumn& h : history_columns_of(m.material))
      if (std::find(names.begin(), names.end(), h.name) == names.end()) names.push_back(h.name);
  return names;
}

std::vector<std::string> probe_quantities(const Scene& scene) {
  if (scene.solver.is_liquid())
    return {"x", "y", "z", "vx", "vy", "vz", "speed", "mass", "volume", "pressure", "density"};
  std::vector<std::string> names{"x", "y", "z", "vx", "vy", "vz", "speed", "mass", "volume", "J", "pressure"};
  for (const char* c : {"xx", "yy", "zz", "xy", "xz", "yz"})
    if (scene.scene.dimension == 3 || std::string_view(c).find('z') == std::string_view::npos)
      names.push_back(std::string("stress_") + c);
  if (scene.can_melt()) names.push_back("molten");
  if (scene.has_heat()) names.push_back("temperature");
  if (scene.has_heat() && scene.can_melt()) names.push_back("latent");
  if (scene.solver.method == Method::embedded)
    names.insert(names.end(), {"embedded_x", "embedded_y", "embedded_z", "offset"});
  for (const MaterialEntry& m : scene.materials)
    for (const HistoryColumn& h : history_columns_of(m.material))
      if (std::find(names.begin(), names.end(), h.name) == names.end()) names.push_back(h.name);
  return names;
}

Vec3d Scene::gravity() const {
  if (scene.gravity) return *scene.gravity;
  return scene.up == Up::z ? Vec3d{0, 0, -9.81} : Vec3d{0, -9.81, 0};
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
  const double side = solver.is_meshless() ? 1 : solver.is_liquid() ? 3 : 2;
  return body.particles_per_cell.value_or(elementary::power(side, scene.dimension));
}

Sampling Scene::sampling(const Body& body) const {
  return body.sampling.value_or(solver.is_liquid() ? Sampling::jittered : Sampling::lattice);
}

double Scene::particles_per_cell(const Source& source) const {
  return source.particles_per_cell.value_or(elementary::power(3.0, scene.dimension));
}

}  // namespace knead
