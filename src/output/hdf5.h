// The little of HDF5 that Knead uses, behind types that close what they opened. Internal to output/.
//
// A file written here ends in a seal: its size and a checksum of everything before. The reader believes nothing of a
// file whose seal is missing or wrong, so that neither a cut nor a flipped bit reaches the HDF5 library. Other readers
// pass over the seal.
#pragma once

#include "output/whole_file.h"
#include "world/particles.h"

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

namespace knead::hdf5 {

enum class Type { f32, f64, i32, i64 };
Type type_of(Scalar scalar);
std::size_t size_of(Type type);

// The library may be built without thread safety: one file at a time in the whole process.
using LibraryLock = std::unique_lock<std::timed_mutex>;

class Writer {
 public:
  // Writes to `file`, which the caller keeps after finish().
  explicit Writer(WholeFile& file, const std::filesystem::path& name);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void group(const std::string& path);
  void dataset(const std::string& path, Type type, const std::vector<std::size_t>& extents, const void* data);
  void attribute(const std::string& object, const std::string& name, double value);
  void attribute(const std::string& object, const std::string& name, std::int64_t value);
  void attribute(const std::string& object, const std::string& name, std::uint64_t value);
  void attribute(const std::string& object, const std::string& name, const std::string& value);
  // Closes the file and seals it.
  void finish();

 private:
  void attribute(const std::string& object, const std::string& name, std::int64_t type, const void* value);
  template <class H>
  H check(H result) const;
  void check_disk() const;
  LibraryLock lock_;
  WholeFile& whole_;
  std::string name_;
  int error_ = 0;  // of the disk, as in errno
  std::int64_t file_ = -1;
};

struct Dataset {
  Type type = Type::f32;
  std::vector<std::size_t> extents;
  std::size_t bytes = 0;
};

// Names the file that is being read, for output/endless_read.h.
class NowReading {
 public:
  NowReading(const std::string& name, std::size_t bytes);
  ~NowReading();
  NowReading(const NowReading&) = delete;
  NowReading& operator=(const NowReading&) = delete;
};

// Every failure is bad_input and names the file, except that of opening it (file).
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  bool has(const std::string& object, const std::string& name) const;
  double number(const std::string& object, const std::string& name) const;
  std::int64_t integer(const std::string& object, const std::string& name) const;
  std::uint64_t hash(const std::string& object, const std::string& name) const;
  std::string text(const std::string& object, const std::string& name) const;

  // What a dataset holds; it is there, plain (not compressed) and not larger than the file.
  Dataset describe(const std::string& path) const;
  void read(const std::string& path, const Dataset& dataset, void* data) const;
  [[noreturn]] void damaged(const std::string& reason) const;

 private:
  template <class H>
  H check(H result, const std::string& what) const;
  template <class T>
  T attribute(const std::string& object, const std::string& name, std::int64_t type) const;
  LibraryLock lock_;
  std::string name_;
  std::size_t size_ = 0;
  NowReading reading_;
  std::int64_t file_ = -1;
};

}  // namespace knead::hdf5
