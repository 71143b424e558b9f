#include "base/parallel.h"

#include <tbb/global_control.h>

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

tbb::task_arena& current_arena() {
  static tbb::task_arena machine;
  return limited ? *limited : machine;
}

}  // namespace knead
