#include "base/parallel.h"

#include <tbb/global_control.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace knead {
namespace {

// Threads that share the chunks of one loop after the other. A step has hundreds of loops, many of a few microseconds,
// so members that have nothing to do look out for the next loop for a while before they sleep, and a loop waits for
// nobody who has not come to help.
class Team {
 public:
  explicit Team(int threads) : patient_(threads <= static_cast<int>(std::thread::hardware_concurrency())) {
    for (int i = 1; i < threads; ++i) members_.emplace_back([this] { serve(); });
  }
  ~Team() {
    ended_ = true;
    wake();
    for (std::thread& member : members_) member.join();
  }
  Team(const Team&) = delete;

  std::size_t size() const { return members_.size() + 1; }
  // Loops of several callers take turns. A loop within a loop is done by the thread that meets it.
  void run(std::size_t chunks, void (*body)(void*, std::size_t), void* context) {
    if (chunks <= 1 || members_.empty() || inside_) {
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) body(context, chunk);
      return;
    }
    const std::lock_guard turn(turn_);
    // Several chunks at a time while there are many, so that threads do not queue for the counter.
    loop_ = {body, context, chunks, std::max<std::size_t>(1, chunks / (8 * size()))};
    next_.store(0, std::memory_order_relaxed);
    state_.fetch_add(one_round, std::memory_order_seq_cst);  // open
    if (asleep_.load(std::memory_order_seq_cst) > 0) wake();
    take_chunks();
    state_.fetch_add(one_round, std::memory_order_acq_rel);  // closed: nobody joins any more
    for (int looks = 0; state_.load(std::memory_order_acquire) & helpers; ++looks) pause_or_yield(looks);
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::microseconds patience{50};
  // The lower half counts those who help; the upper half is odd while a loop is open, and grows.
  static constexpr std::uint64_t one_round = std::uint64_t(1) << 32, helpers = one_round - 1;

  struct Loop {
    void (*body)(void*, std::size_t) = nullptr;
    void* context = nullptr;
    std::size_t chunks = 0, at_once = 1;
  };

  // Runs chunks until none is left.
  void take_chunks() {
    inside_ = true;
    try {
      for (;;) {
        const std::size_t first = next_.fetch_add(loop_.at_once, std::memory_order_relaxed);
        if (first >= loop_.chunks) break;
        for (std::size_t c = first; c < std::min(first + loop_.at_once, loop_.chunks); ++c)
          loop_.body(loop_.context, c);
      }
    } catch (...) {
      next_.store(loop_.chunks, std::memory_order_relaxed);
      const std::lock_guard lock(failing_);
      if (!failure_) failure_ = std::current_exception();
    }
    inside_ = false;
  }

  // A member's life.
  void serve() {
    std::uint64_t seen = 0;  // the last round taken part in
    while (!ended_.load(std::memory_order_relaxed)) {
      std::uint64_t state = state_.load(std::memory_order_acquire);
      const std::uint64_t round = state / one_round;
      if (round % 2 == 1 && round != seen) {
        // Joining succeeds only while the loop is open; it is not changed before all who joined have left.
        if (!state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) continue;
        seen = round;
        take_chunks();
        state_.fetch_sub(1, std::memory_order_release);
      } else {
        wait_for_change(round);
      }
    }
  }

  void wait_for_change(std::uint64_t round) {
    const auto changed = [&] {
      return state_.load(std::memory_order_seq_cst) / one_round != round || ended_.load(std::memory_order_relaxed);
    };
    if (patient_) {
      const Clock::time_point until = Clock::now() + patience;
      do {
        for (int look = 0; look < 16; ++look) {
          if (changed()) return;
          pause();
        }
      } while (Clock::now() < until);
    }
    std::unique_lock lock(sleeping_);
    asleep_.fetch_add(1, std::memory_order_seq_cst);
    bell_.wait(lock, changed);
    asleep_.fetch_sub(1, std::memory_order_relaxed);
  }
  void wake() {
    {
      const std::lock_guard lock(sleeping_);
    }  // those who are about to sleep have seen the change, or wait for the bell
    bell_.notify_all();
  }

  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  static void pause_or_yield(int looks) {
    if (looks < 1000)
      pause();
    else
      std::this_thread::yield();
  }

  static thread_local bool inside_;  // a loop

  std::mutex turn_;
  Loop loop_;
  alignas(64) std::atomic<std::uint64_t> state_{0};
  alignas(64) std::atomic<std::size_t> next_{0};  // chunk
  alignas(64) std::atomic<int> asleep_{0};
  std::atomic<bool> ended_{false};
  bool patient_;  // not where threads would wait in place of others that have work
  std::mutex sleeping_, failing_;
  std::condition_variable bell_;
  std::exception_ptr failure_;
  std::vector<std::thread> members_;
};
thread_local bool Team::inside_ = false;

std::atomic<Team*> limited{nullptr};  // of the innermost ThreadLimit

Team& team() {
  static Team machine(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
  Team* const of_limit = limited;
  return of_limit ? *of_limit : machine;
}

}  // namespace

struct ThreadLimit::State {
  explicit State(int threads)
      : library(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)),
        team(threads),
        outer(limited.exchange(&team)) {}
  ~State() { limited = outer; }
  tbb::global_control library;  // the same for sorts, which are oneTBB's
  Team team;
  Team* outer;
};

ThreadLimit::ThreadLimit(int threads) : state_(std::make_unique<State>(threads)) {}
ThreadLimit::~ThreadLimit() = default;

void run_chunks(std::size_t chunks, void (*run)(void* context, std::size_t chunk), void* context) {
  team().run(chunks, run, context);
}

std::size_t threads_of_loops() { return team().size(); }

}  // namespace knead
