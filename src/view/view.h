// `knead view`: a run in the browser, finished or going on.
#pragma once

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

// Until Ctrl-C. Gives the exit code.
int view(const ViewOptions& options);

}  // namespace knead
