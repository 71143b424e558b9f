// Damaged frames and checkpoints: each gets its message and exit code, never a crash, a hang or a large allocation.
#include "base/error.h"
#include "output/checkpoint.h"
#include "output/export.h"
#include "output/frame_file.h"
#include "output/hdf5.h"
#include "output/seal.h"
#include "support/output_support.h"

#include <sys/stat.h>

#include <limits>

namespace knead {
namespace {

using test::TempFolder;

// The message with which the file is refused; it must be the user's to mend.
std::string frame_message(const std::filesystem::path& path) {
  try {
    read_frame(path);
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, Exit::bad_input) << f.what();
    return f.what();
  }
  return "no failure";
}
std::string checkpoint_message(const std::filesystem::path& path) {
  try {
    read_checkpoint(path);
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, Exit::bad_input) << f.what();
    return f.what();
  }
  return "no failure";
}
std::string quoted(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

// Makes a file believable, whatever is in it.
void seal(const std::filesystem::path& path) {
  const std::string bytes = seal_of(path);
  std::ofstream(path, std::ios::binary | std::ios::app) << bytes;
}

TEST(CacheFiles, what_is_no_frame_at_all_is_named) {
  const TempFolder folder;
  const auto path = folder / "frame.0001.h5";
  test::put_bytes(path, "");
  EXPECT_EQ(frame_message(path), quoted(path) + " is empty");
  for (const std::string& bytes :
       {std::string("x"), std::string("PK\x03\x04 something else"), std::string(65536, '\0')}) {
    test::put_bytes(path, bytes);
    EXPECT_EQ(frame_message(path), quoted(path) + " is not an HDF5 file");
  }
  EXPECT_EQ(frame_message(folder.path()), quoted(folder.path()) + " is not a regular file");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(frame_message(folder / "pipe"), quoted(folder / "pipe") + " is not a regular file");
  EXPECT_EQ(frame_message("/dev/zero"), "'/dev/zero' is not a regular file");
  try {
    read_frame(folder / "none.h5");
    FAIL();
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, Exit::file);
    EXPECT_EQ(std::string(f.what()), "cannot read " + quoted(folder / "none.h5") + ": No such file or directory");
  }
}

TEST(CacheFiles, a_file_cut_anywhere_is_refused) {
  const TempFolder folder;
  const World world = test::awkward_world(3, 60);
  const auto path = folder / "a.h5";
  for (bool frame : {true, false}) {
    frame ? write_frame(path, world) : write_checkpoint(path, world, 1);
    const std::string whole = test::bytes_of(path);
    std::vector<std::size_t> cuts;
    for (std::size_t at = 4096; at < whole.size(); at += 4096) cuts.push_back(at);
    for (std::size_t back = 1; back <= 2 * seal_size; ++back) cuts.push_back(whole.size() - back);
    std::mt19937 random(5);
    for (int i = 0; i < 2500; ++i) cuts.push_back(1 + random() % (whole.size() - 1));
    for (std::size_t cut : cuts) {
      test::put_bytes(path, whole.substr(0, cut));
      const std::string message = frame ? frame_message(path) : checkpoint_message(path);
      ASSERT_EQ(message, quoted(path) + " is truncated, or was not written by Knead (it does not end in a checksum)")
          << cut;
    }
  }
}

TEST(CacheFiles, any_changed_byte_is_noticed) {
  const TempFolder folder;
  const auto path = folder / "a.h5";
  write_frame(path, test::awkward_world(2, 30));
  const std::string whole = test::bytes_of(path);
  std::mt19937 random(6);
  for (std::size_t at = 0; at < whole.size(); at += 1 + random() % 7) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ (1 << random() % 8));
    test::put_bytes(path, changed);
    ASSERT_NE(frame_message(path), "no failure") << at;
  }
  test::put_bytes(path, whole.substr(0, 5000) + "0123456789" + whole.substr(5010));
  EXPECT_EQ(frame_message(path), quoted(path) + " is damaged: its checksum is wrong");
}

TEST(CacheFiles, another_kind_or_a_newer_version_is_named) {
  const TempFolder folder;
  const auto path = folder / "a.h5";
  const World world = test::awkward_world(3, 10);
  write_checkpoint(path, world, 1);
  EXPECT_EQ(frame_message(path), quoted(path) + " is an HDF5 file, but not a knead-frame");
  write_frame(path, world);
  EXPECT_EQ(checkpoint_message(path), quoted(path) + " is an HDF5 file, but not a knead-checkpoint");
  WholeFile file(path);
  hdf5::Writer out(file, path);
  out.attribute("/", "format", std::string("knead-frame"));
  out.attribute("/", "version", std::int64_t(2));
  out.finish();
  file.keep();
  EXPECT_EQ(frame_message(path),
            quoted(path) + " is a knead-frame of version 2, from a newer Knead; this one reads versions up to 1");
}

struct Crafted {
  std::string change;   // of the frame that the program below would write
  std::string message;  // with which it is refused
};

// Writes a frame a change with h5py, as an ill-meaning program would.
void craft(const std::filesystem::path& folder, const std::vector<Crafted>& cases) {
  std::string changes;
  for (const Crafted& c : cases) changes += "  \"\"\"" + c.change + "\"\"\",\n";
  test::python(R"(
import sys, h5py, numpy as np
for i, change in enumerate([
)" + changes + R"(]):
  f = h5py.File(sys.argv[1] + '/%d.h5' % i, 'w')
  a = {'format': 'knead-frame', 'version': 1, 'dimension': 2, 'time': 0.0, 'frame': 1, 'step': 0, 'dx': 0.1}
  p = f.create_group('particles')
  c = {'count': 4, 'columns': 'x,m'}
  x, m = np.zeros((4, 2), 'f4'), np.zeros(4, 'f4')
  exec(change)
  for k, v in a.items(): f.attrs[k] = v
  for k, v in c.items(): p.attrs[k] = v
  if 'x' not in p: p['x'] = x
  if 'm' not in p: p['m'] = m
  for k in p: p[k].attrs['unit'] = ''
  f.close()
)",
               folder);
}

TEST(CacheFiles, contradictions_inside_are_found_before_memory_is_taken) {
  const std::vector<Crafted> cases = {
      {"pass", "no failure"},
      {"x, m = x.astype('>f4'), m.astype('>f8')", "no failure"},  // the other endianness is converted
      {"c['count'] = 5", "the column 'x' has 4 entries for 5 particles"},
      {"c['count'] = -1", "it claims to hold -1 particles"},
      {"c['count'] = 2**62", "it claims to hold 4611686018427387904 particles"},
      {"m = np.zeros(3, 'f4')", "the column 'm' has 3 entries for 4 particles"},
      {"c['columns'] = 'x,m,q'", "it has no dataset '/particles/q'"},
      {"c['columns'] = 'x,x'", "the column 'x' is repeated"},
      {"c['columns'] = 'm'", "it has no positions 'x'"},
      {"a['dimension'] = 4", "its dimension is 4"},
      {"a['time'] = float('nan')", "its time is not a number"},
      {"del a['step']", "it has no number 'step' at '/'"},
      {"a['step'] = 'many'", "it has no number 'step' at '/'"},
      {"a['version'] = 0", "its version is 0"},
      {"m = np.zeros(4, 'i2')", "'/particles/m' is of an unknown type"},
      {"p.create_dataset('m', (2**50,), 'f4')", "'/particles/m' claims to be larger than the file"},
      {"p.create_dataset('m', (4, 2**40), 'f4')", "'/particles/m' claims to be larger than the file"},
      {"p.create_dataset('m', (4,), 'f4')", "'/particles/m' has no data"},
      {"p.create_dataset('m', data=m, compression='gzip')", "'/particles/m' is not stored plainly"},
      {"m = np.zeros((4, 2, 2, 2), 'f4')", "the column 'm' has 8 components"},
      {"m = np.zeros((4, 0), 'f4')", "the column 'm' has 0 components"},
  };
  const TempFolder folder;
  craft(folder.path(), cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto path = folder / (std::to_string(i) + ".h5");
    seal(path);
    const std::string message = frame_message(path);
    const bool good = cases[i].message == "no failure";
    EXPECT_EQ(message, good ? cases[i].message : quoted(path) + " is damaged: " + cases[i].message) << cases[i].change;
  }
}

TEST(CacheFiles, a_checkpoint_of_another_build_names_both_layouts) {
  const TempFolder folder;
  const auto path = folder / "c.h5";
  WholeFile file(path);
  hdf5::Writer out(file, path);
  out.attribute("/", "format", std::string("knead-checkpoint"));
  out.attribute("/", "version", std::int64_t(1));
  out.attribute("/", "layout_id", std::uint64_t(0xabc));
  out.finish();
  file.keep();
  EXPECT_EQ(checkpoint_message(path),
            fmt::format("{} was written by a build with another state layout (0000000000000abc, this build's is "
                        "{:016x}); run the scene again from the start, or resume with the program that wrote it",
                        quoted(path), state_layout_id()));
}

TEST(CacheFiles, batches_that_do_not_fit_are_refused) {
  const TempFolder folder;
  const auto path = folder / "c.h5";
  World world = test::awkward_world(3, 10);
  world.batches[1].begin = 4;
  write_checkpoint(path, world, 1);
  EXPECT_EQ(checkpoint_message(path), quoted(path) + " is damaged: its batches overlap or leave gaps");
  world.batches.pop_back();
  write_checkpoint(path, world, 1);
  EXPECT_EQ(checkpoint_message(path), quoted(path) + " is damaged: its batches hold 5 of 10 particles");
}

// Sealed like any other, so that only what is in them tells.
TEST(CacheFiles, what_no_matter_has_is_refused) {
  const TempFolder folder;
  const auto path = folder / "a.h5";
  const auto message = [&](bool frame, auto&& change) {
    World world = test::awkward_world(3, 10);
    change(world);
    frame ? write_frame(path, world) : write_checkpoint(path, world, 1);
    return frame ? frame_message(path) : checkpoint_message(path);
  };
  const std::string damaged = quoted(path) + " is damaged: ";
  constexpr float infinite = std::numeric_limits<float>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool frame : {true, false}) {
    EXPECT_EQ(message(frame, [](World&) {}), "no failure");
    EXPECT_EQ(message(frame,
                      [](World& w) {
                        w.particles.get<Mat<float, 3>>("F")[4](1, 2) = infinite;
                        w.particles.get<std::int32_t>("id")[4] = 40;
                      }),
              damaged + "the column 'F' of particle 40 is not a finite number");
    EXPECT_EQ(message(frame, [](World& w) { w.particles.get<double>("mass")[0] = nan; })
                  .find(damaged + "the column 'mass' of particle"),
              0u);
    EXPECT_EQ(message(frame,
                      [](World& w) {
                        w.particles.get<double>("mass")[9] = -1e-300;
                        w.particles.get<std::int32_t>("id")[9] = 41;
                      }),
              damaged + "the column 'mass' of particle 41 is negative");
    EXPECT_EQ(message(frame,
                      [](World& w) {
                        const auto id = w.particles.get<std::int32_t>("id");
                        id[2] = id[7];
                      }),
              damaged + "the column 'id' has a repeated or negative number");
    EXPECT_EQ(message(frame, [](World& w) { w.particles.get<std::int32_t>("id")[2] = -1; }),
              damaged + "the column 'id' has a repeated or negative number");
  }
  // Solvers divide by masses; hidden columns are told in words.
  EXPECT_EQ(message(true, [](World& w) { w.particles.get<double>("mass")[9] = 0; }), "no failure");
  EXPECT_EQ(message(false,
                    [](World& w) {
                      w.particles.get<double>("mass")[9] = 0;
                      w.particles.get<std::int32_t>("id")[9] = 41;
                    }),
            damaged + "the column 'mass' of particle 41 is 0");
  EXPECT_EQ(message(false,
                    [](World& w) {
                      for (auto& F : w.particles.add<Mat<float, 3>>(".F_low")) F = Mat<float, 3>::zero();
                      w.particles.get<Mat<float, 3>>(".F_low")[3](0, 0) = infinite;
                      w.particles.get<std::int32_t>("id")[3] = 42;
                    }),
            damaged + "the rounding remainder of 'F' of particle 42 is not a finite number");
  EXPECT_EQ(message(false, [](World& w) { w.clock.time = nan; }), damaged + "its 'time' is not a finite number");
  EXPECT_EQ(message(false, [](World& w) { w.tally.swing = -std::numeric_limits<double>::infinity(); }),
            damaged + "its 'swing' is not a finite number");
  EXPECT_EQ(message(false, [](World& w) { w.reactions.resize(2), w.reactions[1].turn[2] = nan; }),
            damaged + "its reactions are not all finite numbers");
}

TEST(CacheFiles, resuming_takes_the_last_good_checkpoint_and_tells) {
  const TempFolder temp;
  const RunFolder folder(temp.path());
  folder.prepare();
  World world = test::awkward_world(2, 10);
  for (int frame : {1, 2}) {
    world.clock.frame = frame;
    save_checkpoint(folder, world, 1);
  }
  test::put_bytes(folder.checkpoint(2), test::bytes_of(folder.checkpoint(2)).substr(0, 3000));
  test::put_bytes(folder.checkpoint(3), "");
  std::vector<std::string> warnings;
  const auto good = latest_good_checkpoint(folder, [&](const std::string& w) { warnings.push_back(w); });
  ASSERT_TRUE(good);
  EXPECT_EQ(good->world.clock.frame, 1);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0], quoted(folder.checkpoint(3)) + " is empty; trying the checkpoint before it");
  test::put_bytes(folder.checkpoint(1), "");
  EXPECT_FALSE(latest_good_checkpoint(folder, {}));
}

TEST(CacheFiles, a_faulty_geo_file_is_refused_with_its_line) {
  const TempFolder folder;
  const auto path = folder / "a.geo";
  const std::string head =
      "PGEOMETRY V5\nNPoints 2 NPrims 0\nNPointGroups 0 NPrimGroups 0\nNPointAttrib 0 NVertexAttrib 0 NPrimAttrib 0 "
      "NAttrib 0\n";
  auto message = [&](const std::string& text) -> std::string {
    test::put_bytes(path, text);
    try {
      read_geo(path);
    } catch (const Failure& f) {
      EXPECT_EQ(f.code, Exit::bad_input);
      return std::string(f.what()).substr(path.string().size());
    }
    return "no failure";
  };
  EXPECT_EQ(message(head + "0 0 0 1\n1 2 3 1\nbeginExtra\nendExtra\n"), "no failure");
  EXPECT_EQ(message(head + "0 0 0 1\n1 2 3 1\nbeginExtra\n"), ":8: expected 'endExtra', found ''");
  EXPECT_EQ(message(head + "0 0 0 1\n1 2 x 1\nbeginExtra\nendExtra\n"), ":6: expected a number, found 'x'");
  EXPECT_EQ(message(head + "0 0 0 1\n1 nan 3 1\nbeginExtra\nendExtra\n"), ":6: 'nan' is not a finite number");
  EXPECT_EQ(message(head + "0 0 -inf 1\n1 2 3 1\nbeginExtra\nendExtra\n"), ":5: '-inf' is not a finite number");
  EXPECT_EQ(message(head + "0 0 0 1\n"), ":4: the file is too short for 2 points");
  EXPECT_EQ(message(""), ":1: expected 'PGEOMETRY', found ''");
  EXPECT_EQ(message("PGEOMETRY V5\nNPoints 99999999999999 NPrims 0\nNPointGroups 0 NPrimGroups 0\n"
                    "NPointAttrib 0 NVertexAttrib 0 NPrimAttrib 0 NAttrib 0\n"),
            ":4: the file is too short for 99999999999999 points");
  EXPECT_EQ(message("PGEOMETRY V5\nNPoints 0 NPrims 3\n"),
            ":2: only files of bare points can be read; NPrims must be 0");
  const std::string with_mass =
      "PGEOMETRY V5\nNPoints 1 NPrims 0\nNPointGroups 0 NPrimGroups 0\nNPointAttrib 1 NVertexAttrib 0 NPrimAttrib 0 "
      "NAttrib 0\nPointAttrib\n";
  EXPECT_EQ(message(with_mass + "mass 1 float 0\n0 0 0 1 (2)\nbeginExtra\nendExtra\n"), "no failure");
  EXPECT_EQ(message(with_mass + "mass 1 float 0\n0 0 0 1\nbeginExtra\nendExtra\n"),
            ":8: expected '(', found 'beginExtra'");
  EXPECT_EQ(message(with_mass + "mass 1 string 0\n0 0 0 1 (2)\nbeginExtra\nendExtra\n"),
            ":6: the type of 'mass' must be int, float or vector, not 'string'");
}

}  // namespace
}  // namespace knead
