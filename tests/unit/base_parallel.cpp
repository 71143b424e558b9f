// Parallel loops give the same bits on any number of threads.
#include "base/parallel.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include <atomic>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace knead {
namespace {

TEST(Parallel, as_many_threads_take_part_as_were_asked_for) {
  for (int threads : {1, 2, 7}) {
    const ThreadLimit limit(threads);
    std::mutex mutex;
    std::condition_variable arrived;
    std::set<std::thread::id> seen;
    // Nobody goes on before all have come, however busy the machine is; whoever waits in vain gives up at last.
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    parallel_for(200, 1, [&](std::size_t) {
      std::unique_lock lock(mutex);
      seen.insert(std::this_thread::get_id());
      arrived.notify_all();
      arrived.wait_until(lock, give_up, [&] { return seen.size() >= static_cast<std::size_t>(threads); });
    });
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(threads));
  }
}

TEST(Parallel, reduce_gives_the_same_bits_on_any_number_of_threads) {
  const std::size_t n = 100001;
  auto sum = [&](int threads) {
    ThreadLimit limit(threads);
    return parallel_reduce(
        n, 1000, 0.0f,
        [](std::size_t begin, std::size_t end) {
          float s = 0;
          for (std::size_t i = begin; i < end; ++i) s += std::sin(static_cast<float>(i));
          return s;
        },
        [](float a, float b) { return a + b; });
  };
  const float one = sum(1);
  EXPECT_EQ(one, sum(2));
  EXPECT_EQ(one, sum(7));
}

TEST(Parallel, reduce_combines_in_the_order_of_the_chunks) {
  const auto order = parallel_reduce(
      std::size_t(10), 3, std::vector<std::size_t>{}, [](std::size_t begin, std::size_t) { return std::vector{begin}; },
      [](std::vector<std::size_t> a, const std::vector<std::size_t>& b) {
        a.insert(a.end(), b.begin(), b.end());
        return a;
      });
  EXPECT_EQ(order, (std::vector<std::size_t>{0, 3, 6, 9}));
}

TEST(Parallel, reduce_of_nothing_is_the_start) {
  EXPECT_EQ(parallel_reduce(
                std::size_t(0), 8, 5, [](std::size_t, std::size_t) { return 1; }, std::plus<>{}),
            5);
}

TEST(Parallel, for_visits_every_index_once) {
  for (const std::size_t n : {0, 1, 7, 8, 9, 1000}) {
    std::vector<std::atomic<int>> visits(n);
    parallel_for(n, 8, [&](std::size_t i) { ++visits[i]; });
    for (const auto& v : visits) EXPECT_EQ(v, 1);
  }
}

TEST(Parallel, chunks_cover_the_range_without_overlap) {
  for (const std::size_t n : {0, 1, 63, 64, 65, 1000}) {
    std::vector<std::atomic<int>> visits(n);
    parallel_chunks(n, 64, [&](std::size_t begin, std::size_t end) {
      EXPECT_EQ(begin % 64, 0u);
      for (std::size_t i = begin; i < end; ++i) ++visits[i];
    });
    for (const auto& v : visits) EXPECT_EQ(v, 1);
  }
}

TEST(Parallel, what_a_chunk_throws_reaches_the_caller_and_the_next_loop_is_whole) {
  const ThreadLimit limit(3);
  for (int repeat = 0; repeat < 50; ++repeat) {
    EXPECT_THROW(parallel_for(1000, 1,
                              [&](std::size_t i) {
                                if (i == 500) throw std::runtime_error("chunk");
                              }),
                 std::runtime_error);
    std::atomic<int> done = 0;
    parallel_for(1000, 1, [&](std::size_t) { ++done; });
    EXPECT_EQ(done, 1000);
  }
}

TEST(Parallel, loops_within_loops_and_of_several_callers_are_done_once_each) {
  const ThreadLimit limit(3);
  std::vector<std::atomic<int>> done(64 * 64);
  const auto both = [&] {
    parallel_for(64, 1, [&](std::size_t i) { parallel_for(64, 1, [&](std::size_t k) { ++done[64 * i + k]; }); });
  };
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      for (int repeat = 0; repeat < 25; ++repeat) both();
    });
  for (std::thread& caller : callers) caller.join();
  for (const std::atomic<int>& times : done) ASSERT_EQ(times, 100);
}

}  // namespace
}  // namespace knead
