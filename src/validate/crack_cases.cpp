// Group M: forces in meshes, and the surfaces of cracks. The numbers are those of the tests that the methods of mesh
// and crack surface are specified with.
#include "base/svd.h"
#include "mpm/mesh.h"
#include "run/simulation.h"
#include "scene/read.h"
#include "surface/crack_smoothing.h"
#include "validate/cases.h"
#include "validate/crack_samples.h"

#include <random>

namespace knead {

namespace {

using namespace samples;

// M16. Forces of a mesh whose cells are all deformed and have flowed, against differences of its energy. The wrong
// input is an energy whose flow is not the cells' own.
struct MeshForces {
  double error, sum, turn;  // over the largest force
};

template <int D>
MeshForces mesh_forces(bool wrong) {
  Simulation simulation =
      Simulation::from_text(fmt::format("format = 1\n[scene]\nname = \"mesh\"\ndimension = {}\ngravity = [0, 0, 0]\n"
                                        "[solver]\nmethod = \"mpm\"\ndx = 0.1\nprecision = \"double\"\n"
                                        "[materials.m]\nmodel = \"hencky\"\nyoung = 1e4\ndensity = 100\n"
                                        "[[body]]\nmaterial = \"m\"\ncells = \"stuffed\"\ninner_particles = false\n"
                                        "shape = {{ type = \"box\", center = [0, 0, 0], size = [0.4, 0.3, 0.3] }}\n",
                                        D));
  World& world = simulation.world;
  const std::vector<Material> materials{simulation.scene().materials[0].material};
  std::mt19937 random(5);
  std::uniform_real_distribution<double> shake(-0.005, 0.005), flow(-0.1, 0.1);
  for (Vec<double, D>& x : world.particles.get<Vec<double, D>>("x")) {
    x[0] += 0.1 * x[0] + 0.2 * x[1];
    for (int a = 0; a < D; ++a) x[a] += shake(random);
  }
  const auto plastic = world.mesh.cells.get<Mat<double, D>>("plastic");
  for (Mat<double, D>& p : plastic)
    for (double& e : p.e) e += flow(random);
  MpmMesh<double, D> mesh;
  mesh.prepare(world, materials, 0.1);
  const auto energy = [&] {
    mesh.update(world, materials, 0);
    const auto F = world.mesh.cells.get<Mat<double, D>>("F");
    const auto volume = world.mesh.cells.get<double>("volume");
    double sum = 0;
    visit(materials[0], [&](const auto& law) {
      for (std::size_t e = 0; e < F.size(); ++e)
        sum += volume[e] * law.energy(svd(F[e]).sigma, law.template initial_history<double>());
    });
    return sum;
  };
  energy();
  mesh.push(world, 1);
  if (wrong)
    for (Mat<double, D>& p : plastic) p(0, 0) += 0.01;
  const auto x = world.particles.get<Vec<double, D>>("x"), v = world.particles.get<Vec<double, D>>("v");
  const auto mass = world.particles.get<double>("mass");
  double largest = 0, worst = 0;
  Vec<double, D> sum = Vec<double, D>::zero();
  Vec3d turn{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Vec<double, D> f = v[i] * mass[i];
    sum += f, turn += cross(resized<double, 3>(x[i]), resized<double, 3>(f));
    largest = std::max(largest, length(f));
    if (i % 7 != 0) continue;
    for (int a = 0; a < D; ++a) {
      constexpr double h = 1e-6;
      const double at = x[i][a];
      x[i][a] = at + h;
      const double above = energy();
      x[i][a] = at - h;
      const double below = energy();
      x[i][a] = at;
      worst = std::max(worst, std::abs(f[a] + (above - below) / (2 * h)));
    }
  }
  return {worst / largest, length(sum) / largest, length(turn) / largest};
}

std::vector<Measured> forces(const CaseInput& in) {
  std::vector<Measured> all;
  const auto add = [&](const char* kind, const MeshForces& f) {
    const std::string name = kind;
    all.push_back(at_most(name + ": force against differences of the energy", "", f.error, 1e-7));
    all.push_back(at_most(name + ": sum of the forces", "", f.sum, 1e-12));
    all.push_back(at_most(name + ": sum of their torques", "m", f.turn, 1e-12));
  };
  add("triangles", mesh_forces<2>(in.wrong));
  add("tetrahedra", mesh_forces<3>(in.wrong));
  return all;
}

// M18. The wrong input: one edge of the cut is whole.
std::vector<Measured> surfaces(const CaseInput& in) {
  const SimplexMesh<3> tets = box_of_tets(4, 3, 2, 0.2);
  const CrackedBody<3> body = uncracked(tets);
  const CoreComplex<3>& complex = body.complex;
  const std::size_t V = complex.points.size(), E = complex.edges.size(), F = complex.triangles.size(),
                    T = complex.tets.size();
  const auto nodes = [&](const std::vector<std::uint8_t>& broken) {
    return double(count_nodes(complex, make_crack_topology(complex, broken)));
  };
  const std::vector<std::uint8_t> none(E, 0), every(E, 1);
  double closed = 0, sets = 0;
  for (int percent = 0; percent <= 100; percent += 10, ++sets)
    closed += closed_and_manifold(
        crack_mesh<3>(body, some_broken(complex, percent / 100., unsigned(percent)), at_rest(complex)));

  const double plane = 0.4;
  std::vector<std::uint8_t> broken = cut_at(complex, plane);
  if (in.wrong) *std::find(broken.begin(), broken.end(), 1) = 0;
  const SurfaceMesh mesh = crack_mesh<3>(body, broken, at_rest(complex));
  const Pieces pieces = pieces_of(mesh);
  const std::vector<double> cores = core_volumes(tets), found = volumes(mesh, pieces);
  double expected = 0;
  for (std::size_t p = 0; p < cores.size(); ++p)
    if (tets.points[p][0] < plane) expected += cores[p];
  const SurfaceMesh apart = crack_mesh<3>(body, every, at_rest(complex));
  std::vector<double> sorted = cores, crumbs = volumes(apart, pieces_of(apart));
  std::sort(sorted.begin(), sorted.end()), std::sort(crumbs.begin(), crumbs.end());
  double most = crumbs.size() == sorted.size() ? 0 : 1;
  for (std::size_t i = 0; i < std::min(sorted.size(), crumbs.size()); ++i)
    most = std::max(most, std::abs(crumbs[i] - sorted[i]));
  return {within("nodes, nothing broken: V + E + F + T", "", nodes(none), double(V + E + F + T), 0),
          within("nodes, everything broken: V + 2E + 3F + 4T", "", nodes(every), double(V + 2 * E + 3 * F + 4 * T), 0),
          within("closed surfaces of random sets of broken edges", "", closed, sets, 0),
          within("pieces after a planar cut", "", pieces.count, 2, 0),
          within("volume of the first piece", "m^3", found[std::size_t(pieces.of_point[0])], expected, 1e-12),
          at_most("a core against quarters of its tetrahedra, everything broken", "m^3", most, 1e-12)};
}

// M19. The wrong input: one particle has not turned along.
std::vector<Measured> rigid_motion(const CaseInput& in) {
  const CrackedBody<3> body = uncracked(box_of_tets(3, 3, 3, 0.2));
  const Mat3d R = rotation_of(Vec<double, 4>{0.3, -0.5, 0.7, 0.2});
  const Vec3d way{3, -2, 1};
  CoreMotion<3> motion = at_rest(body.complex);
  for (Vec3d& x : motion.x) x = R * x + way;
  for (Mat3d& r : motion.R) r = R;
  if (in.wrong) motion.R[0] = Mat3d::identity();
  const auto error = [&](const std::vector<std::uint8_t>& broken) {
    const SurfaceMesh mesh = crack_mesh<3>(body, broken, motion);
    double most = 0;
    for (std::size_t p = 0; p < mesh.points.size(); ++p)
      most = std::max(most, length(mesh.points[p] - (R * mesh.rest[p] + way)));
    return most;
  };
  return {at_most("nothing broken: distance from the moved input", "m",
                  error(std::vector<std::uint8_t>(body.complex.edges.size(), 0)), 1e-6),
          at_most("half of the edges broken: distance from the moved cracks", "m",
                  error(some_broken(body.complex, 0.5, 1)), 1e-6)};
}

// M20. The wrong input: plain averages, which leave edges, triangles and tetrahedra.
std::vector<Measured> smoothing(const CaseInput& in) {
  CrackedBody<3> body = uncracked(box_of_tets(6, 5, 5, 0.3));
  const std::vector<std::uint8_t> broken = cut_at(body.complex, 0.55);
  const double before = roughness(body, broken);
  smooth_crack<3>(body.complex, broken, {2, !in.wrong}, body.rest);
  const double after_2 = roughness(body, broken);
  smooth_crack<3>(body.complex, broken, {18, !in.wrong}, body.rest);
  const double after_20 = roughness(body, broken);
  double share = 1, off = 0;
  for (const double s : body.rest.along) share = std::min({share, s, 1 - s});
  for (std::size_t f = 0; f < body.complex.triangles.size(); ++f) {
    Vec3d at{};
    for (std::size_t k = 0; k < 3; ++k) {
      share = std::min(share, body.rest.inside[f][k]);
      at += body.complex.points[std::size_t(body.complex.triangles[f][k])] * body.rest.inside[f][k];
    }
    off = std::max(off, length(at - body.rest.triangle[f]));
  }
  const SurfaceMesh mesh = crack_mesh<3>(body, broken, at_rest(body.complex));
  double volume = 0;
  for (const double v : volumes(mesh, pieces_of(mesh))) volume += v;
  return {at_most("roughness after 2 sweeps over that before", "", after_2 / before, 0.999),
          at_most("roughness after 20 sweeps over that after 2", "", after_20 / after_2, 0.999),
          at_least("least share of a corner", "", share, least_share, least_share * (1 - 1e-12)),
          at_most("points of triangles off them", "m", off, 1e-12),
          within("volume of the pieces", "m^3", volume, 5. / 6 * 5. / 6, 1e-12)};
}

}  // namespace

std::span<const Case> crack_cases() {
  static const Case cases[] = {
      {"m16-forces", "Forces of a mesh that has flowed", "theory: slopes of the energy; Newton's third law",
       "an energy of cells that have flowed by 1 % more", true, forces},
      {"m18-surface", "The surface of a cracked mesh", "Wang 2020, section 3.5.1: union of copies, counted",
       "a cut with one edge left whole", true, surfaces},
      {"m19-rigid", "A cracked surface that moves as a whole", "theory: the input's surface, moved",
       "a particle that does not turn along", true, rigid_motion},
      {"m20-smoothing", "Smoothing of a crack", "definition: no point leaves its edge, triangle or tetrahedron",
       "plain averages, as in the source", true, smoothing},
  };
  return cases;
}

}  // namespace knead
