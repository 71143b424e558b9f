#include "world/build.h"

#include "base/elementary.h"
#include "base/rounding_of_place.h"
#include "geometry/simplex_read.h"
#include "sample/sample_cells.h"
#include "sample/tetrahedra.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace knead {

namespace {

// What a particle costs in memory, state and scratch, about; used only to refuse scenes that cannot fit.
double bytes_a_particle(const Scene& scene) {
  return (scene.solver.precision == Precision::f64 ? 500 : 300) * scene.solver.traits().memory_share;
}

double spacing(const Scene& scene, const Body& body) {
  return scene.solver.dx / elementary::pow(scene.particles_per_cell(body), 1.0 / scene.scene.dimension);
}

std::uint64_t seed_of(const Scene& scene, std::size_t index) {
  return static_cast<std::uint64_t>(scene.scene.seed) * 1000003u + index;
}

// A lattice of the mean edge has so many points a cube (2D a square) of the edge.
double points_a_cube(int dim) { return dim == 3 ? 1.575 : 1.15; }

double edge_of(const Scene& scene, const Body& body) {
  const int dim = scene.scene.dimension;
  if (body.edge) return *body.edge;
  return body.cells_bear ? scene.solver.dx : spacing(scene, body) * elementary::pow(points_a_cube(dim), 1.0 / dim);
}

// Cells that fill less of a shape than this, in several parts, have missed its thin places.
constexpr double least_filled = 0.9;

template <int d>
CellSample mesh_body(const Scene& scene, std::size_t index, BuildReport* report) {
  const Body& body = scene.bodies[index];
  SimplexReadReport read;
  const Meshing how = body.cells == CellSource::stuffed ? Meshing::stuffed : Meshing::delaunay;
  const SimplexMesh<d> mesh = body.cells == CellSource::file
                                  ? read_simplices<d>(scene.folder / body.cells_file, &read)
                                  : simplices_of<d>(body.shape, edge_of(scene, body), how, seed_of(scene, index));
  if (report) {
    report->warnings.insert(report->warnings.end(), read.warnings.begin(), read.warnings.end());
    const SimplexQuality quality = quality_of(mesh, body.shape.volume(d));
    report->notes.push_back(fmt::format("body '{}': {}", body.name, fmt::join(to_lines(quality), "; ")));
    if (quality.parts > 1 && quality.shape_volume && quality.volume < least_filled * *quality.shape_volume)
      report->warnings.push_back(
          fmt::format("{}the cells of body '{}' fall into {} parts and fill {:.0f} % of the shape, which is thinner "
                      "than their edges of {:.3g} m; give a smaller `edge`",
                      scene.at_place(fmt::format("body.{}", index)), body.name, quality.parts,
                      100 * quality.volume / *quality.shape_volume, quality.mean_edge));
  }
  return sample_cells(mesh, body.inner_particles && body.cells_bear);
}

CellSample sample_body(const Scene& scene, std::size_t index, std::uint64_t max_count, BuildReport* report) {
  const Body& body = scene.bodies[index];
  const int dim = scene.scene.dimension;
  if (body.cells != CellSource::none)
    return dim == 2 ? mesh_body<2>(scene, index, report) : mesh_body<3>(scene, index, report);
  if (body.sampling == Sampling::file) {
    Sample s;
    s.points = read_points_csv(scene.folder / body.points, dim);
    s.volume = body.shape.volume(dim);
    return {s};
  }
  return {sample_shape(body.shape, dim, scene.sampling(body), spacing(scene, body), seed_of(scene, index), max_count)};
}

// The same; what is wrong with a shape is told with the place of its body. Files name theirs.
CellSample sample_body_named(const Scene& scene, std::size_t index, std::uint64_t max_count, BuildReport* report) {
  const Body& body = scene.bodies[index];
  try {
    return sample_body(scene, index, max_count, report);
  } catch (const Failure& failure) {
    if (body.cells == CellSource::file || body.sampling == Sampling::file) throw;
    fail(failure.code, "{}body '{}': {}", scene.at_place(fmt::format("body.{}", index)), body.name, failure.what());
  }
}

// How many points of one body lie in the shape of another.
std::size_t points_inside(const std::vector<Vec3d>& points, const Shape& shape, int dim) {
  const Bounds box = shape.bounds(dim);
  return static_cast<std::size_t>(std::count_if(
      points.begin(), points.end(), [&](const Vec3d& x) { return box.contains(x, dim) && shape.distance(x) < 0; }));
}

// Pairs of bodies whose boxes, of shape and points, meet, the first body first: swept along x.
std::vector<std::pair<std::size_t, std::size_t>> pairs_that_may_meet(const Scene& scene,
                                                                     const std::vector<Sample>& samples) {
  const int dim = scene.scene.dimension;
  std::vector<Bounds> boxes;
  for (std::size_t b = 0; b < samples.size(); ++b) {
    boxes.push_back(scene.bodies[b].shape.bounds(dim));
    for (const Vec3d& x : samples[b].points) boxes[b].add(x);
  }
  std::vector<std::size_t> order(samples.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::tie(boxes[a].lo[0], a) < std::tie(boxes[b].lo[0], b); });
  std::vector<std::size_t> open;  // those that the sweep is inside of
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const std::size_t b : order) {
    std::erase_if(open, [&](std::size_t a) { return boxes[a].hi[0] < boxes[b].lo[0]; });
    for (const std::size_t a : open)
      if (boxes[a].overlaps(boxes[b], dim)) pairs.emplace_back(std::min(a, b), std::max(a, b));
    open.push_back(b);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

// Each pair is told once: from the side of the body that comes first, unless only the other one sees it.
void warn_of_overlaps(const Scene& scene, const std::vector<Sample>& samples, std::vector<std::string>& warnings) {
  const int dim = scene.scene.dimension;
  // The volume of body a's matter inside body b; the shape of a body whose points are given says little.
  const auto shared = [&](std::size_t a, std::size_t b) {
    if (scene.bodies[b].sampling == Sampling::file) return 0.0;
    return samples[a].volume * double(points_inside(samples[a].points, scene.bodies[b].shape, dim)) /
           double(samples[a].points.size());
  };
  for (const auto& [a, b] : pairs_that_may_meet(scene, samples)) {
    double volume = shared(a, b);
    if (volume == 0) volume = shared(b, a);
    if (volume > 0)
      warnings.push_back(fmt::format(
          "{}bodies '{}' and '{}' overlap in about {:.3g} m^{}, which both fill with matter: move one of them, or cut "
          "it with a \"difference\"",
          scene.at_place(fmt::format("body.{}", b)), scene.bodies[a].name, scene.bodies[b].name, volume, dim));
  }
}

// How deep a region reaches into the matter that it cuts: the least length of what it holds along an axis along which
// it does not hold all, to a spacing. Infinite where it holds whole bodies or nothing.
double depth_of(const Scene& scene, const Grip& grip, const std::vector<Sample>& samples) {
  const int dim = scene.scene.dimension;
  double least = std::numeric_limits<double>::infinity();
  for (const Sample& sample : samples) {
    Bounds all, held;
    double edge = std::numeric_limits<double>::infinity();  // m, from what is held to the edge of the region
    for (const Vec3d& x : sample.points) {
      all.add(x);
      const double inside = -grip.region.distance(grip.motion.to_local(x, 0));
      if (inside > 0) held.add(x), edge = std::min(edge, inside);
    }
    if (held.empty(dim)) continue;
    const double spacing = elementary::pow(sample.volume / double(sample.points.size()), 1.0 / dim);
    for (int k = 0; k < dim; ++k)
      if (held.hi[k] - held.lo[k] < all.hi[k] - all.lo[k] - 0.5 * spacing)
        least = std::min(least, held.hi[k] - held.lo[k] + spacing / 2 + edge);
  }
  return least;
}

// A grip that starts away from all matter is most likely misplaced, but for one that comes later. On a grid it acts at
// the nodes, and so on matter a cell away; one that is too shallow for a second row of nodes tears matter at its edge.
void warn_of_grips(const Scene& scene, const std::vector<Sample>& samples, std::vector<std::string>& warnings) {
  const bool on_grid = scene.solver.traits().grid == Grid::nodes;
  for (std::size_t g = 0; g < scene.grips.size(); ++g) {
    const Grip& grip = scene.grips[g];
    const bool comes_later = std::any_of(scene.events.begin(), scene.events.end(), [&](const Event& event) {
      return std::find(event.enable.begin(), event.enable.end(), grip.name) != event.enable.end();
    });
    if (comes_later) continue;
    const double dx = scene.solver.dx;
    double nearest = std::numeric_limits<double>::infinity();  // m, below 0 inside
    for (const Sample& sample : samples)
      for (auto x = sample.points.begin(); x != sample.points.end() && nearest >= 0; ++x)
        nearest = std::min(nearest, grip.region.distance(grip.motion.to_local(*x, 0)));
    const auto warn = [&](const std::string& what) {
      warnings.push_back(fmt::format("{}grip '{}' {}", scene.at_place(fmt::format("grip.{}", g)), grip.name, what));
    };
    if (nearest > (on_grid ? dx : 0))
      warn("holds nothing: no matter is inside it at the start; move it, or make it larger");
    else if (on_grid && depth_of(scene, grip, samples) < 1.01 * dx)
      warn(
          fmt::format("reaches a cell or less into the matter, where the stress beside it may be twice that in the "
                      "middle, or it may lose its hold: let it reach {:.3g} m (two cells) into the matter",
                      2 * dx));
  }
}

std::size_t coincident(std::vector<Vec3d> points) {
  const auto before = [](const Vec3d& a, const Vec3d& b) {
    return std::tie(a[0], a[1], a[2]) < std::tie(b[0], b[1], b[2]);
  };
  std::sort(points.begin(), points.end(), before);
  return static_cast<std::size_t>(points.end() - std::unique(points.begin(), points.end()));
}

// What is odd about the points of a file.
void warn_of_points(const Scene& scene, const Body& body, const std::vector<Vec3d>& points,
                    std::vector<std::string>& warnings) {
  const int dim = scene.scene.dimension;
  const std::string file = (scene.folder / body.points).string();
  const auto warn = [&](std::size_t count, const char* what) {
    if (count > 0)
      warnings.push_back(
          fmt::format("{}: {} of {} points of body '{}' {}", file, count, points.size(), body.name, what));
  };
  const auto count_if = [&](auto&& odd) {
    return static_cast<std::size_t>(std::count_if(points.begin(), points.end(), odd));
  };
  if (scene.scene.domain) {
    const Bounds walls{scene.scene.domain->min, scene.scene.domain->max};
    warn(count_if([&](const Vec3d& x) { return !walls.contains(x, dim); }),
         "lie outside scene.domain, inside its walls, where they cannot move freely; move them or enlarge the domain");
  }
  warn(count_if([&](const Vec3d& x) { return body.shape.distance(x) > scene.solver.dx; }),
       "lie outside the body's shape by more than a cell; all points share the shape's volume: let the shape contain "
       "them");
  warn(coincident(points), "coincide with another point, which doubles their matter: leave them out");
}

Vec3d velocity_at(const Body& body, const Vec3d& x) {
  const Vec3d v = body.velocity.at(field_values(x, x, 0));
  if (!std::isfinite(dot(v, v)))
    fail(Exit::bad_input, "{}: the velocity of body '{}' is not a finite number at ({:.6g}, {:.6g}, {:.6g}) m, t = 0",
         body.velocity.place, body.name, x[0], x[1], x[2]);
  return v;
}

// The share of its strength that matter at x has lost at the start.
double damage_at(const Body& body, const Vec3d& x) {
  const double damage = body.damaged->evaluate(std::array{x[0], x[1], x[2]});
  if (!(damage >= 0 && damage <= 1))
    fail(Exit::bad_input,
         "the damage of body '{}' is {:.6g} at ({:.6g}, {:.6g}, {:.6g}) m; it must be from 0 to 1, which min(…, 1) and "
         "max(…, 0) see to: '{}'",
         body.name, damage, x[0], x[1], x[2], body.damage);
  return damage;
}

// Columns for what bodies start with, if any does: others start with 0, as they would without.
template <class T>
class StartDamage {
 public:
  StartDamage(Particles& matter, const Scene& scene) : scene_(scene) {
    for (const Body& body : scene.bodies)
      if (body.damaged)
        for (const HistoryColumn& h : history_columns_of(material_of(body)))
          if (h.lost_strength && !matter.find(h.name)) {
            const auto entries = matter.add<T>(h.name, h.unit);
            std::fill(entries.begin(), entries.end(), T(0));
          }
  }
  void put(Particles& matter, std::size_t entry, const Body& body, const Vec3d& x) const {
    if (!body.damaged) return;
    for (const HistoryColumn& h : history_columns_of(material_of(body)))
      if (h.lost_strength) matter.get<T>(h.name)[entry] = T(damage_at(body, x));
  }

 private:
  const Material& material_of(const Body& body) const {
    return scene_.materials[static_cast<std::size_t>(body.material_index)].material;
  }
  const Scene& scene_;
};

// The id of each body's first particle: bodies are numbered in the order of the scene.
std::vector<std::int64_t> first_ids(const std::vector<Sample>& samples) {
  std::vector<std::int64_t> first(samples.size() + 1, 0);
  for (std::size_t b = 0; b < samples.size(); ++b)
    first[b + 1] = first[b] + static_cast<std::int64_t>(samples[b].points.size());
  return first;
}

// The cells and edges of meshed bodies. Corners are named by the id of their particles.
template <class T, int D>
void fill_mesh(World& world, const Scene& scene, const std::vector<Sample>& samples,
               const std::vector<CellSample>& meshes, const std::vector<std::size_t>& order) {
  std::size_t cells = 0, edges = 0;
  for (const CellSample& m : meshes) cells += m.cells.size(), edges += m.edges.size();
  if (cells == 0) return;
  Particles &c = world.mesh.cells, &e = world.mesh.edges;
  c.resize(cells), e.resize(edges);
  const auto corners = c.add<Vec<std::int32_t, D + 1>>("corners");
  const auto inside = c.add<std::int32_t>("inside"), failed = c.add<std::int32_t>("failed"),
             body_of = c.add<std::int32_t>("body");
  const auto volume = c.add<T>("volume", "m^3");
  const auto rest = c.add<Mat<T, D>>("rest", "1/m"), plastic = c.add<Mat<T, D>>("plastic");
  const auto ends = e.add<Vec<std::int32_t, 2>>("ends");
  const auto body_of_edge = e.add<std::int32_t>("body");
  const auto length_at_rest = e.add<T>("length", "m");
  const auto stretch = e.add<float>("stretch"), crack = e.add<float>("crack");  // stretch at which it is one
  const StartDamage<T> damage(c, scene);
  const std::vector<std::int64_t> first_id = first_ids(samples);
  std::size_t at = 0, edge_at = 0;
  for (const std::size_t b : order) {
    const CellSample& mesh = meshes[b];
    if (mesh.cells.empty()) continue;
    const auto id = [&](std::int64_t i) { return static_cast<std::int32_t>(first_id[b] + i); };
    const auto point = [&](int i) { return resized<double, D>(samples[b].points[static_cast<std::size_t>(i)]); };
    if (scene.bodies[b].cells_bear)
      world.mesh.batches.push_back({scene.bodies[b].material_index, static_cast<std::int64_t>(at),
                                    static_cast<std::int64_t>(at + mesh.cells.size())});
    for (std::size_t i = 0; i < mesh.cells.size(); ++i, ++at) {
      Mat<double, D> sides;
      for (int k = 0; k <= D; ++k) corners[at][k] = id(mesh.cells[i][static_cast<std::size_t>(k)]);
      for (int k = 0; k < D; ++k) {
        const Vec<double, D> side = point(mesh.cells[i][static_cast<std::size_t>(k) + 1]) - point(mesh.cells[i][0]);
        for (int r = 0; r < D; ++r) sides(r, k) = side[r];
      }
      rest[at] = cast<T>(inverse(sides)), plastic[at] = Mat<T, D>::identity();
      volume[at] = T(determinant(sides) / (D == 3 ? 6 : 2));
      const std::size_t own = mesh.corners + i * (D + 1);
      inside[at] = own < samples[b].points.size() ? id(static_cast<std::int64_t>(own)) : -1;
      failed[at] = 0, body_of[at] = static_cast<std::int32_t>(b);
      Vec3d middle{};
      for (std::size_t k = 0; k <= D; ++k)
        middle += samples[b].points[static_cast<std::size_t>(mesh.cells[i][k])] / (D + 1);
      damage.put(c, at, scene.bodies[b], middle);
    }
    for (const auto& [lower, upper] : mesh.edges) {
      ends[edge_at] = {id(lower), id(upper)}, body_of_edge[edge_at] = static_cast<std::int32_t>(b);
      length_at_rest[edge_at] = T(length(point(upper) - point(lower))), stretch[edge_at] = 1;
      crack[edge_at] = static_cast<float>(scene.bodies[b].crack_stretch);
      ++edge_at;
    }
  }
}

template <class T, int D>
void fill(World& world, const Scene& scene, const std::vector<Sample>& samples, const std::vector<CellSample>& meshes,
          const std::vector<std::size_t>& order) {
  fill_mesh<T, D>(world, scene, samples, meshes, order);
  Particles& p = world.particles;
  const auto x = p.add<Vec<T, D>>("x", "m");
  // Cells that bear tell their strain by it.
  const bool keeps_low = sizeof(T) < sizeof(double) && !world.mesh.batches.empty();
  const auto x_low = keeps_low ? p.add<Vec<T, D>>(low_column, "m") : std::span<Vec<T, D>>();
  const auto v = p.add<Vec<T, D>>("v", "m/s");
  // In double precision whatever the rest is: steps are so short that a float would not feel them.
  const auto temperature = scene.has_heat() ? p.add<double>("temperature", "K") : std::span<double>();
  const auto mass = p.add<T>("mass", "kg");
  const auto volume = p.add<T>("volume", "m^3");
  const auto id = p.add<std::int32_t>("id");
  const auto body_of = p.add<std::int32_t>("body");
  const StartDamage<T> damage(p, scene);
  const std::vector<std::int64_t> first_id = first_ids(samples);

  std::int64_t at = 0;
  for (std::size_t b : order) {
    const Body& body = scene.bodies[b];
    const std::vector<Vec3d>& points = samples[b].points;
    // Of a liquid all particles have one mass, so that a full cell is full.
    const double share = !scene.solver.traits().deformation ? elementary::power(spacing(scene, body), D)
                                                            : samples[b].volume / double(points.size());
    const double density = density_of(scene.materials[static_cast<std::size_t>(body.material_index)].material);
    const Vec3d center = std::accumulate(points.begin(), points.end(), Vec3d{}) / double(points.size());
    if (world.batches.empty() || world.batches.back().material != body.material_index)
      world.batches.push_back({body.material_index, at, at});
    const std::vector<double>& shares = samples[b].shares;
    for (std::size_t i = 0; i < points.size(); ++i, ++at) {
      const auto k = static_cast<std::size_t>(at);
      const double own = shares.empty() ? share : shares[i];
      x[k] = resized<T, D>(points[i]);
      if (keeps_low) x_low[k] = rounding_of_place<T, D>(points[i]);
      v[k] = resized<T, D>(velocity_at(body, points[i]) + cross(body.spin, points[i] - center));
      if (!temperature.empty()) temperature[k] = body.temperature.value_or(room_temperature);
      volume[k] = T(own);
      mass[k] = T(own * density);
      id[k] = static_cast<std::int32_t>(first_id[b] + static_cast<std::int64_t>(i));
      body_of[k] = static_cast<std::int32_t>(b);
      damage.put(p, k, body, points[i]);
    }
    world.batches.back().end = at;
  }
}

// The particle nearest to each particle probe's point; of several the first. One that is far from it is most likely not
// the one that was meant.
void follow_particles(World& world, const Scene& scene, std::vector<std::string>* warnings) {
  const Column &x = *world.particles.find("x"), &id = *world.particles.find("id");
  for (const Probe& probe : scene.probes) {
    if (probe.type != ProbeType::particle) continue;
    Followed nearest;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < x.count(); ++i) {
      Vec3d at{};
      for (int a = 0; a < world.dimension; ++a) at[a] = x.value(i, a);
      const Vec3d away = at - probe.at.value_or(Vec3d{});
      if (dot(away, away) < least) least = dot(away, away), nearest = {id.value(i), at};
    }
    world.followed.push_back(nearest);
    if (warnings && std::sqrt(least) > scene.solver.dx)
      warnings->push_back(fmt::format(
          "probe '{}' follows a particle {:.3g} m away from its `at`, more than a cell: no matter is nearer at "
          "the start; move it",
          probe.name, std::sqrt(least)));
  }
}

}  // namespace

// About: 6 (2D 2) cells a point.
double expected_of_mesh(const Scene& scene, const Body& body) {
  if (body.cells == CellSource::file) return 0;  // it is read as a whole, and then there are so many
  const int dim = scene.scene.dimension;
  const double points = points_a_cube(dim) * expected_count(body.shape, dim, edge_of(scene, body));
  return points * (body.inner_particles && body.cells_bear ? (dim == 3 ? 1 + 6 * 4 : 1 + 2 * 3) : 1);
}

std::int64_t expected_particles(const Scene& scene) {
  double n = 0;
  for (const Body& body : scene.bodies)
    n += body.cells != CellSource::none ? expected_of_mesh(scene, body)
         : body.sampling == Sampling::file
             ? double(read_points_csv(scene.folder / body.points, scene.scene.dimension).size())
             : expected_count(body.shape, scene.scene.dimension, spacing(scene, body));
  return static_cast<std::int64_t>(std::min(n, 9e18));
}

World build_world(const Scene& scene, BuildReport* report, std::uint64_t max_bytes) {
  const double expected = double(expected_particles(scene));
  const double bytes = bytes_a_particle(scene), limit = std::min(double(max_bytes) / bytes, 2e9);
  if (expected > limit)
    fail(Exit::resources,
         "{}the scene needs about {:.3g} particles and {} of memory; {} are free. Use a larger dx or fewer "
         "particles_per_cell",
         scene.at_place("solver.dx"), expected, bytes_text(expected * bytes), bytes_text(double(max_bytes)));
  std::vector<Sample> samples;
  std::vector<CellSample> meshes;
  std::size_t count = 0;
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    meshes.push_back(sample_body_named(scene, b, static_cast<std::uint64_t>(limit), report));
    samples.push_back(std::move(meshes.back().sample));
    count += samples.back().points.size();
  }
  if (report) {
    for (const Sample& s : samples) report->particles.push_back(static_cast<std::int64_t>(s.points.size()));
    for (std::size_t b = 0; b < samples.size(); ++b)
      if (scene.bodies[b].sampling == Sampling::file)
        warn_of_points(scene, scene.bodies[b], samples[b].points, report->warnings);
    warn_of_overlaps(scene, samples, report->warnings);
    warn_of_grips(scene, samples, report->warnings);
  }

  std::vector<std::size_t> order(scene.bodies.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return scene.bodies[a].material_index < scene.bodies[b].material_index;
  });
  World world;
  world.dimension = scene.scene.dimension;
  world.clock.frame = scene.scene.start_frame;
  world.particles.resize(count);
  world.next_id = static_cast<std::int64_t>(count);
  const bool wide = scene.solver.precision == Precision::f64;
  if (world.dimension == 2)
    wide ? fill<double, 2>(world, scene, samples, meshes, order) : fill<float, 2>(world, scene, samples, meshes, order);
  else
    wide ? fill<double, 3>(world, scene, samples, meshes, order) : fill<float, 3>(world, scene, samples, meshes, order);
  follow_particles(world, scene, report ? &report->warnings : nullptr);
  return world;
}

}  // namespace knead
