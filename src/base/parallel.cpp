#include "base/parallel.h"

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
// so as little as possible is written by one thread and read by another: the caller announces a loop in one word, which
// members that have nothing to do watch for a while before they sleep, and each says in a word of its own that it takes
// part, and that it is done. Nobody waits for a member that has not come, as on a busy machine.
class Team {
 public:
  explicit Team(int threads) : watchful_(threads <= static_cast<int>(std::thread::hardware_concurrency())) {
    for (int i = 1; i < threads; ++i) states_.push_back(std::make_unique<State>());
    for (std::size_t i = 0; i < states_.size(); ++i) members_.emplace_back([this, i] { serve(i); });
  }
  ~Team() {
    announced_.store(ended);
    wake();
    for (std::thread& member : members_) member.join();
  }
  Team(const Team&) = delete;

  std::size_t size() const { return states_.size() + 1; }

  // Loops of several callers take turns. A loop within a loop is done by the thread that meets it.
  void run(std::size_t chunks, void (*body)(void*, std::size_t), void* context) {
    if (chunks <= 1 || states_.empty() || inside_) {
      for (std::size_t chunk = 0; chunk < chunks; ++chunk) body(context, chunk);
      return;
    }
    const std::lock_guard turn(turn_);
    // Several chunks at a time while there are many, so that threads do not queue for the counter.
    const std::size_t at_once = std::max<std::size_t>(1, chunks / (8 * size()));
    loop_ = {body, context, chunks, at_once, (chunks + at_once - 1) / at_once};
    const std::size_t helpers = std::min(loop_.portions, size()) - 1;
    next_.store(0, std::memory_order_relaxed);
    ++round_;
    announced_.store(round_ * most_helpers + helpers);
    bool any_asleep = false;
    for (std::size_t i = 0; i < helpers; ++i) any_asleep |= states_[i]->asleep.load();
    if (any_asleep) wake();
    take_chunks();
    announced_.store(round_ * most_helpers);  // nobody else is to come
    for (std::size_t i = 0; i < helpers; ++i) {
      const State& state = *states_[i];
      if (state.joined.load() != round_) continue;
      for (int looks = 0; state.done.load(std::memory_order_acquire) != round_; ++looks) pause_or_yield(looks);
    }
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::microseconds watch{200};
  // What is announced: the number of the loop, and how many members may still come to help.
  static constexpr std::uint64_t most_helpers = 1 << 16, ended = ~std::uint64_t(0);

  struct Loop {
    void (*body)(void*, std::size_t) = nullptr;
    void* context = nullptr;
    std::size_t chunks = 0, at_once = 1, portions = 0;
  };
  // Of a member, in a cache line of its own.
  struct alignas(64) State {
    std::atomic<std::uint64_t> joined{0}, done{0};  // the last round
    std::atomic<bool> asleep{false};
  };

  // Runs portions until none is left.
  void take_chunks() {
    inside_ = true;
    try {
      for (std::size_t p; (p = next_.fetch_add(1, std::memory_order_relaxed)) < loop_.portions;) {
        const std::size_t first = p * loop_.at_once, end = std::min(first + loop_.at_once, loop_.chunks);
        for (std::size_t chunk = first; chunk < end; ++chunk) loop_.body(loop_.context, chunk);
      }
    } catch (...) {
      next_.store(loop_.portions, std::memory_order_relaxed);
      const std::lock_guard lock(failing_);
      if (!failure_) failure_ = std::current_exception();
    }
    inside_ = false;
  }

  // A member's life. The caller closes a loop and then looks who has joined; a member joins and then looks whether the
  // loop is closed: at least one of them sees the other.
  void serve(std::size_t me) {
    State& state = *states_[me];
    for (std::uint64_t seen = 0;;) {
      const std::uint64_t word = wait_for_change(seen, state);
      if (word == ended) return;
      seen = word;
      if (me >= word % most_helpers) continue;
      state.joined.store(word / most_helpers);
      if (announced_.load() == word) take_chunks();
      state.done.store(word / most_helpers, std::memory_order_release);
    }
  }

  std::uint64_t wait_for_change(std::uint64_t seen, State& state) {
    std::uint64_t word = seen;
    const auto changed = [&] { return (word = announced_.load()) != seen; };
    if (watchful_) {
      const Clock::time_point until = Clock::now() + watch;
      do {
        for (int look = 0; look < 32; ++look) {
          if (changed()) return word;
          pause();
        }
      } while (Clock::now() < until);
    }
    std::unique_lock lock(sleeping_);
    state.asleep.store(true);
    bell_.wait(lock, changed);
    state.asleep.store(false);
    return word;
  }
  void wake() {
    { const std::lock_guard lock(sleeping_); }  // whoever is about to sleep has seen the change, or hears the bell
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
  std::uint64_t round_ = 0;
  alignas(64) std::atomic<std::uint64_t> announced_{0};
  alignas(64) std::atomic<std::size_t> next_{0};  // portion
  alignas(64) const bool watchful_;               // not where threads would wait in place of others that have work
  std::mutex sleeping_, failing_;
  std::condition_variable bell_;
  std::exception_ptr failure_;
  std::vector<std::unique_ptr<State>> states_;
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
  explicit State(int threads) : team(threads), outer(limited.exchange(&team)) {}
  ~State() { limited = outer; }
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
