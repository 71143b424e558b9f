#include "render/ffmpeg.h"

#include "base/error.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

extern char** environ;

namespace knead {
namespace {

// While it lives, writing to a program that has gone gives an error instead of ending this one.
class NoBrokenPipe {
 public:
  NoBrokenPipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoBrokenPipe() {
    const timespec none{};
    while (sigtimedwait(&pipe_, nullptr, &none) > 0) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoBrokenPipe(const NoBrokenPipe&) = delete;

 private:
  sigset_t pipe_, before_;
};

std::vector<std::string> arguments(int width, int height, double fps, const std::string& out) {
  return {"ffmpeg", "-nostdin", "-hide_banner", "-loglevel", "error", "-y",
          // What comes in.
          "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", fmt::format("{}x{}", width, height), "-r",
          fmt::format("{}", fps), "-i", "pipe:0",
          // H.264 wants even sides; the last row and column are repeated where they are odd.
          "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2,scale=out_color_matrix=bt709:out_range=tv,format=yuv420p",
          "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv",
          // What goes out.
          "-an", "-c:v", "libx264", "-preset", "medium", "-crf", "18", "-movflags", "+faststart", "-f", "mp4",
          "file:" + out};
}

// The error of writing that these words of ffmpeg name; 0 where they name none.
int trouble_in(const std::string& words) {
  for (const int error : {ENOSPC, EDQUOT, EFBIG, EIO})
    if (words.find(std::strerror(error)) != std::string::npos) return error;
  return 0;
}

}  // namespace

FilmWriter::FilmWriter(std::filesystem::path path, int width, int height, double fps)
    : path_(std::move(path)),
      partial_(path_.parent_path() / fmt::format(".{}.{}.part", path_.filename().string(), getpid())),
      name_(partial_) {
  said_ = memfd_create("ffmpeg", MFD_CLOEXEC);
  start(width, height, fps);
}

FilmWriter::~FilmWriter() {
  if (input_ >= 0) close(input_);
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  if (said_ >= 0) close(said_);
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
}

void FilmWriter::start(int width, int height, double fps) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail(Exit::resources, "cannot start ffmpeg: {}", std::strerror(errno));
  const std::vector<std::string> words = arguments(width, height, fps, partial_.string());
  std::vector<char*> argv;
  for (const std::string& w : words) argv.push_back(const_cast<char*>(w.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  if (said_ >= 0) posix_spawn_file_actions_adddup2(&actions, said_, STDERR_FILENO);
  // In a process group of its own: Ctrl-C is for the program that started it, which then ends it in order.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  const int error = posix_spawnp(&process_, "ffmpeg", &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (error == 0) {
    input_ = ends[1];
    return;
  }
  close(ends[1]);
  process_ = -1;
  fail(Exit::not_built,
       "{}: films need the program ffmpeg, which {}; install it (apt-get install ffmpeg) or write PNG pictures (-o "
       "frame.%04d.png)",
       path_.string(),
       error == ENOENT ? std::string("is not there") : fmt::format("does not start ({})", std::strerror(error)));
}

void FilmWriter::add(const Image& image) {
  std::vector<std::uint8_t> rgb;
  rgb.reserve(3 * image.pixels.size());
  for (const Color& c : image.pixels) rgb.insert(rgb.end(), {c.r, c.g, c.b});
  const NoBrokenPipe guard;
  for (std::size_t done = 0; done < rgb.size();) {
    const ssize_t n = write(input_, rgb.data() + done, rgb.size() - done);
    if (n > 0)
      done += std::size_t(n);
    else if (errno != EINTR)
      stop(wait_for_end());
  }
}

int FilmWriter::wait_for_end() {
  if (input_ >= 0) close(input_);
  input_ = -1;
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return status;
}

std::string FilmWriter::said() const {
  std::string words(2000, '\0');
  const ssize_t n = said_ >= 0 ? pread(said_, words.data(), words.size(), 0) : 0;
  words.resize(std::size_t(std::max<ssize_t>(0, n)));
  while (!words.empty() && words.back() == '\n') words.pop_back();
  return words;
}

void FilmWriter::stop(int status) {
  const std::string words = said();
  if (const int error = trouble_in(words)) stop_writing(error);
  const std::string how = WIFSIGNALED(status) ? fmt::format("ended by signal {}", WTERMSIG(status))
                                              : fmt::format("ended with code {}", WEXITSTATUS(status));
  fail(Exit::file, "{}: ffmpeg {}{}{}", path_.string(), how, words.empty() ? "" : ": ", words);
}

void FilmWriter::stop_writing(int error) {
  fail(Exit::file, "cannot write the film '{}': {}", path_.string(),
       write_trouble(error, "draw smaller or fewer pictures (--width, --height, --every)"));
}

void FilmWriter::keep() {
  const int status = wait_for_end();
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) stop(status);
  if (!is_whole_mp4(partial_)) {
    const std::string words = said();
    if (const int error = trouble_in(words)) stop_writing(error);
    fail(Exit::file, "cannot write the film '{}': ffmpeg left it incomplete{}{}; see whether its disk has room",
         path_.string(), words.empty() ? "" : ": ", words);
  }
  const int file = open(partial_.c_str(), O_RDONLY | O_CLOEXEC);
  const bool flushed = file >= 0 && fsync(file) == 0;
  if (file >= 0) close(file);
  if (!flushed || std::rename(partial_.c_str(), path_.c_str()) != 0) stop_writing(errno);
}

bool is_whole_mp4(const std::filesystem::path& path) {
  std::error_code trouble;
  const std::uintmax_t size = std::filesystem::file_size(path, trouble);
  std::ifstream file(path, std::ios::binary);
  if (trouble || !file) return false;
  // A box: its size in bytes, big-endian, and its type; a size of 1 stands for the 64 bits that follow the type.
  bool index = false, pictures = false;
  for (std::uintmax_t at = 0; at < size;) {
    unsigned char header[16] = {};
    file.seekg(std::streamoff(at));
    if (!file.read(reinterpret_cast<char*>(header), 8)) return false;
    const auto number = [&](int begin, int end) {
      std::uint64_t value = 0;
      for (int i = begin; i < end; ++i) value = value << 8 | header[i];
      return value;
    };
    const std::string type(reinterpret_cast<const char*>(header) + 4, 4);
    const bool wide = number(0, 4) == 1;
    if (wide && !file.read(reinterpret_cast<char*>(header) + 8, 8)) return false;
    const std::uint64_t length = wide ? number(8, 16) : number(0, 4);
    if (length < (wide ? 16u : 8u) || length > size - at) return false;
    index |= type == "moov";
    pictures |= type == "mdat";
    at += length;
  }
  return index && pictures;
}

}  // namespace knead
