#include "material/list.h"

namespace knead {

const Table& ElasticModuli::table() {
  static const Table t{
      "elastic",
      "Isotropic elasticity.",
      {field<&ElasticModuli::young>("young", "Pa", "Young's modulus: stiffness against pulling.")
           .above(0, "matter without stiffness has no shape to keep"),
       field<&ElasticModuli::poisson>(
           "poisson", "", "Poisson's ratio: how much it thins when pulled; towards 0.5 it keeps its volume.")
           .between(-1, 0.5, "at 0.5 the bulk modulus is infinite, at -1 the shear modulus is")}};
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
      {field<&SnowFlow::hardening>("hardening", "",
                                   "How fast packing stiffens it: moduli times exp(hardening (1 - J_p)).")
           .at_least(0, "below 0 packing would soften snow without bound"),
       field<&SnowFlow::critical_compression>("critical_compression", "",
                                              "Compression at which it starts to pack; lower is chunkier.")
           .between(0, 1, "it is the share of a length that may be lost elastically"),
       field<&SnowFlow::critical_stretch>("critical_stretch", "",
                                          "Stretch at which it starts to break; lower gives more powder.")
           .above(0, "it is the share of a length that may be gained elastically"),
       field<&SnowFlow::max_hardening>("max_hardening", "", "Ceiling of the factor by which packing stiffens it.")
           .at_least(1, "below 1 snow would be softer than at rest")}};
  return t;
}

const OneOf& Material::alternatives() {
  static const OneOf list = one_of<Material>("material", "model", "What a body is made of.");
  return list;
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

}  // namespace knead
