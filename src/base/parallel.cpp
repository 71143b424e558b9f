#include "base/parallel.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace knead {

namespace {

tbb::task_arena* limited = nullptr;  // of the innermost ThreadLimit

}  // namespace

struct ThreadLimit::State {
  explicit State(int threads)
      : control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)), arena(threads) {}
  tbb::global_control control;  // lets there be as many workers
  tbb::task_arena arena;        // lets them take part
  tbb::task_arena* outer = limited;
};

ThreadLimit::ThreadLimit(int threads) : state_(std::make_unique<State>(threads)) { limited = &state_->arena; }
ThreadLimit::~ThreadLimit() { limited = state_->outer; }

void run_chunks(std::size_t chunks, void (*run)(void* context, std::size_t chunk), void* context) {
  static tbb::task_arena machine;
  if (chunks <= 1) {
    if (chunks == 1) run(context, 0);
    return;
  }
  (limited ? *limited : machine).execute([&] {
    tbb::parallel_for(std::size_t(0), chunks, [&](std::size_t chunk) { run(context, chunk); });
  });
}

}  // namespace knead
