#include "output/frame_file.h"

#include "output/checkpoint.h"
#include "support/output_support.h"

#include <thread>

namespace knead {
namespace {

using test::TempFolder;

void expect_same_columns(const Particles& a, const Particles& b) {
  ASSERT_EQ(a.count(), b.count());
  ASSERT_EQ(a.columns().size(), b.columns().size());
  for (std::size_t i = 0; i < a.columns().size(); ++i) {
    const Column &p = a.columns()[i], &q = b.columns()[i];
    EXPECT_EQ(p.name, q.name);
    EXPECT_EQ(p.scalar, q.scalar);
    EXPECT_EQ(p.components, q.components);
    EXPECT_EQ(p.unit, q.unit);
    ASSERT_EQ(p.data.size(), q.data.size());
    EXPECT_TRUE(p.data.size() == 0 || std::memcmp(p.data.data(), q.data.data(), p.data.size()) == 0) << p.name;
  }
}

TEST(FrameFile, reads_back_what_was_written_in_the_order_of_id) {
  const TempFolder folder;
  for (int dimension : {2, 3})
    for (std::size_t n : {0, 1, 1000}) {
      const World world = test::awkward_world(dimension, n);
      write_frame(folder / "a.h5", world, {}, 0.25);
      const Frame frame = read_frame(folder / "a.h5");
      EXPECT_EQ(frame.dimension, dimension);
      EXPECT_EQ(frame.time, world.clock.time);
      EXPECT_EQ(frame.number, 7);
      EXPECT_EQ(frame.step, 1234567890123);
      EXPECT_EQ(frame.dx, 0.25);
      expect_same_columns(frame.particles, make_frame(world).particles);
      const auto id = frame.particles.get<std::int32_t>("id");
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(id[i], static_cast<std::int32_t>(i));
      // A particle keeps its entries together.
      const auto ids = world.particles.get<std::int32_t>("id");
      const auto mass = world.particles.get<double>("mass"), sorted = frame.particles.get<double>("mass");
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(sorted[static_cast<std::size_t>(ids[i])], mass[i]);
    }
}

TEST(FrameFile, sorts_ids_that_have_gaps) {
  World world = test::awkward_world(2, 4);
  const std::int32_t ids[] = {90, 5, 70, 5000};
  std::copy_n(ids, 4, world.particles.get<std::int32_t>("id").begin());
  const Frame frame = make_frame(world);
  const auto id = frame.particles.get<std::int32_t>("id");
  EXPECT_EQ(std::vector(id.begin(), id.end()), (std::vector<std::int32_t>{5, 70, 90, 5000}));
}

TEST(FrameFile, holds_the_columns_asked_for_and_always_x_and_id) {
  const TempFolder folder;
  const World world = test::awkward_world(3, 10);
  write_frame(folder / "a.h5", world, {"mass"});
  std::vector<std::string> names;
  const Frame frame = read_frame(folder / "a.h5");
  for (const Column& c : frame.particles.columns()) names.push_back(c.name);
  EXPECT_EQ(names, (std::vector<std::string>{"x", "mass", "id"}));
  try {
    write_frame(folder / "b.h5", world, {"mas"});
    FAIL();
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, Exit::bad_input);
    EXPECT_STREQ(f.what(),
                 "the particles have no column 'mas' (did you mean 'mass'?); they have: x, v, F, stress, mass, id");
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "b.h5"));
}

TEST(FrameFile, equal_worlds_give_equal_bytes_at_any_time_and_from_any_memory_order) {
  const TempFolder folder;
  const World world = test::awkward_world(3, 500);
  write_frame(folder / "a.h5", world);
  write_checkpoint(folder / "c.h5", world, 1);
  // Longer than the resolution of the times that HDF5 could store.
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  World sorted = world;
  sorted.particles = make_frame(world).particles;
  write_frame(folder / "b.h5", sorted);
  write_checkpoint(folder / "d.h5", world, 1);
  EXPECT_EQ(test::bytes_of(folder / "a.h5"), test::bytes_of(folder / "b.h5"));
  EXPECT_EQ(test::bytes_of(folder / "c.h5"), test::bytes_of(folder / "d.h5"));
}

TEST(FrameFile, is_readable_with_h5py) {
  const TempFolder folder;
  World world = test::awkward_world(2, 5);
  auto v = world.particles.get<Vec2f>("v");
  auto F = world.particles.get<Mat2f>("F");
  const auto id = std::as_const(world.particles).get<std::int32_t>("id");
  for (std::size_t i = 0; i < 5; ++i) {
    const auto k = static_cast<float>(id[i]);
    v[i] = {k, -k};
    F[i] = {{k, k + 1, k + 2, k + 3}};
  }
  write_frame(folder / "frame.0007.h5", world, {}, 0.25);
  test::python(R"(
import sys, h5py, numpy as np
f = h5py.File(sys.argv[1], 'r')
a = f.attrs
assert a['format'] == 'knead-frame' and a['version'] == 1 and a['dimension'] == 2
assert a['time'] == 0.1 + 0.2 and a['frame'] == 7 and a['step'] == 1234567890123 and a['dx'] == 0.25
p = f['particles']
assert p.attrs['count'] == 5 and p.attrs['columns'] == 'x,v,F,stress,mass,id', p.attrs['columns']
assert sorted(p) == sorted(p.attrs['columns'].split(','))
assert p['x'].shape == (5, 2) and p['x'].dtype == '<f4' and p['x'].attrs['unit'] == 'm'
assert p['F'].shape == (5, 2, 2) and p['stress'].shape == (5, 3) and p['mass'].shape == (5,)
assert p['mass'].dtype == '<f8' and p['id'].dtype == '<i4' and p['F'].attrs['unit'] == ''
i = np.arange(5)
assert (p['id'][:] == i).all()
assert (p['v'][:] == np.stack([i, -i], 1)).all()
assert (p['F'][:, 1, 0] == i + 2).all()
)",
               folder / "frame.0007.h5");
}

TEST(Checkpoint, keeps_every_bit_in_memory_order) {
  const TempFolder folder;
  for (int dimension : {2, 3}) {
    World world = test::awkward_world(dimension, 1000);
    // The smallest number below 0 must survive too.
    const std::uint32_t strange = 0x80000001;
    std::memcpy(world.particles.find("v")->data.data() + 40, &strange, 4);
    write_checkpoint(folder / "c.h5", world, 0xFEDCBA9876543210u);
    const Checkpoint back = read_checkpoint(folder / "c.h5");
    EXPECT_EQ(back.scene_hash, 0xFEDCBA9876543210u);
    EXPECT_EQ(back.world.dimension, dimension);
    EXPECT_EQ(back.world.clock.time, world.clock.time);
    EXPECT_EQ(back.world.clock.step, world.clock.step);
    EXPECT_EQ(back.world.clock.frame, world.clock.frame);
    EXPECT_EQ(back.world.tally.max_speed, world.tally.max_speed);
    EXPECT_TRUE(std::signbit(back.world.tally.dissipated));
    EXPECT_EQ(back.world.tally.contact_work, 1e-320);
    EXPECT_EQ(back.world.tally.frame_steps, 12);
    EXPECT_EQ(back.world.tally.frame_min_dt, 1e-5);
    EXPECT_EQ(back.world.tally.frame_bound, Bound::elastic_wave);
    ASSERT_EQ(back.world.batches.size(), 2u);
    EXPECT_EQ(back.world.batches[1].material, 0);
    EXPECT_EQ(back.world.batches[1].begin, 500);
    EXPECT_EQ(back.world.batches[1].end, 1000);
    expect_same_columns(back.world.particles, world.particles);
    // And once more, to the same bytes.
    write_checkpoint(folder / "d.h5", back.world, back.scene_hash);
    EXPECT_EQ(test::bytes_of(folder / "c.h5"), test::bytes_of(folder / "d.h5"));
  }
}

TEST(Checkpoint, as_many_are_kept_as_asked_for) {
  const TempFolder temp;
  const RunFolder folder(temp.path());
  folder.prepare();
  World world = test::awkward_world(2, 10);
  for (int frame = 1; frame <= 5; ++frame) {
    world.clock.frame = frame;
    save_checkpoint(folder, world, 1);
  }
  EXPECT_EQ(folder.checkpoints(), (std::vector<std::int64_t>{4, 5}));
  EXPECT_EQ(latest_good_checkpoint(folder, {})->world.clock.frame, 5);
  world.clock.frame = 6;
  save_checkpoint(folder, world, 1, {}, 3);
  EXPECT_EQ(folder.checkpoints(), (std::vector<std::int64_t>{4, 5, 6}));
}

}  // namespace
}  // namespace knead
