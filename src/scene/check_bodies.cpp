// Bodies and colliders: what they are made of, where they lie, and how they meet.
#include "scene/checker.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>

namespace knead {

void Checker::check_body(Body& body, const std::string& path) {
  const auto found = material_index_.find(body.material);
  if (found != material_index_.end()) {
    body.material_index = found->second;
  } else if (mistakes_.full()) {
    wrong(path + ".material", "unknown material");
  } else if (mistakes_.sound(path + ".material")) {
    unknown(path + ".material", body.material, "a material", names_of(scene_.materials));
  }
  check_points(body, path);
  if (scene_.solver.traits().bonds && body.particles_per_cell.value_or(1) != 1)
    odd(path + ".particles_per_cell",
        fmt::format("{}.particles_per_cell is {:.4g}: in methods without a grid solver.dx is the particle spacing, on "
                    "which neighbourhoods, contact and steps depend; leave it out, or make dx smaller",
                    path, *body.particles_per_cell));
  check_cells(body, path);
  check_start(body, path);
  check_damage(body, path + ".damage");
  if (prepare_shape(body.shape, path + ".shape")) check_fit(body, path + ".shape");
}

void Checker::check_points(const Body& body, const std::string& path) {
  if (body.sampling != Sampling::file) {
    if (!body.points.empty())
      wrong(path + ".points", fmt::format("{}.points is given; then {}.sampling must be \"file\"", path, path));
    return;
  }
  if (body.points.empty())
    return wrong(path + ".sampling",
                 fmt::format("{}.sampling is \"file\"; then {}.points must name a CSV file", path, path));
  check_file(path + ".points", body.points);
}

void Checker::check_file(const std::string& path, const std::string& name) {
  struct stat s {};
  const std::string file = (scene_.folder / name).string();
  if (stat(file.c_str(), &s) != 0)
    wrong(path, fmt::format("{}: there is no file {}", path, file));
  else if (!S_ISREG(s.st_mode))
    wrong(path, fmt::format("{}: {} is not a regular file", path, file));
}

// Strain at the start.
void Checker::check_start(const Body& body, const std::string& path) {
  const bool displaced = !body.displacement.is_zero();
  if (!displaced && !body.stress) return;
  const std::string key = path + (displaced ? ".displacement" : ".stress");
  if (displaced && body.stress)
    wrong(key, fmt::format("{} has a displacement and a stress, which both define its strain; give one of them", path));
  if (!scene_.solver.traits().start_strain && mistakes_.sound("solver.method"))
    wrong(key, fmt::format("{} needs solver.method = \"mpm\"; leave it out", key));
  if (body.cells != CellSource::none && body.cells_bear)
    wrong(key, fmt::format("{} strains particles, but the cells of this body bear its stress; leave out the cells, or "
                           "give cells_bear = false",
                           key));
}

// The strength that is lost at the start.
void Checker::check_damage(Body& body, const std::string& key) {
  if (body.damage.empty()) return;
  try {
    body.damaged.emplace(body.damage, start_variables());
  } catch (const Failure& failure) {
    return wrong(key, fmt::format("{}: {}; it is an expression of X, Y and Z", key, failure.what()));
  }
  if (body.material_index < 0) return;
  const MaterialEntry& entry = scene_.materials[static_cast<std::size_t>(body.material_index)];
  if (!has_strength_to_lose(entry.material))
    wrong(key, fmt::format("{} needs a material that has a strength to lose, such as model {}; '{}' is \"{}\"", key,
                           models_with_strength(), entry.name, name_of(entry.material)));
}

void Checker::check_cells(const Body& body, const std::string& path) {
  if ((body.cells == CellSource::file) != !body.cells_file.empty())
    wrong(path + (body.cells_file.empty() ? ".cells" : ".cells_file"),
          fmt::format("{}.cells = \"file\" and {}.cells_file go together: give both or none", path, path));
  if (body.cells == CellSource::none) return;
  if (!body.cells_file.empty()) check_file(path + ".cells_file", body.cells_file);
  const SolverSpec& s = scene_.solver;
  const auto needs = [&](bool good, const char* what) {
    if (!good) wrong(path + ".cells", fmt::format("{}.cells needs {}", path, what));
  };
  needs(s.traits().cells, "solver.method = \"mpm\"; leave it out");
  if (!s.traits().cells) return;
  needs(is_affine(s.transfer), "solver.transfer = \"apic\" or \"mls\": others leave noise that affects the mesh");
  if (body.material_index >= 0)
    needs(name_of(scene_.materials[static_cast<std::size_t>(body.material_index)].material) != PhaseFieldModel::name,
          "a model other than \"phase-field\", whose cracks are computed from particles; leave it out");
  needs(body.sampling.value_or(Sampling::lattice) == Sampling::lattice,
        "no sampling: the vertices of the cells are the particles; leave it out");
}

void Checker::check_fit(const Body& body, const std::string& path) {
  const Bounds b = body.shape.bounds(dim_);
  if (!b.finite(dim_))
    return wrong(path, fmt::format("{} is infinite; a body must be finite (cut it with an intersection)", path));
  if (b.empty(dim_)) return wrong(path, fmt::format("{} is empty: nothing is inside it", path));
  if (mistakes_.sound("solver.dx")) check_thickness(b, path);
  check_inside(b, path);
  check_precision(b, path);
}

// A float has 24 bits: from 2^14 cells on, fewer than ten are left for the place within a cell.
void Checker::check_precision(const Bounds& b, const std::string& path) {
  if (scene_.solver.precision == Precision::f64 || !mistakes_.sound("solver.dx")) return;
  double far = 0;
  for (int k = 0; k < dim_; ++k) far = std::max({far, std::abs(b.lo[k]), std::abs(b.hi[k])});
  if (far > 0x1p14 * scene_.solver.dx)
    odd(path, fmt::format("{} lies {:.3g} cells from the origin; float positions are too coarse there; use "
                          "solver.precision = \"double\" or move the scene to the origin",
                          path, far / scene_.solver.dx));
}

void Checker::check_thickness(const Bounds& b, const std::string& path) {
  int thinnest = 0;
  for (int k = 1; k < dim_; ++k)
    if (b.size()[k] < b.size()[thinnest]) thinnest = k;
  const double size = b.size()[thinnest], dx = scene_.solver.dx;
  if (size >= 2 * dx) return;
  const std::string thin = fmt::format("{} is {:.6g} m along {}, less than {} (solver.dx is {} m)", path, size,
                                       axis_names[thinnest], size < dx ? "a cell" : "two cells", dx);
  if (size < dx)
    wrong(path, fmt::format("{}; solver.dx must be at most {:.6g} m", thin, size / 2));
  else
    odd(path, thin + "; it will be stiff and rough");
}

void Checker::check_inside(const Bounds& b, const std::string& path) {
  if (!scene_.scene.domain || !mistakes_.sound("scene.domain")) return;
  const Bounds walls{scene_.scene.domain->min, scene_.scene.domain->max};
  if (!b.overlaps(walls, dim_)) return wrong(path, fmt::format("{} lies entirely outside scene.domain", path));
  for (int k = 0; k < dim_; ++k) {
    const double out = std::max(walls.lo[k] - b.lo[k], b.hi[k] - walls.hi[k]);
    if (out > 1e-9 * (walls.hi[k] - walls.lo[k]))
      odd(path, fmt::format("{} reaches {:.3g} m out of scene.domain along {}; that part starts inside the wall and "
                            "cannot move freely; move the body or enlarge scene.domain",
                            path, out, axis_names[k]));
  }
}

void Checker::check_friction(Contact contact, double friction, const std::string& path) {
  if (contact != Contact::separate && friction > 0)
    odd(path + ".friction", fmt::format("{}.friction has no effect with contact = \"{}\"; leave it out, or use contact "
                                        "= \"separate\"",
                                        path, enum_names(contact)[static_cast<std::size_t>(contact)]));
}

// Mirror images fall on nodes only where the mirror lies on nodes.
void Checker::check_mirror(int axis, double at, const std::string& path) {
  const double dx = scene_.solver.dx, node = std::round(at / dx) * dx;
  if (std::abs(at - node) > 1e-6 * dx)
    wrong(path,
          fmt::format("{} has contact = \"symmetry\" at {} = {} m, between nodes of the grid (solver.dx is {} m); "
                      "move it to {:.9g} m, or use contact = \"slip\"",
                      path, axis_names[axis], at, dx, node));
}

void Checker::check_symmetry(const Collider& collider, const std::string& path) {
  const auto* plane = std::get_if<Plane>(&collider.shape.value);
  int along = -1;
  for (int k = 0; plane && k < dim_; ++k)
    if (std::abs(plane->normal[k]) > (1 - 1e-12) * length(plane->normal)) along = k;
  if (along < 0 || collider.motion.moves())
    return wrong(path + ".contact",
                 fmt::format("{}.contact is \"symmetry\", which needs a plane at rest whose normal is "
                             "along an axis; use contact = \"slip\" for others",
                             path));
  if (mistakes_.sound("solver.dx")) check_mirror(along, plane->point[along], path + ".shape");
}

void Checker::check_wall(const Collider& collider, const std::string& path) {
  if (!mistakes_.sound("solver.dx")) return;
  const double thick = thinnest(collider.shape, dim_), dx = scene_.solver.dx;
  if (thick < 2 * dx * (1 - 1e-9))
    odd(path,
        fmt::format("{} is {:.3g} m thick, less than two cells (solver.dx is {} m); matter may pass through; make "
                    "it thicker or solver.dx smaller",
                    path, thick, dx));
}

// Looks at points of the common bounds. A sticky collider may be meant to hold a body.
void Checker::check_pair(std::size_t body, std::size_t collider) {
  const std::string path = fmt::format("body.{}.shape", body), other = fmt::format("collider.{}", collider);
  const Shape& shape = scene_.bodies[body].shape;
  const Collider& solid = scene_.colliders[collider];
  if (!solid.enabled || solid.contact == Contact::sticky || !mistakes_.sound(path) || !mistakes_.sound(other) ||
      !mistakes_.sound("solver.dx"))
    return;
  Bounds common = shape.bounds(dim_);
  if (!solid.motion.moves()) common = common.common(solid.shape.bounds(dim_));
  if (common.empty(dim_)) return;
  --pairs_left_;
  constexpr int n = 12;
  const double deep = -0.1 * scene_.solver.dx;
  for (int at = 0; at < (dim_ == 2 ? n * n : n * n * n); ++at) {
    const int step[3] = {at % n, at / n % n, at / n / n};
    Vec3d p{};
    for (int k = 0; k < dim_; ++k) p[k] = common.lo[k] + (step[k] + 0.5) / n * common.size()[k];
    if (shape.distance(p) > deep || solid.distance(p, 0) > deep) continue;
    return odd(path, fmt::format("{} starts partly inside {} ('{}'), where matter cannot move freely; move one of "
                                 "them, or cut the body with a \"difference\"",
                                 path, other, solid.name));
  }
}

void Checker::check_collider(Collider& collider, const std::string& path) {
  check_friction(collider.contact, collider.friction, path);
  check_motion(collider.motion, path + ".motion");
  check_jumps(collider.motion, path + ".motion");
  if (!prepare_shape(collider.shape, path + ".shape")) return;
  check_wall(collider, path + ".shape");
  if (collider.contact == Contact::symmetry) check_symmetry(collider, path);
  // The solver asks a collider for distances at grid nodes: half a cell resolves what the grid can see.
  if (mistakes_.sound("solver.dx") && collider.shape.contains_mesh()) collider.shape.bake(scene_.solver.dx / 2);
}

}  // namespace knead
