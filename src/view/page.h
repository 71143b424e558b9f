// The page of the viewer: one HTML file with everything in it, built from web/ and part of the program.
#pragma once

#include <string_view>

namespace knead {

std::string_view viewer_page();

}  // namespace knead
