// `knead view`: a run folder or a scene in the browser.
#include "apps/commands.h"
#include "base/error.h"

namespace knead {

int run_command(const ViewCommand& command) {
  ViewOptions options = command.view;
  if (!options.beside.empty()) options.beside = folder_with_run(options.beside).path();
  std::error_code ignored;
  if (!std::filesystem::is_directory(command.target, ignored)) {
    options.run.scene = command.target;
    return view(options);
  }
  if (!options.run.out.empty() || options.run.frames || !options.run.sets.empty() || options.run.resume ||
      options.run.force || options.paused)
    fail(Exit::usage,
         "{} is a run folder, which is only looked at; --out, --frames, --set, --resume, --force and "
         "--paused are for scene files",
         command.target.string());
  options.folder = folder_with_run(command.target).path();
  return view(options);
}

}  // namespace knead
