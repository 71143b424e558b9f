// Some columns of a frame, for those who show one and not all of them.
#pragma once

#include "output/frame_file.h"

namespace knead {

// As read_frame, but of the columns only `x` and those named; names that the file does not have are passed over.
Frame read_frame_part(const std::filesystem::path& path, std::vector<std::string> columns);

}  // namespace knead
