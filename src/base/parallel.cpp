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
//
// The chunks are divided into as many shares as threads, and a thread does its own before it helps with those of
// others. In loop after loop over the same data it so works on the same part, which is in its caches.
class Team {
 public:
  explicit Team(int threads) : watchful_(threads <= static_cast<int>(std::thread::hardware_concurrency())) {
    for (int i = 1; i < threads; ++i) states_.push_back(std::make_unique<State>());
    taken_ = std::vector<Taken>(size());
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
    loop_ = {body, context, chunks, std::min(chunks, size())};
    const std::size_t helpers = loop_.shares - 1;
    failed_.store(false, std::memory_order_relaxed);
    start_round();
    announced_.store(round_ * most_helpers + helpers);
    bool any_asleep = false;
    for (std::size_t i = 0; i < helpers; ++i) any_asleep |= states_[i]->asleep.load();
    if (any_asleep) wake();
    take_chunks(0);
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
    std::size_t chunks = 0, shares = 1;
    std::size_t begin_of(std::size_t share) const { return share * chunks / shares; }
  };
  // How many chunks of a share are taken, in the low half, in the round that is in the high half; none in another
  // round. So nobody has to clear it for a loop.
  struct alignas(64) Taken {
    std::atomic<std::uint64_t> word{0};
  };
  static constexpr std::uint64_t low_half = (std::uint64_t(1) << 32) - 1;
  // Of a member, in a cache line of its own.
  struct alignas(64) State {
    std::atomic<std::uint64_t> joined{0}, done{0};  // the last round
    std::atomic<bool> asleep{false};
  };

  void start_round() {
    if ((++round_ & low_half) != 0) return;
    ++round_;  // the numbers of rounds start again, at 1
    for (Taken& taken : taken_) taken.word.store(0, std::memory_order_relaxed);
  }

  // Runs chunks until none is left: those of its own share first.
  void take_chunks(std::size_t me) {
    inside_ = true;
    try {
      for (std::size_t i = 0; i < loop_.shares; ++i) take_share(me + i < loop_.shares ? me + i : me + i - loop_.shares);
    } catch (...) {
      failed_.store(true, std::memory_order_relaxed);
      const std::lock_guard lock(failing_);
      if (!failure_) failure_ = std::current_exception();
    }
    inside_ = false;
  }
  // A quarter at a time of what is left of it, so that others find something to help with.
  void take_share(std::size_t share) {
    const std::size_t begin = loop_.begin_of(share), size = loop_.begin_of(share + 1) - begin;
    std::atomic<std::uint64_t>& word = taken_[share].word;
    const std::uint64_t round = (round_ & low_half) << 32;
    for (std::uint64_t seen = word.load(std::memory_order_relaxed);;) {
      const std::size_t first = (seen & ~low_half) == round ? seen & low_half : 0;
      if (first >= size || failed_.load(std::memory_order_relaxed)) return;
      const std::size_t end = first + std::max<std::size_t>(1, (size - first) / 4);
      if (!word.compare_exchange_weak(seen, round | end, std::memory_order_relaxed)) continue;
      for (std::size_t chunk = begin + first; chunk < begin + end; ++chunk) loop_.body(loop_.context, chunk);
      seen = word.load(std::memory_order_relaxed);
    }
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
      if (announced_.load() == word) take_chunks(me + 1);
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
  alignas(64) const bool watchful_;  // not where threads would wait in place of others that have work
  std::atomic<bool> failed_{false};
  std::mutex sleeping_, failing_;
  std::condition_variable bell_;
  std::exception_ptr failure_;
  std::vector<std::unique_ptr<State>> states_;
  std::vector<Taken> taken_;  // of each share
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
