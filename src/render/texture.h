// Textures by name: what a surface is painted with, by texture coordinates or by the place at rest.
#pragma once

#include "render/image.h"

#include <functional>
#include <string>
#include <vector>

namespace knead {

// Linear colour at a place. `X` is the place at rest, from the middle of the body and over half its largest side; `uv`
// is null where the surface has no texture coordinates, as in cracks.
using Texture = std::function<Vec3f(const Vec3d& X, const Vec2d* uv)>;

// plain (the colour given), checker, wood, orange, bread, #rrggbb, or a PNG file, whose picture repeats. `inside` is
// that of a fruit or a loaf. Fails (usage) where there is no such texture, with the nearest one.
Texture make_texture(const std::string& name, bool inside, const Vec3f& plain);

// What a list of TEXTURE, for all bodies, and BODY=TEXTURE says of a body, the last words first; plain where it says
// nothing.
std::string texture_of(const std::string& body, const std::vector<std::string>& said);

}  // namespace knead
