#include "view/view.h"

#include "base/parallel.h"
#include "output/endless_read.h"
#include "output/whole_file.h"
#include "run/signals.h"
#include "view/http_server.h"
#include "view/own_addresses.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace knead {

namespace {

constexpr int usual_port = 8737;
constexpr double patience = 1;  // s, with answers that are still made at the end

// Refusals, as many as a terminal can bear.
class RefusalLog {
 public:
  RefusalLog(ViewObserver& observer, LiveRun* live) : observer_(observer), live_(live) {}

  void note(const std::string& from, const std::string& what, const std::string& why) {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - window_ > std::chrono::seconds(1)) {
      if (left_out_) write(fmt::format("{} more requests rejected", left_out_));
      window_ = now, lines_ = 0, left_out_ = 0;
    }
    if (++lines_ <= most_lines)
      write(fmt::format("rejected {} from {}: {}", what, from, why));
    else
      ++left_out_;
  }

 private:
  static constexpr int most_lines = 10;  // a second
  void write(const std::string& line) {
    observer_.rejected(line);
    if (live_) live_->note(line);
  }
  ViewObserver& observer_;
  LiveRun* live_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point window_{};
  int lines_ = 0, left_out_ = 0;
};

// Where no port was asked for, any will do when the usual one is taken.
std::unique_ptr<Connections> listening(const ViewOptions& options) {
  try {
    return std::make_unique<Connections>(options.listen, options.port.value_or(usual_port));
  } catch (const Failure& failure) {
    if (options.port || failure.code != Exit::file) throw;
    return std::make_unique<Connections>(options.listen, 0);
  }
}

}  // namespace

int view(const ViewOptions& options, ViewObserver& observer) {
  const ThreadLimit threads(thread_count(options.run));
  const StopRequests stop;
  const Access access(options.listen);
  const std::unique_ptr<Connections> connections = listening(options);
  std::optional<LiveRun> live;
  if (options.folder.empty()) live.emplace(options.run, options.paused);
  Viewer viewer = live ? Viewer(*live) : Viewer(RunFolder(options.folder));
  std::optional<Viewer> beside;
  if (!options.beside.empty()) {
    beside.emplace(RunFolder(options.beside));
    viewer.offer_beside();
  }
  RefusalLog log(observer, live ? &*live : nullptr);
  const Connections::Refused refused = [&](const std::string& from, const std::string& what, const std::string& why) {
    log.note(from, what, why);
  };
  HttpServer server(viewer, beside ? &*beside : nullptr, access, refused);
  const int port = connections->port();
  observer.listening(page_addresses(options.listen, port, access.token()), port, access.only_here());
  if (live) observer.writes_to(live->folder());
  const bool all_answered = connections->serve(
      [&](const std::string& request, const std::string& from) { return server.answer(request, from); }, refused,
      [] { return StopRequests::pending() != 0; },
      // A simulation still has a checkpoint to write, for which all who look must be gone.
      [&](double waited) { return waited >= patience && (!live || !endless_read().empty()); });
  const int code = 128 + StopRequests::pending();
  const bool unfinished = live && live->status().phase != LivePhase::done;
  if (!all_answered) {
    // Workers still use what is here: nothing of it may be destroyed.
    if (unfinished) observer.left_unfinished(live->folder());
    remove_partial_files();
    std::fflush(stdout);
    _exit(code);
  }
  if (live) {
    const RunFolder folder = live->folder();
    live.reset();
    if (unfinished) observer.left_unfinished(folder);
  }
  return code;
}

}  // namespace knead
