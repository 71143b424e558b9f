#include "scene/inflow.h"

#include "base/elementary.h"

#include <cmath>
#include <numbers>

namespace knead {

std::span<const char* const> enum_names(Seeding) {
  static constexpr const char* names[] = {"jittered", "lattice", "random"};
  return names;
}

const Table& Source::table() {
  using S = Source;
  static const Table t{
      "source",
      "An opening that supplies liquid, with solver.method = \"liquid\": as many particles as fill the jet.",
      {
          field<&S::name>("name", "", "Name, used in messages. Default: source0, source1, ..."),
          field<&S::material>("material", "", "Name of a material of this scene.").need(),
          field<&S::shape>("shape", "",
                           "The opening is where a plane through the middle of this shape, normal to the velocity, "
                           "cuts it: a sphere makes a round nozzle, a box a slot.")
              .need(),
          field<&S::velocity>("velocity", "m/s", "Velocity of the incoming liquid.")
              .need()
              .within(-1e6, 1e6, "no time step could follow faster matter"),
          field<&S::start>("start", "s", "When it starts.").at_least(0, "the scene starts at 0"),
          field<&S::stop>("stop", "s", "When it stops. Default: never.").at_least(0, "the scene starts at 0"),
          field<&S::volume>("volume", "m^3", "Volume after which it stops. Default: none.")
              .above(0, "without volume there is no source"),
          field<&S::flux>("flux", "",
                          "Supplied mass, relative to the mass that fills the jet; values other than 1 are for study.")
              .within(0.01, 10, "more or less is not a jet"),
          field<&S::seeding>(
              "seeding", "",
              "jittered: a particle at random within each site of a lattice that fills the jet; lattice: on the "
              "lattice, whose rows stay visible; random: anywhere in the jet, for study."),
          field<&S::particles_per_cell>("particles_per_cell", "",
                                        "Particles per full cell, as for bodies. Default: 9 in 2D, 27 in 3D.")
              .within(0.1, 1000, "fewer leave holes in the matter, more only cost time"),
          field<&S::color>("color", "", "Red, green and blue in pictures. Default: from a palette.")
              .within(0, 1, "colour components are from 0 to 1"),
      }};
  return t;
}

const Table& Drain::table() {
  static const Table t{"drain",
                       "A region that removes liquid, with solver.method = \"liquid\".",
                       {
                           field<&Drain::name>("name", "", "Name, used in messages. Default: drain0, drain1, ..."),
                           field<&Drain::shape>("shape", "", "Liquid inside is removed.").need(),
                           field<&Drain::start>("start", "s", "When it opens.").at_least(0, "the scene starts at 0"),
                       }};
  return t;
}

const Table& Explosion::table() {
  using E = Explosion;
  static const Table t{
      "explosion",
      "A gas bubble in a liquid that grows quickly, pushes the liquid away and vanishes.",
      {
          field<&E::name>("name", "", "Name, used in messages. Default: explosion0, explosion1, ..."),
          field<&E::center>("center", "m", "Where it goes off.").need(),
          field<&E::time>("time", "s", "When it goes off.").at_least(0, "the scene starts at 0"),
          field<&E::radius>("radius", "m", "Largest radius of the bubble.").above(0, "a bubble has a size"),
          field<&E::first>("first", "m", "Initial radius.").at_least(0, "it is a length"),
          field<&E::duration>("duration", "s", "How long it grows.").above(0, "the bubble needs time to grow"),
      }};
  return t;
}

double Explosion::radius_at(double t) const {
  if (t < time || t >= time + duration) return 0;
  return first + (radius - first) * elementary::sin(std::numbers::pi / 2 * (t - time) / duration);
}

double Explosion::speed_at(double t) const {
  if (t < time || t >= time + duration) return 0;
  const double rate = std::numbers::pi / 2 / duration;
  return (radius - first) * rate * elementary::cos(rate * (t - time));
}

}  // namespace knead
