#include "output/export.h"

#include "base/nearest.h"
#include "output/exporter_list.h"
#include "output/lost_frames.h"
#include "output/mesh_writer.h"
#include "output/run_frames.h"
#include "scene/read.h"
#include "world/quantities.h"

#include <algorithm>

namespace knead {

namespace {

ExportedFile export_frame(const Exporter& exporter, const Frame& frame, const std::filesystem::path& folder) {
  if (!frame.particles.find("x")) fail(Exit::bad_input, "frame {} has no positions 'x'", frame.number);
  const std::string name = numbered_name("frame", frame.number, "." + exporter.name());
  write_whole(folder / name, [&](WholeFile& file) { exporter.write(frame, file); });
  return {frame.time, name};
}

// Whether a file's number is that of the other or above it: longer names have more digits.
bool at_or_after(const ExportedFile& file, const std::string& other) {
  return file.name.size() != other.size() ? file.name.size() > other.size() : file.name >= other;
}

// The format of surfaces that a name means, which frames of particles do not have; empty where it means none.
std::string surface_format(std::string_view name) {
  if (name.starts_with("usd")) return "usda";
  for (const MeshWriter* writer : mesh_writers())
    if (writer->name() == name) return writer->name();
  return "";
}

}  // namespace

void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail(Exit::file, "cannot make the folder '{}': {}", folder.string(), error.message());
}

void Exporter::write_index(const std::filesystem::path&, const std::vector<ExportedFile>&) const {}
std::vector<ExportedFile> Exporter::read_index(const std::filesystem::path&) const { return {}; }

std::span<const Exporter* const> exporters() {
  static const std::vector<const Exporter*> list = {&vtp_exporter(), &ply_exporter(), &csv_exporter(), &npz_exporter(),
                                                    &geo_exporter()};
  return list;
}

const Exporter& find_exporter(std::string_view name) {
  std::vector<std::string> names;
  for (const Exporter* e : exporters()) {
    if (e->name() == name) return *e;
    names.push_back(e->name());
  }
  const std::string surfaces = surface_format(name);
  fail(Exit::usage, "there is no format '{}'{}; the formats are {}{}", name,
       surfaces.empty() ? did_you_mean(name, names) : "", fmt::join(names, ", "),
       surfaces.empty() ? "" : fmt::format("; surfaces come from `knead mesh DIR --skin --format {}`", surfaces));
}

ExportSequence::ExportSequence(const Exporter& exporter, std::filesystem::path folder)
    : exporter_(exporter), folder_(std::move(folder)) {
  make_folder(folder_);
  files_ = exporter_.read_index(folder_);
}

void ExportSequence::write(const Frame& frame) {
  ExportedFile file = export_frame(exporter_, frame, folder_);
  std::erase_if(files_, [&](const ExportedFile& old) { return at_or_after(old, file.name); });
  files_.push_back(std::move(file));
  exporter_.write_index(folder_, files_);
}

SaidQuantity said_quantity(const std::string& said) {
  // The first = that is not part of a comparison.
  const std::size_t at = said.find('=');
  const bool named = at != std::string::npos && is_name(said.substr(0, at)) && said.substr(at, 2) != "==";
  SaidQuantity quantity =
      named ? SaidQuantity{said.substr(0, at), said.substr(at + 1)} : SaidQuantity{plain_quantity(said), said};
  if (!is_name(quantity.name))
    fail(Exit::usage, "--add {:.120}: the column needs a name, as in --add NAME={:.120}", said, said);
  return quantity;
}

std::vector<std::string> add_quantities(Frame& frame, const Scene& scene, const std::vector<std::string>& quantities) {
  Particles& particles = frame.particles;
  std::vector<std::string> names;
  for (const std::string& said : quantities) {
    const auto [name, text] = said_quantity(said);
    names.push_back(name);
    if (particles.find(name)) {
      if (plain_quantity(text) == name) continue;
      fail(Exit::usage, "--add {:.120}: the frames have a column '{}' already; give another name", said, name);
    }
    try {
      const Quantity quantity(text, particles, frame.dimension,
                              volume_ratio_of(scene, particles, frame.dimension, frame.time));
      const std::vector<float> values = values_of(quantity, particles.count());
      const auto column = particles.add<float>(name, quantity.unit);
      std::copy(values.begin(), values.end(), column.begin());
    } catch (const Failure& failure) {
      fail(Exit::usage, "--add {:.120}: {}", said, failure.what());
    }
  }
  return names;
}

std::size_t export_run(const RunFolder& folder, const Exporter& exporter, const std::filesystem::path& out,
                       const ExportOptions& options) {
  std::vector<std::int64_t> numbers = folder.frames();
  if (numbers.empty()) fail(Exit::bad_input, "there are no frames in '{}'", folder.frames_folder().string());
  const std::int64_t first = options.first.value_or(numbers.front()), last = options.last.value_or(numbers.back());
  const std::int64_t every = std::max<std::int64_t>(1, options.every);
  const std::string there = fmt::format("{} to {}", numbers.front(), numbers.back());
  std::erase_if(numbers, [&](std::int64_t n) { return n < first || n > last || (n - first) % every != 0; });
  if (numbers.empty())
    fail(Exit::bad_input, "there are no frames {} to {} in '{}'; it has {}", first, last,
         folder.frames_folder().string(), there);
  const std::optional<Scene> scene =
      options.quantities.empty() ? std::nullopt : std::optional(read_scene(folder.scene()));
  make_folder(out);
  if (const std::string lost = lost_frames_warning(folder, options); options.warn && !lost.empty()) options.warn(lost);
  const RunFrames run_frames(folder);
  std::vector<ExportedFile> files;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Frame frame;
    try {
      frame = run_frames.read(numbers[i]);
    } catch (const Failure& failure) {
      if (failure.code != Exit::bad_input) throw;
      if (options.warn) options.warn(fmt::format("{}; it is left out", failure.what()));
      continue;
    }
    if (scene) add_quantities(frame, *scene, options.quantities);
    files.push_back(export_frame(exporter, frame, out));
    if (options.progress) options.progress(i + 1, numbers.size());
  }
  if (files.empty()) fail(Exit::bad_input, "none of the frames in '{}' can be read", folder.frames_folder().string());
  exporter.write_index(out, files);
  return files.size();
}

}  // namespace knead
