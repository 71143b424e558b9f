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
      "A region, at rest or moving, in which matter takes the grip's velocity. It is not an obstacle and is not drawn.",
      {
          field<&Grip::name>("name", "", "Name, used in messages, events and probes. Default: grip0, grip1, ..."),
          field<&Grip::shape>("shape", "", "The region at the start. Default: the shape of `body`."),
          field<&Grip::body>("body", "", "Name of a body whose own shape is the region."),
          field<&Grip::motion>("motion", "", "How it moves, taking the matter along. Default: it holds matter still."),
          field<&Grip::displacement>(
              "displacement", "m",
              "Instead of a motion: displacement of the matter from its initial position, such as [\"0.01*t*X\", 0]. "
              "The grip holds the matter that lay in its region at the start, wherever that goes.")
              .of({"X", "Y", "Z", "t"}),
          field<&Grip::axes>(
              "axes", "", "Velocity components that it prescribes, such as [\"y\"]; the others are free. Empty: all."),
          field<&Grip::release>("release", "s", "When it lets go. Default: never.")
              .at_least(0, "the scene starts at 0"),
      }};
  return t;
}

const Table& Event::table() {
  static const Table t{
      "event",
      "A change at a given time. A step ends there, and a frame at that time shows the state after it.",
      {
          field<&Event::time>("time", "s", "When it happens.").need().at_least(0, "the scene starts at 0"),
          field<&Event::release>("release", "", "Names of grips that let go and of colliders that are removed."),
          field<&Event::enable>("enable", "",
                                "Names of grips and colliders that become active, again or for the first time."),
          field<&Event::body>("body", "", "Name of the body whose material, rest shape (`reset`) or velocity changes."),
          field<&Event::material>("material", "",
                                  "With `body`: its new material; mass and strain stay, and the history of the new law "
                                  "starts afresh. Without `body`: the material whose parameters `set` changes."),
          field<&Event::reset>("reset", "", "Whether the body's current shape becomes its rest shape, free of stress."),
          field<&Event::set>("set", "", "New parameters of `material`, such as { young = \"1 kPa\" }."),
          field<&Event::velocity>("velocity", "m/s",
                                  "Velocity added to that of `body` or, without `body`, of all matter.")
              .of({"x", "y", "z", "X", "Y", "Z", "t"})
              .within(-1e6, 1e6, "no time step could follow faster matter"),
          field<&Event::gravity>("gravity", "m/s^2", "Acceleration of gravity from then on, in place of scene.gravity.")
              .within(-1e6, 1e6, "no time step could follow a stronger pull"),
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
      "A measurement that adds columns to stats.csv, for expectations and plots.",
      {
          field<&P::name>("name", "", "Prefix of the columns' names: letters, digits and _.").need(),
          field<&P::type>(
              "type", "",
              "force: force and torque of the matter on a collider, grip or wall, averaged since the last frame, "
              "NAME_force_x in N, NAME_torque_x in N m and so on; particle: NAME_x, velocity NAME_vx, displacement "
              "NAME_ux, Cauchy stress NAME_stress_xx, volume ratio NAME_J and, with heat, NAME_temperature (in a "
              "liquid NAME_pressure instead of stress and ratio); region: NAME_mass, NAME_count, NAME_vx and "
              "NAME_density of the matter inside; front: NAME_front, how far matter reaches; mean: NAME_mean, NAME_min "
              "and NAME_max of a quantity; count: NAME_count, particles "
              "whose quantity is above and below given values; pieces: NAME_pieces, groups of "
              "connected particles (mpm: unbroken particles that share grid nodes, or intact edges of cells; without a "
              "grid: neighbours), NAME_main, groups with at least `share` of the mass, and NAME_largest, the share of "
              "the largest; losses: kinetic energy lost since the start, in J, NAME_transfer between particles and "
              "grid, NAME_impact in impacts on colliders and grips; sums: NAME_mass, NAME_center_x, NAME_momentum_x, "
              "NAME_angular_momentum_x and so on, NAME_kinetic, NAME_elastic and NAME_gravitational in J, of the "
              "selected matter.")
              .need(),
          field<&P::on>("on", "",
                        "force: name of a collider or grip, or a wall of the domain such as \"domain y min\"."),
          field<&P::about>("about", "m",
                           "force: the fixed point about which the torque is taken. Default: the pivot, if the thing "
                           "rotates or has one given, else the moving centre of the shape."),
          field<&P::at>("at", "m", "particle: the particle nearest to this point at the start."),
          field<&P::shape>("shape", "",
                           "region: where matter is measured; front, mean, count, sums: only matter inside counts."),
          field<&P::motion>("motion", "", "How the shape moves."),
          field<&P::body>("body", "", "front, mean, count, sums, pieces: name of the body. Default: all matter."),
          field<&P::where>("where", "",
                           "region, front, mean, count, sums: an expression of the initial position X, Y, Z, such as "
                           "\"X < 0.1\"; only matter where it is greater than 0 counts."),
          field<&P::axis>("axis", "", "front: the axis along which it is measured."),
          field<&P::quantile>("quantile", "", "front: the share of the mass behind the front.")
              .within(0, 1, "it is a share"),
          field<&P::column>(
              "column", "",
              "mean, count: a quantity such as speed, pressure, stress_xx, temperature or a column of a material such "
              "as J_p, or an expression of quantities (`knead help quantities`)."),
          field<&P::above>("above", "", "count: counts particles whose value is greater. Default: 0, without `below`."),
          field<&P::below>("below", "", "count: counts particles whose value is smaller."),
          field<&P::share>("share", "", "pieces: share of the mass from which a piece counts as a main one.")
              .within(0, 1, "it is a share"),
      }};
  return t;
}

}  // namespace knead
