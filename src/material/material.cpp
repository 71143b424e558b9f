#include "material/list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace knead {

const Table& ElasticModuli::table() {
  static const Table t{
      "elastic",
      "Isotropic elasticity.",
      {field<&ElasticModuli::young>("young", "Pa", "Young's modulus: stiffness under tension.")
           .above(0, "matter without stiffness has no shape to keep"),
       field<&ElasticModuli::poisson>(
           "poisson", "", "Poisson's ratio: lateral contraction under tension; near 0.5 the volume is preserved.")
           .between(-1, 0.5, "at 0.5 the bulk modulus is infinite, at -1 the shear modulus is")}};
  return t;
}

const Table& StVenantKirchhoff::table() {
  static const Table t = [] {
    Table all = ElasticModuli::table();
    all.fields.push_back(
        field<&StVenantKirchhoff::volume_stiffness>("volume_stiffness", "Pa",
                                                    "Resistance to volume change in addition to the moduli; ten times "
                                                    "young preserves the volume under large tension.")
            .at_least(0, "below 0 matter would collapse by itself"));
    return all;
  }();
  return t;
}

const Table& Heat::table() {
  static const Table t{
      "heat",
      "Conduction of heat.",
      {field<&Heat::conductivity>("conductivity", "W/(m K)",
                                  "Thermal conductivity; needed if a scene has temperatures. Methods without a grid.")
           .at_least(0, "heat flows from hot to cold"),
       field<&Heat::capacity>("heat_capacity", "J/(kg K)", "Specific heat capacity.")
           .above(0, "matter without it would have no temperature")}};
  return t;
}

const Table& NoFlow::table() {
  static const Table t{"none", "No plastic flow.", {}};
  return t;
}

const Table& SnowFlow::table() {
  static const Table t{
      "snow flow",
      "Packing and breaking of snow.",
      {field<&SnowFlow::hardening>("hardening", "", "Hardening by compaction: moduli times exp(hardening (1 - J_p)).")
           .at_least(0, "below 0 compaction would soften snow without bound"),
       field<&SnowFlow::critical_compression>("critical_compression", "",
                                              "Compression at which compaction starts; lower is chunkier.")
           .between(0, 1, "it is the share of a length that may be lost elastically"),
       field<&SnowFlow::critical_stretch>("critical_stretch", "",
                                          "Stretch at which it starts to break; lower gives more powder.")
           .above(0, "it is the share of a length that may be gained elastically"),
       field<&SnowFlow::max_hardening>("max_hardening", "", "Upper limit of the hardening factor.")
           .at_least(1, "below 1 snow would be softer than at rest")}};
  return t;
}

std::span<const char* const> enum_names(Debris) {
  static constexpr const char* names[] = {"none", "compressive"};
  return names;
}

const Table& Softening::table() {
  static const Table t{
      "softening",
      "How strength is lost.",
      {field<&Softening::softening>("softening", "Pa",
                                    "Loss of strength per plastic strain. Without it and without fracture_energy "
                                    "matter yields but never breaks.")
           .above(0, "softening is positive"),
       field<&Softening::fracture_energy>("fracture_energy", "J/m^2",
                                          "Fracture energy: energy that opens a crack of unit area, instead of "
                                          "softening; breaking then does not depend on the grid.")
           .above(0, "a crack that costs nothing opens at once; leave the key out for matter that never breaks"),
       field<&Softening::debris>("debris", "", "What broken matter still bears: nothing, or pressure.")}};
  return t;
}

namespace {

std::vector<Field> with_softening(std::vector<Field> rows, std::vector<Field> softening) {
  for (Field& f : softening) rows.push_back(std::move(f));
  return rows;
}
constexpr const char* strength_why = "matter without strength is broken from the start";
constexpr const char* yield_doc = "Yield stress of a bar under tension or compression.";
constexpr const char* tension_doc = "Tensile strength.";

}  // namespace

std::vector<std::string> Softening::problems() const {
  if (softening && fracture_energy)
    return {
        "softening and fracture_energy are both given; they are two ways to say how fast strength is lost: keep "
        "one of them"};
  return {};
}

std::vector<std::string> VonMisesFlow::problems() const {
  std::vector<std::string> all = softening.problems();
  if (all.empty() && hardening > 0 && (softening.softening || softening.fracture_energy))
    all.push_back(std::string("hardening and ") + (softening.softening ? "softening" : "fracture_energy") +
                  " are both given; strength either grows or falls with plastic strain: keep one of them");
  return all;
}

const Table& VonMisesFlow::table() {
  static const Table t{
      "von Mises flow", "Yield in shear.",
      with_softening(
          {field<&VonMisesFlow::yield_stress>("yield_stress", "Pa", yield_doc).above(0, strength_why),
           field<&VonMisesFlow::hardening>("hardening", "Pa", "Growth of the yield stress per plastic strain.")
               .at_least(0, "below 0 it would be softening, which has a key of its own")},
          fields_of_part<&VonMisesFlow::softening>())};
  return t;
}

const Table& RankineFlow::table() {
  static const Table t{
      "Rankine flow", "Limited tension.",
      with_softening(
          {field<&RankineFlow::tensile_strength>("tensile_strength", "Pa", tension_doc).above(0, strength_why)},
          fields_of_part<&RankineFlow::softening>())};
  return t;
}

const Table& RankineVonMisesFlow::table() {
  static const Table t{
      "Rankine and von Mises flow", "Limited tension and shear.",
      with_softening(
          {field<&RankineVonMisesFlow::tensile_strength>("tensile_strength", "Pa", tension_doc).above(0, strength_why),
           field<&RankineVonMisesFlow::yield_stress>("yield_stress", "Pa", yield_doc).above(0, strength_why)},
          fields_of_part<&RankineVonMisesFlow::softening>())};
  return t;
}

const Table& PhaseFieldFlow::table() {
  static const Table t{
      "phase field",
      "Cracks as a smooth field.",
      {field<&PhaseFieldFlow::fracture_energy>("fracture_energy", "J/m^2",
                                               "Fracture energy G_c: energy of a crack of unit area.")
           .above(0, "a crack that costs nothing opens at once"),
       field<&PhaseFieldFlow::crack_length>("crack_length", "m",
                                            "Length l over which a crack is smeared: the field falls as exp(-distance "
                                            "/ l) beside it. With young and fracture_energy it sets the strength, "
                                            "0.325 sqrt(young fracture_energy / crack_length). At least two cells.")
           .above(0, "a crack without width has no field")}};
  return t;
}

std::span<const char* const> enum_names(Match) {
  static constexpr const char* names[] = {"auto", "triaxial", "plane-strain", "mohr-coulomb-2d"};
  return names;
}

const Table& SandFlow::table() {
  constexpr double right_angle = 1.57079632679489661923;
  static const Table t{
      "sand flow",
      "Friction between grains.",
      {field<&SandFlow::friction_angle>(
           "friction_angle", "rad",
           "Friction angle, the slope at which it comes to rest: 25 to 45 degrees. With h1 to h3 the angle is "
           "friction_angle + (h1 q - h3) exp(-h2 q) after the plastic strain q.")
           .within(0, 1.55, "it is the steepest slope of a pile, below a right angle (1.5708 rad, 90 degrees)"),
       field<&SandFlow::h1>("h1", "rad", "Initial growth of the angle per plastic strain.")
           .within(-right_angle, right_angle, "it is an angle per unit of strain"),
       field<&SandFlow::h2>("h2", "", "Rate at which that growth decays.")
           .at_least(0, "below 0 the change would grow without bound"),
       field<&SandFlow::h3>("h3", "rad", "Reduction of the angle before any flow.")
           .within(-right_angle, right_angle, "it is a difference of angles"),
       field<&SandFlow::cohesion>("cohesion", "Pa",
                                  "Cohesion: shear stress that it bears without pressure, as wet sand does.")
           .at_least(0, "below 0 it would slide under its own pressure"),
       field<&SandFlow::match>(
           "match", "",
           "Where the friction angle is exact: \"triaxial\" in a triaxial test, as in most published figures (in plane "
           "flow 30 degrees then act like 43.9 in 3D and 27.5 in 2D); \"plane-strain\" or \"mohr-coulomb-2d\" in plane "
           "flow, in 2D or in a 3D slab; \"auto\" is plane-strain in 2D and triaxial in 3D.")}};
  return t;
}

const Table& ViscoplasticFlow::table() {
  static const Table t{
      "viscoplastic flow",
      "Creep above a yield stress.",
      {field<&ViscoplasticFlow::yield_stress>("yield_stress", "Pa",
                                              "Shear stress at which it starts to flow, as a rheometer measures it.")
           .at_least(0, "below 0 it would flow by itself"),
       field<&ViscoplasticFlow::consistency>("viscosity", "Pa s",
                                             "Viscosity of the flow (consistency; with exponent n in Pa s^n): shear "
                                             "stress above yield at a shear rate of 1 per second.")
           .at_least(0, "a negative viscosity would drive motion"),
       field<&ViscoplasticFlow::exponent>("exponent", "",
                                          "Power of the shear rate in the stress: 1 is Bingham's law, below 1 is shear "
                                          "thinning, above 1 shear thickening.")
           .within(0.1, 3, "below 0.1 it is plasticity without viscosity, and no known paste thickens faster")}};
  return t;
}

const Table& WeaklyCompressible::table() {
  static const Table t{
      "weakly compressible",
      "Pressure of a liquid.",
      {field<&WeaklyCompressible::bulk_modulus>(
           "bulk_modulus", "Pa",
           "Bulk modulus at rest. Water has 2.2 GPa, which makes tiny steps; density times the square of ten times the "
           "fastest speed keeps the volume to one percent.")
           .above(0, "a liquid without it would not resist compression"),
       field<&WeaklyCompressible::sound_speed>(
           "sound_speed", "m/s",
           "The same as a speed of sound: at least ten times the fastest motion. Without both it is 30 m/s.")
           .above(0, "a liquid without it would not resist compression")}};
  return t;
}

std::vector<std::string> WeaklyCompressible::problems() const {
  if (bulk_modulus && sound_speed)
    return {
        "bulk_modulus and sound_speed are both given; each follows from the other and the density: keep one of "
        "them"};
  return {};
}

const Table& FluidFlow::table() {
  static const Table t{
      "fluid flow",
      "Viscosity of a liquid.",
      {field<&FluidFlow::eta>(
           "viscosity", "Pa s",
           "Viscosity: water 1 mPa s, oil 0.1 Pa s, honey 10 Pa s. Large values on fine grids shorten the step.")
           .at_least(0, "a negative viscosity would drive motion")}};
  return t;
}

const Table& YieldFlow::table() {
  static const Table t{
      "yield flow",
      "Plastic flow at a rate.",
      {field<&YieldFlow::yield_stress>("yield_stress", "Pa", "Yield stress.").at_least(0, "it is the norm of a stress"),
       field<&YieldFlow::flow_rate>("flow_rate", "1/s",
                                    "Rate at which strain above the yield stress becomes plastic; at 0 it never flows.")
           .at_least(0, "a negative rate would undo the flow"),
       field<&YieldFlow::hardening>("hardening", "1/s",
                                    "Yield stress gained per Pa s of stress while flowing; negative values soften.")
           .within(-1e6, 1e6, "larger rates change the yield stress at once"),
       field<&YieldFlow::least_yield>("least_yield", "Pa", "Lower limit of the yield stress under softening.")
           .at_least(0, "it is the norm of a stress"),
       field<&YieldFlow::thickening_stress>(
           "thickening_stress", "Pa",
           "Shear thickening: below this stress it flows faster than flow_rate, above it slower. Default: none.")
           .above(0, "at 0 nothing would flow; leave the key out for none"),
       field<&YieldFlow::deviatoric>(
           "deviatoric", "",
           "Whether only the deviatoric stress counts, so that pressure alone does not make it flow.")}};
  return t;
}

const Table& StrainYield::table() {
  static const Table t{
      "strain yield",
      "Plastic strain, melting, fibres.",
      {field<&StrainYield::yield_strain>("yield_strain", "",
                                         "Strain above which deformation becomes permanent. Default: none.")
           .at_least(0, "it is the size of a strain"),
       field<&StrainYield::creep>("creep", "1/s",
                                  "Rate at which strain above yield_strain becomes plastic. Default: at once.")
           .at_least(0, "a negative rate would undo the flow"),
       field<&StrainYield::max_strain>("max_strain", "", "Largest plastic strain.")
           .between(0, 0.5, "at 0.5 a plastic strain may flatten matter"),
       field<&StrainYield::melt>("melt", "",
                                 "Whether it is molten: the rest shape follows the motion, and only strain that has "
                                 "not yet relaxed is remembered. An [[event]] may melt and set it."),
       field<&StrainYield::melt_creep>("melt_creep", "1/s",
                                       "Molten: rate at which a change of shape is forgotten; 0 remembers it.")
           .at_least(0, "a negative rate would undo the flow"),
       field<&StrainYield::melt_young>("melt_young", "Pa", "Molten: Young's modulus. Default: that of the solid.")
           .above(0, "without stiffness it would not resist compression"),
       field<&StrainYield::melt_viscosity>("melt_viscosity", "Pa s",
                                           "Molten: viscosity. The volume_stiffness of the solid is not used.")
           .at_least(0, "a negative viscosity would drive motion"),
       field<&StrainYield::melt_turns>("melt_turns", "",
                                       "Molten: whether the remembered strain rotates with the matter, as it should; "
                                       "the loop printed by Mueller 2004 omits that."),
       field<&StrainYield::melting_temperature>("melting_temperature", "K",
                                                "Temperature above which it melts. Default: heat does not melt it.")
           .above(0, "temperatures are absolute"),
       field<&StrainYield::solidifying_temperature>(
           "solidifying_temperature", "K", "Temperature below which a melt sets again. Default: melting_temperature.")
           .above(0, "temperatures are absolute"),
       field<&StrainYield::latent_heat>("latent_heat", "J/kg",
                                        "Latent heat, absorbed by melting and released by setting.")
           .at_least(0, "melting absorbs heat"),
       field<&StrainYield::fibre>("fibre", "", "Direction of fibres in the initial shape."),
       field<&StrainYield::fibre_young>("fibre_young", "Pa", "Young's modulus that fibres add along their direction.")
           .at_least(0, "below 0 fibres would push"),
       field<&StrainYield::literal>("literal", "",
                                    "Whether strain and force are those printed by Mueller 2004, which act like four "
                                    "times the modulus, with thresholds for twice the strain.")}};
  return t;
}

std::vector<std::string> StrainYield::problems() const {
  std::vector<std::string> all;
  if (melts() && fibre_young > 0)
    all.push_back("it has fibres (fibre_young) and may melt; a melt has no fibres; leave one of them out");
  if (melt && melting_temperature)
    all.push_back("melt says that it is molten and melting_temperature that heat decides; leave one of them out");
  if (solidifying_temperature && !melting_temperature)
    all.push_back("solidifying_temperature is given without melting_temperature; give both");
  if (solidifying_temperature && melting_temperature && *solidifying_temperature > *melting_temperature)
    all.push_back(
        fmt::format("solidifying_temperature, {} K, is above melting_temperature, {} K; what has just melted "
                    "would set at once; lower it",
                    *solidifying_temperature, *melting_temperature));
  if (latent_heat > 0 && !melting_temperature)
    all.push_back("latent_heat is given without melting_temperature; give both");
  return all;
}

const OneOf& Material::alternatives() {
  static const OneOf list = one_of<Material>("material", "model", "What a body is made of.");
  return list;
}

std::vector<std::string> problems_of(const Material& material) {
  return visit(material, [](const auto& law) { return law.problems(); });
}

const Heat& heat_of(const Material& material) {
  return visit(material, [](const auto& law) -> const Heat& { return law.heat; });
}
std::optional<double> melting_temperature_of(const Material& material) {
  const auto* law = std::get_if<Elastoplastic<StVenantKirchhoff, StrainYield, StrainYieldModel>>(&material.value);
  return law ? law->flow.melting_temperature : std::nullopt;
}
bool melts(const Material& material) {
  const auto* law = std::get_if<Elastoplastic<StVenantKirchhoff, StrainYield, StrainYieldModel>>(&material.value);
  return law && law->flow.melts();
}

void prepare(Material& material) {
  std::visit([](auto& law) { law.prepare(); }, material.value);
}

std::string_view name_of(const Material& material) {
  return visit(material, [](const auto& law) { return law.name; });
}

double density_of(const Material& material) {
  return visit(material, [](const auto& law) { return law.density; });
}

double wave_speed_of(const Material& material) {
  return visit(material,
               [](const auto& law) { return law.template wave_speed<double>(law.template initial_history<double>()); });
}

double viscosity_of(const Material& material) {
  return visit(material, [](const auto& law) { return law.flow.viscosity() / law.density; });
}

std::span<const HistoryColumn> history_columns_of(const Material& material) {
  return visit(material, [](const auto& law) { return std::span<const HistoryColumn>(law.history_columns); });
}

bool has_strength_to_lose(const Material& material) {
  const auto columns = history_columns_of(material);
  return std::any_of(columns.begin(), columns.end(), [](const HistoryColumn& h) { return h.lost_strength; });
}

std::string models_with_strength() {
  std::vector<std::string> models;
  [&]<class... Laws>(const std::variant<Laws...>*) {
    const auto add = [&](const Material& m) {
      if (has_strength_to_lose(m)) models.push_back(fmt::format("\"{}\"", name_of(m)));
    };
    (add(Material{Laws{}}), ...);
  }(static_cast<const Materials*>(nullptr));
  const std::string last = models.back();
  models.pop_back();
  return fmt::format("{} or {}", fmt::join(models, ", "), last);
}

}  // namespace knead
