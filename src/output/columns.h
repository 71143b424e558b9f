// Columns in HDF5 files: the group /particles that frames and checkpoints share, and others like it. Internal to
// output/.
#pragma once

#include "output/hdf5.h"

namespace knead {

// The group, its number of particles, and the names of its columns in order.
inline const std::string particles_group = "/particles";
void begin_columns(hdf5::Writer& out, std::size_t count, const std::vector<const Column*>& columns,
                   const std::string& group = particles_group);
// `data` in place of the column's own: the same entries in another order.
void write_column(hdf5::Writer& out, const Column& column, int dimension, std::size_t count, const std::byte* data,
                  const std::string& group = particles_group);
// Only those of these names, where some are given.
Particles read_columns(const hdf5::Reader& in, const std::string& group = particles_group,
                       const std::vector<std::string>& only = {});

// A file that claims more meshes than this is damaged.
inline constexpr std::int64_t most_meshes = 1'000'000;

// Fails (bad_input) unless the file is of this format and not of a newer version.
void check_format(const hdf5::Reader& in, const std::filesystem::path& path, const std::string& format,
                  std::int64_t newest_version);

}  // namespace knead
