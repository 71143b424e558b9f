#include "output/whole_file.h"

#include "base/error.h"
#include "output/checkpoint.h"
#include "output/frame_file.h"
#include "support/output_support.h"

#include <sys/resource.h>

#include <csignal>

namespace knead {
namespace {

using test::TempFolder;

TEST(WholeFile, appears_under_its_name_and_leaves_nothing_else) {
  const TempFolder folder;
  write_whole(folder / "a.txt", "one");
  write_whole(folder / "a.txt", "two");
  EXPECT_EQ(test::bytes_of(folder / "a.txt"), "two");
  EXPECT_EQ(test::files_in(folder.path()), 1u);
}

TEST(WholeFile, a_failed_write_keeps_the_old_file_and_nothing_else) {
  const TempFolder folder;
  write_whole(folder / "a.txt", "old");
  EXPECT_THROW(write_whole(folder / "a.txt",
                           [](WholeFile& file) {
                             file.write(std::string(3 << 20, 'x'));
                             throw std::runtime_error("no more");
                           }),
               std::runtime_error);
  EXPECT_EQ(test::bytes_of(folder / "a.txt"), "old");
  EXPECT_EQ(test::files_in(folder.path()), 1u);
}

TEST(WholeFile, what_is_not_whole_is_removed_before_a_sudden_end) {
  const TempFolder folder;
  write_whole(folder / "a.txt", "whole");
  const WholeFile file(folder / "b.txt");
  EXPECT_TRUE(std::filesystem::exists(file.partial()));
  remove_partial_files();
  EXPECT_FALSE(std::filesystem::exists(file.partial()));
  EXPECT_EQ(test::bytes_of(folder / "a.txt"), "whole");
}

TEST(WholeFile, a_missing_folder_is_named) {
  const TempFolder folder;
  const auto path = folder / "none" / "a.txt";
  try {
    write_whole(path, "x");
    FAIL();
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, Exit::file);
    EXPECT_EQ(std::string(f.what()), "cannot write '" + path.string() + "': No such file or directory");
  }
}

TEST(WholeFile, does_not_write_through_a_planted_link) {
  const TempFolder folder;
  write_whole(folder / "victim", "precious");
  std::filesystem::create_symlink(folder / "victim", folder / "a.txt.part");
  std::filesystem::create_symlink(folder / "victim", folder / "a.txt");
  write_whole(folder / "a.txt", "new");
  EXPECT_EQ(test::bytes_of(folder / "victim"), "precious");
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "a.txt"));
}

// A limit on the size of files stands in for a full disk: writes beyond it fail with EFBIG as they would with ENOSPC.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit old_{};
  void (*handler_)(int);
};

template <class Write>
void expect_disk_failure(const TempFolder& folder, Write&& write, const std::string& what) {
  try {
    write(folder / "a.h5");
    ADD_FAILURE() << what << " was written";
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, Exit::file);
    EXPECT_EQ(std::string(f.what()), "cannot write '" + (folder / "a.h5").string() +
                                         "': File too large; raise the limit on the size of files (ulimit -f), or "
                                         "write fewer particles and columns")
        << what;
  }
  EXPECT_EQ(test::files_in(folder.path()), 0u) << what;
}

TEST(WholeFile, a_full_disk_is_reported_and_leaves_nothing) {
  const TempFolder folder;
  const World world = test::awkward_world(3, 10'000);
  // The limits fall into the first bytes, the columns, and what HDF5 writes on closing.
  for (rlim_t limit : {0u, 1000u, 4096u, 100'000u, 500'000u, 900'000u}) {
    const FullDisk disk(limit);
    expect_disk_failure(
        folder, [&](const auto& path) { write_whole(path, std::string(1 << 20, 'x')); }, "bytes");
    expect_disk_failure(
        folder, [&](const auto& path) { write_frame(path, world); }, "frame");
    expect_disk_failure(
        folder, [&](const auto& path) { write_checkpoint(path, world, 1); }, "checkpoint");
  }
  // The library works on after its failures.
  write_frame(folder / "a.h5", world);
  EXPECT_EQ(read_frame(folder / "a.h5").particles.count(), 10'000u);
}

// The HDF5 library crashes at the end of a program that could not close a file, unless it never learns of the failure.
TEST(WholeFile, a_program_ends_well_after_a_full_disk) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // other tests of this program have started threads
  const TempFolder folder;
  const World world = test::awkward_world(3, 10'000);
  auto fill_and_end = [&](rlim_t limit) {
    const FullDisk disk(limit);
    try {
      write_frame(folder / "a.h5", world);
    } catch (const Failure& f) {
      std::exit(static_cast<int>(f.code));
    }
    std::exit(0);
  };
  for (rlim_t limit : {0u, 1000u, 100'000u, 900'000u})
    EXPECT_EXIT(fill_and_end(limit), ::testing::ExitedWithCode(static_cast<int>(Exit::file)), "") << limit;
}

TEST(WholeFile, reading_refuses_what_is_not_a_regular_file) {
  const TempFolder folder;
  EXPECT_THROW(read_whole(folder.path(), 100), Failure);
  EXPECT_THROW(read_whole("/dev/zero", 100), Failure);
  write_whole(folder / "a.txt", "12345");
  EXPECT_THROW(read_whole(folder / "a.txt", 4), Failure);
  EXPECT_EQ(read_whole(folder / "a.txt", 5), "12345");
}

}  // namespace
}  // namespace knead
