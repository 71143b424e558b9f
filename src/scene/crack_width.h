// How wide a crack of the material point method is at rest: the width that turns the energy of a crack, J/m^2, into one
// of the matter that breaks, J/m^3 (Bazant 1983).
//
// Velocities jump from one node of the grid to the next at the least, and the gradient of such a jump is a B-spline of
// one degree less, over `degree` cells. What is in them breaks together, but for the rim, which hardly feels the jump:
// seven eighths are left. Cells of a mesh that reach into it break as a whole, which adds five eighths of one. Both
// shares are measured, by the bar of the validation case d2-energy with quadratic and cubic splines and cells of half
// to twice dx.
#pragma once

#include <algorithm>

namespace knead {

constexpr double crack_width(int degree, double dx) { return 0.875 * degree * dx; }

// Where the body is a mesh whose cells are this long.
constexpr double crack_width(int degree, double dx, double cell) {
  return crack_width(degree, dx) + 0.625 * std::max(dx, cell);
}

}  // namespace knead
