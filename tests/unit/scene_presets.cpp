// Materials by preset: each reads without a complaint, gives the values it states, and yields to what the scene says.
#include "base/error.h"
#include "material/presets.h"
#include "scene/read.h"
#include "scene/write.h"

#include <gtest/gtest.h>

using namespace knead;

namespace {

Scene read(const std::string& material) {
  return read_scene_text("[solver]\ndx = 0.001\n[materials.x]\n" + material +
                             "\n[[body]]\nmaterial = \"x\"\nshape = { type = \"box\", size = [1, 1, 1] }\n",
                         "test.toml", "/nowhere");
}

std::string complaint(const std::string& material) {
  try {
    read(material);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return "";
}

int lines_of(const std::string& text) { return 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

TEST(Presets, all_are_sound_and_say_what_their_values_come_from) {
  for (const Preset& p : presets()) {
    const Scene scene = read("preset = \"" + std::string(p.name) + "\"");
    EXPECT_TRUE(scene.warnings.empty()) << p.name;
    EXPECT_EQ(name_of(scene.materials.at(0).material), p.model);
    EXPECT_GT(wave_speed_of(scene.materials.at(0).material), 0);
    for (const PresetValue& v : p.values) EXPECT_GT(std::string_view(v.source).size(), 3u) << p.name << '.' << v.key;
    // Written out, it needs the preset no more.
    const std::string resolved = to_toml(scene);
    EXPECT_EQ(resolved.find("preset"), std::string::npos);
    EXPECT_EQ(to_toml(read_scene_text(resolved, "again.toml", "/nowhere")), resolved) << p.name;
  }
}

TEST(Presets, keys_of_the_scene_replace_those_of_the_preset) {
  EXPECT_EQ(density_of(read("preset = \"dry-sand\"").materials[0].material), 2200);
  EXPECT_EQ(density_of(read("preset = \"dry-sand\"\ndensity = 1500").materials[0].material), 1500);
  EXPECT_NEAR(wave_speed_of(read("preset = \"water\"").materials[0].material), 30, 1e-12);
  // The bulk modulus replaces the sound speed, which says the same.
  EXPECT_NEAR(wave_speed_of(read("preset = \"water\"\nbulk_modulus = \"100 kPa\"").materials[0].material), 10, 1e-12);
  EXPECT_EQ(complaint("preset = \"ice\"\nsoftening = \"1 GPa\""), "");
}

TEST(Presets, mistakes_are_told_in_one_line_with_a_remedy) {
  const std::string unknown = complaint("preset = \"dry-sandd\"");
  EXPECT_NE(unknown.find("test.toml:4"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("did you mean"), std::string::npos) << unknown;
  EXPECT_EQ(lines_of(unknown), 1) << unknown;
  const std::string model = complaint("preset = \"snow\"\nyoung = \"1 MPa\"");
  EXPECT_NE(model.find("write model = \"snow\""), std::string::npos) << model;
  EXPECT_EQ(lines_of(model), 1) << model;
  const std::string other = complaint("preset = \"water\"\nmodel = \"sand\"");
  EXPECT_NE(other.find("is of the model \"fluid\""), std::string::npos) << other;
}

// Parameters that no matter can have, each refused by one message that names the key.
TEST(Materials, impossible_parameters_are_refused) {
  const std::pair<const char*, const char*> wrong[] = {
      {"model = \"sand\"\nfriction_angle = \"95 deg\"", "friction_angle"},
      {"model = \"sand\"\ncohesion = -1", "cohesion"},
      {"model = \"rankine\"\ntensile_strength = 0", "tensile_strength"},
      {"model = \"von-mises\"\nyield_stress = -5", "yield_stress"},
      {"model = \"von-mises\"\nsoftening = 1e5\nfracture_energy = 10", "fracture_energy"},
      {"model = \"von-mises\"\nsoftening = 1e5\nhardening = 10", "hardening"},
      {"model = \"rankine\"\nfracture_energy = 0", "fracture_energy"},
      {"model = \"rankine\"\ndebris = \"dust\"", "debris"},
      {"model = \"fluid\"\nviscosity = -1", "viscosity"},
      {"model = \"fluid\"\nbulk_modulus = 1e5\nsound_speed = 10", "sound_speed"},
      {"model = \"viscoplastic\"\nexponent = 0", "exponent"},
      {"model = \"sand\"\nmatch = \"3d\"", "match"},
  };
  for (const auto& [material, key] : wrong) {
    const std::string message = complaint(material);
    EXPECT_NE(message.find(key), std::string::npos) << material << "\n" << message;
    EXPECT_EQ(lines_of(message), 1) << message;
  }
}

TEST(Materials, models_answer_to_their_other_names) {
  for (const auto& [alias, name] :
       {std::pair("drucker-prager", "sand"), {"bingham", "viscoplastic"}, {"liquid", "fluid"}})
    EXPECT_EQ(name_of(read("model = \"" + std::string(alias) + "\"").materials[0].material), name);
}

}  // namespace
