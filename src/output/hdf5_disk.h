// How HDF5 files reach the disk when they are written. Internal to output/.
//
// The HDF5 library cannot close a file that it failed to write: it keeps a broken handle and crashes when the program
// ends. So it writes through this driver, which notes the first error, lets the library finish in peace, and leaves the
// complaint to us.
#pragma once

#include <cstdint>

namespace knead::hdf5 {

// A property list for H5Fcreate, to be closed by the caller. The first error, as in errno, goes to `error`, which must
// outlive the file; 0 means that all is well.
std::int64_t writing_access(int* error);

}  // namespace knead::hdf5
