#include "output/hdf5.h"

#include "output/endless_read.h"
#include "output/hdf5_disk.h"
#include "output/seal.h"

#include <hdf5.h>

#include <chrono>
#include <cstring>
#include <utility>

namespace knead::hdf5 {

static_assert(sizeof(hid_t) == sizeof(std::int64_t));

namespace {

// An HDF5 handle that is closed with what closes its kind.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

hid_t memory_type(Type type) {
  switch (type) {
    case Type::f32:
      return H5T_NATIVE_FLOAT;
    case Type::f64:
      return H5T_NATIVE_DOUBLE;
    case Type::i32:
      return H5T_NATIVE_INT32;
    case Type::i64:
      return H5T_NATIVE_INT64;
  }
  return -1;
}
hid_t file_type(Type type) {
  switch (type) {
    case Type::f32:
      return H5T_IEEE_F32LE;
    case Type::f64:
      return H5T_IEEE_F64LE;
    case Type::i32:
      return H5T_STD_I32LE;
    case Type::i64:
      return H5T_STD_I64LE;
  }
  return -1;
}

hid_t text_type() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

// Locks on files trouble network file systems, and names that appear only when a file is whole need none.
hid_t access_without_locks() {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_file_locking(access, false, true);
  return access;
}

}  // namespace

Type type_of(Scalar scalar) {
  switch (scalar) {
    case Scalar::f32:
      return Type::f32;
    case Scalar::f64:
      return Type::f64;
    case Scalar::i32:
      return Type::i32;
  }
  fail(Exit::unexpected, "a column of an unknown type");
}
std::size_t size_of(Type type) { return type == Type::f32 || type == Type::i32 ? 4 : 8; }

namespace {

std::timed_mutex library;

LibraryLock lock_library() {
  LibraryLock lock(library);
  // What goes wrong is told by our own messages.
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return lock;
}

struct Read {
  std::string name;
  std::size_t bytes = 0;
  std::chrono::steady_clock::time_point since{};
};
std::mutex read_mutex;
Read read_now;

// For those who only read: a forged file can keep the library busy for ever. A long queue does not.
LibraryLock lock_library_to_read(const std::filesystem::path& path) {
  LibraryLock lock(library, std::defer_lock);
  while (!lock.try_lock_for(std::chrono::milliseconds(500)))
    if (!endless_read().empty()) fail(Exit::file, "cannot read '{}': another file is read without end", path.string());
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return lock;
}

}  // namespace

NowReading::NowReading(const std::string& name, std::size_t bytes) {
  const std::lock_guard lock(read_mutex);
  read_now = {name, bytes, std::chrono::steady_clock::now()};
}

NowReading::~NowReading() {
  const std::lock_guard lock(read_mutex);
  read_now.name.clear();
}

template <class H>
H Writer::check(H result) const {
  if (result < 0)
    fail(Exit::file, "cannot write '{}': {}", name_, error_ ? write_trouble(error_) : "the HDF5 library refused");
  return result;
}

void Writer::check_disk() const {
  if (error_ != 0) fail(Exit::file, "cannot write '{}': {}", name_, write_trouble(error_));
}

Writer::Writer(WholeFile& file, const std::filesystem::path& name)
    : lock_(lock_library()), whole_(file), name_(name.string()) {
  const Handle access(writing_access(&error_), H5Pclose);
  file_ = check(H5Fcreate(file.partial().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access));
}

Writer::~Writer() {
  if (file_ >= 0) H5Fclose(file_);
}

void Writer::group(const std::string& path) {
  Handle(check(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)), H5Gclose);
}

void Writer::dataset(const std::string& path, Type type, const std::vector<std::size_t>& extents, const void* data) {
  const std::vector<hsize_t> sizes(extents.begin(), extents.end());
  const Handle space(check(H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr)), H5Sclose);
  const Handle properties(check(H5Pcreate(H5P_DATASET_CREATE)), H5Pclose);
  // Equal runs give equal files: no times inside.
  check(H5Pset_obj_track_times(properties, false));
  check(H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER));
  const Handle set(check(H5Dcreate2(file_, path.c_str(), file_type(type), space, H5P_DEFAULT, properties, H5P_DEFAULT)),
                   H5Dclose);
  if (H5Sget_simple_extent_npoints(space) > 0)
    check(H5Dwrite(set, memory_type(type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  check_disk();
}

void Writer::attribute(const std::string& object, const std::string& name, std::int64_t type, const void* value) {
  const Handle space(check(H5Screate(H5S_SCALAR)), H5Sclose);
  const Handle attribute(
      check(H5Acreate_by_name(file_, object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)),
      H5Aclose);
  check(H5Awrite(attribute, type, value));
}
void Writer::attribute(const std::string& object, const std::string& name, double value) {
  attribute(object, name, H5T_NATIVE_DOUBLE, &value);
}
void Writer::attribute(const std::string& object, const std::string& name, std::int64_t value) {
  attribute(object, name, H5T_NATIVE_INT64, &value);
}
void Writer::attribute(const std::string& object, const std::string& name, std::uint64_t value) {
  attribute(object, name, H5T_NATIVE_UINT64, &value);
}
void Writer::attribute(const std::string& object, const std::string& name, const std::string& value) {
  const Handle type(text_type(), H5Tclose);
  const char* text = value.c_str();
  attribute(object, name, type, &text);
}

void Writer::finish() {
  check(H5Fclose(std::exchange(file_, -1)));
  check_disk();
  whole_.write(seal_of(whole_.partial()));
  lock_.unlock();
}

template <class H>
H Reader::check(H result, const std::string& what) const {
  if (result < 0) damaged(what);
  return result;
}

Reader::Reader(const std::filesystem::path& path)
    : lock_(lock_library_to_read(path)), name_(path.string()), size_(check_seal(path)), reading_(name_, size_) {
  const Handle access(access_without_locks(), H5Pclose);
  file_ = check(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), "it cannot be read as HDF5");
}

Reader::~Reader() {
  if (file_ >= 0) H5Fclose(file_);
}

void Reader::damaged(const std::string& reason) const { fail(Exit::bad_input, "'{}' is damaged: {}", name_, reason); }

bool Reader::has(const std::string& object, const std::string& name) const {
  return (object == "/" || H5Lexists(file_, object.c_str(), H5P_DEFAULT) > 0) &&
         H5Aexists_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

template <class T>
T Reader::attribute(const std::string& object, const std::string& name, std::int64_t type) const {
  const std::string what = fmt::format("it has no number '{}' at '{}'", name, object);
  if (!has(object, name)) damaged(what);
  const Handle a(check(H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), what), H5Aclose);
  const Handle space(check(H5Aget_space(a), what), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1) damaged(what);
  T value{};
  check(H5Aread(a, type, &value), what);
  return value;
}
double Reader::number(const std::string& object, const std::string& name) const {
  return attribute<double>(object, name, H5T_NATIVE_DOUBLE);
}
std::int64_t Reader::integer(const std::string& object, const std::string& name) const {
  return attribute<std::int64_t>(object, name, H5T_NATIVE_INT64);
}
std::uint64_t Reader::hash(const std::string& object, const std::string& name) const {
  return attribute<std::uint64_t>(object, name, H5T_NATIVE_UINT64);
}
std::string Reader::text(const std::string& object, const std::string& name) const {
  const Handle type(text_type(), H5Tclose);
  char* value = attribute<char*>(object, name, type);
  std::string result = value ? value : "";
  H5free_memory(value);
  return result;
}

Dataset Reader::describe(const std::string& path) const {
  const std::string what = fmt::format("it has no dataset '{}'", path);
  const Handle set(check(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), what), H5Dclose);
  const Handle properties(check(H5Dget_create_plist(set), what), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(properties);
  if (layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) damaged(fmt::format("'{}' is not stored plainly", path));
  // What one number is
  Dataset dataset;
  const Handle type(check(H5Dget_type(set), what), H5Tclose);
  const bool real = H5Tget_class(type) == H5T_FLOAT, whole = H5Tget_class(type) == H5T_INTEGER;
  const std::size_t width = H5Tget_size(type);
  if ((!real && !whole) || (width != 4 && width != 8)) damaged(fmt::format("'{}' is of an unknown type", path));
  dataset.type = real ? (width == 4 ? Type::f32 : Type::f64) : (width == 4 ? Type::i32 : Type::i64);
  // How many there are, which cannot be more than the file has room for
  const Handle space(check(H5Dget_space(set), what), H5Sclose);
  hsize_t sizes[H5S_MAX_RANK] = {};
  const int rank = check(H5Sget_simple_extent_dims(space, sizes, nullptr), what);
  dataset.bytes = width;
  for (int i = 0; i < rank; ++i) {
    if (sizes[i] > size_ || __builtin_mul_overflow(dataset.bytes, sizes[i], &dataset.bytes) || dataset.bytes > size_)
      damaged(fmt::format("'{}' claims to be larger than the file", path));
    dataset.extents.push_back(sizes[i]);
  }
  if (dataset.bytes > 0 && H5Dget_storage_size(set) != dataset.bytes) damaged(fmt::format("'{}' has no data", path));
  return dataset;
}

void Reader::read(const std::string& path, const Dataset& dataset, void* data) const {
  if (dataset.bytes == 0) return;
  const std::string what = fmt::format("'{}' cannot be read", path);
  const Handle set(check(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), what), H5Dclose);
  check(H5Dread(set, memory_type(dataset.type), H5S_ALL, H5S_ALL, H5P_DEFAULT, data), what);
}

}  // namespace knead::hdf5

std::string knead::endless_read(std::chrono::seconds longest) {
  using namespace hdf5;
  // The checksum has just been taken of the whole file, so that its bytes are at hand.
  constexpr double slowest = 2e7;  // bytes/s
  const std::lock_guard lock(read_mutex);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - read_now.since;
  return took > longest + std::chrono::duration<double>(double(read_now.bytes) / slowest) ? read_now.name : "";
}
