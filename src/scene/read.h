// Reads a scene file. Every mistake is found before anything is reported: one Failure lists them all, a line each, as
// file:line:column: what is wrong; what would be right.
#pragma once

#include "scene/scene.h"

namespace knead {

// `sets` are changes as in --set: "solver.dx=0.01".
Scene read_scene(const std::filesystem::path& file, const std::vector<std::string>& sets = {});

// The same from a text; `name` stands for the file in messages, and relative paths start at `folder`.
Scene read_scene_text(std::string_view text, const std::string& name, const std::filesystem::path& folder,
                      const std::vector<std::string>& sets = {});

}  // namespace knead
