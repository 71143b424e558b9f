// What is asked of particles, in one language for probes, colours and files: names of columns, of their components and
// of what follows from them, and expressions of these such as "0.5 * mass * speed^2".
#pragma once

#include "scene/scene.h"

namespace knead {

// x y z for `x`; vx vy vz for a one-letter vector, spin_x … for another; F_xx F_xy … for a matrix; stress_xx stress_yy
// … for a symmetric tensor; the name itself for a scalar.
std::vector<std::string> component_names(const std::string& column, int components, int dimension);

// xx yy xy in 2D, xx yy zz xy xz yz in 3D.
std::vector<std::string> symmetric_names(int dimension);

// What follows from columns, with its unit and meaning.
struct DerivedQuantity {
  std::string name, unit, doc;
};
std::vector<DerivedQuantity> derived_quantities();

// The unit of a quantity that is one name; empty for a pure number and for expressions.
std::string unit_of_quantity(const std::string& text);

// Whether it is a name, and no expression.
bool is_name(const std::string& text);

// The names that may stand alone or in expressions, in a run of the scene.
std::vector<std::string> quantity_names(const Scene&);

// Components may also be written v.x, F.xy and embedded.x.
std::string plain_quantity(const std::string& text);

// Which of `names` a quantity is made of. Fails (bad_input) with the nearest name where it is no expression of them.
std::vector<std::string> names_in_quantity(const std::string& text, const std::vector<std::string>& names);

// " (did you mean 'v' or 'speed'?)": the nearest of `names`, also for words such as velocity; empty where none is near.
std::string meant_quantity(const std::string& name, const std::vector<std::string>& names);

// The columns that it takes to know it.
std::vector<std::string> columns_for_quantity(const Scene&, const std::string& text);

}  // namespace knead
