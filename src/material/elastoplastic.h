// A material: density, an elastic law and a flow rule, put together. `Model` names the material and gives its defaults.
#pragma once

#include "material/elastic.h"
#include "material/flow_none.h"
#include "material/heat.h"

#include <string_view>

namespace knead {

template <class E, class F, class Model>
struct Elastoplastic {
  using Elastic = E;
  using Flow = F;
  template <class T>
  using History = typename F::template History<T>;
  static constexpr int history_size = F::history_size;
  static constexpr auto& history_columns = F::history_columns;
  // Without flow the deformation gradient is never rebuilt from its singular values.
  static constexpr bool flows = !std::is_same_v<F, NoFlow>;
  static constexpr bool viscous = F::viscous;
  // Whether the return works on logarithmic strain, or on the volume alone; see material/log_strain.h, flow_fluid.h.
  static constexpr bool in_log_strain = requires { F::in_log_strain; }
  || (!flows && requires { E::log_strain_law; });
  static constexpr bool volume_only = requires { F::volume_only; };
  // Whether the return is along the deviator and the volume of the strain; see material/log_strain.h.
  static constexpr bool is_radial = !flows || requires { F::is_radial; };
  // Whether the flow rule works on strain in the frame of a rest shape; see material/flow_strain_yield.h.
  static constexpr bool needs_rest_shape = requires { F::needs_rest_shape; };
  // Whether the stiffening is of tension alone; see material/elastic_hencky_split.h.
  static constexpr bool splits_tension = requires { E::splits_tension; };
  static constexpr std::string_view name = Model::name;

  double density = Model::density;  // kg/m^3, at rest
  E elastic = Model::elastic;
  F flow = Model::flow;
  Heat heat;

  // Per unit rest volume; see material/elastic.h. The history enters through the stiffening alone.
  template <class T, int D>
  KNEAD_HD T energy(const Vec<T, D>& sigma, const History<T>& history) const {
    const T h = flow.template stiffening<T>(history);
    if constexpr (splits_tension)
      return elastic.energy(sigma, h);
    else
      return h * elastic.energy(sigma);
  }
  template <class T, int D>
  KNEAD_HD Vec<T, D> kirchhoff(const Vec<T, D>& sigma, const History<T>& history) const {
    const T h = flow.template stiffening<T>(history);
    if constexpr (splits_tension)
      return elastic.kirchhoff(sigma, h);
    else
      return h * elastic.kirchhoff(sigma);
  }
  template <class T, int D>
  KNEAD_HD Mat<T, D> hessian(const Vec<T, D>& sigma, const History<T>& history) const {
    const T h = flow.template stiffening<T>(history);
    if constexpr (splits_tension)
      return elastic.hessian(sigma, h);
    else
      return h * elastic.hessian(sigma);
  }
  template <class T, int D>
  KNEAD_HD PairSlopes<T, D> pair_slopes(const Vec<T, D>& sigma, const History<T>& history) const {
    const T h = flow.template stiffening<T>(history);
    if constexpr (splits_tension) {
      return elastic.pair_slopes(sigma, h);
    } else {
      const PairSlopes<T, D> s = elastic.pair_slopes(sigma);
      return {h * s.minus, h * s.plus};
    }
  }
  template <class T, int D>
  KNEAD_HD void project(Vec<T, D>& sigma, History<T>& history, const FlowStep& step) const {
    flow.project(elastic, sigma, history, step);
  }
  template <class T>
  KNEAD_HD T stiffening(const History<T>& history) const {
    return flow.template stiffening<T>(history);
  }

  // Speed of a pressure wave, m/s, from the present moduli and the density at rest.
  template <class T>
  KNEAD_HD T wave_speed(const History<T>& history) const {
    const T h = splits_tension ? T(1) : flow.template stiffening<T>(history);
    return sqrt(h * T(elastic.p_wave_modulus() / density));
  }

  template <class T>
  KNEAD_HD static History<T> initial_history() {
    History<T> history = History<T>::zero();
    for (int i = 0; i < history_size; ++i) history[i] = T(history_columns[static_cast<std::size_t>(i)].initial);
    return history;
  }

  // See material/list.h.
  std::vector<std::string> problems() const {
    std::vector<std::string> all;
    if constexpr (requires { elastic.problems(); }) all = elastic.problems();
    if constexpr (requires { flow.problems(); })
      for (std::string& p : flow.problems()) all.push_back(std::move(p));
    return all;
  }
  void prepare() {
    if constexpr (requires { elastic.rest_density; }) elastic.rest_density = density;
  }

  static const Table& table() {
    static const Table t = make_table();
    return t;
  }

 private:
  static Table make_table() {
    Table t{Model::name, Model::doc, {}};
    if constexpr (requires { Model::aliases; }) t.aliases = {std::begin(Model::aliases), std::end(Model::aliases)};
    t.fields.push_back(field<&Elastoplastic::density>("density", "kg/m^3", "Mass per volume at rest.")
                           .above(0, "matter without mass cannot be accelerated"));
    for (Field& f : fields_of_part<&Elastoplastic::elastic>()) t.fields.push_back(std::move(f));
    for (Field& f : fields_of_part<&Elastoplastic::flow>()) t.fields.push_back(std::move(f));
    for (Field& f : fields_of_part<&Elastoplastic::heat>()) t.fields.push_back(std::move(f));
    return t;
  }
};

}  // namespace knead
