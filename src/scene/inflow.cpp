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
      "An opening from which liquid comes, with solver.method = \"liquid\": as many particles as fill the jet.",
      {
          field<&S::name>("name", "", "Name, used in messages. Left out: source0, source1, ..."),
          field<&S::material>("material", "", "Name of a material of this scene.").need(),
          field<&S::shape>("shape", "",
                           "The opening is where a plane through the middle of this shape, square to the velocity, "
                           "cuts it: a sphere makes a round nozzle, a box a slot.")
              .need(),
          field<&S::velocity>("velocity", "m/s", "Velocity of the liquid as it comes.")
              .need()
              .within(-1e6, 1e6, "no time step could follow faster matter"),
          field<&S::start>("start", "s", "When it starts.").at_least(0, "the scene starts at 0"),
          field<&S::stop>("stop", "s", "When it stops. Left out: never.").at_least(0, "the scene starts at 0"),
          field<&S::volume>("volume", "m^3", "Volume after which it stops. Left out: none.")
              .above(0, "without volume there is no source"),
          field<&S::flux>("flux", "", "Mass that comes, times what fills the jet; other values than 1 are for study.")
              .within(0.01, 10, "more or less is no jet"),
          field<&S::seeding>(
              "seeding", "",
              "jittered: a particle at random in each place of a lattice that fills the jet; lattice: in its rows, "
              "which show; random: anywhere in the jet, for study."),
          field<&S::particles_per_cell>("particles_per_cell", "",
                                        "Particles in a full cell, as of the bodies. Left out: 9 in 2D, 27 in 3D.")
              .within(0.1, 1000, "fewer leave holes in the matter and more only cost time"),
          field<&S::color>("color", "", "Red, green and blue in pictures. Left out: from a palette.")
              .within(0, 1, "colours run from 0 to 1"),
      }};
  return t;
}

const Table& Drain::table() {
  static const Table t{"drain",
                       "A region that takes liquid away, with solver.method = \"liquid\".",
                       {
                           field<&Drain::name>("name", "", "Name, used in messages. Left out: drain0, drain1, ..."),
                           field<&Drain::shape>("shape", "", "Liquid in it goes.").need(),
                           field<&Drain::start>("start", "s", "When it opens.").at_least(0, "the scene starts at 0"),
                       }};
  return t;
}

const Table& Explosion::table() {
  using E = Explosion;
  static const Table t{
      "explosion",
      "A bubble of gas in a liquid that grows within a moment, pushes the liquid away and is gone.",
      {
          field<&E::name>("name", "", "Name, used in messages. Left out: explosion0, explosion1, ..."),
          field<&E::center>("center", "m", "Where it goes off.").need(),
          field<&E::time>("time", "s", "When it goes off.").at_least(0, "the scene starts at 0"),
          field<&E::radius>("radius", "m", "Radius of the bubble when it is largest.").above(0, "a bubble has a size"),
          field<&E::first>("first", "m", "Radius at which it starts.").at_least(0, "it is a length"),
          field<&E::duration>("duration", "s", "How long it grows.").above(0, "nothing grows at once"),
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
