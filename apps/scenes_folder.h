// The scenes that come with Knead.
#pragma once

#include <filesystem>

namespace knead {

// Of an installed program those beside it, wherever it lies now; else those of the clone that it was built from, or
// scenes/ under the present folder.
std::filesystem::path scenes_folder();

}  // namespace knead
