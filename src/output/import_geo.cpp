#include "output/import_geo.h"

#include "base/elementary.h"
#include "output/export.h"
#include "scene/value_text.h"
#include "world/sound.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

namespace knead {

namespace {

namespace fs = std::filesystem;

// By the number at the end of their names; without one in the order of the names.
std::map<std::int64_t, fs::path> geo_files(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code trouble;
  for (fs::directory_iterator at(folder, trouble), end; !trouble && at != end; at.increment(trouble))
    if (at->path().extension() == ".geo") paths.push_back(at->path());
  if (trouble) fail(Exit::bad_input, "cannot open the folder '{}': {}", folder.string(), trouble.message());
  if (paths.empty())
    fail(Exit::bad_input, "{} holds no .geo files; 'knead export DIR --to geo' makes some", folder.string());
  std::sort(paths.begin(), paths.end());
  std::map<std::int64_t, fs::path> files;
  for (const fs::path& path : paths) {
    const std::string stem = path.stem().string();
    std::size_t first = stem.size();
    while (first > 0 && stem.size() - first < 9 && std::isdigit(static_cast<unsigned char>(stem[first - 1]))) --first;
    const bool numbered = first < stem.size();
    const std::int64_t number = numbered ? std::stoll(stem.substr(first)) : std::int64_t(files.size()) + 1;
    if (const auto [at, fresh] = files.try_emplace(number, path); !fresh)
      fail(Exit::bad_input, "{} and {} are both of frame {}", at->second.string(), path.string(), number);
  }
  return files;
}

bool is_flat(const Frame& frame) {
  const Column& x = *frame.particles.find("x");
  for (std::size_t i = 0; i < frame.particles.count(); ++i)
    if (x.value(i, 2) != 0) return false;
  return true;
}

// 2 where all points of all files lie in the plane.
int dimension_of(const std::map<std::int64_t, fs::path>& files) {
  return std::all_of(files.begin(), files.end(), [](const auto& file) { return is_flat(read_geo(file.second)); }) ? 2
                                                                                                                  : 3;
}

// The last where none has any.
Frame first_with_points(const std::map<std::int64_t, fs::path>& files, int dimension) {
  Frame frame;
  for (auto at = files.begin(); at != files.end() && frame.particles.count() == 0; ++at)
    frame = read_geo(at->second, dimension);
  return frame;
}

Bounds bounds_of(const Frame& frame) {
  Bounds bounds;
  const Column& x = *frame.particles.find("x");
  for (std::size_t i = 0; i < frame.particles.count(); ++i) {
    Vec3d p{};
    for (int k = 0; k < frame.dimension; ++k) p[k] = x.value(i, k);
    if (std::isfinite(dot(p, p))) bounds.add(p);
  }
  if (bounds.empty(frame.dimension)) bounds = Bounds::around({}, Vec3d::filled(0.5));
  return bounds;
}

// The median distance to the nearest other point, of some of them.
double usual_distance(const Frame& frame) {
  const Column& x = *frame.particles.find("x");
  const std::size_t count = frame.particles.count(), step = count / 200 + 1;
  std::vector<double> nearest;
  for (std::size_t i = 0; i < count; i += step) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < count; ++j) {
      double square = 0;
      for (int k = 0; k < frame.dimension; ++k)
        square += (x.value(i, k) - x.value(j, k)) * (x.value(i, k) - x.value(j, k));
      if (square > 0) least = std::min(least, square);
    }
    if (std::isfinite(least)) nearest.push_back(std::sqrt(least));
  }
  if (nearest.empty()) return 0.01;
  const auto middle = nearest.begin() + std::ssize(nearest) / 2;
  std::nth_element(nearest.begin(), middle, nearest.end());
  return *middle;
}

std::int32_t bodies_in(const Frame& frame) {
  const Column* body = frame.particles.find("body");
  double most = 0;
  for (std::size_t i = 0; body && i < frame.particles.count(); ++i) most = std::max(most, body->value(i));
  constexpr double sensible = 1000;
  return static_cast<std::int32_t>(std::min(most, sensible)) + 1;
}

// `some` is a frame with the size of all.
std::string scene_text(const std::string& name, const fs::path& from, const Frame& some, std::int64_t first,
                       std::int64_t last, double size, double fps) {
  const int d = some.dimension;
  const Bounds box = bounds_of(some).grown(2 * size);  // of two cells at least, however thin the matter is
  const auto vector = [&](const Vec3d& v) {
    return d == 2 ? fmt::format("[{}, {}]", v[0], v[1]) : fmt::format("[{}, {}, {}]", v[0], v[1], v[2]);
  };
  std::string text = fmt::format(
      "format = 1\n\n[scene]\nname = {}\ndescription = {}\ndimension = {}\nduration = {}\nfps = {}\nstart_frame = "
      "{}\n\n"
      "[solver]\ndx = {}\n\n[materials.matter]\nmodel = \"neo-hookean\"\n",
      quoted_text(name), quoted_text("Frames of " + from.string() + ", not simulated here."), d,
      std::max<double>(1, double(last - first)) / fps, fps, first, 2 * size);
  for (std::int32_t b = 0; b < bodies_in(some); ++b)
    text += fmt::format(
        "\n[[body]]\nname = \"body{}\"\nmaterial = \"matter\"\nshape = {{ type = \"box\", center = {}, size = {} }}\n",
        b, vector(box.center()), vector(box.size()));
  return text;
}

// With all that is drawn: those of the file, and for what it lacks the least that there can be.
World world_of(const Frame& frame, const Frame* next, double size, double fps, std::int64_t start) {
  World world;
  world.dimension = frame.dimension;
  world.clock.frame = frame.number;
  world.clock.time = double(frame.number - start) / fps;
  Particles& p = world.particles = frame.particles;
  const std::size_t n = p.count();
  const auto d = static_cast<std::size_t>(frame.dimension);
  const auto whole = [&](const char* name, auto value) {
    if (const Column* c = p.find(name); c && c->scalar == Scalar::i32 && c->components == 1) return;
    std::erase_if(p.columns(), [&](const Column& c) { return c.name == name; });
    const auto column = p.add<std::int32_t>(name);
    for (std::size_t i = 0; i < n; ++i) column[i] = value(i);
  };
  whole("id", [](std::size_t i) { return static_cast<std::int32_t>(i); });
  whole("body", [](std::size_t) { return 0; });
  if (!p.find("volume")) {
    const auto volume = p.add<double>("volume", "m^3");
    std::fill(volume.begin(), volume.end(), elementary::power(size, frame.dimension));
  }
  if (!p.find("v") && next && next->particles.count() == n) {
    p.add("v", Scalar::f64, frame.dimension, "m/s");
    const Column &x = *p.find("x"), &then = *next->particles.find("x");
    const double rate = fps / double(std::max<std::int64_t>(1, std::abs(next->number - frame.number)));
    const double way = next->number > frame.number ? rate : -rate;
    auto* v = reinterpret_cast<double*>(p.find("v")->data.data());
    for (std::size_t i = 0; i < n * d; ++i) v[i] = (then.value(i / d, int(i % d)) - x.value(i / d, int(i % d))) * way;
  }
  return world;
}

// What is made of a run folder. Unless it is kept nothing of it stays, so that a second try finds no run there.
class NewRun {
 public:
  explicit NewRun(const RunFolder& folder) : folder_(folder), was_there_(fs::exists(folder.path())) {}
  ~NewRun() {
    if (kept_) return;
    std::error_code ignored;
    for (const std::int64_t number : frames_) fs::remove(folder_.frame(number), ignored);
    fs::remove(folder_.scene(), ignored);
    // Only where they are empty.
    fs::remove(folder_.frames_folder(), ignored);
    fs::remove(folder_.checkpoints_folder(), ignored);
    if (!was_there_) fs::remove(folder_.path(), ignored);
  }
  NewRun(const NewRun&) = delete;

  fs::path add(std::int64_t frame) { return frames_.push_back(frame), folder_.frame(frame); }
  void keep() { kept_ = true; }

 private:
  const RunFolder& folder_;
  bool was_there_, kept_ = false;
  std::vector<std::int64_t> frames_;
};

}  // namespace

std::size_t import_geo(const fs::path& from, const RunFolder& to, const ImportOptions& options) {
  const std::map<std::int64_t, fs::path> files = geo_files(from);
  const int dimension = dimension_of(files);
  const auto frame_of = [&](const std::pair<const std::int64_t, fs::path>& file) {
    Frame frame = read_geo(file.second, dimension);
    frame.number = file.first;
    return frame;
  };
  std::optional<Frame> before, frame = frame_of(*files.begin());
  const Frame some = first_with_points(files, dimension);
  const double size = options.size.value_or(usual_distance(some));
  const std::int64_t start = frame->number;
  NewRun made(to);
  to.prepare();
  write_whole(to.scene(),
              scene_text(to.path().filename().string(), from, some, start, files.rbegin()->first, size, options.fps));
  std::size_t done = 0;
  for (auto at = files.begin(); at != files.end();) {
    std::optional<Frame> next;
    if (++at != files.end()) next = frame_of(*at);
    const Frame* other = next ? &*next : before ? &*before : nullptr;
    const World world = world_of(*frame, other, size, options.fps, start);
    if (const std::string fault = fault_of(world.particles); !fault.empty())
      fail(Exit::bad_input, "{}: {}", files.at(frame->number).string(), fault);
    write_frame(made.add(frame->number), world, {}, 2 * size);
    if (options.progress) options.progress(++done, files.size());
    before = std::move(frame), frame = std::move(next);
  }
  made.keep();
  return files.size();
}

}  // namespace knead
