#include "output/columns.h"

#include <algorithm>

#include <limits>

namespace knead {

namespace {

Scalar scalar_of(const hdf5::Reader& in, const std::string& name, hdf5::Type type) {
  switch (type) {
    case hdf5::Type::f32:
      return Scalar::f32;
    case hdf5::Type::f64:
      return Scalar::f64;
    case hdf5::Type::i32:
      return Scalar::i32;
    case hdf5::Type::i64:
      break;
  }
  in.damaged(fmt::format("the column '{}' is of an unknown type", name));
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

}  // namespace

void begin_columns(hdf5::Writer& out, std::size_t count, const std::vector<const Column*>& columns,
                   const std::string& group) {
  std::string names;
  for (const Column* c : columns) names += (names.empty() ? "" : ",") + c->name;
  out.group(group);
  out.attribute(group, "count", static_cast<std::int64_t>(count));
  out.attribute(group, "columns", names);
}

void write_column(hdf5::Writer& out, const Column& column, int dimension, std::size_t count, const std::byte* data,
                  const std::string& group) {
  const auto d = static_cast<std::size_t>(dimension), components = static_cast<std::size_t>(column.components);
  std::vector<std::size_t> extents{count};
  if (components == d * d)
    extents.insert(extents.end(), {d, d});
  else if (components > 1)
    extents.push_back(components);
  const std::string path = group + "/" + column.name;
  out.dataset(path, hdf5::type_of(column.scalar), extents, data);
  out.attribute(path, "unit", column.unit);
}

Particles read_columns(const hdf5::Reader& in, const std::string& group, const std::vector<std::string>& only) {
  const std::int64_t count = in.integer(group, "count");
  std::vector<std::string> names = split_names(in.text(group, "columns"));
  if (!only.empty())
    std::erase_if(names, [&](const std::string& n) { return std::find(only.begin(), only.end(), n) == only.end(); });
  if (count < 0 || count > std::numeric_limits<std::int32_t>::max())
    in.damaged(fmt::format("it claims to hold {} particles", count));
  // Everything is compared before anything is allocated.
  std::vector<hdf5::Dataset> datasets;
  for (const std::string& name : names) {
    datasets.push_back(in.describe(group + "/" + name));
    const std::vector<std::size_t>& extents = datasets.back().extents;
    if (extents.empty() || extents[0] != static_cast<std::size_t>(count))
      in.damaged(fmt::format("the column '{}' has {} entries for {} particles", name, extents.empty() ? 1 : extents[0],
                             count));
  }
  Particles particles;
  particles.resize(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::size_t components = 1;
    for (std::size_t e = 1; e < datasets[i].extents.size(); ++e)
      components = std::min<std::size_t>(components * std::min<std::size_t>(datasets[i].extents[e], 1000), 1000);
    if (components < 1 || components > 100 || datasets[i].extents.size() > 3)
      in.damaged(fmt::format("the column '{}' has {} components", names[i], components));
    if (particles.find(names[i])) in.damaged(fmt::format("the column '{}' is repeated", names[i]));
    const std::string path = group + "/" + names[i];
    Column& column = particles.add(names[i], scalar_of(in, names[i], datasets[i].type), static_cast<int>(components),
                                   in.text(path, "unit"));
    in.read(path, datasets[i], column.data.data());
  }
  return particles;
}

void check_format(const hdf5::Reader& in, const std::filesystem::path& path, const std::string& format,
                  std::int64_t newest_version) {
  if (!in.has("/", "format") || in.text("/", "format") != format)
    fail(Exit::bad_input, "'{}' is an HDF5 file, but not a {}", path.string(), format);
  const std::int64_t version = in.integer("/", "version");
  if (version > newest_version)
    fail(Exit::bad_input, "'{}' is a {} of version {}, from a newer Knead; this one reads versions up to {}",
         path.string(), format, version, newest_version);
  if (version < 1) in.damaged(fmt::format("its version is {}", version));
}

}  // namespace knead
