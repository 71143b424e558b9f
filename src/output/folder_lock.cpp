#include "output/folder_lock.h"

#include "base/error.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

namespace knead {

namespace {

// The process that wrote its number there.
long owner_of(int file) {
  char text[32] = {};
  const ssize_t n = ::pread(file, text, sizeof text - 1, 0);
  return n > 0 ? std::atol(text) : 0;
}

// Whether the open file is still the one of that name: the run before may have taken its lock away meanwhile.
bool is_named(int file, const std::filesystem::path& path) {
  struct stat opened {
  }, named{};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

}  // namespace

FolderLock::FolderLock(const RunFolder& folder) : path_(folder.path() / ".lock") {
  for (int tries = 0; file_ < 0 && tries < 100; ++tries) {
    const int file = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file < 0) return;
    if (::flock(file, LOCK_EX | LOCK_NB) == 0) {
      if (is_named(file, path_))
        file_ = file;
      else
        ::close(file);
      continue;
    }
    const bool taken = errno == EWOULDBLOCK;
    const long owner = owner_of(file);
    ::close(file);
    if (!taken) return;
    const std::string who = owner > 0 ? fmt::format("process {}", owner) : "another process";
    fail(Exit::bad_input,
         "{} is being written by another run, {}; wait for it, stop it{}, or give another --out: each run needs a "
         "folder of its own",
         folder.path().string(), who, owner > 0 ? fmt::format(" (kill {})", owner) : "");
  }
  if (file_ < 0) return;
  const std::string text = fmt::format("{}\n", ::getpid());
  // A number that could not be written is only missing in the message to others.
  if (::ftruncate(file_, 0) != 0 || ::pwrite(file_, text.data(), text.size(), 0) < 0) return;
}

FolderLock::~FolderLock() {
  if (file_ < 0) return;
  ::unlink(path_.c_str());
  ::close(file_);
}

// By its number: to try the lock would keep out a run that starts at that moment.
bool owner_is_gone(const RunFolder& folder) {
  const int file = ::open((folder.path() / ".lock").c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return false;
  const long owner = owner_of(file);
  ::close(file);
  return owner > 0 && ::kill(static_cast<pid_t>(owner), 0) != 0 && errno == ESRCH;
}

}  // namespace knead
