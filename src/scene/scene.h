// What the user asked for, as plain structs: a scene is an immutable value once it has been read and checked.
#pragma once

#include "base/table.h"
#include "geometry/collider.h"
#include "geometry/shape.h"
#include "material/list.h"
#include "scene/control.h"
#include "scene/inflow.h"
#include "scene/sampling.h"
#include "scene/solver_spec.h"

#include <array>
#include <filesystem>
#include <map>

namespace knead {

// What expressions of a place at the start may use.
inline const std::vector<std::string>& start_variables() {
  static const std::vector<std::string> names{"X", "Y", "Z"};
  return names;
}

// What expressions of a place and a time may use: where matter is, where it was at the start, and when.
inline const std::vector<std::string>& field_variables() {
  static const std::vector<std::string> names{"x", "y", "z", "X", "Y", "Z", "t"};
  return names;
}
using FieldValues = std::array<double, 7>;
inline FieldValues field_values(const Vec3d& x, const Vec3d& start, double t) {
  return {x[0], x[1], x[2], start[0], start[1], start[2], t};
}

enum class Up { y, z };
std::span<const char* const> enum_names(Up);

// Walls on all sides, but for open ones.
struct Domain {
  Vec3d min{}, max{1, 1, 1};  // m
  Contact contact = Contact::separate;
  double friction = 0;
  std::vector<std::string> open;  // sides without a wall: "x max"
  bool is_open(int axis, bool high) const;
  static const Table& table();
};

struct General {
  std::string name;
  int dimension = 3;
  std::optional<Vec3d> gravity;  // m/s^2; see Scene::gravity()
  Formula body_force;            // m/s^2, besides gravity, of field_variables()
  double duration = 2;           // s
  double fps = 24;
  int start_frame = 1;
  std::int64_t seed = 1;
  Up up = Up::y;
  std::optional<Domain> domain;
  std::string description;
  static const Table& table();
};

struct MaterialEntry {
  std::string name;
  Material material;
};

// A field of symmetric tensors.
struct InitialStress {
  Formula normal, shear;  // Pa, of X, Y, Z: xx, yy, zz; xy, xz, yz
  static const Table& table();
};

struct Body {
  std::string name;
  Shape shape;
  std::string material;
  int material_index = -1;                   // into Scene::materials; set by the reader
  Formula velocity;                          // m/s, of field_variables() at the start
  Vec3d spin{};                              // rad/s, about the body's centre of mass
  Formula displacement;                      // m, of X, Y, Z: from its place in the shape to that at the start
  std::optional<InitialStress> stress;       // Cauchy's, at the start
  std::string damage;                        // share of the strength that is lost at the start, of X, Y, Z
  std::optional<double> temperature;         // K, at the start
  std::optional<Sampling> sampling;          // lattice where it is not given; of a liquid jittered
  std::optional<double> particles_per_cell;  // 2^dimension where it is not given
  std::string points;                        // CSV file, for sampling = file
  CellSource cells = CellSource::none;       // a mesh whose corners are the particles
  std::string cells_file;                    // for cells = file
  std::optional<double> edge;                // m, of the cells; dx where it is not given
  bool inner_particles = true;               // more particles inside the cells
  bool cells_bear = true;                    // the stress; else particles do, and the mesh is for surfaces alone
  double crack_stretch = 1.5;                // edges stretched further are cracks
  std::optional<Vec3d> color;                // sRGB, 0 to 1
  std::optional<Expression> damaged{};       // `damage`; set by the reader
  static const Table& table();
};

struct Output {
  std::vector<std::string> columns;  // empty: all
  std::vector<std::string> formats;  // written while running, besides the HDF5 frames
  int every = 1;
  int checkpoint_every = 1;  // frames
  int keep_checkpoints = 2;
  static const Table& table();
};

struct Camera {
  std::optional<Vec3d> position, target;  // m; framed by itself where they are not given
  double fov = 0.6108652381980153;        // rad, vertical; 35 degrees
  int width = 1280, height = 720;
  std::string color = "body";  // a column's name, "body", "material" or "plain"
  std::string colormap = "viridis";
  std::optional<double> low, high;
  double radius = 1;           // times the particle's own
  std::optional<bool> ground;  // left out: where the scene has something to stand on
  int samples = 16;
  static const Table& table();
};

struct Expect {
  std::string name;
  std::string value;  // expression over the columns of stats.csv: last(kinetic) / first(kinetic)
  std::optional<double> min, max;
  std::string source;
  std::string place{};  // of its value, for messages: "scene.toml:12:9"; set by the reader
  static const Table& table();
};

struct Scene {
  int format = 1;
  General scene;
  SolverSpec solver;
  std::vector<MaterialEntry> materials;
  std::vector<Body> bodies;
  std::vector<Collider> colliders;
  std::vector<Source> sources;
  std::vector<Drain> drains;
  std::vector<Explosion> explosions;
  std::vector<Grip> grips;
  std::vector<Event> events;
  std::vector<Probe> probes;
  Output output;
  Camera camera;
  std::vector<Expect> expects;

  std::filesystem::path folder;               // relative paths in the scene start here
  std::vector<std::string> warnings;          // what the reader found odd but not wrong
  std::map<std::string, std::string> places;  // of parts that later warnings speak of; set by the reader
  // "scene.toml:12:9: " of a part such as "body.0" or "solver.dt"; nothing where the scene was not read from a text.
  std::string at_place(const std::string& path) const;

  Vec3d gravity() const;                        // m/s^2, as given or 9.81 downwards
  Vec3d gravity_at(double time) const;          // m/s^2, after the events until then
  int frames() const;                           // how many frames follow the first one, enough to cover the duration
  double frame_time(std::int64_t frame) const;  // s
  double particles_per_cell(const Body&) const;
  Sampling sampling(const Body&) const;
  double particles_per_cell(const Source&) const;
  // "body 'ball', material 'clay'": what a number in the column `body` means; behind the bodies come the sources.
  std::string matter_name(std::size_t body) const;
  bool needs_rest_positions() const;           // whether some expression over time may ask for X, Y, Z
  bool can_melt() const;                       // whether matter is, or may become, molten
  bool has_heat() const;                       // whether anything has a temperature
  std::vector<Event> events_in_order() const;  // by time, with the releases of grips
  // Every key at the top of a scene file but `materials`, which maps names of the user's choice to materials.
  static const Table& table();
};

// Of matter for which a scene with temperatures gives none, K.
inline constexpr double room_temperature = 293.15;

// The particles' columns that a run of the scene has.
std::vector<std::string> column_names(const Scene&);
// The numbers that a particle has, by the names that probes call them: x, vx, speed, J, stress_xx, pressure, J_p, …
std::vector<std::string> probe_quantities(const Scene&);

// The names that Output::formats and Camera::colormap may have.
std::span<const char* const> output_formats();
std::span<const char* const> camera_colormaps();

// The newest format of scene files that this program reads.
inline constexpr int scene_format = 1;

}  // namespace knead
