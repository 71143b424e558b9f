#include "output/run_folder.h"

#include "base/error.h"
#include "output/export.h"
#include "output/mesh_writer.h"

#include <algorithm>
#include <charconv>

namespace knead {

namespace fs = std::filesystem;

namespace {

void remove_file(const fs::path& path) {
  std::error_code error;
  if (!fs::remove(path, error) && error) fail(Exit::file, "cannot remove '{}': {}", path.string(), error.message());
}

// What an exporter, or a writer of surfaces, wrote into its folder. A folder that is a link is somebody else's.
void remove_exported(const fs::path& folder, const std::string& format) {
  std::error_code ignored;
  if (fs::symlink_status(folder, ignored).type() != fs::file_type::directory) return;
  for (std::int64_t n : numbered_files(folder, "frame", "." + format))
    remove_file(folder / numbered_name("frame", n, "." + format));
  for (const char* beside : {"frames.pvd", "surface.mtl"}) remove_file(folder / beside);
  fs::remove(folder, ignored);  // where nothing else is in it
}

// A part of the run folder, made where it is missing. A link in its place would send files where nobody looks for them.
void make_part(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (status.type() == fs::file_type::directory) return;
  if (fs::exists(status))
    fail(Exit::file, "cannot write into '{}': it is {}, not a folder", path.string(),
         fs::is_symlink(status) ? "a link" : "a file");
  if (!fs::create_directory(path, error) && error)
    fail(Exit::file, "cannot make the folder '{}': {}", path.string(), error.message());
}

}  // namespace

std::string numbered_name(std::string_view stem, std::int64_t number, std::string_view extension) {
  return fmt::format("{}.{:04}{}", stem, number, extension);
}

std::vector<std::int64_t> numbered_files(const fs::path& folder, std::string_view stem, std::string_view extension) {
  std::vector<std::int64_t> numbers;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.size() < stem.size() + 1 + extension.size() || !name.starts_with(stem) || !name.ends_with(extension))
      continue;
    std::int64_t number = 0;
    std::from_chars(name.data() + stem.size() + 1, name.data() + name.size() - extension.size(), number);
    // The name must be the one that this number gets: "frame.01.h5" and "frame.0001 copy.h5" are somebody else's.
    if (number >= 0 && name == numbered_name(stem, number, extension)) numbers.push_back(number);
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

fs::path RunFolder::frame(std::int64_t number) const { return frames_folder() / numbered_name("frame", number, ".h5"); }
fs::path RunFolder::checkpoint(std::int64_t frame) const {
  return checkpoints_folder() / numbered_name("checkpoint", frame, ".h5");
}

bool RunFolder::holds_a_run() const {
  std::error_code error;
  for (const fs::path& file : {scene(), run_json(), stats()})
    if (fs::exists(fs::symlink_status(file, error))) return true;
  return !frames().empty() || !checkpoints().empty();
}

void RunFolder::prepare() const {
  std::error_code error;
  const fs::file_status status = fs::status(path_, error);
  if (fs::exists(status) && !fs::is_directory(status))
    fail(Exit::file, "cannot write into '{}': it is a file, not a folder", path_.string());
  fs::create_directories(path_, error);
  if (error) fail(Exit::file, "cannot make the folder '{}': {}", path_.string(), error.message());
  make_part(frames_folder());
  make_part(checkpoints_folder());
}

std::vector<std::int64_t> RunFolder::frames() const { return numbered_files(frames_folder(), "frame", ".h5"); }
std::vector<std::int64_t> RunFolder::checkpoints() const {
  return numbered_files(checkpoints_folder(), "checkpoint", ".h5");
}

int RunFolder::remove_frames_after(std::int64_t number) const {
  int removed = 0;
  for (std::int64_t n : frames())
    if (n > number) remove_file(frame(n)), ++removed;
  return removed;
}

void RunFolder::remove_checkpoints_after(std::int64_t number) const {
  for (std::int64_t n : checkpoints())
    if (n > number) remove_file(checkpoint(n));
}

void RunFolder::keep_last_checkpoints(int count) const {
  const std::vector<std::int64_t> numbers = checkpoints();
  const std::size_t kept = std::min(numbers.size(), static_cast<std::size_t>(std::max(count, 0)));
  for (std::size_t i = 0; i + kept < numbers.size(); ++i) remove_file(checkpoint(numbers[i]));
}

void RunFolder::clear() const {
  keep_last_checkpoints(0);
  remove_frames_after(-1);
  for (const Exporter* e : exporters()) remove_exported(path_ / e->name(), e->name());
  for (const char* surfaces : {"cracks", "skin"})
    for (const MeshWriter* w : mesh_writers()) remove_exported(path_ / surfaces, w->name());
  // The scene goes last: until then the folder can be told to be of this scene.
  for (const fs::path& file : {path_ / "film.mp4", rest_mesh(), stats(), log(), run_json(), scene()}) remove_file(file);
}

}  // namespace knead
