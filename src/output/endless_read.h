// Frames that are forged so that the HDF5 library reads them for ever. Nothing stops it but the end of the program.
#pragma once

#include <chrono>
#include <string>

namespace knead {

// The file that has been read for so long that it never ends: longer than this and what its size takes. Empty where
// there is none. From any thread.
std::string endless_read(std::chrono::seconds longest = std::chrono::seconds(30));

}  // namespace knead
