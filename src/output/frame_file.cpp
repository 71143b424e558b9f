#include "output/frame_file.h"

#include "base/nearest.h"
#include "output/columns.h"
#include "output/frame_part.h"
#include "output/hdf5.h"
#include "world/sound.h"

#include <algorithm>
#include <cmath>

namespace knead {

namespace {

constexpr std::int64_t newest_frame = 1;

// What frames call a column: nothing where only checkpoints need it.
std::string shown_name(const Column& c) {
  if (c.name == strain_column) return "F";
  return c.name.starts_with('.') ? "" : c.name;
}

// The columns to be written, in the order of memory; `x` and `id` are always among them.
std::vector<const Column*> chosen_columns(const Particles& particles, const std::vector<std::string>& names) {
  std::vector<std::string> known;
  for (const Column& c : particles.columns())
    if (!shown_name(c).empty()) known.push_back(shown_name(c));
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail(Exit::bad_input, "the particles have no column '{}'{}; they have: {}", name, did_you_mean(name, known),
           fmt::join(known, ", "));
  std::vector<const Column*> chosen;
  for (const Column& c : particles.columns())
    if ((names.empty() && !shown_name(c).empty()) || c.name == "x" || c.name == "id" ||
        std::find(names.begin(), names.end(), shown_name(c)) != names.end())
      chosen.push_back(&c);
  return chosen;
}

// Where in memory the particle stands that the file lists i-th. Empty where the two orders are the same.
std::vector<std::uint32_t> order_by_id(const Particles& particles) {
  const Column* column = particles.find("id");
  if (!column) return {};
  const auto id = column->as<std::int32_t>();
  if (std::is_sorted(id.begin(), id.end())) return {};
  std::vector<std::uint32_t> order(id.size(), UINT32_MAX);
  // Without births and deaths the ids are 0 … N-1, each once, and their order is at hand.
  bool permutation = true;
  for (std::size_t i = 0; permutation && i < id.size(); ++i) {
    permutation = id[i] >= 0 && static_cast<std::size_t>(id[i]) < id.size() &&
                  order[static_cast<std::size_t>(id[i])] == UINT32_MAX;
    if (permutation) order[static_cast<std::size_t>(id[i])] = static_cast<std::uint32_t>(i);
  }
  if (permutation) return order;
  for (std::size_t i = 0; i < id.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
  return order;
}

template <std::size_t stride>
void gather_entries(const std::byte* from, std::byte* to, const std::vector<std::uint32_t>& order) {
  for (std::size_t i = 0; i < order.size(); ++i) std::memcpy(to + i * stride, from + order[i] * stride, stride);
}

// The column's bytes with entry i taken from order[i], in the order of memory where there is none.
void gather(const Column& column, const std::vector<std::uint32_t>& order, Bytes& sorted) {
  if (order.empty()) {
    sorted = column.data;
    return;
  }
  const std::size_t stride = column.stride();
  sorted.resize(column.data.size());
  const std::byte* from = column.data.data();
  std::byte* to = sorted.data();
  switch (stride) {
    case 4:
      return gather_entries<4>(from, to, order);
    case 8:
      return gather_entries<8>(from, to, order);
    case 12:
      return gather_entries<12>(from, to, order);
    case 16:
      return gather_entries<16>(from, to, order);
    case 24:
      return gather_entries<24>(from, to, order);
    case 36:
      return gather_entries<36>(from, to, order);
    default:
      for (std::size_t i = 0; i < order.size(); ++i) std::memcpy(to + i * stride, from + order[i] * stride, stride);
  }
}

void add_identity(Bytes& matrices, Scalar scalar, int dimension) {
  const auto add = [&]<class T>(T* entries, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (i % std::size_t(dimension * dimension) % std::size_t(dimension + 1) == 0) entries[i] += T(1);
  };
  if (scalar == Scalar::f64)
    add(reinterpret_cast<double*>(matrices.data()), matrices.size() / sizeof(double));
  else
    add(reinterpret_cast<float*>(matrices.data()), matrices.size() / sizeof(float));
}

// The column as frames show it, without its entries, and these.
Column header_of(const Column& c) { return {shown_name(c), c.scalar, c.components, c.unit, {}}; }
void show(const Column& c, const std::vector<std::uint32_t>& order, int dimension, Bytes& shown) {
  gather(c, order, shown);
  if (c.name == strain_column) add_identity(shown, c.scalar, dimension);
}

const std::string edges_group = "/edges";

std::string stretch_path(std::size_t mesh) { return fmt::format("{}/{}/stretch", edges_group, mesh); }

void write_edges(hdf5::Writer& out, const std::vector<std::span<const float>>& edge_stretch) {
  out.group(edges_group);
  out.attribute(edges_group, "meshes", static_cast<std::int64_t>(edge_stretch.size()));
  for (std::size_t i = 0; i < edge_stretch.size(); ++i) {
    out.group(fmt::format("{}/{}", edges_group, i));
    out.dataset(stretch_path(i), hdf5::Type::f32, {edge_stretch[i].size()}, edge_stretch[i].data());
  }
}

std::vector<std::vector<float>> read_edges(const hdf5::Reader& in) {
  if (!in.has(edges_group, "meshes")) return {};
  const std::int64_t meshes = in.integer(edges_group, "meshes");
  if (meshes < 0 || meshes > most_meshes) in.damaged(fmt::format("it claims to hold {} meshes", meshes));
  std::vector<std::vector<float>> stretch(static_cast<std::size_t>(meshes));
  for (std::size_t i = 0; i < stretch.size(); ++i) {
    const hdf5::Dataset set = in.describe(stretch_path(i));
    if (set.type != hdf5::Type::f32 || set.extents.size() != 1)
      in.damaged(fmt::format("'{}' is not one number per edge", stretch_path(i)));
    stretch[i].resize(set.extents[0]);
    in.read(stretch_path(i), set, stretch[i].data());
    const auto sound = [](float s) { return std::isfinite(s) && s >= 0; };
    if (const auto at = std::find_if_not(stretch[i].begin(), stretch[i].end(), sound); at != stretch[i].end())
      in.damaged(fmt::format("the stretch of edge {} of mesh {} is {}", at - stretch[i].begin(), i, *at));
  }
  return stretch;
}

}  // namespace

Frame make_frame(const World& world, const std::vector<std::string>& columns, double dx) {
  Frame frame{world.dimension, world.clock.time, world.clock.frame, world.clock.step, dx, {}, {}};
  const std::vector<std::uint32_t> order = order_by_id(world.particles);
  frame.particles.resize(world.particles.count());
  for (const Column* c : chosen_columns(world.particles, columns)) {
    Column& copy = frame.particles.add(shown_name(*c), c->scalar, c->components, c->unit);
    show(*c, order, world.dimension, copy.data);
  }
  return frame;
}

void write_frame(const std::filesystem::path& path, const World& world, const std::vector<std::string>& columns,
                 double dx, const std::vector<std::span<const float>>& edge_stretch) {
  const std::vector<const Column*> chosen = chosen_columns(world.particles, columns);
  const std::vector<std::uint32_t> order = order_by_id(world.particles);
  WholeFile file(path);
  hdf5::Writer out(file, path);
  // What the file is
  out.attribute("/", "format", std::string("knead-frame"));
  out.attribute("/", "version", newest_frame);
  out.attribute("/", "dimension", std::int64_t(world.dimension));
  out.attribute("/", "time", world.clock.time);
  out.attribute("/", "frame", world.clock.frame);
  out.attribute("/", "step", world.clock.step);
  out.attribute("/", "dx", dx);
  // The columns
  std::vector<Column> headers;
  for (const Column* c : chosen) headers.push_back(header_of(*c));
  std::vector<const Column*> shown;
  for (const Column& header : headers) shown.push_back(&header);
  begin_columns(out, world.particles.count(), shown);
  Bytes sorted;
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const Column& c = *chosen[k];
    const bool as_it_lies = order.empty() && c.name != strain_column;
    if (!as_it_lies) show(c, order, world.dimension, sorted);
    write_column(out, headers[k], world.dimension, world.particles.count(), as_it_lies ? c.data.data() : sorted.data());
  }
  if (!edge_stretch.empty()) write_edges(out, edge_stretch);
  out.finish();
  file.keep();
}

namespace {

Frame read_frame_columns(const hdf5::Reader& in, const std::filesystem::path& path,
                         const std::vector<std::string>& only) {
  check_format(in, path, "knead-frame", newest_frame);
  Frame frame;
  frame.dimension = static_cast<int>(in.integer("/", "dimension"));
  frame.time = in.number("/", "time");
  frame.number = in.integer("/", "frame");
  frame.step = in.integer("/", "step");
  frame.dx = in.number("/", "dx");
  if (frame.dimension != 2 && frame.dimension != 3) in.damaged(fmt::format("its dimension is {}", frame.dimension));
  if (!std::isfinite(frame.time)) in.damaged("its time is not a number");
  frame.particles = read_columns(in, particles_group, only);
  const Column* x = frame.particles.find("x");
  if (!x || x->components != frame.dimension || x->scalar == Scalar::i32) in.damaged("it has no positions 'x'");
  if (const std::string fault = fault_of(frame.particles); !fault.empty()) in.damaged(fault);
  frame.edge_stretch = read_edges(in);
  return frame;
}

}  // namespace

Frame read_frame(const std::filesystem::path& path) { return read_frame_columns(hdf5::Reader(path), path, {}); }

FrameStamp read_frame_stamp(const std::filesystem::path& path) {
  const hdf5::Reader in(path);
  return {in.integer("/", "frame"), in.number("/", "time"), in.integer("/", "step")};
}

Frame read_frame_part(const std::filesystem::path& path, std::vector<std::string> columns) {
  columns.push_back("x");
  return read_frame_columns(hdf5::Reader(path), path, columns);
}

}  // namespace knead
