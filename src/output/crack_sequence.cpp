#include "output/crack_sequence.h"

#include "base/parallel.h"
#include "output/rest_mesh.h"
#include "surface/crack_mesh.h"
#include "surface/stretch_history.h"

#include <algorithm>
#include <mutex>

namespace knead {

namespace {

template <int d>
struct Body {
  std::string name;
  std::int32_t index = 0;
  std::vector<std::int32_t> particles;
  CrackedBody<d> cracked;
  StretchHistory history;
};

template <int d>
Body<d> make_body(RestMesh<d>&& rest, const CrackOptions& options) {
  Body<d> body;
  body.name = rest.body.empty() ? fmt::format("body {}", rest.index) : rest.body;
  body.index = rest.index;
  body.particles = std::move(rest.particles);
  body.cracked.complex = make_core_complex(rest.mesh, rest.surface, fmt::format("the body '{}'", body.name));
  body.cracked.rest = centers(body.cracked.complex);
  body.cracked.uv = std::move(rest.uv);
  body.cracked.input_vertices = static_cast<std::size_t>(rest.input_vertices);
  body.history = make_stretch_history(body.cracked.complex.edges.size(), options.stretch.value_or(rest.stretch));
  return body;
}

// Where in the frame each vertex of the body is listed.
template <int d>
std::vector<std::size_t> rows_of(const Frame& frame, const Body<d>& body) {
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
    fail(Exit::bad_input,
         "frame {} has no column 'R' of {}, by which the surfaces of cracks turn; write it with [output] columns",
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

// Takes the next frame into the histories of the bodies.
template <int d>
void record_frame(std::vector<Body<d>>& bodies, const Frame& frame) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    Body<d>& body = bodies[b];
    const std::size_t edges = body.cracked.complex.edges.size();
    if (b >= frame.edge_stretch.size()) {
      record<d>(body.history, body.cracked.complex, positions_of<d>(frame, rows_of(frame, body)));
      continue;
    }
    if (frame.edge_stretch[b].size() != edges)
      fail(Exit::bad_input, "frame {} has the stretch of {} edges of the body '{}', which has {}", frame.number,
           frame.edge_stretch[b].size(), body.name, edges);
    record(body.history, frame.edge_stretch[b]);
  }
}

template <int d>
SurfaceFrame surface_of(const std::vector<Body<d>>& bodies, const Frame& frame, int index) {
  SurfaceFrame result{frame.number, frame.time, {}};
  for (const Body<d>& body : bodies) {
    const std::vector<std::size_t> rows = rows_of(frame, body);
    const CoreMotion<d> motion{positions_of<d>(frame, rows), rotations_of<d>(frame, rows)};
    result.bodies.push_back(
        {body.name, body.index, crack_mesh<d>(body.cracked, broken_edges(body.history, index), motion)});
  }
  return result;
}

}  // namespace

// Of one dimension only.
struct CrackSequence::Bodies {
  std::vector<Body<2>> flat;
  std::vector<Body<3>> solid;

  template <class Call>
  void each(Call call) {
    for (Body<2>& body : flat) call(body);
    for (Body<3>& body : solid) call(body);
  }
};

CrackSequence::CrackSequence(const RunFolder& folder, const CrackOptions& options)
    : folder_(folder), bodies_(std::make_unique<Bodies>()) {
  const std::filesystem::path path = folder.rest_mesh();
  if (!std::filesystem::exists(path))
    fail(Exit::bad_input, "there is no '{}': only runs of bodies with a mesh have cracks to draw", path.string());
  const int dimension = rest_mesh_dimension(path);
  if (dimension == 2)
    for (auto& rest : read_rest_meshes<2>(path)) bodies_->flat.push_back(make_body(std::move(rest), options));
  else
    for (auto& rest : read_rest_meshes<3>(path)) bodies_->solid.push_back(make_body(std::move(rest), options));
  // When each edge breaks
  for (const std::int64_t number : folder.frames()) {
    Frame frame;
    try {
      frame = read_frame(folder.frame(number));
    } catch (const Failure& failure) {
      if (failure.code != Exit::bad_input) throw;
      if (options.warn) options.warn(fmt::format("{}; it is left out", failure.what()));
      continue;
    }
    if (frame.dimension != dimension)
      fail(Exit::bad_input, "frame {} is {}D, but '{}' is {}D", number, frame.dimension, path.string(), dimension);
    record_frame(bodies_->flat, frame);
    record_frame(bodies_->solid, frame);
    frames_.push_back(number);
  }
  if (frames_.empty())
    fail(Exit::bad_input, "there are no frames in '{}' that can be read", folder.frames_folder().string());
  // Where the crack is in the end, made smooth
  bodies_->each([&](auto& body) {
    const std::vector<std::uint8_t> broken = knead::broken_edges(body.history, StretchHistory::never - 1);
    smooth_crack(body.cracked.complex, std::span<const std::uint8_t>(broken), options.smoothing, body.cracked.rest);
  });
}

CrackSequence::~CrackSequence() = default;
CrackSequence::CrackSequence(CrackSequence&&) noexcept = default;

SurfaceFrame CrackSequence::surface(std::int64_t number) const { return surface(read_frame(folder_.frame(number))); }

SurfaceFrame CrackSequence::surface(const Frame& frame) const {
  const auto at = std::upper_bound(frames_.begin(), frames_.end(), frame.number);
  const int index = static_cast<int>(at - frames_.begin()) - 1;
  return bodies_->flat.empty() ? surface_of(bodies_->solid, frame, index) : surface_of(bodies_->flat, frame, index);
}

std::size_t CrackSequence::edges() const {
  std::size_t count = 0;
  bodies_->each([&](const auto& body) { count += body.history.broken_at.size(); });
  return count;
}

std::size_t CrackSequence::broken_edges() const {
  std::size_t count = 0;
  bodies_->each([&](const auto& body) {
    for (const int at : body.history.broken_at) count += at != StretchHistory::never;
  });
  return count;
}

std::size_t write_cracks(const CrackSequence& cracks, const MeshWriter& writer, const std::filesystem::path& out,
                         const ExportOptions& range) {
  std::vector<std::int64_t> numbers = cracks.frames();
  const std::int64_t first = range.first.value_or(numbers.front()), last = range.last.value_or(numbers.back());
  const std::string there = fmt::format("{} to {}", numbers.front(), numbers.back());
  std::erase_if(numbers, [&](std::int64_t n) { return n < first || n > last; });
  if (numbers.empty()) fail(Exit::bad_input, "there are no frames {} to {} in the run; it has {}", first, last, there);
  make_folder(out);
  std::vector<ExportedFile> files(numbers.size());
  std::mutex reporting;
  std::size_t done = 0;
  parallel_for(numbers.size(), 1, [&](std::size_t i) {
    files[i] = write_surface(writer, cracks.surface(numbers[i]), out);
    const std::lock_guard lock(reporting);
    if (range.progress) range.progress(++done, numbers.size());
  });
  writer.write_index(out, files);
  return files.size();
}

}  // namespace knead
