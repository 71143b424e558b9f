// Reads a scene from a tree of values, for those who change the tree before.
#pragma once

#include "scene/node.h"
#include "scene/read.h"

namespace knead {

// As read_scene_text does it once the text is a tree and --set has had its say.
Scene read_scene_tree(const Node& root, const std::string& name, const std::filesystem::path& folder,
                      const FurtherCheck& further = {});

}  // namespace knead
