#include "base/parallel.h"

#include <tbb/global_control.h>

namespace knead {

ThreadLimit::ThreadLimit(int threads)
    : control_(
          new tbb::global_control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads))) {}

ThreadLimit::~ThreadLimit() { delete static_cast<tbb::global_control*>(control_); }

}  // namespace knead
