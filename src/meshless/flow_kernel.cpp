#include "meshless/flow_kernel.h"

#include "meshless/stabilizer.h"

namespace knead {

namespace {

template <class T, int D, class Law>
void flow(const void* of, FlowPack<T, D>& pack, const FlowStep& step) {
  using P = Pack<T>;
  const Law& law = *static_cast<const Law*>(of);
  auto history = law.template initial_history<P>();
  for (int h = 0; h < Law::history_size; ++h) history[h] = pack.history[static_cast<std::size_t>(h)];
  pack.dissipated = update_piola(law, pack.F, history, pack.piola, pack.F_p, step, pack.least, pack.most);
  pack.wave = law.template wave_speed<P>(history);
  for (int h = 0; h < Law::history_size; ++h) pack.history[static_cast<std::size_t>(h)] = history[h];
}

template <class T, int D, class Law>
Pack<T> elastic_energy_of(const void* law, const Vec<Pack<T>, D>& stretches) {
  return static_cast<const Law*>(law)->elastic.energy(stretches);
}

}  // namespace

template <class T, int D>
FlowKernel<T, D> flow_kernel_of(const Material& material, Particles& particles) {
  return visit(material, [&]<class Law>(const Law& law) {
    FlowKernel<T, D> kernel;
    kernel.density = law.density;
    if constexpr (is_meshless_law<Law> && !Law::needs_rest_shape) {
      static_assert(Law::history_size <= max_flow_history);
      kernel.run = &flow<T, D, Law>;
      kernel.energy = &elastic_energy_of<T, D, Law>;
      kernel.law = &law;
      kernel.flows = Law::flows;
      kernel.shear_modulus = law.elastic.mu();
      kernel.yield_strain = yield_strain_of(law);
      for (const HistoryColumn& column : law.history_columns)
        kernel.history[kernel.history_size++] = particles.get<T>(column.name).data();
    }
    return kernel;
  });
}

template FlowKernel<float, 2> flow_kernel_of(const Material&, Particles&);
template FlowKernel<float, 3> flow_kernel_of(const Material&, Particles&);
template FlowKernel<double, 2> flow_kernel_of(const Material&, Particles&);
template FlowKernel<double, 3> flow_kernel_of(const Material&, Particles&);

}  // namespace knead
