#include "meshless/solver.h"

#include "base/elementary.h"
#include "meshless/space_order.h"
#include "meshless/strain_state.h"
#include "world/make_in_precision.h"

namespace knead {

template <class T, int D>
MeshlessColumns<T, D>::MeshlessColumns(Particles& p)
    : x(p.get<Vec<T, D>>("x")),
      v(p.get<Vec<T, D>>("v")),
      F(p.get<Mat<T, D>>("F")),
      tau(p.get<Sym<T, D>>("tau")),
      mass(p.get<T>("mass")),
      volume(p.get<T>("volume")),
      h(p.get<T>("h")),
      body(p.get<std::int32_t>("body")),
      group(p.get<std::int32_t>(p.find("group") ? "group" : "body")) {
  if (p.find(".F_low")) F_low = p.get<Mat<T, D>>(".F_low");
  if (p.find(low_column)) x_low = p.get<Vec<T, D>>(low_column);
  if (p.find("X")) X = p.get<Vec<T, D>>("X");
  if (p.find("plastic")) plastic = p.get<Mat<T, D>>("plastic"), strain = p.get<Sym<T, D>>("strain");
  if (p.find("molten")) molten = p.get<T>("molten");
  if (p.find("temperature")) temperature = p.get<double>("temperature");
  if (p.find("latent")) latent = p.get<double>("latent");
  if (p.find(".body_a")) body_a = p.get<Vec<T, D>>(".body_a");
  if (p.find(".held_slope")) held_slope = p.get<T>(".held_slope"), held_strain = p.get<T>(".held_strain");
  if (p.find(".held_density")) held_density = p.get<T>(".held_density");
  if (p.find(".height")) height = p.get<T>(".height");
  if (p.find(".skipped")) skipped = p.get<T>(".skipped");
  if (p.find("embedded")) {
    embedded = p.get<Vec<T, D>>("embedded"), P = p.get<Mat<T, D>>("P");
    x_before = p.get<Vec<T, D>>(".x_before"), a = p.get<Vec<T, D>>(".a");
    first_volume = p.get<T>(".first_volume"), volume_factor = p.get<T>(".volume_factor");
    neighbours = p.get<Neighbours>(".neighbours"), fades = p.get<Fades<T>>(".fades");
  }
}

template <class T, int D>
T Meshless<T, D>::smallest(std::span<const T> h) {
  return h.empty() ? T(1) : *std::min_element(h.begin(), h.end());
}

template <class T, int D>
Meshless<T, D>::Meshless(const Scene& scene)
    : spec_(scene.solver),
      controls_(scene),
      step_(scene.solver.method == Method::mls        ? &Meshless::mls_step
            : scene.solver.method == Method::embedded ? &Meshless::embedded_step
                                                      : &Meshless::composed_step),
      changes_matter_(
          std::any_of(scene.events.begin(), scene.events.end(), [](const Event& e) { return e.material_index >= 0; })),
      touches_(scene.solver.method == Method::composed ? scene.bodies.size() > 1 && !scene.solver.meshless.fuse
                                                       : scene.bodies.size() > 1 || scene.solver.meshless.self_contact),
      may_melt_(scene.solver.method == Method::mls && scene.can_melt()),
      has_heat_(scene.has_heat()),
      contact_radius_(scene.solver.meshless.contact_radius.value_or(scene.solver.dx / 2)) {
  for (const Body& b : scene.bodies) {
    uneven_.push_back(b.sampling == Sampling::file);
    densities_.push_back(density_of(scene.materials[static_cast<std::size_t>(b.material_index)].material));
  }
  for (const MaterialEntry& m : scene.materials) melts_at_start_ |= melts(m.material);
  if (!spec_.is_explicit() && !spec_.dt_max) spec_.dt_max = implicit_share_of_frame / scene.scene.fps;
}

template <class T, int D>
Meshless<T, D>::~Meshless() = default;

template <class T, int D>
void Meshless<T, D>::prepare(World& world) {
  controls_.apply_past(world);
  can_melt_ = melts_by_now(world);
  Particles& particles = world.particles;
  const bool fresh = !particles.find("F");
  if (fresh && spec_.method == Method::mls) sort_in_space<T, D>(world, spec_.dx);
  const auto column = [&]<class V>(const char* name, const char* unit, const V& start) {
    const bool known = particles.find(name);
    const std::span<V> entries = particles.add<V>(name, unit);
    if (!known) std::fill(entries.begin(), entries.end(), start);
  };
  // A column that starts where the particles do.
  const auto places = [&](const char* name) {
    if (particles.find(name)) return;
    const auto to = particles.add<Vec<T, D>>(name, "m");
    const auto x = particles.get<Vec<T, D>>("x");
    std::copy(x.begin(), x.end(), to.begin());
  };
  column("F", "", Mat<T, D>::identity());
  column("tau", "Pa", Sym<T, D>::zero());
  column("h", "m", T(0));
  if (sizeof(T) < sizeof(double)) column(low_column, "m", Vec<T, D>::zero());
  for (const Material& m : controls_.materials)
    for (const HistoryColumn& h : history_columns_of(m)) column(h.name, h.unit, T(h.initial));
  if (spec_.method != Method::composed || controls_.rest_positions) places("X");
  if (spec_.method == Method::mls) {
    column("plastic", "", Mat<T, D>::identity());
    column("strain", "", Sym<T, D>::zero());
    if (may_melt_) column("molten", "", T(0)), column(".held_density", "kg/m^3", T(0));
    if (may_melt_ && !particles.find(".height")) column(".height", "m", T(0)), measure_heights(particles);
    if (may_melt_ && spec_.meshless.fuse && !particles.find("group")) {
      const auto group = particles.add<std::int32_t>("group", "");
      const auto body = particles.get<std::int32_t>("body");
      std::copy(body.begin(), body.end(), group.begin());
    }
  }
  if (spec_.method == Method::embedded) {
    places("embedded"), places(".x_before");
    column("P", "", Mat<T, D>::identity());
    column(".a", "m/s^2", Vec<T, D>::zero());
    column(".first_volume", "m^3", T(0));
    column(".volume_factor", "", T(1));
    world.flowed.resize(uneven_.size());
    column(".neighbours", "", Neighbours::filled(-1));
    column(".fades", "", Fades<T>::zero());
  }
  if (spec_.method == Method::composed || may_melt_) places(".x_list");
  if (spec_.method == Method::composed) column(".skipped", "", T(0));
  if (spec_.method == Method::composed && sizeof(T) < sizeof(double)) column(".F_low", "", Mat<T, D>::zero());
  if (changes_matter_ && spec_.method == Method::composed) column(".held_density", "kg/m^3", T(0));
  if (changes_matter_ && spec_.method != Method::composed && spec_.meshless.stabilizer > 0)
    column(".held_slope", "Pa", T(0)), column(".held_strain", "", T(0));
  if (!controls_.body_force.is_zero()) column(".body_a", "m/s^2", Vec<T, D>::zero());
  if (touches_) places(".x_contact");
  if (has_heat_) places(".x_heat");
  if (has_heat_ && may_melt_) column("latent", "J/kg", 0.0);
  world.reactions.resize(controls_.reactions.count());
  // Molten matter needs no more neighbours than composed matter.
  world_h_ = T(spec_.dx * support() * (spec_.method == Method::mls ? 2.0 / 3 : 1.0));
  if (fresh) {
    Columns p(particles);
    size_neighbourhoods(p, p.body, [](std::size_t) { return true; });
    if (spec_.method != Method::embedded) share_volumes(p);
    check_body_force<T, D>(controls_.body_force, world);
    for (const Vec<T, D>& v : particles.get<Vec<T, D>>("v"))
      world.tally.max_speed = std::max(world.tally.max_speed, double(length(v)));
  }
  Columns p(particles);
  h_min_ = smallest(p.h);
  measure_materials(world);
  find_held(p);
  if (fresh) {
    world.tally.max_wave_speed = wave_speed_;
    for (std::size_t i = 0; i < p.a.size(); ++i) p.a[i] = outer_acceleration(p, i, world.clock.time, 0);
  }
  if (fresh && !p.latent.empty()) fill_latent_heat(world, p);
  force_.resize(p.x.size());
  if (spec_.method == Method::mls) bond_rest_shape(p), world_.clear(), settle_phases(world);
  if (spec_.method == Method::embedded) {
    if (fresh) choose_neighbours(p, true);
    calibrate_volumes(p, fresh);
    fading_ = !fresh;  // where nothing fades, the next step finds out
    bond_embedding(p);
  }
  if (fresh) measure_swing(world);
  world_.clear(), contact_.clear(), heat_.clear();
  find_world_neighbours(world);
  find_led(p);
  find_first_of_bodies(p);
}

template <class T, int D>
void Meshless<T, D>::find_first_of_bodies(const Columns& p) {
  first_of_body_.assign(uneven_.size(), 0);
  for (std::size_t i = p.x.size(); i-- > 0;) first_of_body_[static_cast<std::size_t>(p.body[i])] = i;
}

// What depends on the materials: waves, the pressure's speed of sound and its density at rest, the stiffness of
// contact. Mass is that of the material that a body was made of, whatever it has become.
template <class T, int D>
void Meshless<T, D>::measure_materials(const World& world) {
  const auto body = world.particles.get<std::int32_t>("body");
  const auto density_at = [&](std::size_t i) { return densities_[static_cast<std::size_t>(body[i])]; };
  const Columns p(const_cast<Particles&>(world.particles));  // read only
  viscosity_ = spec_.meshless.viscosity;
  contact_stiffness_.resize(world.particles.count()), square_sound_.assign(world.particles.count(), T(0));
  wave_speed_ = 0, sound_ = 0, least_density_ = std::numeric_limits<double>::max();
  lightest_.clear(), flowing_.clear();
  for (const Batch& b : world.batches) {
    const Material& m = controls_.materials[static_cast<std::size_t>(b.material)];
    double lightest = std::numeric_limits<double>::max();
    for (auto i = static_cast<std::size_t>(b.begin); i < static_cast<std::size_t>(b.end); ++i)
      lightest = std::min(lightest, density_at(i));
    lightest_.push_back(lightest);
    least_density_ = std::min(least_density_, lightest);
    const double modulus = density_of(m) * wave_speed_of(m) * wave_speed_of(m);
    const double wave = std::sqrt(modulus / lightest);
    wave_speed_ = std::max(wave_speed_, wave);
    const auto* law = std::get_if<StrainYieldLaw>(&m.value);
    // Of its own matter, whatever else there is.
    double sound = 0;
    if (spec_.method == Method::composed)
      sound = spec_.meshless.sound_speed.value_or(0.3 * wave);
    else if (can_melt_)
      sound = spec_.meshless.sound_speed.value_or(melt_wave_speed(m, lightest));
    sound_ = std::max(sound_, sound);
    const bool sinks = can_melt_ && melts(m) && !spec_.meshless.sound_speed;
    for (auto i = static_cast<std::size_t>(b.begin); i < static_cast<std::size_t>(b.end); ++i) {
      contact_stiffness_[i] = T(modulus * elementary::power(spec_.dx, D - 2));
      square_sound_[i] = T(sound * sound);
      if (!sinks) continue;
      const double deep = heights_in_sound * length(controls_.gravity) * double(p.height[i]);
      square_sound_[i] = std::max(square_sound_[i], T(deep)), sound_ = std::max(sound_, std::sqrt(deep));
    }
    if (law && law->flow.yield_strain) flowing_.push_back("strain");
    visit(m, [&]<class Law>(const Law& flowing) {
      if (!Law::flows || Law::needs_rest_shape) return;
      flowing_.push_back("plastic");
      for (const HistoryColumn& h : flowing.history_columns) flowing_.push_back(h.name);
    });
    if (law && melts(m)) viscosity_ = std::max(viscosity_, spec_.meshless.viscosity + law->flow.melt_viscosity);
  }
  std::sort(flowing_.begin(), flowing_.end());
  flowing_.erase(std::unique(flowing_.begin(), flowing_.end()), flowing_.end());
  // A lattice of particles has this density to the kernel, over its own.
  const double h = double(world_h_), a = spec_.dx;
  const int reach = static_cast<int>(h / a) + 1;
  double sum = 0, moment = 0;
  for (int i = -reach; i <= reach; ++i)
    for (int j = -reach; j <= reach; ++j)
      for (int k = D == 3 ? -reach : 0; k <= (D == 3 ? reach : 0); ++k) {
        const double d = a * std::sqrt(double(i * i + j * j + k * k));
        if (d < h)
          sum += Spiky<D>::value(d, h) * elementary::power(a, D),
              moment += poly6_shape(d * d / (h * h)) * square(i * a);
      }
  lattice_sum_ = sum;
  rest_density_.resize(world.particles.count());
  for (std::size_t i = 0; i < rest_density_.size(); ++i)
    rest_density_[i] = lattice_density(p, i) + (p.held_density.empty() ? T(0) : p.held_density[i]);
  lattice_moment_ = T(moment);
  if (has_heat_) measure_heat(world);
}

// The extent of each body along gravity, of the shape at rest: an event that lets matter melt may come late.
template <class T, int D>
void Meshless<T, D>::measure_heights(Particles& particles) const {
  const Columns p(particles);
  const double g = length(controls_.gravity);
  if (g == 0) return;
  const Vec<T, D> down = resized<T, D>(controls_.gravity * (1 / g));
  constexpr T far = std::numeric_limits<T>::max();
  std::vector<T> low(uneven_.size(), far), high(uneven_.size(), -far);
  for (std::size_t i = 0; i < p.X.size(); ++i) {
    const auto b = static_cast<std::size_t>(p.body[i]);
    low[b] = std::min(low[b], dot(p.X[i], down)), high[b] = std::max(high[b], dot(p.X[i], down));
  }
  for (std::size_t i = 0; i < p.X.size(); ++i) {
    const auto b = static_cast<std::size_t>(p.body[i]);
    p.height[i] = high[b] - low[b] + T(spec_.dx);
  }
}

// Of a material as a melt, as light as its particles are, m/s; 0 where it does not melt.
template <class T, int D>
double Meshless<T, D>::melt_wave_speed(const Material& m, double lightest) const {
  const auto* law = std::get_if<StrainYieldLaw>(&m.value);
  if (!law || !melts(m)) return 0;
  return std::sqrt(StrainState<double, D>(*law, true).p_wave_modulus() / std::min(law->density, lightest));
}
// Of the stiffest melt.
template <class T, int D>
double Meshless<T, D>::melt_wave_speed() const {
  double fastest = 0;
  for (const Material& m : controls_.materials) fastest = std::max(fastest, melt_wave_speed(m, least_density_));
  return fastest;
}

template <class T, int D>
double Meshless<T, D>::volume_ratio(const World& world, std::size_t particle) const {
  return double(determinant(world.particles.get<Mat<T, D>>("F")[particle]));
}

// Bonds of the shape at rest, and being near: for composed matter and melts.
template <class T, int D>
bool Meshless<T, D>::for_each_bond(const World& world, int /*body*/,
                                   const std::function<void(std::size_t, std::size_t)>& f) const {
  const Columns p(const_cast<Particles&>(world.particles));  // read only
  for (std::size_t i = 0; i < rest_.count(); ++i)
    for (const Bond<T, D>& b : rest_.from(i)) f(i, static_cast<std::size_t>(b.other));
  for (std::size_t i = 0; !world_.empty() && i < p.x.size(); ++i)
    for (const int other : world_.list(i)) {
      const auto j = static_cast<std::size_t>(other);
      const Vec<T, D> away = p.x[j] - p.x[i];
      const bool flows = spec_.method == Method::composed || p.is_molten(i) || p.is_molten(j);
      if (flows && dot(away, away) < world_h_ * world_h_) f(i, j);
    }
  return true;
}

template <class T, int D>
std::size_t Meshless<T, D>::scratch_bytes() const {
  return rest_.bytes() + rest_sums_.bytes() + laplacian_.bytes() + world_.bytes() + contact_.bytes() + slices_.bytes() +
         force_.size() * (sizeof(Vec<T, D>) * 3 + sizeof(Mat<T, D>) * 3 + sizeof(Carrier<T, D>));
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

std::unique_ptr<Solver> make_meshless(const Scene& scene) { return make_in_precision<Meshless>(scene); }

}  // namespace knead
