// What the tests of output/ share: a folder that goes away, a world with awkward numbers, and Python as an independent
// reader.
#pragma once

#include "world/world.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <string>

namespace knead::test {

class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "knead_test_XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary folder");
    path_ = name;
  }
  ~TempFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void put_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::remove(path);  // some file systems wait for the disk when an old file is emptied and written again
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::size_t files_in(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

// A world of n particles in two batches whose memory order is not that of their ids, with values that text and rounding
// would spoil.
inline World awkward_world(int dimension, std::size_t n, unsigned seed = 1) {
  World world;
  world.dimension = dimension;
  world.clock = {0.1 + 0.2, 1234567890123, 7};
  world.tally.max_speed = 1.0 / 3;
  world.tally.dissipated = -0.0;
  world.tally.contact_work = 1e-320;
  world.tally.frame_steps = 12;
  world.tally.frame_min_dt = 1e-5;
  world.tally.frame_bound = Bound::elastic_wave;
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Particles& p = world.particles;
  p.resize(n);
  auto fill = [&](Column& c) {
    auto* f = reinterpret_cast<float*>(c.data.data());
    for (std::size_t i = 0; i < c.data.size() / 4; ++i) f[i] = normal(random);
    if (n > 2) f[0] = -0.0f, f[1] = 1e-45f;
  };
  fill(p.add("x", Scalar::f32, dimension, "m"));
  fill(p.add("v", Scalar::f32, dimension, "m/s"));
  fill(p.add("F", Scalar::f32, dimension * dimension, ""));
  fill(p.add("stress", Scalar::f32, dimension * (dimension + 1) / 2, "Pa"));
  auto mass = p.add<double>("mass", "kg");
  for (double& m : mass) m = std::exp(double(normal(random)));
  auto id = p.add<std::int32_t>("id");
  std::iota(id.begin(), id.end(), 0);
  std::shuffle(id.begin(), id.end(), random);
  world.next_id = static_cast<std::int64_t>(n);
  const auto half = static_cast<std::int64_t>(n / 2), all = static_cast<std::int64_t>(n);
  world.batches = {{3, 0, half}, {0, half, all}};
  return world;
}

// Runs a Python program with Debian's interpreter; the test fails with what it printed unless it ends well. Returns its
// output.
inline std::string python(const std::string& program, const std::filesystem::path& argument) {
  const TempFolder folder;
  put_bytes(folder / "program.py", program);
  const std::string command =
      "/usr/bin/python3 -B '" + (folder / "program.py").string() + "' '" + argument.string() + "' 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  for (std::size_t k; (k = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) output.append(buffer.data(), k);
  const int status = ::pclose(pipe);
  if (output.find("ModuleNotFoundError") != std::string::npos)
    ADD_FAILURE() << "install python3-h5py, python3-numpy and python3-vtk9: " << output;
  EXPECT_EQ(status, 0) << output;
  return output;
}

}  // namespace knead::test
