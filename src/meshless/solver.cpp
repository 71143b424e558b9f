#include "meshless/solver.h"

#include "meshless/strain_state.h"

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
      body(p.get<std::int32_t>("body")) {
  if (p.find("X")) X = p.get<Vec<T, D>>("X");
  if (p.find("plastic")) plastic = p.get<Mat<T, D>>("plastic"), strain = p.get<Sym<T, D>>("strain");
  if (p.find("embedded")) {
    embedded = p.get<Vec<T, D>>("embedded"), P = p.get<Mat<T, D>>("P");
    x_before = p.get<Vec<T, D>>(".x_before"), a = p.get<Vec<T, D>>(".a");
    first_volume = p.get<T>(".first_volume"), volume_factor = p.get<T>(".volume_factor");
    neighbours = p.get<Neighbours>(".neighbours"), fades = p.get<Fades<T>>(".fades");
  }
}

template <class T, int D>
Meshless<T, D>::Meshless(const Scene& scene)
    : spec_(scene.solver),
      controls_(scene),
      step_(scene.solver.method == Method::mls        ? &Meshless::mls_step
            : scene.solver.method == Method::embedded ? &Meshless::embedded_step
                                                      : &Meshless::composed_step),
      many_bodies_(scene.bodies.size() > 1 && !scene.solver.meshless.fuse),
      contact_radius_(scene.solver.meshless.contact_radius.value_or(scene.solver.dx / 2)) {
  for (const Body& b : scene.bodies) uneven_.push_back(b.sampling == Sampling::file);
  if (!spec_.is_explicit() && !spec_.dt_max) spec_.dt_max = implicit_share_of_frame / scene.scene.fps;
}

template <class T, int D>
void Meshless<T, D>::prepare(World& world) {
  controls_.apply_past(world);
  Particles& particles = world.particles;
  const bool fresh = !particles.find("F");
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
  for (const Material& m : controls_.materials)
    for (const HistoryColumn& h : history_columns_of(m)) column(h.name, h.unit, T(h.initial));
  if (spec_.method != Method::composed || controls_.rest_positions) places("X");
  if (spec_.method == Method::mls) {
    column("plastic", "", Mat<T, D>::identity());
    column("strain", "", Sym<T, D>::zero());
  }
  if (spec_.method == Method::embedded) {
    places("embedded"), places(".x_before");
    column("P", "", Mat<T, D>::identity());
    column(".a", "m/s^2", resized<T, D>(controls_.gravity));
    column(".first_volume", "m^3", T(0));
    column(".volume_factor", "", T(1));
    column(".neighbours", "", Neighbours::filled(-1));
    column(".fades", "", Fades<T>::zero());
  }
  if (spec_.method == Method::composed) places(".x_list");
  if (many_bodies_) places(".x_contact");
  world.reactions.resize(controls_.reactions.count());
  if (fresh) {
    size_neighbourhoods(world);
    check_body_force<T, D>(controls_.body_force, world);
    for (const Vec<T, D>& v : particles.get<Vec<T, D>>("v"))
      world.tally.max_speed = std::max(world.tally.max_speed, double(length(v)));
    for (const Batch& b : world.batches)
      world.tally.max_wave_speed = std::max(world.tally.max_wave_speed,
                                            wave_speed_of(controls_.materials[static_cast<std::size_t>(b.material)]));
  }
  Columns p(particles);
  h_min_ = h_max_ = p.h.empty() ? T(1) : p.h[0];
  for (T h : p.h) h_min_ = std::min(h_min_, h), h_max_ = std::max(h_max_, h);
  measure_materials(world);
  force_.resize(p.x.size());
  if (spec_.method == Method::mls) bond_rest_shape(p);
  if (spec_.method == Method::embedded) {
    if (fresh) choose_neighbours(p, true);
    calibrate_volumes(p, fresh);
    fading_ = !fresh;  // where nothing fades, the next step finds out
    bond_embedding(p);
  }
  world_.clear(), contact_.clear();
}

// What depends on the materials: the pressure's speed of sound and its density at rest, the stiffness of contact.
template <class T, int D>
void Meshless<T, D>::measure_materials(const World& world) {
  least_density_ = std::numeric_limits<double>::max();
  double wave = 0, stiffness = std::numeric_limits<double>::max();
  for (const Batch& b : world.batches) {
    const Material& m = controls_.materials[static_cast<std::size_t>(b.material)];
    least_density_ = std::min(least_density_, density_of(m));
    wave = std::max(wave, wave_speed_of(m));
    stiffness = std::min(stiffness, density_of(m) * wave_speed_of(m) * wave_speed_of(m));
  }
  sound_ = spec_.method == Method::composed ? spec_.meshless.sound_speed.value_or(0.3 * wave) : 0;
  contact_stiffness_ = T(stiffness * std::pow(spec_.dx, D - 2));
  // A lattice of particles has this density to the kernel, over its own.
  const double h = double(h_max_), a = spec_.dx;
  const int reach = static_cast<int>(h / a) + 1;
  double sum = 0;
  for (int i = -reach; i <= reach; ++i)
    for (int j = -reach; j <= reach; ++j)
      for (int k = D == 3 ? -reach : 0; k <= (D == 3 ? reach : 0); ++k) {
        const double d = a * std::sqrt(double(i * i + j * j + k * k));
        if (d < h) sum += Poly6<D>::value(d, h) * std::pow(a, D);
      }
  rest_density_.resize(world.particles.count());
  for (const Batch& b : world.batches)
    std::fill(rest_density_.begin() + b.begin, rest_density_.begin() + b.end,
              T(sum * density_of(controls_.materials[static_cast<std::size_t>(b.material)])));
}

template <class T, int D>
void Meshless<T, D>::do_events(World& world) {
  while (next_event(world) <= world.clock.time) {
    const Event& event = controls_.events[static_cast<std::size_t>(world.clock.events++)];
    const std::vector<Material> before = controls_.materials;
    controls_.apply(event);
    if (event.changed && spec_.method == Method::mls) keep_stress(world, before);
    if (event.body_index >= 0 && event.material_index >= 0) {
      const std::vector<std::size_t> order = switch_material<T>(event, controls_.materials, world);
      if (spec_.method == Method::embedded) renumber_neighbours(world, order);
    }
    Columns p(world.particles);
    if (event.reset)
      for (std::size_t i = 0; i < p.x.size(); ++i) {
        if (p.body[i] != event.body_index) continue;
        p.F[i] = Mat<T, D>::identity(), p.tau[i] = Sym<T, D>::zero();
        if (!p.P.empty()) p.embedded[i] = p.x[i], p.P[i] = Mat<T, D>::identity();
        if (!p.strain.empty()) p.X[i] = p.x[i], p.plastic[i] = Mat<T, D>::identity(), p.strain[i] = Sym<T, D>::zero();
      }
    if (event.body_index >= 0 && !event.velocity.is_zero()) add_velocity<T, D>(event, world);
    measure_materials(world);
    if (spec_.method == Method::mls) bond_rest_shape(p);
    if (spec_.method == Method::embedded) bond_embedding(p);
    world_.clear(), contact_.clear();
  }
}

// Where moduli change, the strain at rest changes so that the stress does not: a strained body that turns stiff would
// else be given energy.
template <class T, int D>
void Meshless<T, D>::keep_stress(World& world, const std::vector<Material>& before) {
  Columns p(world.particles);
  deform_from_rest(p);
  for (const Batch& batch : world.batches) {
    const auto m = static_cast<std::size_t>(batch.material);
    const auto *old = std::get_if<StrainYieldLaw>(&before[m].value),
               *now = std::get_if<StrainYieldLaw>(&controls_.materials[m].value);
    if (!old || !now) continue;
    const StrainState<T, D> was(*old), is(*now);
    const T shape = was.mu / is.mu, volume = (T(D) * was.lambda + 2 * was.mu) / (T(D) * is.lambda + 2 * is.mu);
    if (shape == T(1) && volume == T(1)) continue;
    for (auto i = static_cast<std::size_t>(batch.begin); i < static_cast<std::size_t>(batch.end); ++i) {
      const Mat<T, D> E = StrainState<T, D>::green(p.F[i]), e = E - to_matrix<D>(p.strain[i]);
      const Mat<T, D> mean = Mat<T, D>::identity() * (trace(e) / T(D));
      p.strain[i] = to_sym(E - (e - mean) * shape - mean * volume);
    }
  }
}

// Particles have changed places; lists stay in the order of numbers.
template <class T, int D>
void Meshless<T, D>::renumber_neighbours(World& world, const std::vector<std::size_t>& order) {
  std::vector<std::int32_t> now(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) now[order[i]] = static_cast<std::int32_t>(i);
  Columns p(world.particles);
  std::vector<std::pair<std::int32_t, T>> list;
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    list.clear();
    for (int k = 0; k < Neighbours::size && p.neighbours[i][k] >= 0; ++k)
      list.push_back({now[static_cast<std::size_t>(p.neighbours[i][k])], p.fades[i][k]});
    std::sort(list.begin(), list.end());
    for (std::size_t k = 0; k < list.size(); ++k)
      p.neighbours[i][static_cast<int>(k)] = list[k].first, p.fades[i][static_cast<int>(k)] = list[k].second;
  }
}

template <class T, int D>
double Meshless<T, D>::volume_ratio(const World& world, std::size_t particle) const {
  return double(determinant(world.particles.get<Mat<T, D>>("F")[particle]));
}

template <class T, int D>
std::size_t Meshless<T, D>::scratch_bytes() const {
  return rest_.bytes() + laplacian_.bytes() + world_.bytes() + contact_.bytes() + slices_.bytes() +
         force_.size() * (sizeof(Vec<T, D>) * 3 + sizeof(Mat<T, D>) * 3 + sizeof(Carrier<T, D>));
}

template class Meshless<float, 2>;
template class Meshless<float, 3>;
template class Meshless<double, 2>;
template class Meshless<double, 3>;

std::unique_ptr<Solver> make_meshless(const Scene& scene) {
  const bool wide = scene.solver.precision == Precision::f64;
  if (scene.scene.dimension == 2) {
    if (wide) return std::make_unique<Meshless<double, 2>>(scene);
    return std::make_unique<Meshless<float, 2>>(scene);
  }
  if (wide) return std::make_unique<Meshless<double, 3>>(scene);
  return std::make_unique<Meshless<float, 3>>(scene);
}

}  // namespace knead
