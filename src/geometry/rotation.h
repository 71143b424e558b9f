// Rotations in 3D as axis-angle vectors (axis times angle in rad) and as matrices.
#pragma once

#include "base/mat.h"

namespace knead {

// The rotation by |w| rad about w (Rodrigues' formula).
Mat3d rotation_matrix(const Vec3d& w);
// The axis-angle vector of a rotation matrix, of length 0 to pi.
Vec3d rotation_vector(const Mat3d& r);

}  // namespace knead
