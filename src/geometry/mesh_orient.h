// Making all triangles of a closed surface face outwards.
#pragma once

#include "geometry/mesh.h"

namespace knead {

// Turns triangles until neighbours agree and every part faces outwards (hollows within another part inwards); notes in
// `report` what was done and whether every edge has two triangles. Fails where no such choice exists.
void orient(TriangleMesh& mesh, MeshReport& report, const std::string& name);

}  // namespace knead
