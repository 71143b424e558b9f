#include "run/probes.h"

#include "run/pieces.h"
#include "scene/quantities.h"
#include "world/quantities.h"

#include <algorithm>
#include <cmath>

namespace knead {

namespace {

class Cells {
 public:
  std::vector<ProbeCell> list;

  void number(const std::string& name, const std::string& unit, double value) { list.push_back({name, unit, value}); }
  void vector(const std::string& name, const std::string& unit, const Vec3d& v) {
    for (int a = 0; a < 3; ++a) number(name + "_" + "xyz"[a], unit, v[a]);
  }
};

// The mean since the last frame; nothing has been felt at the first.
void add_force(Cells& cells, const Probe& probe, const World* world, std::size_t index) {
  const double time = world ? world->tally.frame_time : 0;
  const Reaction r = time > 0 ? world->reactions[index] : Reaction{};
  const double rate = time > 0 ? 1 / time : 0;
  cells.vector(probe.name + "_force", "N", r.impulse * rate);
  cells.vector(probe.name + "_torque", "N m", r.turn * rate);
}

// The particles of a world, by number.
class Matter {
 public:
  Matter(const World& world, const Solver& solver)
      : world_(world),
        solver_(solver),
        p_(world.particles),
        x_(*p_.find("x")),
        X_(p_.find("X")),
        mass_(*p_.find("mass")),
        body_(p_.get<std::int32_t>("body")) {}

  std::size_t count() const { return p_.count(); }
  double scalar(const char* column, std::size_t i) const { return p_.find(column)->value(i); }
  Vec3d vector(const char* column, std::size_t i) const { return vector(*p_.find(column), i); }
  // What is asked of every particle, without a look for its column.
  Vec3d x(std::size_t i) const { return vector(x_, i); }
  double mass(std::size_t i) const { return mass_.value(i); }
  double J(std::size_t i) const { return solver_.volume_ratio(world_, i); }
  Quantity quantity(const std::string& text) const {
    return Quantity(text, p_, world_.dimension, [this](std::size_t i) { return J(i); });
  }
  // Cauchy's, in the order of symmetric_names().
  std::vector<double> stress(std::size_t i) const {
    const Column& tau = *p_.find("tau");
    const double ratio = J(i);
    std::vector<double> s;
    for (int c = 0; c < tau.components; ++c) s.push_back(tau.value(i, c) / ratio);
    return s;
  }
  std::size_t find(double id) const {
    const auto ids = p_.get<std::int32_t>("id");
    return static_cast<std::size_t>(std::find(ids.begin(), ids.end(), static_cast<std::int32_t>(id)) - ids.begin());
  }
  // Whether an expression of the place at the start is positive.
  bool started_in(const Expression& where, std::size_t i) const {
    const Vec3d start = vector(*X_, i);
    return where.evaluate(std::array{start[0], start[1], start[2]}) > 0;
  }
  bool is_of(int body, std::size_t i) const { return body < 0 || body_[i] == body; }

 private:
  Vec3d vector(const Column& c, std::size_t i) const {
    Vec3d v{};
    for (int a = 0; a < world_.dimension; ++a) v[a] = c.value(i, a);
    return v;
  }
  const World& world_;
  const Solver& solver_;
  const Particles& p_;
  const Column& x_;
  const Column* X_;  // null where nothing asks for it
  const Column& mass_;
  std::span<const std::int32_t> body_;
};

void add_particle(Cells& cells, const Probe& probe, const Scene& scene, const Matter* matter,
                  const Followed& followed) {
  const int dimension = scene.scene.dimension;
  Vec3d x{}, v{}, u{};
  const bool liquid = !scene.solver.traits().deformation;
  std::vector<double> stress(liquid ? 0 : symmetric_names(dimension).size(), 0.0);
  double J = 1, temperature = 0, pressure = 0;
  const bool gone = matter && matter->find(followed.id) == matter->count();  // through a drain or an open side
  if (gone) x = v = u = Vec3d::filled(std::numeric_limits<double>::quiet_NaN());
  if (matter && !gone) {
    const std::size_t i = matter->find(followed.id);
    if (scene.has_heat()) temperature = matter->scalar("temperature", i);
    x = matter->x(i), v = matter->vector("v", i), u = x - followed.start;
    if (liquid)
      pressure = matter->scalar("pressure", i);
    else
      stress = matter->stress(i), J = matter->J(i);
  }
  for (int a = 0; a < 3; ++a) cells.number(probe.name + "_" + "xyz"[a], "m", x[a]);
  for (int a = 0; a < 3; ++a) cells.number(probe.name + "_v" + "xyz"[a], "m/s", v[a]);
  for (int a = 0; a < 3; ++a) cells.number(probe.name + "_u" + "xyz"[a], "m", u[a]);
  for (std::size_t c = 0; c < stress.size(); ++c)
    cells.number(probe.name + "_stress_" + symmetric_names(dimension)[c], "Pa", stress[c]);
  if (liquid)
    cells.number(probe.name + "_pressure", "Pa", pressure);
  else
    cells.number(probe.name + "_J", "", J);
  if (scene.has_heat()) cells.number(probe.name + "_temperature", "K", temperature);
}

// Of its body, in its shape, and of what started where it wants, where it has them.
bool concerns(const Probe& probe, const Matter& matter, std::size_t i, double time) {
  return matter.is_of(probe.body_index, i) && (!probe.chosen || matter.started_in(*probe.chosen, i)) &&
         (!probe.shape || probe.shape->distance(probe.motion.to_local(matter.x(i), time)) <= 0);
}

void add_region(Cells& cells, const Probe& probe, const Matter* matter, double time) {
  double mass = 0, count = 0, volume = 0;
  Vec3d momentum{};
  for (std::size_t i = 0; matter && i < matter->count(); ++i) {
    if (!concerns(probe, *matter, i, time)) continue;
    const double m = matter->mass(i);
    mass += m, momentum += matter->vector("v", i) * m, count += 1;
    volume += matter->scalar("volume", i) * matter->J(i);
  }
  const Vec3d v = mass > 0 ? momentum / mass : Vec3d{};
  cells.number(probe.name + "_mass", "kg", mass);
  cells.number(probe.name + "_count", "", count);
  for (int a = 0; a < 3; ++a) cells.number(probe.name + "_v" + "xyz"[a], "m/s", v[a]);
  cells.number(probe.name + "_density", "kg/m^3", volume > 0 ? mass / volume : 0);
}

// The place that the share `quantile` of the mass lies behind.
void add_front(Cells& cells, const Probe& probe, const Matter* matter, double time) {
  std::vector<std::pair<double, double>> places;  // with the mass there
  double all = 0;
  for (std::size_t i = 0; matter && i < matter->count(); ++i) {
    if (!concerns(probe, *matter, i, time)) continue;
    places.emplace_back(matter->x(i)[static_cast<int>(probe.axis)], matter->mass(i));
    all += places.back().second;
  }
  std::sort(places.begin(), places.end());
  double behind = 0, front = 0;
  for (const auto& [place, mass] : places) {
    front = place;
    behind += mass;
    if (behind >= probe.quantile * all) break;
  }
  cells.number(probe.name + "_front", "m", front);
}

// The mean is weighted with mass.
void add_values(Cells& cells, const Probe& probe, const Matter* matter, double time) {
  const double above = probe.above.value_or(probe.below ? -std::numeric_limits<double>::infinity() : 0);
  const double below = probe.below.value_or(std::numeric_limits<double>::infinity());
  double mass = 0, sum = 0, low = 0, high = 0, between = 0;
  bool any = false;
  const std::optional<Quantity> quantity = matter ? std::optional(matter->quantity(probe.column)) : std::nullopt;
  for (std::size_t i = 0; matter && i < matter->count(); ++i) {
    if (!concerns(probe, *matter, i, time)) continue;
    const double value = (*quantity)(i), m = matter->mass(i);
    mass += m, sum += m * value;
    low = any ? std::min(low, value) : value, high = any ? std::max(high, value) : value;
    between += value > above && value < below ? 1 : 0;
    any = true;
  }
  if (probe.type == ProbeType::count) return cells.number(probe.name + "_count", "", between);
  const std::string unit = unit_of_quantity(probe.column);
  cells.number(probe.name + "_mean", unit, mass > 0 ? sum / mass : 0);
  cells.number(probe.name + "_min", unit, low);
  cells.number(probe.name + "_max", unit, high);
}

// What is broken (damage 1) bears nothing and holds nothing together.
Pieces pieces_on_grid(const Probe& probe, const Matter& matter, const World& world, const SolverSpec& solver) {
  std::vector<Vec3d> places;
  std::vector<double> masses;
  const bool may_break = world.particles.find("damage");
  for (std::size_t i = 0; i < matter.count(); ++i) {
    if (!matter.is_of(probe.body_index, i) || (may_break && matter.scalar("damage", i) >= 1)) continue;
    places.push_back(matter.x(i));
    masses.push_back(matter.mass(i));
  }
  return count_pieces(places, masses, solver.dx, solver.degree() + 1, probe.share);
}

// Nothing where a grid alone holds matter together.
std::optional<Pieces> bonded_pieces(const Probe& probe, const Matter& matter, const World& world,
                                    const Solver& solver) {
  std::vector<double> masses(matter.count(), 0.0);
  for (std::size_t i = 0; i < matter.count(); ++i)
    if (matter.is_of(probe.body_index, i)) masses[i] = matter.mass(i);
  Groups groups(matter.count());
  const bool bonded = solver.for_each_bond(world, probe.body_index, [&](std::size_t i, std::size_t j) {
    if (masses[i] > 0 && masses[j] > 0) groups.join(i, j);
  });
  if (!bonded) return {};
  return count_pieces(groups, masses, probe.share);
}

void add_pieces(Cells& cells, const Probe& probe, const Matter* matter, const World* world, const Solver* solver,
                const SolverSpec& spec) {
  Pieces pieces;
  if (matter) {
    const bool may_bond = spec.traits().bonds || world->mesh.cells.count() > 0;
    const std::optional<Pieces> bonded =
        may_bond ? bonded_pieces(probe, *matter, *world, *solver) : std::optional<Pieces>{};
    pieces = bonded ? *bonded : pieces_on_grid(probe, *matter, *world, spec);
  }
  cells.number(probe.name + "_pieces", "", pieces.count);
  cells.number(probe.name + "_main", "", pieces.main);
  cells.number(probe.name + "_largest", "", pieces.largest);
}

void add_losses(Cells& cells, const Probe& probe, const World* world, const Solver* solver) {
  const Ledger ledger = world ? solver->ledger(*world) : Ledger{};
  cells.number(probe.name + "_transfer", "J", ledger.transfer_loss);
  cells.number(probe.name + "_impact", "J", ledger.impact_loss);
}

// Under the names that stats.csv has for all matter.
void add_sums(Cells& cells, const Probe& probe, const Matter* matter, const World* world, const Solver* solver) {
  Ledger l;
  if (matter)
    l = solver->ledger_of(*world, [&](std::size_t i) { return concerns(probe, *matter, i, world->clock.time); });
  cells.number(probe.name + "_mass", "kg", l.mass);
  cells.vector(probe.name + "_center", "m", l.center);
  cells.vector(probe.name + "_momentum", "kg m/s", l.momentum);
  cells.vector(probe.name + "_angular_momentum", "kg m^2/s", l.angular_momentum);
  cells.number(probe.name + "_kinetic", "J", l.kinetic);
  cells.number(probe.name + "_elastic", "J", l.elastic);
  cells.number(probe.name + "_gravitational", "J", l.gravitational);
}

}  // namespace

std::vector<ProbeCell> probe_cells(const Scene& scene, const World* world, const Solver* solver) {
  Cells cells;
  const std::optional<Matter> there = world ? std::optional<Matter>(std::in_place, *world, *solver) : std::nullopt;
  const Matter* matter = there ? &*there : nullptr;
  const double time = world ? world->clock.time : 0;
  std::size_t forces = 0, followed = 0;
  for (const Probe& probe : scene.probes) switch (probe.type) {
      case ProbeType::force:
        add_force(cells, probe, world, forces++);
        break;
      case ProbeType::particle:
        add_particle(cells, probe, scene, matter, world ? world->followed[followed++] : Followed{});
        break;
      case ProbeType::region:
        add_region(cells, probe, matter, time);
        break;
      case ProbeType::front:
        add_front(cells, probe, matter, time);
        break;
      case ProbeType::mean:
      case ProbeType::count:
        add_values(cells, probe, matter, time);
        break;
      case ProbeType::pieces:
        add_pieces(cells, probe, matter, world, solver, scene.solver);
        break;
      case ProbeType::losses:
        add_losses(cells, probe, world, solver);
        break;
      case ProbeType::sums:
        add_sums(cells, probe, matter, world, solver);
        break;
    }
  return cells.list;
}

}  // namespace knead
