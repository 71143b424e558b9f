#include "output/cracked_bodies.h"

#include "output/rest_mesh.h"
#include "surface/crack_mesh.h"
#include "surface/stretch_history.h"

#include <algorithm>

namespace knead {

namespace {

template <int d>
struct MeshBody {
  std::string name;
  std::int32_t index = 0;
  std::vector<std::int32_t> particles;
  double threshold = 1.5;
  CrackedBody<d> cracked;
};

template <int d>
MeshBody<d> make_body(RestMesh<d>&& rest, std::optional<double> stretch) {
  MeshBody<d> body;
  body.name = rest.body.empty() ? fmt::format("body {}", rest.index) : rest.body;
  body.index = rest.index;
  body.particles = std::move(rest.particles);
  body.threshold = stretch.value_or(rest.stretch);
  body.cracked.complex = make_core_complex(rest.mesh, rest.surface, fmt::format("the body '{}'", body.name));
  body.cracked.rest = centers(body.cracked.complex);
  body.cracked.uv = std::move(rest.uv);
  body.cracked.input_vertices = static_cast<std::size_t>(rest.input_vertices);
  return body;
}

// Where in the frame each vertex of the body is listed.
template <int d>
std::vector<std::size_t> rows_of(const Frame& frame, const MeshBody<d>& body) {
  const Column* column = frame.particles.find("id");
  if (!column) fail(Exit::bad_input, "frame {} has no column 'id'", frame.number);
  const auto id = column->as<std::int32_t>();
  std::vector<std::size_t> rows;
  rows.reserve(body.particles.size());
  for (const std::int32_t p : body.particles) {
    // Where no particle is born or gone, they are listed by their ids.
    const auto guess = static_cast<std::size_t>(p);
    const auto at = guess < id.size() && id[guess] == p ? id.begin() + p : std::lower_bound(id.begin(), id.end(), p);
    if (at == id.end() || *at != p)
      fail(Exit::bad_input, "frame {} lacks particle {} of the body '{}', which rest_mesh.h5 names", frame.number, p,
           body.name);
    rows.push_back(static_cast<std::size_t>(at - id.begin()));
  }
  return rows;
}

template <int d>
std::vector<Vec<double, d>> positions_of(const Frame& frame, const std::vector<std::size_t>& rows) {
  const Column& x = *frame.particles.find("x");
  std::vector<Vec<double, d>> positions(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int k = 0; k < d; ++k) positions[i][k] = x.value(rows[i], k);
  return positions;
}

template <int d>
std::vector<Mat<double, d>> rotations_of(const Frame& frame, const std::vector<std::size_t>& rows) {
  constexpr int components = d == 3 ? 4 : 1;
  const Column* R = frame.particles.find("R");
  if (!R || R->components != components)
    fail(Exit::bad_input, "frame {} has no column 'R' of {}, which crack surfaces need; write it with [output] columns",
         frame.number, d == 3 ? "quaternions" : "angles");
  std::vector<Mat<double, d>> rotations;
  rotations.reserve(rows.size());
  for (const std::size_t row : rows)
    if constexpr (d == 3)
      rotations.push_back(
          rotation_of(Vec<double, 4>{R->value(row, 0), R->value(row, 1), R->value(row, 2), R->value(row, 3)}));
    else
      rotations.push_back(rotation_of(R->value(row)));
  return rotations;
}

template <int d>
std::vector<float> stretch_of(const Frame& frame, const MeshBody<d>& body, std::size_t index) {
  const CoreComplex<d>& complex = body.cracked.complex;
  if (frame.edge_stretch.empty()) return edge_stretch<d>(complex, positions_of<d>(frame, rows_of(frame, body)));
  if (index >= frame.edge_stretch.size())
    fail(Exit::bad_input, "frame {} lacks the stretch of the body '{}', which rest_mesh.h5 names", frame.number,
         body.name);
  const std::vector<float>& known = frame.edge_stretch[index];
  if (known.size() != complex.edges.size())
    fail(Exit::bad_input, "frame {} has the stretch of {} edges of the body '{}', which has {}", frame.number,
         known.size(), body.name, complex.edges.size());
  return known;
}

// Velocity and damage, where the frame has them; `C` is the gradient of the velocity.
template <int d>
void add_columns(CoreMotion<d>& motion, const Frame& frame, const std::vector<std::size_t>& rows) {
  const Column *v = frame.particles.find("v"), *C = frame.particles.find("C");
  if (v) {
    for (const std::size_t row : rows) {
      Vec<double, d> velocity;
      Mat<double, d> spin{};
      for (int i = 0; i < d; ++i) {
        velocity[i] = v->value(row, i);
        for (int j = 0; C && j < d; ++j) spin(i, j) = 0.5 * (C->value(row, i * d + j) - C->value(row, j * d + i));
      }
      motion.v.push_back(velocity), motion.spin.push_back(spin);
    }
  }
  if (const Column* damage = frame.particles.find("damage"))
    for (const std::size_t row : rows) motion.damage.push_back(damage->value(row));
}

template <int d>
NamedSurface surface_of(const MeshBody<d>& body, const Frame& frame, std::span<const std::uint8_t> broken) {
  std::vector<std::size_t> rows = rows_of(frame, body);
  CoreMotion<d> motion{positions_of<d>(frame, rows), rotations_of<d>(frame, rows)};
  add_columns(motion, frame, rows);
  return {body.name, body.index, crack_mesh<d>(body.cracked, broken, motion), std::move(rows)};
}

}  // namespace

// Of one dimension only.
struct CrackedBodies::Bodies {
  std::vector<MeshBody<2>> flat;
  std::vector<MeshBody<3>> solid;

  // call(body, its number)
  template <class Call>
  void each(Call call) {
    for (std::size_t i = 0; i < flat.size(); ++i) call(flat[i], i);
    for (std::size_t i = 0; i < solid.size(); ++i) call(solid[i], i);
  }
};

CrackedBodies::CrackedBodies(const std::filesystem::path& path, std::optional<double> stretch)
    : bodies_(std::make_unique<Bodies>()) {
  if (!std::filesystem::exists(path))
    fail(Exit::bad_input,
         "there is no '{}': only runs with mesh bodies have cracks to draw; cells = \"delaunay\" in a [[body]] gives "
         "it a "
         "mesh (docs/tetrahedra.md)",
         path.string());
  dimension_ = rest_mesh_dimension(path);
  if (dimension_ == 2)
    for (auto& rest : read_rest_meshes<2>(path)) bodies_->flat.push_back(make_body(std::move(rest), stretch));
  else
    for (auto& rest : read_rest_meshes<3>(path)) bodies_->solid.push_back(make_body(std::move(rest), stretch));
}

CrackedBodies::~CrackedBodies() = default;
CrackedBodies::CrackedBodies(CrackedBodies&&) noexcept = default;

std::vector<std::size_t> CrackedBodies::edges() const {
  std::vector<std::size_t> counts;
  bodies_->each([&](const auto& body, std::size_t) { counts.push_back(body.cracked.complex.edges.size()); });
  return counts;
}

std::size_t CrackedBodies::cells() const {
  std::size_t count = 0;
  for (const auto& body : bodies_->flat) count += body.cracked.complex.triangles.size();
  for (const auto& body : bodies_->solid) count += body.cracked.complex.tets.size();
  return count;
}

double CrackedBodies::threshold(std::size_t body) const {
  return dimension_ == 2 ? bodies_->flat[body].threshold : bodies_->solid[body].threshold;
}

std::vector<std::vector<float>> CrackedBodies::stretch(const Frame& frame) const {
  std::vector<std::vector<float>> all;
  bodies_->each([&](const auto& body, std::size_t i) { all.push_back(stretch_of(frame, body, i)); });
  return all;
}

CrackedBodies::Broken CrackedBodies::broken(const Frame& frame) const {
  Broken all;
  bodies_->each([&](const auto& body, std::size_t i) {
    std::vector<std::uint8_t>& broken = all.emplace_back();
    for (const float s : stretch_of(frame, body, i)) broken.push_back(double(s) > body.threshold);
  });
  return all;
}

void CrackedBodies::smooth(const Broken& broken, const Smoothing& smoothing) {
  bodies_->each([&](auto& body, std::size_t i) {
    body.cracked.rest = centers(body.cracked.complex);
    smooth_crack(body.cracked.complex, std::span<const std::uint8_t>(broken[i]), smoothing, body.cracked.rest);
  });
}

SurfaceFrame CrackedBodies::surface(const Frame& frame, const Broken& broken) const {
  SurfaceFrame result{frame.number, frame.time, {}};
  bodies_->each([&](const auto& body, std::size_t i) { result.bodies.push_back(surface_of(body, frame, broken[i])); });
  return result;
}

}  // namespace knead
