// Parallel loops and reductions whose results do not depend on the number of threads: work is cut into chunks of a
// fixed size, each chunk is done by one thread in order, and partial results are combined in the order of the chunks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

namespace knead {

// run(context, c) for every chunk c, on the threads of the innermost ThreadLimit, or those of the machine where there
// is none. Compiled once: what the threads need would otherwise be made anew for every loop.
void run_chunks(std::size_t chunks, void (*run)(void* context, std::size_t chunk), void* context);

// body(i) for every i in [0, n), in chunks of `grain`.
template <class Body>
void parallel_for(std::size_t n, std::size_t grain, Body&& body) {
  auto run = [&, n, grain](std::size_t chunk) {
    const std::size_t end = std::min(n, (chunk + 1) * grain);
    for (std::size_t i = chunk * grain; i < end; ++i) body(i);
  };
  run_chunks((n + grain - 1) / grain,
             [](void* context, std::size_t chunk) { (*static_cast<decltype(run)*>(context))(chunk); }, &run);
}

// body(begin, end) for each chunk of [0, n).
template <class Body>
void parallel_chunks(std::size_t n, std::size_t grain, Body&& body) {
  const std::size_t chunks = (n + grain - 1) / grain;
  parallel_for(chunks, 1, [&](std::size_t c) { body(c * grain, std::min(n, (c + 1) * grain)); });
}

// combine(...combine(combine(start, f(chunk 0)), f(chunk 1))..., f(last)), where f(begin, end) gives a chunk's partial
// result.
template <class R, class F, class Combine>
R parallel_reduce(std::size_t n, std::size_t grain, R start, F&& f, Combine&& combine) {
  const std::size_t chunks = (n + grain - 1) / grain;
  if (chunks == 1) return combine(start, f(std::size_t(0), n));
  std::vector<R> partial(chunks, start);
  parallel_for(chunks, 1, [&](std::size_t c) { partial[c] = f(c * grain, std::min(n, (c + 1) * grain)); });
  for (const R& p : partial) start = combine(start, p);
  return start;
}

// How many threads share a loop here. Only for how work is ordered: results must not depend on it.
std::size_t threads_of_loops();

// How many threads parallel loops use from here on (as long as the guard lives); more than there are cores is allowed.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace knead
