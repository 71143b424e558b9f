#include "output/crack_sequence.h"

#include "surface/stretch_history.h"

#include <algorithm>

namespace knead {

CrackSequence::CrackSequence(const RunFolder& folder, const CrackOptions& options)
    : run_frames_(folder), bodies_(folder.rest_mesh(), options.stretch) {
  for (const std::size_t edges : bodies_.edges())
    histories_.push_back(make_stretch_history(edges, bodies_.threshold(histories_.size())));
  // When each edge breaks
  for (const std::int64_t number : folder.frames()) {
    Frame frame;
    try {
      frame = run_frames_.read(number);
    } catch (const Failure& failure) {
      if (failure.code != Exit::bad_input) throw;
      if (options.warn) options.warn(fmt::format("{}; it is left out", failure.what()));
      continue;
    }
    if (frame.dimension != bodies_.dimension())
      fail(Exit::bad_input, "frame {} is {}D, but '{}' is {}D", number, frame.dimension, folder.rest_mesh().string(),
           bodies_.dimension());
    const std::vector<std::vector<float>> stretch = bodies_.stretch(frame);
    for (std::size_t i = 0; i < stretch.size(); ++i) record(histories_[i], stretch[i]);
    frames_.push_back(number);
  }
  if (frames_.empty())
    fail(Exit::bad_input, "there are no frames in '{}' that can be read", folder.frames_folder().string());
  // Where the crack is in the end, made smooth
  bodies_.smooth(broken_at(StretchHistory::never - 1), options.smoothing);
}

SurfaceFrame CrackSequence::surface(std::int64_t number) const { return surface(run_frames_.read(number)); }

SurfaceFrame CrackSequence::surface(const Frame& frame) const {
  const auto at = std::upper_bound(frames_.begin(), frames_.end(), frame.number);
  return bodies_.surface(frame, broken_at(static_cast<int>(at - frames_.begin()) - 1));
}

CrackedBodies::Broken CrackSequence::broken_at(int index) const {
  CrackedBodies::Broken broken;
  for (const StretchHistory& history : histories_) broken.push_back(knead::broken_edges(history, index));
  return broken;
}

std::size_t CrackSequence::edges() const {
  std::size_t count = 0;
  for (const StretchHistory& history : histories_) count += history.broken_at.size();
  return count;
}

std::size_t CrackSequence::broken_edges() const {
  std::size_t count = 0;
  for (const StretchHistory& history : histories_)
    for (const int at : history.broken_at) count += at != StretchHistory::never;
  return count;
}

std::size_t write_cracks(const CrackSequence& cracks, const MeshWriter& writer, const std::filesystem::path& out,
                         const ExportOptions& range, const std::function<void(SurfaceFrame&)>& finish) {
  const auto surface = [&](std::int64_t number) {
    SurfaceFrame frame = cracks.surface(number);
    if (finish) finish(frame);
    return frame;
  };
  return write_surfaces(cracks.frames(), surface, writer, out, range);
}

}  // namespace knead
