#include "output/whole_file.h"

#include "base/error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

namespace knead {

namespace {

constexpr std::size_t buffer_size = std::size_t(1) << 20;

// Not destroyed: threads that the end of the program does not wait for may still write.
struct PartialNames {
  std::mutex mutex;
  std::multiset<std::filesystem::path> paths;
};
PartialNames& partial_names() {
  static auto* const names = new PartialNames;
  return *names;
}

// Makes the new name itself last through a power cut. Not every file system can, and the data is safe already.
void flush_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  const int f = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (f < 0) return;
  ::fsync(f);
  ::close(f);
}

}  // namespace

PartialName::PartialName(std::filesystem::path path) : path_(std::move(path)) {
  const std::lock_guard lock(partial_names().mutex);
  partial_names().paths.insert(path_);
}

PartialName::~PartialName() {
  const std::lock_guard lock(partial_names().mutex);
  auto& paths = partial_names().paths;
  paths.erase(paths.find(path_));
}

void remove_partial_files() {
  const std::lock_guard lock(partial_names().mutex);
  for (const std::filesystem::path& path : partial_names().paths) ::unlink(path.c_str());
}

WholeFile::WholeFile(std::filesystem::path path)
    : path_(std::move(path)), partial_(path_.string() + ".part"), name_(partial_) {
  // What a killed run left under this name is stale; a link planted there must not be followed.
  ::unlink(partial_.c_str());
  file_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
  if (file_ < 0) stop(errno);
}

WholeFile::~WholeFile() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(partial_.c_str());
}

void WholeFile::write(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() >= buffer_size) flush();
}

void WholeFile::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t n = ::write(file_, left.data(), left.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) stop(n < 0 ? errno : ENOSPC);
    left.remove_prefix(static_cast<std::size_t>(n));
  }
  buffer_.clear();
}

void WholeFile::keep() {
  flush();
  if (::fsync(file_) != 0 && errno != EINVAL && errno != ENOTSUP) stop(errno);
  if (::rename(partial_.c_str(), path_.c_str()) != 0) stop(errno);
  const int f = std::exchange(file_, -1);
  if (::close(f) != 0) stop(errno);
  flush_folder_of(path_);
}

void WholeFile::stop(int error) const {
  const std::string kind = path_.extension().string();
  fail(Exit::file, "cannot write '{}': {}", path_.string(),
       kind == ".png"   ? write_trouble(error, "make a smaller picture")
       : kind == ".svg" ? write_trouble(error, "draw fewer curves")
                        : write_trouble(error));
}

std::string write_trouble(int error, const char* smaller) {
  std::string text = std::strerror(error);
  if (error == EFBIG) text += fmt::format("; raise the limit on the size of files (ulimit -f), or {}", smaller);
  if (error == ENOSPC || error == EDQUOT) text += "; free some space there, or write to another disk";
  return text;
}

void write_whole(const std::filesystem::path& path, std::string_view bytes) {
  WholeFile file(path);
  file.write(bytes);
  file.keep();
}

void write_whole(const std::filesystem::path& path, const std::function<void(WholeFile&)>& write) {
  WholeFile file(path);
  write(file);
  file.keep();
}

std::string read_whole(const std::filesystem::path& path, std::size_t limit) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) fail(Exit::file, "cannot read '{}': {}", path.string(), std::strerror(errno));
  if (!S_ISREG(info.st_mode)) fail(Exit::bad_input, "'{}' is not a regular file", path.string());
  if (static_cast<std::size_t>(info.st_size) > limit)
    fail(Exit::bad_input, "'{}' has {} bytes; at most {} are expected", path.string(), info.st_size, limit);
  const int f = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (f < 0) fail(Exit::file, "cannot read '{}': {}", path.string(), std::strerror(errno));
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t done = 0;
  int error = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::read(f, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) error = errno;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  ::close(f);
  if (error) fail(Exit::file, "cannot read '{}': {}", path.string(), std::strerror(error));
  bytes.resize(done);
  return bytes;
}

}  // namespace knead
