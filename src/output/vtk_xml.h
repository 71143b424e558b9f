// What the writers of VTK's XML files share. Internal to output/.
#pragma once

#include "output/export.h"

namespace knead {

// The head's line for an array that begins `offset` bytes into the appended data; moves the offset past it.
std::string array_line(const std::string& name, const char* type, int components, std::size_t bytes,
                       std::size_t& offset);

// An array of the appended data.
void append_array(WholeFile& file, const void* data, std::size_t bytes);

// The index of a sequence with its times.
void write_pvd(const std::filesystem::path& path, const std::vector<ExportedFile>& files);

}  // namespace knead
