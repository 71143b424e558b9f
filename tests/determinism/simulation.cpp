// A simulation in memory is the one that `knead run` writes.
#include "output/run_folder.h"
#include "run/recorder.h"
#include "run/rest_meshes.h"
#include "support/output_support.h"
#include "support/small_scene.h"

namespace knead::test {
namespace {

// With an event at the start, another between two frames, and a probe that sums over a frame.
const std::string pushed =
    one_body(2, "dx = 0.05", "model = \"snow\"", "shape = { type = \"box\", center = [0, 0.31], size = [0.4, 0.6] }",
             "fps = 200\nduration = 0.02",
             "[[collider]]\nname = \"floor\"\nshape = { type = \"plane\" }\n"
             "[[event]]\ntime = 0\nbody = \"body\"\nvelocity = [0, -3]\n"
             "[[event]]\ntime = 0.012\nbody = \"body\"\nvelocity = [1, 0]\n"
             "[[probe]]\nname = \"force\"\ntype = \"force\"\non = \"floor\"\n");

TEST(Simulation, has_the_frames_of_a_run) {
  const TempFolder temp;
  put_bytes(temp / "scene.toml", pushed);
  RunOptions options;
  options.scene = temp / "scene.toml", options.out = temp / "run";
  ASSERT_EQ(run_scene(options).code, 0);
  const RunFolder folder(temp / "run");

  auto s = knead::Simulation::from_file(temp / "scene.toml");
  for (const std::int64_t frame : folder.frames()) {
    if (frame > s.scene().scene.start_frame) s.advance_frame();
    write_frame(temp / "frame.h5", s.world, s.scene().output.columns, s.scene().solver.dx, edge_stretches(s.world));
    EXPECT_TRUE(bytes_of(temp / "frame.h5") == bytes_of(folder.frame(frame))) << "frame " << frame;
  }
  EXPECT_EQ(s.world.clock.frame, folder.frames().back());
  EXPECT_EQ(s.world.clock.events, 2);
  EXPECT_GT(length(s.world.reactions.at(0).impulse), 0) << "of the last frame";
}

TEST(Simulation, says_what_is_wrong) {
  try {
    knead::Simulation::from_text(pushed, {"solver.dx=-1", "scene.fps=0"});
    FAIL() << "a scene that cannot be";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code, Exit::bad_input);
    for (const char* part : {"solver.dx", "scene.fps"})
      EXPECT_NE(std::string(failure.what()).find(part), std::string::npos);
  }
  auto s = knead::Simulation::from_text(pushed);
  EXPECT_THROW(s.column<float>("x"), Failure) << "which has two numbers a particle";
  EXPECT_THROW(s.column<float>("wetness"), Failure);
  s.column<Vec2f>("v")[0][0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(s.advance_to(1), Failure);
}

// Not only x and v, which a step looks at itself.
TEST(Simulation, no_frame_is_written_with_a_number_that_is_not_finite) {
  const TempFolder temp;
  put_bytes(temp / "scene.toml", pushed);
  for (const char* name : {"x", "v", "mass", "volume", "J_p"}) {
    auto s = knead::Simulation::from_file(temp / "scene.toml");
    RunOptions options;
    options.scene = temp / "scene.toml";
    const RunFolder folder(temp / name);
    Recorder recorder(s.scene(), options, folder, 1, s.world, false, 4);
    recorder.frame(s.world, *s.solver, s.ledger());
    s.advance_frame();
    Column* column = s.world.particles.find(name);
    ASSERT_TRUE(column && column->scalar == Scalar::f32) << name;
    const float bad = std::numeric_limits<float>::infinity();
    std::memcpy(column->data.data() + 5 * column->stride(), &bad, sizeof bad);
    try {
      recorder.frame(s.world, *s.solver, s.ledger());
      FAIL() << name;
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code, Exit::numerical);
      EXPECT_NE(std::string(failure.what()).find(fmt::format("the column '{}' of particle", name)), std::string::npos)
          << failure.what();
    }
    EXPECT_EQ(folder.frames().size(), 1u) << name;
  }
}

}  // namespace
}  // namespace knead::test
