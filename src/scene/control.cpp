#include "scene/control.h"

#include <algorithm>

namespace knead {

std::string domain_wall_name(int axis, bool high) {
  return std::string("domain ") + "xyz"[axis] + (high ? " max" : " min");
}

bool Grip::holds(int axis) const {
  return axes.empty() || std::find(axes.begin(), axes.end(), std::string(1, "xyz"[axis])) != axes.end();
}

const Table& Grip::table() {
  static const Table t{
      "grip",
      "A region, at rest or moving, in which matter takes the grip's velocity; it is no obstacle to matter outside it "
      "and is not drawn.",
      {
          field<&Grip::name>("name", "", "Name, used in messages, events and probes. Left out: grip0, grip1, ..."),
          field<&Grip::shape>("shape", "", "The region at the start. Left out: the shape of `body`."),
          field<&Grip::body>("body", "", "Name of a body whose own shape is the region."),
          field<&Grip::motion>("motion", "", "How it moves, taking the matter along. Left out: it holds matter still."),
          field<&Grip::displacement>("displacement", "m",
                                     "Instead of a motion: how far from its place at the start matter is led, such as "
                                     "[\"0.01*t*X\", 0]. The grip holds what lay in its region at the start, wherever "
                                     "it goes.")
              .of({"X", "Y", "Z", "t"}),
          field<&Grip::axes>("axes", "",
                             "Components of the velocity that it holds, such as [\"y\"]; the others are free. Empty: "
                             "all."),
          field<&Grip::release>("release", "s", "When it lets go. Left out: never.")
              .at_least(0, "the scene starts at 0"),
      }};
  return t;
}

const Table& Event::table() {
  static const Table t{
      "event",
      "What changes at a time; a step ends there, and a frame of that time shows what is after it.",
      {
          field<&Event::time>("time", "s", "When it happens.").need().at_least(0, "the scene starts at 0"),
          field<&Event::release>("release", "", "Names of grips that let go and of colliders that are taken away."),
          field<&Event::enable>("enable", "", "Names of grips and colliders that come, or come back."),
          field<&Event::body>("body", "", "Name of the body whose material or velocity changes."),
          field<&Event::material>("material", "",
                                  "With `body`, the material that it becomes: mass and strain stay, what the new law "
                                  "remembers starts anew. Without, the material whose parameters `set` changes."),
          field<&Event::reset>("reset", "",
                               "Whether the body's present shape becomes its shape at rest, free of stress."),
          field<&Event::set>("set", "", "New parameters of `material`, such as { young = \"1 kPa\" }."),
          field<&Event::velocity>("velocity", "m/s", "Added to the velocity of `body`; without one, of all matter.")
              .of({"x", "y", "z", "X", "Y", "Z", "t"})
              .within(-1e6, 1e6, "no time step could follow faster matter"),
      }};
  return t;
}

std::span<const char* const> enum_names(ProbeType) {
  static constexpr const char* names[] = {"force", "particle", "region", "front", "mean",
                                          "count", "pieces",   "losses", "sums"};
  return names;
}

std::span<const char* const> enum_names(Axis) {
  static constexpr const char* names[] = {"x", "y", "z"};
  return names;
}

const Table& Probe::table() {
  using P = Probe;
  static const Table t{
      "probe",
      "A measurement that adds columns to stats.csv, which expectations and plots may use.",
      {
          field<&P::name>("name", "", "What the columns' names start with: letters, digits and _.").need(),
          field<&P::type>(
              "type", "",
              "force: what the matter does to a collider or grip, NAME_force_x in N and NAME_torque_x in N "
              "m and so on, the mean since the last frame; particle: NAME_x, its velocity NAME_vx, displacement "
              "NAME_ux, Cauchy stress NAME_stress_xx, volume ratio NAME_J and, with heat, NAME_temperature (of a "
              "liquid NAME_pressure instead of "
              "stress and ratio); region: "
              "NAME_mass, NAME_count, "
              "NAME_vx and NAME_density of the matter in it; front: NAME_front, how far matter reaches; mean: "
              "NAME_mean, NAME_min and NAME_max of a column; count: NAME_count, particles above a value; "
              "pieces: NAME_pieces, groups of unbroken particles that share nodes of the grid (without a grid: that "
              "are bonded), NAME_main, those with a "
              "good share of the mass, and NAME_largest, the largest one's share; losses: kinetic energy lost since "
              "the "
              "start, NAME_transfer in J between particles and grid, NAME_impact in J in impacts on colliders and "
              "grips; sums: NAME_mass, NAME_center_x, NAME_momentum_x, NAME_angular_momentum_x and so on, "
              "NAME_kinetic, "
              "NAME_elastic and NAME_gravitational in J, of the matter chosen.")
              .need(),
          field<&P::on>("on", "",
                        "force: name of a collider or grip, or a wall of the domain such as \"domain y min\"."),
          field<&P::about>("about", "m",
                           "force: the fixed point that the torque is about. Left out: the pivot of what turns or has "
                           "one given, else the middle of the shape, moving along."),
          field<&P::at>("at", "m", "particle: the one nearest to this point at the start is followed."),
          field<&P::shape>("shape", "",
                           "region: where matter is measured; front, mean, count, sums: only matter in it counts."),
          field<&P::motion>("motion", "", "How the shape moves."),
          field<&P::body>("body", "", "front, mean, count, sums, pieces: name of the body. Left out: all matter."),
          field<&P::where>("where", "",
                           "region, front, mean, count, sums: an expression of the place at the start X, Y, Z; only "
                           "matter where it is greater than 0 counts, such as \"X < 0.1\"."),
          field<&P::axis>("axis", "", "front: along which axis."),
          field<&P::quantile>("quantile", "", "front: the share of the mass that lies behind it.")
              .within(0, 1, "it is a share"),
          field<&P::column>(
              "column", "",
              "mean, count: x, y, z, vx, vy, vz, speed, mass, volume, J, pressure, stress_xx ..., molten, "
              "temperature, latent, or a column of a material such as J_p; with method embedded also embedded_x ..., "
              "the place "
              "in "
              "the rest space, and offset, how far P is from the identity."),
          field<&P::above>("above", "",
                           "count: particles whose value is greater are counted. Left out: 0, without `below`."),
          field<&P::below>("below", "", "count: particles whose value is smaller are counted."),
          field<&P::share>("share", "", "pieces: the share of the mass that makes a piece a main one.")
              .within(0, 1, "it is a share"),
      }};
  return t;
}

}  // namespace knead
