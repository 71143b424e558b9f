#include "apps/endless_reads.h"

#include "apps/print.h"
#include "base/error.h"
#include "output/endless_read.h"
#include "output/whole_file.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace knead {

EndlessReads::EndlessReads() : thread_([this] { watch(); }) {}

EndlessReads::~EndlessReads() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  change_.notify_all();
  thread_.join();
}

void EndlessReads::watch() {
  std::unique_lock lock(mutex_);
  while (!change_.wait_for(lock, std::chrono::seconds(1), [this] { return done_; })) {
    const std::string file = endless_read();
    if (file.empty()) continue;
    print_message("error",
                  "'" + one_line(file) + "' is damaged: reading it does not end; remove it, or run the scene again");
    remove_partial_files();
    std::fflush(stdout);
    _exit(static_cast<int>(Exit::bad_input));
  }
}

}  // namespace knead
