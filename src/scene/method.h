// What each method is, takes and offers, in one place. Reader, checks, estimates, lists of columns, probes, help and
// the viewer's forms ask for the property that they depend on; which method a scene has, only the solvers ask.
#pragma once

#include "scene/sampling.h"

#include <span>
#include <string>

namespace knead {

enum class Method { mpm, mls, embedded, composed, liquid };
std::span<const char* const> enum_names(Method);

// Where velocities live besides the particles.
enum class Grid { none, nodes, cells };

struct MethodTraits {
  Method method;
  const char* name;
  const char* doc;                   // a line of `knead list solvers`
  const char* parameters = nullptr;  // the table below [solver] that is for this method and its kin

  // How it represents matter.
  Grid grid = Grid::none;
  bool one_velocity_field = false;  // for all bodies, which therefore stick where they touch
  bool bonds = false;               // particles hold their neighbours
  bool rest_positions = false;      // it remembers where particles started: the column X
  bool embedding = false;           // of its own, beside that: the columns embedded and P
  bool deformation = true;          // particles have F and tau, by the laws of their materials
  double particles_per_side = 2;    // of a cell, along an axis, by default
  Sampling sampling = Sampling::lattice;
  double memory_share = 1;  // of what a particle of mpm takes

  // What it takes.
  bool any_law = false;          // also those that only a grid can hold together
  bool rest_shape_laws = false;  // laws of strain against a shape at rest
  bool implicit = false, semi_implicit = false;
  bool transfers = false;  // solver.transfer, kernel, cfl, elastic_cfl
  bool grips = true;
  bool inflow = false;  // sources, drains, explosions
  bool heat = false;
  bool cells = false;         // bodies that are meshes
  bool start_strain = false;  // displacement and stress at the start
  bool losses = false;        // energy between particles and grid can be measured
  bool self_contact = false;
  bool stabilizer = false;
  bool quadratic_basis = false;
  bool elastic_forces = false;  // more than one: solver.meshless.elastic_force
};

const MethodTraits& traits_of(Method);
std::span<const MethodTraits> all_methods();

// "\"mls\" and \"embedded\"": those that have what `has` asks for, for messages.
std::string methods_with(bool MethodTraits::*has, const char* last = " and ");

}  // namespace knead
