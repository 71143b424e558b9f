// Reads a scene file. Every mistake is found before anything is reported: one Failure lists them all, a line each, as
// file:line:column: what is wrong; what would be right.
#pragma once

#include "scene/scene.h"

#include <functional>
#include <string_view>

namespace knead {

// Whether the value at a path, what it is part of and what is part of it are free of mistakes.
using IsSound = std::function<bool(std::string_view path)>;

// What others than the reader find wrong with a scene: the path of the part, and a sentence. The scene may have
// mistakes elsewhere.
using FurtherCheck = std::function<std::vector<std::pair<std::string, std::string>>(const Scene&, const IsSound&)>;

// `sets` are changes as in --set: "solver.dx=0.01". What `further` finds is reported together with the rest.
Scene read_scene(const std::filesystem::path& file, const std::vector<std::string>& sets = {},
                 const FurtherCheck& further = {});

// The same from a text; `name` stands for the file in messages, and relative paths start at `folder`.
Scene read_scene_text(std::string_view text, const std::string& name, const std::filesystem::path& folder,
                      const std::vector<std::string>& sets = {}, const FurtherCheck& further = {});

}  // namespace knead
