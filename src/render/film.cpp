#include "render/film.h"

#include "base/error.h"
#include "output/lost_frames.h"
#include "output/run_frames.h"
#include "render/ffmpeg.h"
#include "scene/overrides.h"
#include "scene/read.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace knead {
namespace {

namespace fs = std::filesystem;

// The place of a number in a file name: "x.%04d.png" is "x.", 4, ".png".
struct Pattern {
  std::string before, after;
  int digits = 0;
  std::string name(std::int64_t number) const { return fmt::format("{}{:0{}}{}", before, number, digits, after); }
};

std::optional<Pattern> pattern_of(const std::string& path) {
  const std::size_t at = path.find('%');
  if (at == std::string::npos) return {};
  std::size_t end = at + 1;
  while (end < path.size() && std::isdigit(static_cast<unsigned char>(path[end]))) ++end;
  const bool number = end < path.size() && path[end] == 'd' && end - at <= 3;
  if (!number || path.find('%', end) != std::string::npos)
    fail(Exit::usage, "{}: write the frame's number in the name as %04d, once", path);
  const int digits = end > at + 1 ? std::stoi(path.substr(at + 1, end - at - 1)) : 1;
  return Pattern{path.substr(0, at), path.substr(end + 1), std::max(1, digits)};
}

std::vector<std::int64_t> chosen_frames(const RunFolder& folder, const FilmOptions& options) {
  const std::vector<std::int64_t> all = folder.frames();
  if (all.empty()) fail(Exit::bad_input, "{}: there are no frames to draw", folder.frames_folder().string());
  std::vector<std::int64_t> chosen;
  for (const std::int64_t n : all)
    if (n >= options.first.value_or(all.front()) && n <= options.last.value_or(all.back()) &&
        (n - options.first.value_or(all.front())) % std::max(1, options.every) == 0)
      chosen.push_back(n);
  if (chosen.empty())
    fail(Exit::bad_input, "{}: no frame is selected; there are frames {} to {}", folder.path().string(), all.front(),
         all.back());
  return chosen;
}

// How many frames of the scene pass from one chosen frame to the next: the usual gap, so that a missing frame does not
// change the speed of the film. The last gap counts only where it is the only one: a run's last frame may be out of
// step.
std::int64_t usual_gap(const std::vector<std::int64_t>& numbers) {
  std::vector<std::int64_t> gaps;
  for (std::size_t i = 1; i < numbers.size(); ++i) gaps.push_back(numbers[i] - numbers[i - 1]);
  if (gaps.empty()) return 1;
  if (gaps.size() > 1) gaps.pop_back();
  const auto middle = gaps.begin() + std::ptrdiff_t((gaps.size() - 1) / 2);
  std::nth_element(gaps.begin(), middle, gaps.end());
  return *middle;
}

// Reads frames, and notes those that cannot be read instead of giving up.
class FrameReader {
 public:
  FrameReader(const RunFolder& folder, FilmReport& report) : folder_(folder), frames_(folder), report_(report) {}
  std::optional<Frame> operator()(std::int64_t number) {
    if (bad_.count(number)) return {};
    try {
      return frames_.read(number);
    } catch (const Failure& failure) {
      bad_[number] = failure.what();
      report_.warnings.push_back(fmt::format("frame {} is skipped: {}", number, failure.what()));
      return {};
    }
  }
  // When none of the frames asked for could be read: the reason is that of the last one.
  [[noreturn]] void fail_at(const std::vector<std::int64_t>& numbers) const {
    const auto [first, last] = std::minmax_element(numbers.begin(), numbers.end());
    const std::string which = *first == *last ? fmt::format("frame {} cannot be read", *last)
                                              : fmt::format("none of the frames {} to {} can be read", *first, *last);
    fail(Exit::bad_input, "{}: {}: {}", folder_.path().string(), which, bad_.at(*last));
  }

 private:
  const RunFolder& folder_;
  RunFrames frames_;
  FilmReport& report_;
  std::map<std::int64_t, std::string> bad_;  // and why
};

// The camera and the colours follow the whole run, whichever frames are drawn, so that single pictures match the film.
FilmRange range_of(const Scene& scene, const std::vector<std::int64_t>& all, FrameReader& read,
                   const RenderOptions& options) {
  FilmRange range;
  std::set<std::size_t> seen;
  constexpr std::size_t looks = 5;
  for (std::size_t i = 0; i < looks; ++i) {
    const std::size_t at = (all.size() - 1) * i / (looks - 1);
    if (!seen.insert(at).second) continue;
    if (const auto frame = read(all[at])) extend(range, scene, *frame, options);
  }
  return range;
}

std::string lower(std::string s) {
  for (char& c : s) c = char(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

}  // namespace

FilmReport render_run(const RunFolder& folder, const fs::path& out, const FilmOptions& options,
                      const std::function<bool(const FilmProgress&)>& progress) {
  // What is asked for.
  const std::string kind = lower(out.extension().string());
  if (kind != ".png" && kind != ".mp4")
    fail(Exit::usage, "{}: pictures are written as .png and films as .mp4", out.string());
  const bool film = kind == ".mp4";
  const std::optional<Pattern> pattern = film ? std::nullopt : pattern_of(out.string());
  for (const std::string& set : options.sets) check_of_pictures(set);
  const Scene scene = read_scene(folder.scene(), options.sets);
  std::vector<std::int64_t> numbers = chosen_frames(folder, options);
  FilmReport report;
  FrameReader read(folder, report);
  RenderOptions render = options.render;
  const Camera camera = camera_for(scene, render);
  if (render.velocity && scene.scene.dimension == 3)
    report.warnings.push_back("velocities are drawn only in 2D; --color v shows the speed in 3D");
  const bool sequence = film || pattern;
  ExportOptions range;
  range.first = options.first, range.last = options.last, range.every = options.every;
  if (const std::string lost = lost_frames_warning(folder, range); sequence && !lost.empty()) {
    report.warnings.push_back(lost);
    report.whole = false;
  }
  if (!render.film) render.film = range_of(scene, folder.frames(), read, render);
  std::optional<CrackSequence> cracks;
  if (options.cracks) cracks.emplace(folder, *options.cracks);
  const auto picture_of = [&](const Frame& frame) {
    if (!cracks && !options.skin) return render_frame(scene, frame, render);
    const SurfaceFrame surfaces = cracks ? cracks->surface(frame) : skin_frame(frame, scene, *options.skin);
    render.surfaces = &surfaces;
    return render_frame(scene, frame, render);
  };

  // One picture: the last frame that can be read.
  if (!sequence) {
    std::reverse(numbers.begin(), numbers.end());
    for (const std::int64_t n : numbers)
      if (const auto frame = read(n)) {
        write_png(out, picture_of(*frame));
        report.pictures = 1;
        report.files = {out};
        report.frame = n;
        if (options.first != options.last && numbers.size() > 1)
          report.warnings.push_back(fmt::format("{} shows only frame {}; {}.%04d.png gives one picture per frame",
                                                out.string(), n, out.stem().string()));
        if (progress) progress({1, 1, n});
        return report;
      } else {
        report.whole = false;
      }
    read.fail_at(numbers);
  }

  // A sequence or a film.
  std::optional<FilmWriter> writer;
  if (film) writer.emplace(out, camera.width, camera.height, scene.scene.fps / double(usual_gap(numbers)));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto frame = read(numbers[i]);
    if (!frame) {
      report.whole = false;
      continue;
    }
    const Image image = picture_of(*frame);
    ++report.pictures;
    if (film) {
      writer->add(image);
    } else {
      report.files.push_back(pattern->name(numbers[i]));
      write_png(report.files.back(), image);
    }
    if (progress && !progress({i + 1, numbers.size(), numbers[i]})) break;
  }
  if (report.pictures == 0) read.fail_at(numbers);
  if (film) {
    writer->keep();
    report.files = {out};
  }
  return report;
}

}  // namespace knead
