#include "base/error.h"
#include "render/coloring.h"
#include "render/ffmpeg.h"
#include "render/film.h"
#include "render/overlay.h"
#include "render/picture_3d.h"
#include "scene/presence.h"
#include "scene/read.h"
#include "scene/write.h"
#include "support/picture_support.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace knead;
namespace fs = std::filesystem;

namespace {

// A run folder of a few small frames in which the bodies rise.
class Film : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              (std::string("film_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    const RunFolder run(folder_);
    run.prepare();
    Scene scene = test::scene_2d();
    scene.camera.width = 161, scene.camera.height = 121;  // odd: H.264 wants even sides
    std::ofstream(run.scene()) << to_toml(scene);
    for (int n = 1; n <= 5; ++n) {
      World world;
      world.dimension = 2;
      world.clock = {(n - 1) / 24.0, n, n};
      world.particles = test::lattice_frame<2>(scene, 0.05).particles;
      for (Vec2f& x : world.particles.get<Vec2f>("x")) x[1] += 0.05f * float(n);
      write_frame(run.frame(n), world);
    }
  }
  void TearDown() override { fs::remove_all(folder_); }

  // What ffprobe says of the film's picture: codec, width, height, format, rate, frames.
  std::string probed(const fs::path& film) const {
    const std::string command =
        "ffprobe -v error -count_frames -select_streams v -show_entries "
        "stream=codec_name,width,height,pix_fmt,r_frame_rate,nb_read_frames -of csv=p=0 '" +
        film.string() + "'";
    std::FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 256> line{};
    const bool read = std::fgets(line.data(), line.size(), pipe);
    pclose(pipe);
    return read ? line.data() : "";
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  fs::path folder_;
};

// PATH changed while it lives.
class Path {
 public:
  explicit Path(const std::string& path) : before_(std::getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
  ~Path() { setenv("PATH", before_.c_str(), 1); }
  Path(const Path&) = delete;

 private:
  std::string before_;
};

Failure failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Failure& failure) {
    return failure;
  }
  return {Exit::done, "nothing failed"};
}

}  // namespace

TEST_F(Film, mp4_has_every_frame_at_the_rate_of_the_scene) {
  const FilmReport report = render_run(RunFolder(folder_), folder_ / "film.mp4");
  EXPECT_EQ(report.pictures, 5u);
  EXPECT_EQ(probed(folder_ / "film.mp4"), "h264,162,122,yuv420p,24/1,5\n");
  EXPECT_EQ(files(), (std::vector<std::string>{"film.mp4", "scene.toml"}));
}

TEST_F(Film, every_second_frame_plays_at_half_the_rate) {
  FilmOptions options;
  options.every = 2;
  EXPECT_EQ(render_run(RunFolder(folder_), folder_ / "film.mp4", options).pictures, 3u);
  EXPECT_EQ(probed(folder_ / "film.mp4"), "h264,162,122,yuv420p,12/1,3\n");
}

TEST_F(Film, a_run_that_kept_every_second_frame_plays_at_half_the_rate) {
  const RunFolder run(folder_);
  for (int n : {2, 4}) fs::remove(run.frame(n));
  EXPECT_EQ(render_run(run, folder_ / "film.mp4").pictures, 3u);
  EXPECT_EQ(probed(folder_ / "film.mp4"), "h264,162,122,yuv420p,12/1,3\n");
}

TEST_F(Film, a_last_frame_out_of_step_does_not_change_the_rate) {
  const RunFolder run(folder_);
  for (int n : {2, 3}) fs::remove(run.frame(n));
  render_run(run, folder_ / "film.mp4");
  EXPECT_EQ(probed(folder_ / "film.mp4"), "h264,162,122,yuv420p,8/1,3\n");
}

TEST_F(Film, one_picture_of_several_frames_says_which_it_shows) {
  FilmOptions options;
  options.first = 1, options.last = 3;
  const FilmReport report = render_run(RunFolder(folder_), folder_ / "one.png", options);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("shows only frame 3; one.%04d.png"), std::string::npos) << report.warnings[0];
}

TEST_F(Film, a_damaged_frame_asked_for_is_named) {
  const RunFolder run(folder_);
  for (int n : {3, 4, 5}) fs::resize_file(run.frame(n), 0);
  FilmOptions options;
  options.first = options.last = 4;
  const Failure one = failure_of([&] { render_run(run, folder_ / "x.png", options); });
  EXPECT_EQ(one.code, Exit::bad_input);
  EXPECT_NE(std::string(one.what()).find("frame 4 cannot be read: '" + run.frame(4).string()), std::string::npos)
      << one.what();
  options.first = 3;
  const Failure two = failure_of([&] { render_run(run, folder_ / "x.mp4", options); });
  EXPECT_NE(std::string(two.what()).find("none of the frames 3 to 4 can be read"), std::string::npos) << two.what();
}

TEST_F(Film, a_pattern_gives_a_picture_a_frame_and_a_name_gives_the_last_one) {
  FilmOptions options;
  options.first = 2, options.last = 3;
  render_run(RunFolder(folder_), folder_ / "p.%03d.png", options);
  render_run(RunFolder(folder_), folder_ / "one.png", options);
  EXPECT_EQ(files(), (std::vector<std::string>{"one.png", "p.002.png", "p.003.png", "scene.toml"}));
  // One picture alone has the camera of the whole film.
  EXPECT_TRUE(read_png(folder_ / "one.png").pixels == read_png(folder_ / "p.003.png").pixels);
}

TEST_F(Film, damaged_frames_are_left_out_with_a_warning) {
  const RunFolder run(folder_);
  fs::resize_file(run.frame(3), 1000);
  fs::resize_file(run.frame(5), 0);
  const FilmReport report = render_run(run, folder_ / "film.mp4");
  EXPECT_EQ(report.pictures, 3u);
  ASSERT_EQ(report.warnings.size(), 2u);
  EXPECT_EQ(render_run(run, folder_ / "one.png").pictures, 1u);
}

TEST_F(Film, missing_frames_are_left_out_with_a_warning) {
  const RunFolder run(folder_);
  std::ofstream(run.run_json()) << "{}";  // without it nobody knows which frames the run wrote
  fs::remove(run.frame(3));
  const FilmReport report = render_run(run, folder_ / "x.%d.png", {});
  EXPECT_EQ(report.pictures, 4u);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("missing in"), std::string::npos) << report.warnings[0];
  EXPECT_TRUE(report.warnings[0].ends_with("left out: 3")) << report.warnings[0];
}

TEST_F(Film, without_ffmpeg_the_message_says_what_to_install) {
  const Path none("/nowhere");
  const Failure f = failure_of([&] { render_run(RunFolder(folder_), folder_ / "film.mp4"); });
  EXPECT_EQ(f.code, Exit::not_built);
  EXPECT_NE(std::string(f.what()).find("apt-get install ffmpeg"), std::string::npos) << f.what();
  EXPECT_EQ(files(), std::vector<std::string>{"scene.toml"});
}

TEST_F(Film, when_ffmpeg_fails_nothing_is_left_and_its_words_are_told) {
  const fs::path bin = folder_ / "bin";
  fs::create_directory(bin);
  std::ofstream(bin / "ffmpeg") << "#!/bin/sh\necho 'no space, say' >&2\nexit 3\n";
  fs::permissions(bin / "ffmpeg", fs::perms::owner_all);
  const Path fake(bin.string() + ":/usr/bin:/bin");
  const Failure f = failure_of([&] { render_run(RunFolder(folder_), folder_ / "film.mp4"); });
  EXPECT_EQ(f.code, Exit::file);
  EXPECT_NE(std::string(f.what()).find("no space, say"), std::string::npos) << f.what();
  EXPECT_EQ(files(), std::vector<std::string>{"scene.toml"});
}

// ffmpeg may end with code 0 after it could not write.
TEST_F(Film, a_film_cut_short_is_none) {
  const fs::path bin = folder_ / "bin";
  fs::create_directory(bin);
  std::ofstream(bin / "ffmpeg") << "#!/bin/sh\ncat > /dev/null\nfor last; do :; done\n"
                                   "printf '\\000\\000\\000\\020ftypisomiso2' > \"${last#file:}\"\n";
  fs::permissions(bin / "ffmpeg", fs::perms::owner_all);
  const Path fake(bin.string() + ":/usr/bin:/bin");
  const Failure f = failure_of([&] { render_run(RunFolder(folder_), folder_ / "film.mp4"); });
  EXPECT_EQ(f.code, Exit::file);
  EXPECT_NE(std::string(f.what()).find("film.mp4': ffmpeg left it incomplete"), std::string::npos) << f.what();
  EXPECT_EQ(files(), std::vector<std::string>{"scene.toml"});
}

TEST_F(Film, a_whole_file_is_filled_by_its_boxes) {
  render_run(RunFolder(folder_), folder_ / "film.mp4");
  const fs::path film = folder_ / "film.mp4";
  EXPECT_TRUE(is_whole_mp4(film));
  const auto size = fs::file_size(film);
  for (const auto shorter : {size - 1, size / 2, std::uintmax_t(1024), std::uintmax_t(0)}) {
    fs::resize_file(film, shorter);
    EXPECT_FALSE(is_whole_mp4(film)) << shorter << " of " << size;
  }
}

TEST_F(Film, mistakes_have_messages) {
  const RunFolder run(folder_);
  FilmOptions options;
  options.first = 100;
  EXPECT_EQ(failure_of([&] { render_run(run, folder_ / "x.png", options); }).code, Exit::bad_input);
  EXPECT_EQ(failure_of([&] { render_run(run, folder_ / "x.gif"); }).code, Exit::usage);
  EXPECT_EQ(failure_of([&] { render_run(run, folder_ / "x%s.png"); }).code, Exit::usage);
  options = {};
  options.render.color = "vv";
  const Failure f = failure_of([&] { render_run(run, folder_ / "x.png", options); });
  EXPECT_EQ(f.code, Exit::bad_input);
  EXPECT_NE(std::string(f.what()).find("did you mean 'v'"), std::string::npos) << f.what();
  EXPECT_TRUE(std::string(f.what()).ends_with("a colour may also be material or plain")) << f.what();
  options = {};
  options.render.colormap = "virids";
  EXPECT_NE(std::string(failure_of([&] { render_run(run, folder_ / "x.png", options); }).what()).find("'viridis'"),
            std::string::npos);
  options = {};
  options.render.low = 2, options.render.high = 1;
  EXPECT_EQ(failure_of([&] { render_run(run, folder_ / "x.png", options); }).code, Exit::bad_input);
  options = {};
  options.render.width = 100000;
  EXPECT_EQ(failure_of([&] { render_run(run, folder_ / "x.png", options); }).code, Exit::bad_input);
  fs::remove_all(run.frames_folder());
  EXPECT_EQ(failure_of([&] { render_run(run, folder_ / "x.png"); }).code, Exit::bad_input);
}

TEST(BodyColor, colours_are_as_written_and_bodies_of_snow_differ) {
  Scene scene = test::scene_3d();
  const Color white = body_color(scene, 0);
  scene.bodies.push_back(scene.bodies[0]);
  EXPECT_EQ(body_color(scene, 0), white);
  EXPECT_NE(body_color(scene, 2), white);
  scene.bodies[2].color = Vec3d{0.8, 0.2, 0.2};
  EXPECT_EQ(body_color(scene, 2), (Color{204, 51, 51}));
}

// damage means something in the first body, and what the second becomes has it too.
TEST(Coloring, bodies_without_the_column_are_grey) {
  const Scene scene = read_scene_text(
      "format = 1\n[scene]\ndimension = 2\n[solver]\ndx = 0.1\n[materials.a]\nmodel = \"rankine\"\n"
      "[materials.b]\nmodel = \"neo-hookean\"\n"
      "[[body]]\nname = \"p\"\nmaterial = \"a\"\nshape = { type = \"box\" }\n"
      "[[body]]\nname = \"q\"\nmaterial = \"b\"\nshape = { type = \"box\" }\n"
      "[[body]]\nname = \"r\"\nmaterial = \"b\"\nshape = { type = \"box\" }\n"
      "[[event]]\ntime = 1\nbody = \"q\"\nmaterial = \"a\"\n",
      "grey.toml", ".");
  Frame frame;
  frame.dimension = 2;
  frame.particles.resize(3);
  const auto body = frame.particles.add<std::int32_t>("body");
  const auto damage = frame.particles.add<float>("damage"), mass = frame.particles.add<float>("mass"),
             pscale = frame.particles.add<float>("pscale");
  for (std::size_t i = 0; i < 3; ++i) body[i] = int(i), damage[i] = 0, mass[i] = 1, pscale[i] = 1;
  const std::vector<bool> all{true, true, true}, those_that_break{true, true, false};
  EXPECT_EQ(bodies_with(scene, frame, "damage"), those_that_break);
  EXPECT_EQ(bodies_with(scene, frame, "mass"), all);
  EXPECT_EQ(bodies_with(scene, frame, "1 - damage * mass"), those_that_break);
  EXPECT_EQ(bodies_with(scene, frame, "pscale"), all);  // the scene knows nothing of it
  Camera camera = scene.camera;
  camera.color = "damage";
  const Coloring c = coloring(scene, camera, frame, 0, 1);
  EXPECT_EQ(c.colors[0], c.colors[1]);
  EXPECT_EQ(c.colors[2], (Color{150, 150, 150}));
}

TEST(Ground, is_there_only_where_matter_can_land) {
  const auto lands = [](const std::string& more) {
    const Scene scene = read_scene_text("format = 1\n[scene]\n" + more +
                                            "[solver]\ndx = 0.1\n[materials.a]\nmodel = \"neo-hookean\"\n"
                                            "[[body]]\nmaterial = \"a\"\nshape = { type = \"sphere\" }\n",
                                        "land.toml", ".");
    return can_land(scene, {0, -1, 0});
  };
  const auto collider = [](const std::string& shape) { return "[[collider]]\nshape = { " + shape + " }\n"; };
  EXPECT_FALSE(lands(""));
  EXPECT_TRUE(lands("domain = { min = [-2, -2, -2], max = [2, 2, 2] }\n"));
  EXPECT_TRUE(lands(collider("type = \"plane\", point = [0, -1, 0]")));
  EXPECT_FALSE(lands(collider("type = \"plane\", point = [-1, 0, 0], normal = [1, 0, 0]")));  // a wall beside it
  EXPECT_TRUE(lands(collider("type = \"box\", center = [0.3, -5, 0], size = [1, 0.5, 1]")));
  EXPECT_FALSE(lands(collider("type = \"box\", center = [0, 5, 0], size = [1, 0.5, 1]")));  // above
}

TEST(Ground, lies_at_the_foot_of_the_domain_whatever_reaches_below) {
  const Scene scene = test::tank_3d();
  FilmRange film;
  EXPECT_EQ(ground_height(scene, film), -0.5);  // before there is any matter
  extend(film, scene, test::lattice_frame<3>(scene, 0.1), {});
  EXPECT_EQ(ground_height(scene, film), -0.5);
}

TEST(TimeText, unit_suits_the_duration) {
  EXPECT_EQ(time_text(0.25, 2, 7), "t = 0.250 s    frame 7");
  EXPECT_EQ(time_text(0.0125, 0.02, 6), "t = 12.500 ms    frame 6");
  EXPECT_EQ(time_text(42e-6, 80e-6, 22), "t = 42.000 us    frame 22");
}
