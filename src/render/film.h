// Pictures and films of a run folder.
#pragma once

#include "output/crack_sequence.h"
#include "output/run_folder.h"
#include "output/skin_frame.h"
#include "render/render.h"

#include <functional>

namespace knead {

struct FilmOptions {
  RenderOptions render;
  std::optional<std::int64_t> first, last;  // frame numbers
  int every = 1;                            // each so-manieth frame
  std::vector<std::string> sets;            // changes as in --set, of what concerns pictures
  std::optional<CrackOptions> cracks;       // draw bodies with a mesh by their surfaces and cracks
  std::optional<SkinOptions> skin;          // draw bodies by surfaces around their particles
};

struct FilmProgress {
  std::size_t done = 0, total = 0;
  std::int64_t frame = 0;  // the one just drawn
};

struct FilmReport {
  std::size_t pictures = 0;
  std::vector<std::filesystem::path> files;
  std::optional<std::int64_t> frame;  // of one picture
  bool whole = true;                  // whether all frames that were asked for are there and could be read
  std::vector<std::string> warnings;  // frames that could not be read and why, and what was asked for in vain
};

// `out` says what is made: `x.mp4` a film that lasts as long as the scene, `x.%04d.png` a picture a frame, `x.png` one
// picture: the last frame of those asked for. Frames that cannot be read are left out with a warning; a run may still
// be going on. `progress` may be empty; when it returns false, the work ends and a film keeps what it has.
FilmReport render_run(const RunFolder& folder, const std::filesystem::path& out, const FilmOptions& options = {},
                      const std::function<bool(const FilmProgress&)>& progress = {});

}  // namespace knead
