// Reading a user's file whole: regular files only, with a limit, and with messages that name the file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace knead {

// `what` is what messages call it: "mesh", "point file". A missing file, a folder, a pipe or a device is bad input and
// is not read; a file that may not be read is a file error.
std::string read_whole_file(const std::filesystem::path& file, const char* what,
                            std::int64_t limit = std::int64_t(2) << 30);

}  // namespace knead
