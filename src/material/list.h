// THE list of materials. A new one is a header with its law and a line here; reader, help, tests and solvers follow.
#pragma once

#include "material/elastic_fixed_corotated.h"
#include "material/elastic_hencky.h"
#include "material/elastic_neo_hookean.h"
#include "material/elastic_st_venant_kirchhoff.h"
#include "material/elastoplastic.h"
#include "material/flow_fluid.h"
#include "material/flow_fracture.h"
#include "material/flow_phase_field.h"
#include "material/flow_sand.h"
#include "material/flow_snow.h"
#include "material/flow_strain_yield.h"
#include "material/flow_viscoplastic.h"
#include "material/flow_yield.h"

#include <span>
#include <variant>

namespace knead {

using Materials = std::variant<                                  //
    Elastoplastic<FixedCorotated, NoFlow, FixedCorotatedModel>,  //
    Elastoplastic<NeoHookean, NoFlow, NeoHookeanModel>,          //
    Elastoplastic<Hencky, NoFlow, HenckyModel>,                  //
    Elastoplastic<FixedCorotated, SnowFlow, SnowModel>,          //
    Elastoplastic<StVenantKirchhoff, NoFlow, StVenantKirchhoffModel>,
    Elastoplastic<Hencky, VonMisesFlow, VonMisesModel>,                //
    Elastoplastic<Hencky, RankineFlow, RankineModel>,                  //
    Elastoplastic<Hencky, RankineVonMisesFlow, RankineVonMisesModel>,  //
    Elastoplastic<SplitHencky, PhaseFieldFlow, PhaseFieldModel>,       //
    Elastoplastic<Hencky, SandFlow, SandModel>,                        //
    Elastoplastic<Hencky, ViscoplasticFlow, ViscoplasticModel>,        //
    Elastoplastic<WeaklyCompressible, FluidFlow, FluidModel>,          //
    Elastoplastic<Corotated, YieldFlow, YieldFlowModel>,               //
    Elastoplastic<StVenantKirchhoff, YieldFlow, YieldFlowStVenantKirchhoffModel>,
    Elastoplastic<StVenantKirchhoff, StrainYield, StrainYieldModel>>;

// A material as a scene gives it: the key `model` names one of the list.
struct Material {
  Materials value;
  static const OneOf& alternatives();
};

// f(law) for the law that the material is. Done once a batch, outside the loops over particles.
template <class F>
decltype(auto) visit(const Material& material, F&& f) {
  return std::visit(std::forward<F>(f), material.value);
}

// Whether the methods without a grid work with a law: not with those of the volume alone, or that fall to grains.
template <class Law>
inline constexpr bool is_meshless_law =
    !Law::volume_only && !Law::viscous &&
    (!Law::flows || Law::needs_rest_shape || std::is_same_v<typename Law::Flow, YieldFlow> ||
     std::is_same_v<typename Law::Flow, VonMisesFlow> || std::is_same_v<typename Law::Flow, ViscoplasticFlow>);

// What is wrong with values that are each within their range, one sentence each. Empty for a sound material.
std::vector<std::string> problems_of(const Material&);
// Once all values are known: derives what a law needs of another part's (the fluid's density, for its sound speed).
void prepare(Material&);

// What cold code asks without caring which law it is.
std::string_view name_of(const Material&);
double density_of(const Material&);     // kg/m^3
double wave_speed_of(const Material&);  // m/s, before any flow
double viscosity_of(const Material&);   // m^2/s, kinematic
const Heat& heat_of(const Material&);
std::optional<double> melting_temperature_of(const Material&);  // K
bool melts(const Material&);                                    // whether it is, or may become, molten
std::span<const HistoryColumn> history_columns_of(const Material&);
bool has_strength_to_lose(const Material&);
// "\"von-mises\", \"rankine\" or …": the models of which that is true.
std::string models_with_strength();

}  // namespace knead
