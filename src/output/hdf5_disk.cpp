#include "output/hdf5_disk.h"

#include <hdf5.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>

namespace knead::hdf5 {

namespace {

// What the property list carries to open().
struct Link {
  int* error;
};

// The library's own part must come first: it passes pointers to that.
struct Disk {
  H5FD_t head;
  int file;
  int* error;
  haddr_t allocated;  // what the library has claimed
  haddr_t written;    // where what it wrote ends
};

Disk& disk(H5FD_t* file) { return *reinterpret_cast<Disk*>(file); }
const Disk& disk(const H5FD_t* file) { return *reinterpret_cast<const Disk*>(file); }

H5FD_t* open_file(const char* name, unsigned, hid_t access, haddr_t) {
  const auto* link = static_cast<const Link*>(H5Pget_driver_info(access));
  if (!link) return nullptr;
  const int file = ::open(name, O_RDWR | O_TRUNC | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) {
    *link->error = errno;
    return nullptr;
  }
  return &(new Disk{{}, file, link->error, 0, 0})->head;
}

herr_t close_file(H5FD_t* file) {
  Disk* d = &disk(file);
  if (::close(d->file) != 0 && *d->error == 0) *d->error = errno;
  delete d;
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t) { return disk(file).allocated; }
herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t address) { return disk(file).allocated = address, 0; }
haddr_t get_written(const H5FD_t* file, H5FD_mem_t) { return disk(file).written; }

// What was not written, or was lost to an error, reads as zeros.
herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  auto* to = static_cast<char*>(buffer);
  while (size > 0) {
    const ssize_t n = ::pread(disk(file).file, to, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    to += n, address += static_cast<haddr_t>(n), size -= static_cast<std::size_t>(n);
  }
  std::memset(to, 0, size);
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, const void* buffer) {
  Disk& d = disk(file);
  const auto* from = static_cast<const char*>(buffer);
  d.written = std::max(d.written, address + size);
  while (size > 0 && *d.error == 0) {
    const ssize_t n = ::pwrite(d.file, from, size, static_cast<off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      *d.error = n < 0 ? errno : ENOSPC;
      break;
    }
    from += n, address += static_cast<haddr_t>(n), size -= static_cast<std::size_t>(n);
  }
  return 0;
}

// The file ends where the library's claims end, even where it wrote nothing there.
herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  Disk& d = disk(file);
  if (d.written == d.allocated) return 0;
  if (::ftruncate(d.file, static_cast<off_t>(d.allocated)) != 0 && *d.error == 0) *d.error = errno;
  d.written = d.allocated;
  return 0;
}

hid_t register_driver() {
  static const H5FD_class_t driver = [] {
    H5FD_class_t c{};
#if H5_VERSION_GE(1, 13, 0)
    c.version = H5FD_CLASS_VERSION;
    c.value = static_cast<H5FD_class_value_t>(300);  // below 512: free for use within a program
#endif
    c.name = "knead_disk";
    c.maxaddr = static_cast<haddr_t>(INT64_MAX);
    c.fc_degree = H5F_CLOSE_WEAK;
    c.fapl_size = sizeof(Link);
    c.open = open_file;
    c.close = close_file;
    c.query = query;
    c.get_eoa = get_allocated;
    c.set_eoa = set_allocated;
    c.get_eof = get_written;
    c.read = read;
    c.write = write;
    c.truncate = truncate;
    const H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), c.fl_map);
    return c;
  }();
  return H5FDregister(&driver);
}

}  // namespace

std::int64_t writing_access(int* error) {
  static const hid_t driver = register_driver();
  const Link link{error};
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_driver(access, driver, &link);
  // Closing the file closes all that is open in it, so that nothing outlives `error`.
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  return access;
}

}  // namespace knead::hdf5
