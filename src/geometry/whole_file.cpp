#include "geometry/whole_file.h"

#include "base/error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace knead {

namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

}  // namespace

std::string read_whole_file(const std::filesystem::path& file, const char* what, std::int64_t limit) {
  const std::string name = file.string();
  // Looked at before it is opened, since opening a pipe or a device can wait or do things; looked at again afterwards.
  struct stat info {};
  if (::stat(name.c_str(), &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) fail(Exit::bad_input, "{}: no such file (wanted a {})", name, what);
    if (errno == ENAMETOOLONG || errno == ELOOP) fail(Exit::bad_input, "{:.200}: {}", name, std::strerror(errno));
    fail(Exit::file, "{}: cannot read the {}: {}", name, what, std::strerror(errno));
  }
  if (!S_ISREG(info.st_mode))
    fail(Exit::bad_input, "{}: is {}, but a {} must be a regular file", name, kind_of(info.st_mode), what);
  const Descriptor d{::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  if (d.fd < 0 || ::fstat(d.fd, &info) != 0)
    fail(Exit::file, "{}: cannot read the {}: {}", name, what, std::strerror(errno));
  if (!S_ISREG(info.st_mode))
    fail(Exit::bad_input, "{}: is {}, but a {} must be a regular file", name, kind_of(info.st_mode), what);
  if (info.st_size > limit)
    fail(Exit::bad_input, "{}: has {} bytes, but a {} may have at most {}", name, info.st_size, what, limit);

  std::string text(static_cast<std::size_t>(info.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::read(d.fd, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(Exit::file, "{}: cannot read the {}: {}", name, what, std::strerror(errno));
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  text.resize(done);
  return text;
}

}  // namespace knead
