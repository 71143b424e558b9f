#include "run/disk_estimate.h"

#include "output/export.h"

#include <unistd.h>

#include <chrono>
#include <numeric>

namespace knead {

namespace {

// Some of the particles, as a world of their own; zeros where there are fewer.
World some_of(const World& world, std::size_t count) {
  World some;
  some.dimension = world.dimension;
  some.particles.resize(count);
  for (const Column& c : world.particles.columns()) {
    Column& copy = some.particles.add(c.name, c.scalar, c.components, c.unit);
    std::memcpy(copy.data.data(), c.data.data(), std::min(copy.data.size(), c.data.size()));
  }
  const auto id = some.particles.get<std::int32_t>("id");
  std::iota(id.begin(), id.end(), 0);
  return some;
}

double columns_bytes(const Particles& particles) {
  double bytes = 0;
  for (const Column& c : particles.columns()) bytes += double(c.data.size());
  return bytes;
}

// By writing it; 0 where there is no room even for that.
double exported_bytes(const Exporter& exporter, const Frame& frame) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path file = fs::temp_directory_path(error) / fmt::format("knead-check-{}.{}", ::getpid(), exporter.name());
  if (error) return 0;
  try {
    write_whole(file, [&](WholeFile& out) { exporter.write(frame, out); });
  } catch (const Failure&) {
    return 0;
  }
  const auto size = fs::file_size(file, error);
  fs::remove(file, error);
  return double(size);
}

}  // namespace

double frame_bytes(const Scene& scene, const World& world, double particles) {
  constexpr std::size_t most = 2000;
  const std::size_t count = world.particles.count(), some = count == 0 ? most : std::min(count, most);
  const Frame frame = make_frame(some_of(world, some), scene.output.columns, scene.solver.dx);
  double bytes = columns_bytes(frame.particles);
  for (const std::string& format : scene.output.formats) bytes += exported_bytes(find_exporter(format), frame);
  return bytes * particles / double(some);
}

double frame_seconds(const Scene& scene, const World& world, double particles) {
  constexpr std::size_t most = 100'000;
  const std::size_t some = std::min(world.particles.count(), most);
  std::error_code error;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path(error) / fmt::format("knead-check-{}.h5", ::getpid());
  if (error || some == 0) return 0;
  const World written = some_of(world, some);
  using Watch = std::chrono::steady_clock;
  double seconds = 0;
  try {
    const auto start = Watch::now();
    write_frame(file, written, scene.output.columns, scene.solver.dx);
    seconds = std::chrono::duration<double>(Watch::now() - start).count();
  } catch (const Failure&) {
    return 0;  // no room even for that
  }
  std::filesystem::remove(file, error);
  return seconds * std::max(1.0, particles / double(some));
}

double film_bytes(const Scene& scene, double frames) {
  constexpr double bits_per_pixel = 0.1;
  return frames * scene.camera.width * scene.camera.height * bits_per_pixel / 8;
}

}  // namespace knead
