#include "output/seal.h"

#include "base/error.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <memory>

namespace knead {

namespace {

constexpr char magic[] = "KNEADSUM";

// Four 64-bit lanes, each a chain of invertible steps: a change of one word always changes the sum, and four lanes keep
// pace with the disk. It guards against accidents, not against forgers.
class Checksum {
 public:
  void add(const char* block) {  // 32 bytes
    for (std::size_t lane = 0; lane < 4; ++lane) {
      std::uint64_t word;
      std::memcpy(&word, block + 8 * lane, 8);
      if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
      lanes_[lane] = std::rotl((lanes_[lane] ^ word) * 0x9E3779B97F4A7C15u, 29);
    }
  }
  std::uint64_t value(std::uint64_t size) const {
    std::uint64_t sum = size;
    for (std::uint64_t lane : lanes_) {
      sum = (sum ^ lane) * 0xD6E8FEB86659FD93u;
      sum ^= sum >> 32;
    }
    return sum;
  }

 private:
  std::array<std::uint64_t, 4> lanes_{1, 2, 3, 4};
};

class Input {
 public:
  explicit Input(const std::filesystem::path& path) : name_(path.string()) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) stop(errno);
    if (!S_ISREG(info.st_mode)) fail(Exit::bad_input, "'{}' is not a regular file", name_);
    size_ = static_cast<std::size_t>(info.st_size);
    file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file_ < 0) stop(errno);
  }
  ~Input() {
    if (file_ >= 0) ::close(file_);
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  std::size_t size() const { return size_; }
  void read(std::size_t offset, char* data, std::size_t size) const {
    while (size > 0) {
      const ssize_t n = ::pread(file_, data, size, static_cast<off_t>(offset));
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) stop(errno);
      if (n == 0) fail(Exit::bad_input, "'{}' became shorter while it was read", name_);
      offset += static_cast<std::size_t>(n), data += n, size -= static_cast<std::size_t>(n);
    }
  }
  // The checksum of the first `size` bytes.
  std::uint64_t checksum(std::size_t size) const {
    constexpr std::size_t piece = std::size_t(1) << 20;
    const auto buffer = std::make_unique<char[]>(piece);
    Checksum sum;
    for (std::size_t at = 0; at < size; at += piece) {
      const std::size_t n = std::min(piece, size - at), padded = (n + 31) / 32 * 32;
      read(at, buffer.get(), n);
      std::memset(buffer.get() + n, 0, padded - n);
      for (std::size_t i = 0; i < padded; i += 32) sum.add(buffer.get() + i);
    }
    return sum.value(size);
  }

 private:
  [[noreturn]] void stop(int error) const { fail(Exit::file, "cannot read '{}': {}", name_, std::strerror(error)); }
  std::string name_;
  std::size_t size_ = 0;
  int file_ = -1;
};

std::string number_bytes(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}

std::string make_seal(const Input& input, std::size_t size) {
  return magic + number_bytes(size) + number_bytes(input.checksum(size));
}

}  // namespace

std::string seal_of(const std::filesystem::path& path) {
  const Input input(path);
  return make_seal(input, input.size());
}

std::string seal_in(const std::filesystem::path& path) {
  const Input input(path);
  if (input.size() < seal_size) return "";
  std::string seal(seal_size, '\0');
  input.read(input.size() - seal_size, seal.data(), seal_size);
  return seal;
}

std::size_t check_seal(const std::filesystem::path& path) {
  const Input input(path);
  if (input.size() == 0) fail(Exit::bad_input, "'{}' is empty", path.string());
  // The first bytes tell a stranger from a damaged file.
  constexpr char signature[] = "\x89HDF\r\n\x1a\n";
  char start[8] = {};
  input.read(0, start, std::min<std::size_t>(8, input.size()));
  if (std::memcmp(start, signature, std::min<std::size_t>(8, input.size())) != 0)
    fail(Exit::bad_input, "'{}' is not an HDF5 file", path.string());
  char seal[seal_size] = {};
  const std::size_t sealed = input.size() < seal_size ? 0 : input.size() - seal_size;
  if (sealed > 0) input.read(sealed, seal, seal_size);
  if (std::memcmp(seal, magic, 8) != 0)
    fail(Exit::bad_input, "'{}' is truncated, or was not written by Knead (it does not end in a checksum)",
         path.string());
  if (make_seal(input, sealed) != std::string(seal, seal_size))
    fail(Exit::bad_input, "'{}' is damaged: its checksum is wrong", path.string());
  return sealed;
}

}  // namespace knead
