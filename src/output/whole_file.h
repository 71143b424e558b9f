// Files appear whole or not at all: written beside their final name, flushed to the disk, then renamed.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace knead {

// The name of a file for as long as it is not whole.
class PartialName {
 public:
  explicit PartialName(std::filesystem::path path);
  ~PartialName();
  PartialName(const PartialName&) = delete;

 private:
  std::filesystem::path path_;
};

// Removes all files that have such a name now: for a program that ends at once, without destructors.
void remove_partial_files();

// A file being written. Unless keep() succeeds, nothing is left of it. Every failure is Exit::file and names the path.
class WholeFile {
 public:
  explicit WholeFile(std::filesystem::path path);
  ~WholeFile();
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  // Where the bytes are until keep(): for libraries that open files by name.
  const std::filesystem::path& partial() const { return partial_; }
  void write(std::string_view bytes);
  void write(const void* bytes, std::size_t size) { write({static_cast<const char*>(bytes), size}); }
  // Flushes, and gives the file its name, replacing what had it before.
  void keep();

 private:
  void flush();
  [[noreturn]] void stop(int error) const;
  std::filesystem::path path_, partial_;
  PartialName name_;
  int file_ = -1;
  std::string buffer_;
};

// What an errno of writing says, and what would help against it; a smaller file is had by doing `smaller`.
std::string write_trouble(int error, const char* smaller = "write fewer particles and columns");

void write_whole(const std::filesystem::path& path, std::string_view bytes);
void write_whole(const std::filesystem::path& path, const std::function<void(WholeFile&)>& write);

// The whole contents of a regular file; fails (file) when it cannot be read, (bad_input) when it is not a regular file
// or larger than `limit` bytes.
std::string read_whole(const std::filesystem::path& path, std::size_t limit);

}  // namespace knead
