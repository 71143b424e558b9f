#include "base/error.h"
#include "scene/help.h"
#include "scene/read.h"
#include "scene/topics.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>
#include <sstream>

using namespace knead;

namespace {

TEST(SceneHelp, every_topic_names_every_key_within_100_columns) {
  for (const std::string& name : help_topics()) {
    std::istringstream lines(help_text(name));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << name << ": " << line;
  }
  for (const Topic& t : topics()) {
    const std::string text = help_text(t.name);
    for_each_field(t, [&](const Field& f, void* object) {
      EXPECT_NE(text.find("\n  " + f.name + " "), std::string::npos) << t.name << "." << f.name;
      EXPECT_NE(object, nullptr) << "the defaults of " << t.name << " are not known";
    });
  }
}

TEST(SceneHelp, every_solver_is_listed_with_its_line) {
  const std::vector<ListEntry> solvers = list_solvers();
  ASSERT_EQ(solvers.size(), enum_names(Method{}).size());
  for (const ListEntry& e : solvers) EXPECT_GT(e.doc.size(), 30u) << e.name;
}

TEST(SceneHelp, every_model_and_shape_is_a_topic) {
  for (const ListEntry& e : list_materials()) EXPECT_NE(help_text(e.name).find(e.name), std::string::npos);
  for (const ListEntry& e : list_shapes()) EXPECT_NE(help_text(e.name).find(e.name), std::string::npos);
  EXPECT_EQ(help_text("material"), help_text("materials"));
  EXPECT_EQ(help_text("shape"), help_text("shapes"));
  EXPECT_EQ(help_text("disc"), help_text("sphere"));
  EXPECT_EQ(list_solvers().at(0).name, "mpm");
}

TEST(SceneHelp, an_unknown_topic_is_answered_with_the_nearest) {
  try {
    help_text("sphre");
    FAIL();
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, Exit::usage);
    EXPECT_STREQ(f.what(), "there is no help on 'sphre' (did you mean 'sphere'?); `knead help` lists the topics");
  }
  EXPECT_THROW(help_text("solver.frobnicate"), Failure);
  EXPECT_THROW(help_text("nowhere.dx"), Failure);
}

TEST(SceneHelp, every_topic_is_in_one_group) {
  std::set<std::string> names;
  for (const std::string& name : help_topics()) EXPECT_TRUE(names.insert(name).second) << name;
  for (const Topic& t : topics()) EXPECT_TRUE(names.contains(t.name)) << t.name;
  std::istringstream lines(topics_text());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(SceneHelp, a_key_is_answered_with_its_tables_and_what_it_means) {
  for (const Topic& t : topics())
    for_each_field(t, [&](const Field& f, void*) {
      const std::string text = help_text(t.name + "." + f.name);
      EXPECT_NE(text.find(f.doc.substr(0, f.doc.find(' '))), std::string::npos) << t.name << "." << f.name;
    });
  EXPECT_TRUE(help_text("solver.dx").starts_with("dx in [solver]: number [m]\n")) << help_text("solver.dx");
  EXPECT_EQ(help_text("body.0.shape.radius"), help_text("shape.radius"));
  EXPECT_EQ(help_text("materials.jelly.young"), help_text("young"));
  const std::string young = help_text("young"), friction = help_text("friction");
  EXPECT_NE(young.find("Default 1000000.0: von-mises"), std::string::npos) << young;
  EXPECT_NE(friction.find("friction in [[collider]]"), std::string::npos) << friction;
  EXPECT_NE(friction.find("friction in domain"), std::string::npos) << friction;
  std::istringstream lines(young + friction);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(SceneHelp, every_field_says_what_it_means) {
  for (const Topic& t : topics()) {
    EXPECT_FALSE((t.table ? t.table->doc : t.one_of->doc).empty()) << t.name;
    for_each_field(t, [&](const Field& f, void*) {
      EXPECT_TRUE(f.doc.ends_with('.')) << t.name << "." << f.name << ": " << f.doc;
    });
  }
}

TEST(SceneHelp, the_example_is_a_scene) {
  const Scene s = read_scene_text(example_scene(), "example.toml", ".");
  EXPECT_TRUE(s.warnings.empty());
}

TEST(SceneHelp, the_reference_page_is_the_generated_one) {
  std::ifstream file(KNEAD_SOURCE_DIR "/docs/scene.md");
  std::stringstream page;
  page << file.rdbuf();
  EXPECT_EQ(page.str(), help_markdown()) << "refresh it: ./knead help --markdown > docs/scene.md";
}

TEST(SceneSchema, holds_every_key_of_every_table) {
  const auto schema = nlohmann::json::parse(json_schema());
  EXPECT_EQ(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(schema["additionalProperties"], false);
  for (const Field& f : Scene::table().fields) EXPECT_TRUE(schema["properties"].contains(f.name)) << f.name;
  EXPECT_TRUE(schema["properties"].contains("materials"));
  for (const Topic& t : topics()) {
    if (t.one_of) {
      EXPECT_EQ(schema["$defs"][t.one_of->name]["oneOf"].size(), t.one_of->alternatives.size());
      continue;
    }
    const auto& definition = schema["$defs"][t.table->name];
    EXPECT_EQ(definition["additionalProperties"], false) << t.name;
    const std::size_t tags = t.part_of ? 1 : 0;
    std::size_t fields = 0;
    for_each_field(t, [&](const Field& f, void*) {
      ++fields;
      EXPECT_TRUE(definition["properties"].contains(f.name)) << t.name << "." << f.name;
      const auto required = definition.value("required", nlohmann::json::array());
      EXPECT_EQ(std::find(required.begin(), required.end(), f.name) != required.end(), f.required) << f.name;
    });
    EXPECT_EQ(definition["properties"].size(), fields + tags) << t.name;
    EXPECT_GE(fields, t.table->fields.size()) << t.name;
  }
}

// Tables are told apart by name in the schema, so that no two may share one.
TEST(SceneSchema, no_two_tables_share_a_name) {
  std::set<std::string> names;
  for (const Topic& t : topics()) EXPECT_TRUE(names.insert(t.table ? t.table->name : t.one_of->name).second) << t.name;
}

TEST(SceneSchema, every_reference_leads_somewhere) {
  const auto schema = nlohmann::json::parse(json_schema());
  const auto flat = schema.flatten();
  for (const auto& [path, value] : flat.items())
    if (path.ends_with("/$ref")) {
      EXPECT_TRUE(schema.contains(nlohmann::json::json_pointer(value.get<std::string>().substr(1)))) << value;
    }
}

}  // namespace
