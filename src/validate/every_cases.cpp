// Group P: what holds for every method and integrator, whatever the matter does.
#include "validate/every_way.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

namespace knead {

namespace {

// --- P1

struct Unread {
  double share = 0;  // of the momentum that the probe has read: what it and gravity do not account for
  double steps = 0;
};
Unread unread_momentum(Scene scene) {
  Simulation s(std::move(scene));
  const Ledger before = s.ledger();
  Vec3d read{};
  double given = 0;
  for (int k = 0; k < s.scene().frames(); ++k) {
    s.advance_frame();
    read += s.world.reactions[0].impulse, given += length(s.world.reactions[0].impulse);
  }
  const Ledger after = s.ledger();
  const Vec3d fall = s.scene().gravity() * (after.mass * s.time());
  return {length(after.momentum - before.momentum - fall + read) / given, double(s.world.clock.step)};
}

struct Touch {
  const char* by;
  std::vector<std::string> sets;
  bool liquid = true;  // whether liquids can be touched so
};

std::vector<Measured> force_is_momentum(const CaseInput& in) {
  const char* press =
      "collider=[{ name = \"press\", friction = 0.3, motion = { velocity = [0.3, -3, 0] }, "
      "shape = { type = \"box\", center = [0, 0.61, 0], size = [2, 0.4, 2] } }]";
  const char* hand =
      "grip=[{ name = \"hand\", motion = { translate = [\"0.3*t\", \"0.5*t\", 0] }, "
      "shape = { type = \"box\", center = [0, 0.4, 0], size = [2, 0.2, 2] } }]";
  const char* wall = "scene.domain={ min = [-3, 0], max = [3, 3], friction = 0.3 }";
  const Touch touches[] = {
      {"floor", {}},
      {"sticky floor", {"collider.0.contact=\"sticky\"", "collider.0.friction=0"}, false},
      {"slip floor", {"collider.0.contact=\"slip\"", "collider.0.friction=0"}, false},
      {"wall", {"probe.0.on=\"domain y min\"", "collider=[]", wall}},
      {"press", {"probe.0.on=\"press\"", press}},
      {"hand", {"probe.0.on=\"hand\"", "collider=[]", hand}, false},
  };
  std::vector<Measured> all;
  for (const Way& way : all_ways())
    for (const Touch& touch : touches) {
      if (way.liquid && !touch.liquid) continue;
      const bool plain = touch.sets.empty();
      const auto unread = [&](const std::string& more) {
        std::vector<std::string> sets = touch.sets;
        sets.push_back(more);
        if (way.liquid)
          sets.push_back(std::string(touch.by) == "wall" ? "scene.domain.friction=0" : "collider.0.friction=0");
        if (in.wrong) sets.push_back("scene.body_force=[0.01, 0, 0]");
        return unread_momentum(scene_of(in, "p1_force", way, 0.1, sets));
      };
      const std::string name = fmt::format("{}, {}", way.name, touch.by),
                        what = ": momentum that the probe has not read";
      double worst = unread("scene.dimension=2").share;
      if (plain) worst = std::max(worst, unread("scene.dimension=3").share);
      // Implicit solves end when the error is a thousandth of what gravity does in the step.
      all.push_back(at_most(name + what, "", worst, way.implicit ? 1e-3 : 1e-10));
      if (!plain || way.implicit) continue;
      // Velocities are rounded in every step: at worst all of them the same way.
      const Unread rounded = unread("solver.precision=\"float\"");
      all.push_back(at_most(name + ", float" + what, "", rounded.share, rounded.steps * 0x1p-24));
    }
  return all;
}

// --- P2

// Places that should be the same, m. An implicit solve ends by the error of all matter together, of which it leaves
// up to 1e-4: a hundredth of a cell.
double rounding(const Way& way) { return way.implicit ? 1e-3 : 1e-9; }

std::vector<Measured> stranger(const CaseInput& in) {
  constexpr double dt = 5e-4;
  std::vector<Measured> all;
  for (const Way& way : all_ways())
    for (const char* precision : {"double", "float"}) {
      const bool rounded = precision[0] == 'f';
      if (rounded && way.implicit) continue;  // what solves leave is larger
      std::vector<std::string> sets{set_number("solver.dt", dt), fmt::format("solver.precision=\"{}\"", precision)};
      if (way.liquid) sets.push_back("solver.liquid.tolerance=1e-12");
      if (in.wrong) sets.push_back("body.stranger.shape.center=[0.5, 0.5, 0]");
      if (way.liquid)
        sets.insert(sets.end(),
                    {"collider.floor.friction=0", "materials.other={ model = \"fluid\" }",
                     "body.1.sampling=\"lattice\"", "body.2.sampling=\"lattice\"", "body.2.material=\"matter\""});
      Scene alone = scene_of(in, "p2_stranger", way, 0.1, sets);
      const Scene beside = alone;
      alone.bodies.pop_back();
      const auto ends = [](Scene scene) {
        Simulation s(std::move(scene));
        s.advance_to(s.scene().scene.duration);
        return places_by_id(s.world);
      };
      const std::vector<Vec3d> a = ends(std::move(alone)), b = ends(beside);
      double most = 0;
      for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, length(a[i] - b[i]));
      // Places of up to a metre are rounded in every step, at worst all of them the same way.
      const double floats = 0.2 / dt * 0x1p-24;
      all.push_back(
          at_most(fmt::format("{}{}: how far matter is from where it is alone", way.name, rounded ? ", float" : ""),
                  "m", most, rounded ? floats : rounding(way)));
    }
  return all;
}

// --- P3

// A scene as another observer sees it: turned by quarters or about the diagonal, mirrored, shifted, moving.
struct Observer {
  const char* name;
  int quarters = 0;
  bool mirrored = false;
  Vec3d shift{}, velocity{};
  bool cycled = false;  // a third of a turn about (1, 1, 1)

  Vec3d direction(Vec3d v) const {
    if (mirrored) v[0] = -v[0];
    for (int k = 0; k < quarters; ++k) v = {-v[1], v[0], v[2]};
    return cycled ? Vec3d{v[2], v[0], v[1]} : v;
  }
  Vec3d spin(const Vec3d& s) const { return direction(s) * (mirrored ? -1.0 : 1.0); }
  Vec3d place(const Vec3d& x, double time) const { return direction(x) + shift + velocity * time; }
  std::vector<std::string> sets(const Scene& seen) const {
    const Body& body = seen.bodies[0];
    const int dimension = seen.scene.dimension;
    const Bounds box = body.shape.bounds(dimension);
    Vec3d centre{}, turned{};
    for (int a = 0; a < dimension; ++a) centre[a] = box.center()[a], turned[a] = box.size()[a];
    turned = direction(turned);
    for (double& size : turned.e) size = std::abs(size);
    const Vec3d start{0.5, -1, 0};
    return {set_vector("scene.gravity", direction(seen.gravity())),
            set_vector("body.0.shape.center", place(centre, 0)),
            set_vector("body.0.shape.size", turned),
            set_vector("body.0.velocity", direction(start) + velocity),
            set_vector("body.0.spin", spin(body.spin)),
            set_vector("collider.0.shape.point", place({}, 0)),
            set_vector("collider.0.shape.normal", direction({0, 1, 0})),
            fmt::format("collider.0.motion={{ velocity = [{}, {}, {}] }}", velocity[0], velocity[1], velocity[2])};
  }
};

struct Seen {
  std::vector<Vec3d> start, end;
};
Seen seen(Scene scene) {
  Simulation s(std::move(scene));
  Seen all{places_by_id(s.world), {}};
  s.advance_to(s.scene().scene.duration);
  all.end = places_by_id(s.world);
  return all;
}

// The largest distance between where a particle is and where the observer should see it; or that of their centre.
double difference(const Seen& own, const Seen& other, const Observer& observer, double time, bool of_centre) {
  const auto key = [](const Vec3d& x) {
    return std::array{std::llround(x[0] * 1e6), std::llround(x[1] * 1e6), std::llround(x[2] * 1e6)};
  };
  std::map<std::array<long long, 3>, std::size_t> at;
  for (std::size_t i = 0; i < other.start.size(); ++i) at[key(other.start[i])] = i;
  if (own.start.size() != other.start.size()) return std::nan("");
  double most = 0;
  Vec3d sum{};
  for (std::size_t i = 0; i < own.start.size(); ++i) {
    const auto found = at.find(key(observer.place(own.start[i], 0)));
    if (found == at.end()) return std::nan("");
    const Vec3d off = other.end[found->second] - observer.place(own.end[i], time);
    most = std::max(most, length(off)), sum += off;
  }
  return of_centre ? length(sum) / double(own.start.size()) : most;
}

std::vector<Measured> frames(const CaseInput& in) {
  const Observer flat[] = {{"shifted by whole cells", 0, false, {1.3, -0.7, 0}, {}},
                           {"turned by a quarter", 1, false, {}, {}},
                           {"turned by a half", 2, false, {}, {}},
                           {"mirrored", 0, true, {}, {}},
                           {"mirrored and turned", 1, true, {}, {}},
                           {"moving", 0, false, {}, {7, 0, 0}}};
  const Observer solid[] = {{"3D, turned about the diagonal", 0, false, {}, {}, true},
                            {"3D, mirrored and turned", 1, true, {}, {}, true},
                            {"3D, moving", 0, false, {}, {7, 0, -3}}};
  std::vector<Measured> all;
  const auto judge = [&](const Way& way, int dimension, double dx, std::span<const Observer> observers) {
    std::vector<std::string> common{"solver.dt=5e-4", fmt::format("scene.dimension={}", dimension)};
    if (way.liquid) common.insert(common.end(), {"collider.0.friction=0", "solver.liquid.tolerance=1e-12"});
    const Scene own = scene_of(in, "p3_frames", way, dx, common);
    const Seen base = seen(own);
    for (const Observer& observer : observers) {
      std::vector<std::string> sets = observer.sets(own);
      sets.insert(sets.end(), common.begin(), common.end());
      if (in.wrong) sets.push_back(set_vector("body.0.spin", observer.spin({0, 0, 2.000001})));
      // A grid that matter passes through is another grid in every step: a hundredth of a cell. Of splashing liquid
      // single particles go where they will; the centre is looked at, to a twentieth of one.
      const bool passes = way.grid && !(observer.velocity == Vec3d{}), splashes = passes && way.liquid;
      const double off = difference(base, seen(scene_of(in, "p3_frames", way, dx, sets)), observer, 0.25, splashes);
      all.push_back(at_most(
          fmt::format("{}, {}: difference of places{}", way.name, observer.name, splashes ? ", centre" : ""), "m", off,
          splashes ? 5e-3
          : passes ? 1e-3
                   : rounding(way)));
    }
  };
  for (const Way& way : all_ways()) {
    judge(way, 2, 0.1, flat);
    if (way.name == "mls") judge(way, 3, 0.2, solid);  // coarse: dear
  }
  return all;
}

// --- P4

std::vector<Measured> fall(const CaseInput& in) {
  std::vector<Measured> all;
  for (const Way& way : all_ways()) {
    // Errors, the largest in 2D and 3D, with one gravity and with two; of the place in falls of half a step.
    double speed = 0, place = 0, strain = 0;
    for (const auto& [dimension, turn] :
         std::initializer_list<std::pair<int, double>>{{2, 0.5}, {3, 0.5}, {2, 0.23}, {3, 0.23}}) {
      const Vec3d first{0, -g, 0}, second{3, 4, dimension == 3 ? -2.0 : 0.0};
      std::vector<std::string> sets{fmt::format("scene.dimension={}", dimension),
                                    set_vector("scene.gravity", {0, in.wrong ? -9.82 : -g, 0})};
      if (turn < 0.5) sets.push_back(fmt::format("event=[{{ time = {}, {} }}]", turn, set_vector("gravity", second)));
      Simulation s(scene_of(in, "p4_fall", way, 0.1, sets));
      const Vec3d start = s.ledger().center;
      double longest = 0;
      for (int k = 0; k < s.scene().frames(); ++k) {
        s.advance_frame();
        longest = std::max(longest, s.world.tally.frame_max_dt);
      }
      const Ledger l = s.ledger();
      const double rest = s.time() - turn;
      const Vec3d v = first * turn + second * rest;
      const Vec3d way_down = first * (turn * turn / 2 + turn * rest) + second * (rest * rest / 2);
      const double half_steps = (length(first) * turn + length(second) * rest) * longest / 2;
      speed = std::max(speed, length(l.momentum / l.mass - v) / length(v));
      place = std::max(place, length(l.center - start - way_down) / half_steps);
      if (!way.liquid) strain = std::max({strain, std::abs(l.most_stretch - 1), std::abs(l.least_stretch - 1)});
    }
    all.push_back(at_most(way.name + ": error of the speed", "", speed, 1e-10));
    // Steps of first order move with the speed of their end, and so fall g t dt / 2 too far.
    all.push_back(at_most(way.name + ": error of the place over g t dt / 2", "", place, 1 + 1e-9));
    if (!way.liquid) all.push_back(at_most(way.name + ": largest strain", "", strain, 1e-10));
  }
  return all;
}

// --- P5

// What is left of a velocity cos(k x) when particles have passed it to the grid and back, by quadratic splines of cells
// of the width h and theta = k h: N^2 with PIC, where N = sinc^3(theta / 2) is the spline's Fourier transform, and
// N^2 + 4 N'^2 with APIC, whose matrix C adds the first moments (Jiang 2015).
double passed_on(double theta, bool affine) {
  const double y = theta / 2, sinc = std::sin(y) / y, slope = (std::cos(y) - sinc) / (2 * y);
  const double N = sinc * sinc * sinc, dN = 3 * sinc * sinc * slope;
  return N * N + (affine ? 4 * dN * dN : 0);
}

// The share of the energy that theory leaves after `steps` steps of a swing that turns by `angle` (omega dt) in each.
// PIC, APIC and MLS damp the velocity by what the transfers lose. FLIP does so with its share of PIC; and in its step
// the grid's velocity, which strains matter, is ahead of the particles' by 1 - N^2 of its change. Backward Euler takes
// 1 / (1 + angle^2) of the energy. Symplectic steps keep it.
double energy_left(const Way& way, double theta, double angle, double steps) {
  const double pic = passed_on(theta, false), euler = way.implicit ? 1 / (1 + angle * angle) : 1;
  double kept = 1;
  if (way.grid) kept = passed_on(theta, true);
  if (way.name == "mpm, pic") kept = pic;
  if (way.name == "mpm, flip") kept = 1 - (1 - pic) * (0.05 + angle * angle);
  return std::pow(kept * euler, steps);
}

// Three half waves, so that the ends count little. Means over a period: in a symplectic step place and velocity are
// half a step apart, and the sum of their energies swings with the phase.
std::vector<Measured> swing(const CaseInput& in) {
  constexpr double length = 1.2, k = 3 * std::numbers::pi / length, dx = 0.05;
  const double omega = k * std::sqrt(2e6 / 1000), period = 2 * std::numbers::pi / omega;
  std::vector<Measured> all;
  for (const Way& way : solid_ways()) {
    // Where energy goes fast, fewer periods.
    const int periods = way.name == "mpm, pic" ? 1 : way.name == "mpm, flip" ? 10 : way.implicit ? 2 : 100;
    std::vector<std::string> sets;
    if (way.implicit) sets.push_back(set_number("solver.dt", period / 50));
    // The usual error of a solve, 1e-4 cells, is that of a whole swing here.
    if (way.implicit && way.grid) sets.push_back("solver.newton_tolerance=1e-8");
    if (in.wrong) sets.push_back("scene.body_force=[\"-vx\", 0, 0]");
    Simulation s(scene_of(in, "p5_swing", way, dx, sets));
    const auto mean_energy = [&](int from) {
      s.advance_to(from * period);
      double sum = 0, time = 0;
      const auto add = [&](const TimeStep& step, int) {
        const Ledger l = s.ledger();
        sum += step.dt * (l.kinetic + l.elastic), time += step.dt;
      };
      s.advance_to((from + 1) * period, {{}, add});
      return sum / time;
    };
    const double first = mean_energy(0), before = double(s.world.clock.step), left = mean_energy(periods) / first;
    const double steps = double(s.world.clock.step) - before, angle = omega * periods * period / steps;
    const double theory = energy_left(way, k * dx, angle, steps);
    const std::string name = fmt::format("{}: energy left after {} periods", way.name, periods);
    if (theory == 1)
      all.push_back(within(name, "", left, 1, 0.02));
    else
      all.push_back(relative(name + ", its logarithm", "", std::log(left), std::log(theory), 0.06));
  }
  return all;
}

// --- P6

// Liquid is in a tank, and never quite still.
std::vector<Measured> weight(const CaseInput& in) {
  struct Run {
    int dimension;
    const char* precision;
  };
  std::vector<Measured> all;
  for (const Way& way : all_ways())
    for (const Run run : {Run{2, "double"}, Run{2, "float"}, Run{3, "double"}}) {
      const bool flat = run.dimension == 2, rounded = run.precision[0] == 'f';
      if (way.implicit && (!flat || rounded)) continue;  // dear
      std::vector<std::string> sets{fmt::format("scene.dimension={}", run.dimension),
                                    fmt::format("solver.precision=\"{}\"", run.precision),
                                    set_number("materials.matter.density", in.wrong ? 1010 : 1000)};
      if (!way.liquid)
        sets.push_back("scene.body_force=[\"-20*vx\", \"-20*vy\", 0]");
      else if (flat)
        sets.push_back("scene.domain={ min = [-0.4, -1], max = [0.4, 2] }");
      else
        sets.push_back("scene.domain={ min = [-0.4, -1, -0.2], max = [0.4, 2, 0.2] }");
      Simulation s(scene_of(in, "p6_weight", way, 0.1, sets));
      while (s.time() < 0.7 - 1e-9) s.advance_frame();
      const double force = -s.world.reactions[0].impulse[1] * s.scene().scene.fps;
      all.push_back(
          relative(fmt::format("{}, {}D{}: force on the floor", way.name, run.dimension, rounded ? ", float" : ""), "N",
                   force, 1000 * 0.8 * 0.4 * (flat ? 1 : 0.4) * g, way.liquid ? 5e-3 : 1e-3));
    }
  return all;
}

// --- P7

// Gravity is there from the start, so that the block rings, and what keeps ringing creeps by Coulomb's law itself: it
// slips in the moments in which it presses least. So it must hold only where something damps it: the steps, or without
// a grid a viscosity by which the slowest swing, a shear wave four heights long, dies in a tenth of a second.
std::vector<Measured> slope(const CaseInput& in) {
  constexpr double tangent = 0.5, start = 0.6, end = 1.2;
  const double down = g * std::cos(std::atan(tangent));
  std::vector<Measured> all;
  for (const Way& way : solid_ways())
    for (const double share : {1.05, 0.95}) {
      const bool viscous = !way.grid && !way.implicit;
      if (share > 1 && !way.damps && !viscous) continue;
      std::vector<std::string> sets{set_number("collider.0.friction", share * tangent * (in.wrong ? 0.9 : 1))};
      if (viscous) sets.push_back("solver.meshless.viscosity=1000");
      Simulation s(scene_of(in, "p7_slope", way, 0.05, sets));
      std::vector<double> time, speed, place;
      while (s.time() < end - 1e-9) {
        s.advance_frame();
        if (s.time() < start - 1e-9) continue;
        const Ledger l = s.ledger();
        time.push_back(s.time()), speed.push_back(l.momentum[0] / l.mass), place.push_back(l.center[0]);
      }
      if (share > 1)
        all.push_back(at_most(way.name + ", friction 5 % above the slope: creeps in 0.6 s", "m",
                              std::abs(place.back() - place.front()), 1e-3));
      else
        all.push_back(relative(way.name + ", friction 5 % below the slope: acceleration", "m/s^2",
                               slope_between(time, speed, start, end), down * (1 - share) * tangent, 0.05));
    }
  return all;
}

}  // namespace

std::span<const Case> every_cases() {
  static const Case cases[] = {
      {"p1-force", "Force probes on floors, a wall, a press and a grip read the change of momentum",
       "Newton's third law", "a force of a thousandth of gravity that the balance does not know", true,
       force_is_momentum},
      {"p2-stranger", "A body far away changes nothing", "definition: the places without it", "a stranger that touches",
       true, stranger},
      {"p3-frames", "Turned, mirrored, shifted and seen from a train a block does the same",
       "theory: space is the same everywhere and in all directions; Galilei", "a spin that differs by a millionth",
       true, frames},
      {"p4-fall", "Free fall, also where an event changes gravity", "closed form g t^2 / 2",
       "gravity 9.82 instead of 9.81", true, fall},
      {"p5-swing", "Energy of a free elastic bar over 100 periods",
       "theory: what the transfers pass on of a wave; backward Euler", "a drag of 1/s", true, swing},
      {"p6-weight", "A floor bears the weight of what rests on it", "closed form m g",
       "a density of 1010 instead of 1000", true, weight},
      {"p7-slope", "Friction 5 % above the slope holds a block, 5 % below lets it slide", "Coulomb's law",
       "friction 0.9 times as large", true, slope},
  };
  return cases;
}

}  // namespace knead
