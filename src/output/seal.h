// A seal at the end of a file: the size and a checksum of all bytes before it, by which any damage shows.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace knead {

inline constexpr std::size_t seal_size = 24;

// The seal of a file as it is now, to be appended to it.
std::string seal_of(const std::filesystem::path& path);

// The seal that a file ends in, unchecked; empty where it is too short for one.
std::string seal_in(const std::filesystem::path& path);

// Size of the sealed part. Fails (bad_input) where the file is empty, is not a regular file, has no seal, or differs
// from it; (file) where it cannot be read.
std::size_t check_seal(const std::filesystem::path& path);

}  // namespace knead
