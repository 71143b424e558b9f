#include "output/run_folder.h"

#include "base/error.h"
#include "output/run_json.h"
#include "output/text_log.h"
#include "support/output_support.h"

namespace knead {
namespace {

using test::TempFolder;

TEST(RunFolder, finds_frames_with_gaps_among_strays) {
  const TempFolder temp;
  const RunFolder folder(temp.path());
  folder.prepare();
  for (const char* name :
       {"frame.0001.h5", "frame.0003.h5", "frame.12345.h5", "frame.0002.h5.part", "frame.01.h5", "frame.00004.h5",
        "frame.0005.h5.bak", "frame.-001.h5", "frame..h5", "frame.h5", "notes.txt", "frame.99999999999999999999.h5"})
    test::put_bytes(folder.frames_folder() / name, "");
  EXPECT_EQ(folder.frames(), (std::vector<std::int64_t>{1, 3, 12345}));
}

TEST(RunFolder, a_missing_folder_has_no_frames_and_no_run) {
  const TempFolder temp;
  const RunFolder folder(temp / "none");
  EXPECT_TRUE(folder.frames().empty());
  EXPECT_TRUE(folder.checkpoints().empty());
  EXPECT_FALSE(folder.holds_a_run());
  folder.prepare();
  EXPECT_FALSE(folder.holds_a_run()) << "empty folders are no run";
  test::put_bytes(folder.scene(), "");
  EXPECT_TRUE(folder.holds_a_run());
}

TEST(RunFolder, removes_only_its_own_later_frames) {
  const TempFolder temp;
  const RunFolder folder(temp.path());
  folder.prepare();
  for (int n : {1, 2, 3, 10}) test::put_bytes(folder.frame(n), "");
  test::put_bytes(folder.frames_folder() / "mine.txt", "");
  EXPECT_EQ(folder.remove_frames_after(2), 2);
  EXPECT_EQ(folder.frames(), (std::vector<std::int64_t>{1, 2}));
  folder.clear();
  EXPECT_TRUE(std::filesystem::exists(folder.frames_folder() / "mine.txt"));
}

TEST(RunFolder, an_earlier_runs_film_and_exported_frames_go_and_other_files_stay) {
  const TempFolder temp;
  const RunFolder folder(temp.path());
  folder.prepare();
  const std::vector<const char*> ours = {"film.mp4",           "scene.toml",     "log.txt",
                                         "vtp/frame.0001.vtp", "vtp/frames.pvd", "ply/frame.0012.ply"};
  const std::vector<const char*> others = {"mine.mp4", "vtp/mine.vtp", "vtp/frame.0001.ply", "other/frame.0001.vtp"};
  for (const char* name : {"vtp", "ply", "other"}) std::filesystem::create_directory(temp / name);
  for (const char* name : ours) test::put_bytes(temp / name, "");
  for (const char* name : others) test::put_bytes(temp / name, "");
  folder.clear();
  for (const char* name : ours) EXPECT_FALSE(std::filesystem::exists(temp / name)) << name;
  for (const char* name : others) EXPECT_TRUE(std::filesystem::exists(temp / name)) << name;
  EXPECT_FALSE(std::filesystem::exists(temp / "ply"));
}

TEST(RunFolder, keeps_the_last_checkpoints) {
  const TempFolder temp;
  const RunFolder folder(temp.path());
  folder.prepare();
  for (int n : {9998, 9999, 10000, 10001}) test::put_bytes(folder.checkpoint(n), "");
  folder.keep_last_checkpoints(3);
  EXPECT_EQ(folder.checkpoints(), (std::vector<std::int64_t>{9999, 10000, 10001}));
  folder.remove_checkpoints_after(9999);
  EXPECT_EQ(folder.checkpoints(), (std::vector<std::int64_t>{9999}));
}

TEST(RunFolder, a_link_or_file_in_place_of_a_part_is_refused) {
  const TempFolder temp, elsewhere;
  const RunFolder folder(temp.path());
  folder.prepare();
  std::filesystem::remove(folder.frames_folder());
  std::filesystem::create_directory_symlink(elsewhere.path(), folder.frames_folder());
  try {
    folder.prepare();
    FAIL();
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, Exit::file);
    EXPECT_EQ(std::string(f.what()),
              "cannot write into '" + folder.frames_folder().string() + "': it is a link, not a folder");
  }
  const TempFolder other;
  test::put_bytes(other / "file", "");
  EXPECT_THROW(RunFolder(other / "file").prepare(), Failure);
}

TEST(RunJson, round_trips) {
  const TempFolder temp;
  RunInfo info;
  info.version = "0.1.0";
  info.command = {"knead", "run", "a \"b\".toml", "\xff"};
  info.threads = 7;
  info.machine = this_machine();
  info.status = "done";
  info.started = utc_now();
  info.particles = 1'000'000'000'000;
  write_run_json(temp / "run.json", info);
  const RunInfo back = read_run_json(temp / "run.json");
  EXPECT_EQ(back.command.size(), 4u);
  EXPECT_EQ(back.command[2], info.command[2]);
  EXPECT_EQ(back.machine.processor, info.machine.processor);
  EXPECT_GT(back.machine.cores, 0);
  EXPECT_EQ(back.started, info.started);
  EXPECT_EQ(back.started.size(), 20u);
  EXPECT_EQ(back.particles, info.particles);
  test::put_bytes(temp / "run.json", "{\"version\": 3");
  EXPECT_THROW(read_run_json(temp / "run.json"), Failure);
}

TEST(TextLog, goes_on_after_what_is_there) {
  const TempFolder temp;
  TextLog(temp / "log.txt").line("one");
  TextLog(temp / "log.txt").line("two");
  EXPECT_EQ(test::bytes_of(temp / "log.txt"), "one\ntwo\n");
  TextLog(temp / "no" / "log.txt").line("dropped");
}

}  // namespace
}  // namespace knead
