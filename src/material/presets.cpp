#include "material/presets.h"

#include <algorithm>

namespace knead {

namespace {

// How good a number is.
constexpr const char* handbook = "usual handbook value";
constexpr const char* magnitude = "order of magnitude of measured values, which vary widely";
constexpr const char* chosen = "chosen, not measured: stiff enough for the look, soft enough for the step";
constexpr const char* stomakhin = "Stomakhin 2013, the reference parameters";
constexpr const char* stomakhin_range = "Stomakhin 2013, the softer end of the range that it compares";
constexpr const char* klar = "Klar 2016, the parameters of its sand";
constexpr const char* wilkins = "Wilkins 1973 and Simo 1992, the copper bar that is fired at a wall";
constexpr const char* near_incompressible = "chosen below the true 0.49, which would shorten the step";

constexpr PresetValue jelly[] = {
    {"density", "1020 kg/m^3", handbook}, {"young", "10 kPa", magnitude}, {"poisson", "0.45", near_incompressible}};
constexpr PresetValue rubber[] = {
    {"density", "1100 kg/m^3", handbook}, {"young", "1.5 MPa", magnitude}, {"poisson", "0.45", near_incompressible}};
constexpr PresetValue fresh_snow[] = {{"density", "150 kg/m^3", handbook},
                                      {"young", "48 kPa", stomakhin_range},
                                      {"poisson", "0.2", stomakhin},
                                      {"hardening", "5", stomakhin_range},
                                      {"critical_compression", "0.025", stomakhin},
                                      {"critical_stretch", "0.0075", stomakhin}};
constexpr PresetValue packed_snow[] = {{"density", "400 kg/m^3", stomakhin},
                                       {"young", "140 kPa", stomakhin},
                                       {"poisson", "0.2", stomakhin},
                                       {"hardening", "10", stomakhin},
                                       {"critical_compression", "0.025", stomakhin},
                                       {"critical_stretch", "0.0075", stomakhin}};
constexpr PresetValue icy_snow[] = {{"density", "500 kg/m^3", handbook},
                                    {"young", "140 kPa", stomakhin},
                                    {"poisson", "0.2", stomakhin},
                                    {"hardening", "10", stomakhin},
                                    {"critical_compression", "0.019", stomakhin_range},
                                    {"critical_stretch", "0.005", stomakhin_range}};
constexpr PresetValue dry_sand[] = {{"density", "2200 kg/m^3", klar},
                                    {"young", "353.7 kPa", klar},
                                    {"poisson", "0.3", klar},
                                    {"friction_angle", "35 deg", klar},
                                    {"h1", "9 deg", klar},
                                    {"h2", "0.2", klar},
                                    {"h3", "10 deg", klar}};
constexpr PresetValue coarse_sand[] = {{"density", "1700 kg/m^3", handbook},
                                       {"young", "1 MPa", chosen},
                                       {"poisson", "0.3", handbook},
                                       {"friction_angle", "40 deg", handbook}};
constexpr PresetValue wet_sand[] = {{"density", "1900 kg/m^3", handbook},
                                    {"young", "500 kPa", chosen},
                                    {"poisson", "0.3", handbook},
                                    {"friction_angle", "33 deg", handbook},
                                    {"cohesion", "1 kPa", magnitude}};
constexpr PresetValue clay[] = {
    {"density", "1900 kg/m^3", handbook}, {"young", "2 MPa", chosen},
    {"poisson", "0.45", handbook},        {"yield_stress", "20 kPa", magnitude},
    {"viscosity", "1 kPa s", magnitude},  {"exponent", "1", "Bingham's law, for want of more"}};
constexpr PresetValue dough[] = {{"density", "1150 kg/m^3", handbook},     {"young", "20 kPa", magnitude},
                                 {"poisson", "0.45", near_incompressible}, {"yield_stress", "500 Pa", magnitude},
                                 {"viscosity", "400 Pa s", magnitude},     {"exponent", "0.4", magnitude}};
constexpr PresetValue batter[] = {{"density", "1050 kg/m^3", handbook},     {"young", "4 kPa", chosen},
                                  {"poisson", "0.45", near_incompressible}, {"yield_stress", "5 Pa", magnitude},
                                  {"viscosity", "20 Pa s", magnitude},      {"exponent", "0.6", magnitude}};
constexpr PresetValue chocolate[] = {{"density", "1250 kg/m^3", handbook},
                                     {"young", "4 kPa", chosen},
                                     {"poisson", "0.45", near_incompressible},
                                     {"yield_stress", "10 Pa", "order of magnitude at 40 degrees Celsius"},
                                     {"viscosity", "3 Pa s", "order of magnitude at 40 degrees Celsius"},
                                     {"exponent", "1", "Bingham's law, close to the Casson law of the trade"}};
constexpr PresetValue toothpaste[] = {{"density", "1300 kg/m^3", handbook},     {"young", "10 kPa", chosen},
                                      {"poisson", "0.45", near_incompressible}, {"yield_stress", "200 Pa", magnitude},
                                      {"viscosity", "50 Pa s", magnitude},      {"exponent", "0.4", magnitude}};
constexpr PresetValue whipped_cream[] = {{"density", "450 kg/m^3", handbook}, {"young", "2 kPa", magnitude},
                                         {"poisson", "0.4", chosen},          {"yield_stress", "40 Pa", magnitude},
                                         {"viscosity", "15 Pa s", magnitude}, {"exponent", "0.4", magnitude}};
constexpr PresetValue water[] = {{"density", "1000 kg/m^3", handbook},
                                 {"sound_speed", "30 m/s",
                                  "chosen for motion up to 3 m/s; the true 1480 m/s makes steps "
                                  "fifty times smaller"},
                                 {"viscosity", "1 mPa s", "handbook value at 20 degrees Celsius"}};
constexpr PresetValue honey[] = {
    {"density", "1420 kg/m^3", handbook},
    {"sound_speed", "20 m/s", "chosen for motion up to 2 m/s"},
    {"viscosity", "10 Pa s", "handbook value at 20 degrees Celsius, falls fast with warmth"}};
constexpr PresetValue steel[] = {{"density", "7850 kg/m^3", handbook},
                                 {"young", "200 GPa", handbook},
                                 {"poisson", "0.3", handbook},
                                 {"yield_stress", "250 MPa", "handbook, mild steel"},
                                 {"hardening", "1 GPa", magnitude}};
constexpr PresetValue copper[] = {{"density", "8930 kg/m^3", wilkins},
                                  {"young", "117 GPa", wilkins},
                                  {"poisson", "0.35", wilkins},
                                  {"yield_stress", "400 MPa", wilkins},
                                  {"hardening", "100 MPa", wilkins}};
constexpr PresetValue aluminium[] = {{"density", "2700 kg/m^3", handbook},
                                     {"young", "69 GPa", handbook},
                                     {"poisson", "0.33", handbook},
                                     {"yield_stress", "276 MPa", "handbook, alloy 6061-T6"},
                                     {"hardening", "500 MPa", magnitude}};
constexpr PresetValue soft_metal[] = {
    {"density", "2700 kg/m^3", "that of aluminium"},
    {"young", "10 MPa", chosen},
    {"poisson", "0.3", handbook},
    {"yield_stress", "50 kPa", "chosen: the yield strain of half a percent is a metal's"}};
constexpr PresetValue plaster[] = {{"density", "1100 kg/m^3", handbook},
                                   {"young", "4 GPa", magnitude},
                                   {"poisson", "0.2", handbook},
                                   {"tensile_strength", "2 MPa", magnitude},
                                   {"fracture_energy", "20 J/m^2", magnitude},
                                   {"debris", "compressive", "broken plaster still bears pressure"}};
constexpr PresetValue concrete[] = {{"density", "2400 kg/m^3", handbook},
                                    {"young", "30 GPa", handbook},
                                    {"poisson", "0.2", handbook},
                                    {"tensile_strength", "3 MPa", handbook},
                                    {"fracture_energy", "100 J/m^2", handbook},
                                    {"debris", "compressive", "rubble still bears pressure"}};
constexpr PresetValue ice[] = {
    {"density", "917 kg/m^3", handbook},
    {"young", "9 GPa", handbook},
    {"poisson", "0.33", handbook},
    {"tensile_strength", "1 MPa", magnitude},
    {"fracture_energy", "1 J/m^2", "from a toughness of 0.1 MPa m^(1/2), handbook, over Young's modulus"},
    {"debris", "compressive", "broken ice still bears pressure"}};

constexpr Preset known[] = {
    {"jelly", "fixed-corotated", "Gelatine dessert: wobbles, keeps its volume.", jelly},
    {"rubber", "neo-hookean", "Soft rubber: bounces, stretches far.", rubber},
    {"fresh-snow", "snow", "Loose fresh snow: light, packs easily.", fresh_snow},
    {"packed-snow", "snow", "Snow of a snowball.", packed_snow},
    {"icy-snow", "snow", "Old wet snow: heavy, breaks early into chunks.", icy_snow},
    {"dry-sand", "sand", "Fine dry sand: flows at first, gets firmer as it is sheared.", dry_sand},
    {"coarse-sand", "sand", "Coarse, angular sand or gravel: steep piles.", coarse_sand},
    {"wet-sand", "sand", "Damp sand: holds the walls of a sand castle.", wet_sand},
    {"clay", "viscoplastic", "Potter's clay: keeps the shape it is given.", clay},
    {"dough", "viscoplastic", "Bread dough: springs back a little, flows slowly.", dough},
    {"batter", "viscoplastic", "Cake batter: pours thickly, leaves a ribbon.", batter},
    {"chocolate", "viscoplastic", "Molten chocolate: flows in folds.", chocolate},
    {"toothpaste", "viscoplastic", "Toothpaste: comes out as a strand and keeps its shape.", toothpaste},
    {"whipped-cream", "viscoplastic", "Whipped cream: light, holds peaks.", whipped_cream},
    {"water", "fluid", "Water, a little compressible.", water},
    {"honey", "fluid", "Honey: thick, coils and levels slowly.", honey},
    {"steel", "von-mises",
     "Mild steel, as stiff as it is: sound at 5900 m/s, steps under a microsecond on a 1 cm grid.", steel},
    {"copper", "von-mises", "Copper of the Taylor bar: sound at 4600 m/s, steps under a microsecond on a 1 cm grid.",
     copper},
    {"aluminium", "von-mises", "Aluminium alloy: sound at 6200 m/s, steps under a microsecond on a 1 cm grid.",
     aluminium},
    {"soft-metal", "von-mises",
     "Looks like metal that bends permanently, 20000 times softer: steps a hundred times longer.", soft_metal},
    {"plaster", "rankine", "Gypsum plaster: brittle; sound at 2000 m/s, steps of microseconds on a 1 cm grid.",
     plaster},
    {"concrete", "rankine", "Concrete: cracks under tension; sound at 3700 m/s, steps of a microsecond on a 1 cm grid.",
     concrete},
    {"ice", "rankine", "Ice: brittle; sound at 3800 m/s, steps of a microsecond on a 1 cm grid.", ice},
};

constexpr std::string_view rivals[][3] = {{"softening", "fracture_energy", "hardening"},
                                          {"bulk_modulus", "sound_speed", ""}};

}  // namespace

std::span<const Preset> presets() { return known; }

const Preset* find_preset(std::string_view name) {
  const auto found = std::find_if(std::begin(known), std::end(known), [&](const Preset& p) { return p.name == name; });
  return found == std::end(known) ? nullptr : found;
}

bool are_rivals(std::string_view key, std::string_view other) {
  // Snow's hardening is another thing, but no key of snow's is in these groups beside it.
  return std::any_of(std::begin(rivals), std::end(rivals), [&](const auto& group) {
    const auto in = [&](std::string_view k) {
      return std::find(std::begin(group), std::end(group), k) != std::end(group);
    };
    return key != other && in(key) && in(other);
  });
}

}  // namespace knead
