// `knead view`: a run in the browser, finished or going on.
#pragma once

#include "output/run_folder.h"
#include "run/run.h"

namespace knead {

struct ViewOptions {
  std::filesystem::path folder;  // of a run to look at; empty: the scene of `run` is simulated
  std::filesystem::path beside;  // folder of another run, shown beside it; may be empty
  RunOptions run;
  std::string listen = "127.0.0.1";
  std::optional<int> port;  // left out: the usual one, or any where that is taken
  bool paused = false;      // a simulation waits for the page
};

// Who is told what the viewer does.
class ViewObserver {
 public:
  virtual ~ViewObserver() = default;
  // It listens: the page is at any of these addresses, with the token in them.
  virtual void listening(const std::vector<std::string>& pages, int port, bool only_here) = 0;
  virtual void writes_to(const RunFolder&) = 0;
  virtual void rejected(const std::string& line) = 0;
  // It has ended before the run was done, which can be resumed.
  virtual void left_unfinished(const RunFolder&) = 0;
};

// Until Ctrl-C; gives the code for the shell. Answers that are still made then, as of files that are read without end,
// are not waited for long: the whole program ends with that code, and this does not return.
int view(const ViewOptions& options, ViewObserver& observer);

}  // namespace knead
