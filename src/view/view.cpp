#include "view/view.h"

#include "base/parallel.h"
#include "base/printable.h"
#include "base/shell_word.h"
#include "run/signals.h"
#include "view/http_server.h"
#include "view/own_addresses.h"

#include <chrono>

namespace knead {

namespace {

constexpr int usual_port = 8737;

// Refusals, as many as a terminal can bear.
class RefusalLog {
 public:
  explicit RefusalLog(LiveRun* live) : live_(live) {}

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
    fmt::print(stderr, "knead: {}\n", printable_message(line));
    if (live_) live_->note(line);
  }
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

void greet(const Access& access, const std::string& address, int port) {
  const std::vector<std::string> pages = page_addresses(address, port, access.token());
  for (const std::string& page : pages) fmt::print("{}\n", page);
  fmt::print(
      stderr, "Open {} in a browser; Ctrl-C ends the viewer.\n",
      pages.size() == 1 ? "this address" : "one of these addresses, those of 127.0.0.1 and ::1 on this machine,");
  if (access.only_here())
    fmt::print(stderr, "From another machine: ssh -L {0}:localhost:{0} {1}, then the same address there.\n", port,
               "THIS_MACHINE");
  else
    fmt::print(stderr,
               "knead: warning: listening at {}: whoever can reach this machine and has the token can watch and steer, "
               "and the connection is not encrypted\n",
               address);
}

}  // namespace

int view(const ViewOptions& options) {
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
  RefusalLog log(live ? &*live : nullptr);
  const Connections::Refused refused = [&](const std::string& from, const std::string& what, const std::string& why) {
    log.note(from, what, why);
  };
  HttpServer server(viewer, beside ? &*beside : nullptr, access, refused);
  greet(access, options.listen, connections->port());
  if (live)
    fmt::print(stderr, "The run is written to {}.{}\n", printable(live->folder().path().string()),
               options.paused ? "" : " It has started; with --paused it waits for you.");
  const bool all_answered = connections->serve(
      [&](const std::string& request, const std::string& from) { return server.answer(request, from); }, refused,
      [] { return StopRequests::pending() != 0; });
  if (live) {
    const RunFolder folder = live->folder();
    const bool unfinished = live->status().phase != LivePhase::done;
    live.reset();
    if (unfinished) {
      const std::string path = folder.path().string();
      fmt::print(stderr, "stopped; to resume:\n  knead run {} --out {} --resume\n",
                 printable(shell_word(path + "/scene.toml")), printable(shell_word(path)));
    }
  }
  const int code = 128 + StopRequests::pending();
  if (!all_answered) {
    std::fflush(stdout);
    _exit(code);
  }
  return code;
}

}  // namespace knead
