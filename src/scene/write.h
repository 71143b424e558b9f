// A scene as text again: every default written out, readable to the same scene.
#pragma once

#include "scene/scene.h"

#include <functional>

namespace knead {

// Numbers are written so that they read back to the same bits; files are named by their absolute paths, so that the
// text may be put into another folder.
std::string to_toml(const Scene& scene);

// The scene with what was left out filled in where the answer is known: gravity, elastic_cfl, particles per cell.
Scene resolved(Scene scene);

// How the names of files are written.
using PathText = std::function<std::string(const std::string& path)>;

// Each value of the resolved scene by its path: "body.0.shape.radius" and "0.5".
struct SceneValue {
  std::string path;
  std::string text;
};
std::vector<SceneValue> list_values(const Scene& scene, const PathText& path_text);

}  // namespace knead
