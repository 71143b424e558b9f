// Where liquid is: the blocks that its particles live in and reach, and how much of them is open.
#include "base/elementary.h"
#include "liquid/solver.h"
#include "world/ledger.h"
#include "world/make_in_precision.h"
#include "world/reorder.h"

namespace knead {

namespace {

// One material for all liquid of a scene; see scene/check_liquid.cpp.
int material_of(const Scene& scene) {
  return scene.bodies.empty() ? scene.sources.front().material_index : scene.bodies.front().material_index;
}

int lattice_side(const Scene& scene) {
  const double count = scene.bodies.empty() ? scene.particles_per_cell(scene.sources.front())
                                            : scene.particles_per_cell(scene.bodies.front());
  return static_cast<int>(std::lround(elementary::pow(count, 1.0 / scene.scene.dimension)));
}

}  // namespace

template <class T, int D>
LiquidColumns<T, D>::LiquidColumns(Particles& p)
    : x(p.get<Vec<T, D>>("x")),
      v(p.get<Vec<T, D>>("v")),
      pressure(p.get<T>("pressure")),
      density(p.get<T>("density")),
      body(p.get<std::int32_t>("body")) {
  if (p.find("C")) C = p.get<Mat<T, D>>("C");
}
template struct LiquidColumns<float, 2>;
template struct LiquidColumns<float, 3>;
template struct LiquidColumns<double, 2>;
template struct LiquidColumns<double, 3>;

template <class T, int D>
Liquid<T, D>::Liquid(const Scene& scene)
    : scene_(scene),
      spec_(scene.solver),
      controls_(scene),
      solids_(controls_.colliders, scene.explosions, 1e-3 * scene.solver.dx),
      h_(scene.solver.dx),
      density_(density_of(scene.materials[static_cast<std::size_t>(material_of(scene))].material)),
      n_(lattice_side(scene)),
      share_(T(1 / elementary::power(double(n_), D))),
      shares_(h_, n_),
      openings_(scene.sources.size()) {
  const auto boundaries = controls_.colliders.boundaries();
  for (std::size_t b = 0; b < boundaries.size(); ++b)
    if (std::any_of(scene.probes.begin(), scene.probes.end(), [&](const Probe& probe) {
          return probe.type == ProbeType::force && probe.on == boundaries[b].collider.name;
        }))
      measured_.push_back(b);
}

template <class T, int D>
Liquid<T, D>::~Liquid() = default;

template <class T, int D>
void Liquid<T, D>::prepare(World& world) {
  stepped_ = false;
  Particles& p = world.particles;
  const bool fresh = !p.find("pressure");
  const auto pressure = p.template add<T>("pressure", "Pa"), density = p.template add<T>("density", "kg/m^3");
  const bool affine = spec_.liquid.transfer == LiquidTransfer::apic;
  const auto C = affine ? p.template add<Mat<T, D>>("C", "1/s") : std::span<Mat<T, D>>();
  controls_.apply_past(world);
  world.reactions.resize(controls_.reactions.count());
  shares_.clear();
  if (world.batches.empty()) world.batches.push_back({material_of(scene_), 0, 0});
  if (!fresh) return;
  std::fill(pressure.begin(), pressure.end(), T(0));
  std::fill(density.begin(), density.end(), T(density_));
  std::fill(C.begin(), C.end(), Mat<T, D>::zero());
  if (spec_.liquid.is_given()) start_in_flow(world);
  double fastest = 0;
  for (const Vec<T, D>& v : p.template get<Vec<T, D>>("v")) fastest = std::max(fastest, double(dot(v, v)));
  world.tally.max_speed = std::sqrt(fastest);
  const bool even = std::all_of(scene_.bodies.begin(), scene_.bodies.end(),
                                [&](const Body& body) { return scene_.sampling(body) == Sampling::lattice; });
  if (!even && !spec_.liquid.is_given())
    for (int pass = 0; pass < spec_.liquid.relaxation; ++pass) relax(world);
  world.tally.liquid.start_frame();
  measure_energy(world);
}

template <class T, int D>
void Liquid<T, D>::do_events(World& world) {
  while (controls_.next_event(world) <= world.clock.time) {
    const Event& event = controls_.events[static_cast<std::size_t>(world.clock.events++)];
    const double height = event.gravity ? ledger(world).gravitational : 0;
    controls_.apply(event);
    if (event.gravity) world.tally.body_work += ledger(world).gravitational - height;
    if (!event.velocity.is_zero()) {
      add_velocity<T, D>(event, world);
      for (const Vec<T, D>& v : world.particles.get<Vec<T, D>>("v"))
        world.tally.max_speed = std::max(world.tally.max_speed, double(length(v)));
    }
    if (event.gravity || !event.velocity.is_zero()) measure_energy(world);
    shares_.clear();
  }
}

template <class T, int D>
std::optional<Problem> Liquid<T, D>::sort_into_blocks(World& world) {
  const auto x = world.particles.get<Vec<T, D>>("x");
  const std::int64_t ends[] = {static_cast<std::int64_t>(x.size())};
  const std::int64_t far = sort_.template sort<2, T>(x, T(1 / h_), ends);
  if (far != BlockSort<D>::all_inside)
    return Problem{.what = "a particle is too far away, or its position is not a number",
                   .particle = far,
                   .position = resized<double, 3>(x[static_cast<std::size_t>(far)]),
                   .remedy = "keep the liquid in a scene.domain, with open sides where it may leave"};
  if (world.clock.step % reorder_every == 0) {
    sort_.reorder(permutation_, ends);
    reorder(world.particles, permutation_, spare_);
  }
  if (sort_.blocks_changed() || blocks_.count() == 0) build_blocks();
  return {};
}

template <class T, int D>
void Liquid<T, D>::build_blocks() {
  blocks_.assign_around(sort_.keys());
  home_.resize(sort_.keys().size());
  for (auto& of_colour : colours_) of_colour.clear();
  for (std::size_t b = 0; b < home_.size(); ++b) {
    home_[b] = blocks_.find(sort_.keys()[b]);
    const Vec<int, D> block = block_at<D>(sort_.keys()[b]);
    int colour = 0;
    for (int a = 0; a < D; ++a) colour = colour << 1 | (block[a] & 1);
    colours_[static_cast<std::size_t>(colour)].push_back(static_cast<int>(b));
  }
  const std::size_t n = blocks_.count() * 64;
  for (Field* f : {&fill_, &room_, &room_before_, &corrected_, &converging_, &shown_pressure_}) f->resize(n);
  for (int a = 0; a < D; ++a) {
    for (Field* f : {&face_fill_[a], &u_[a], &u_before_[a], &offset_[a]}) f->resize(n);
    open_[a].resize(n);
    known_[a].resize(blocks_.count()), spreading_[a].resize(blocks_.count());
  }
  liquid_.resize(blocks_.count()), beside_solid_.resize(blocks_.count());
  for (auto* v : {&q_, &eta_, &b_, &q_before_}) v->resize(n);
}

// The room in cells, and the open shares of faces, with solids as they stand at a time. What does not move is sampled
// once for each block.
template <class T, int D>
void Liquid<T, D>::open_blocks(double time, Field& room) {
  solids_.move_to(time);
  const std::size_t n = blocks_.count();
  const bool moving = solids_.may_move();
  missing_.clear(), passing_.assign(n, 0);
  parallel_for(n, 64, [&](std::size_t b) {
    passing_[b] = moving && solids_.moves_near(shares_.middle(blocks_.first_cell(b)), shares_.reach());
  });
  for (std::size_t b = 0; b < n; ++b)
    if (!passing_[b] && !shares_.find(blocks_.keys()[b])) missing_.push_back(b);
  sampled_.resize(missing_.size());
  parallel_for(missing_.size(), 1,
               [&](std::size_t i) { sampled_[i] = shares_.sampled(solids_, blocks_.first_cell(missing_[i]), false); });
  for (std::size_t i = 0; i < missing_.size(); ++i) shares_.keep(blocks_.keys()[missing_[i]], sampled_[i]);

  parallel_for(n, 4, [&](std::size_t b) {
    const auto take = [&](const OpenBlock<D>& open) {
      std::uint64_t beside_solid = 0;
      for (int c = 0; c < 64; ++c) {
        room[b * 64 + static_cast<std::size_t>(c)] = T(open.cell[c]);
        beside_solid |= static_cast<std::uint64_t>(open.cell[c] < 1) << c;
      }
      beside_solid_[b] = beside_solid;
      for (int a = 0; a < D; ++a) std::copy_n(open.face[a], 64, open_[a].begin() + static_cast<std::ptrdiff_t>(b * 64));
    };
    if (passing_[b])
      take(shares_.sampled(solids_, blocks_.first_cell(b), true));
    else
      take(*shares_.find(blocks_.keys()[b]));
  });
}

template <class T, int D>
Ledger Liquid<T, D>::ledger_of(const World& world, const Counts& counts) const {
  const auto x = world.particles.get<Vec<T, D>>("x"), v = world.particles.get<Vec<T, D>>("v");
  const auto mass = world.particles.get<T>("mass"), volume = world.particles.get<T>("volume");
  const auto chunk = [&](std::size_t begin, std::size_t end) {
    Ledger l = empty_ledger();
    for (std::size_t i = begin; i < end; ++i)
      if (!counts || counts(i))
        add_particle(l, double(mass[i]), double(volume[i]), resized<double, 3>(x[i]), resized<double, 3>(v[i]),
                     controls_.gravity);
    return l;
  };
  Ledger all = parallel_reduce(x.size(), 4096, empty_ledger(), chunk, combined);
  all.least_stretch = all.most_stretch = 1;
  return closed(all, world.tally);
}

template <class T, int D>
std::size_t Liquid<T, D>::scratch_bytes() const {
  return sort_.bytes() + fill_.size() * (sizeof(T) * (6 + 4 * D) + 4 * D + 4 * sizeof(double)) + shares_.bytes() +
         lcp_.bytes();
}

template class Liquid<float, 2>;
template class Liquid<float, 3>;
template class Liquid<double, 2>;
template class Liquid<double, 3>;

std::unique_ptr<Solver> make_liquid(const Scene& scene) { return make_in_precision<Liquid>(scene); }

}  // namespace knead
