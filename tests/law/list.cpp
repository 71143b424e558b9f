// The list of materials as the scene reader sees it.
#include "law_support.h"

#include <set>

namespace knead {
namespace {

TEST(MaterialList, names_are_distinct_and_found_by_their_tag) {
  const OneOf& list = Material::alternatives();
  EXPECT_EQ(list.tag, "model");
  std::set<std::string> names;
  for (const Alternative& a : list.alternatives) {
    EXPECT_TRUE(names.insert(a.table->name).second);
    Material material;
    a.emplace(&material);
    EXPECT_EQ(name_of(material), a.table->name);
    EXPECT_GT(density_of(material), 0);
    EXPECT_GT(wave_speed_of(material), 0);
  }
  for (const char* name : {"fixed-corotated", "neo-hookean", "hencky", "snow", "von-mises", "rankine",
                           "rankine-von-mises", "sand", "viscoplastic", "fluid"})
    EXPECT_TRUE(names.count(name)) << name;
}

TEST(MaterialList, every_row_reaches_its_value_whose_default_is_in_range) {
  for (const Alternative& a : Material::alternatives().alternatives) {
    Material material;
    void* law = a.emplace(&material);
    std::set<std::string> rows;
    for (const Field& f : a.table->fields) {
      EXPECT_TRUE(rows.insert(f.name).second) << a.table->name << '.' << f.name;
      EXPECT_FALSE(f.doc.empty()) << f.name;
      if (f.type.kind == Kind::choice || f.type.kind == Kind::boolean || f.type.kind == Kind::vector) continue;
      ASSERT_EQ(f.type.kind, Kind::number);
      EXPECT_FALSE(f.range.why.empty()) << f.name;
      void* member = f.at(law);
      if (const void* value = f.type.value(member)) {
        const double usual = *static_cast<const double*>(value);
        EXPECT_TRUE(usual >= f.range.low && usual <= f.range.high) << a.table->name << '.' << f.name;
      }
      *static_cast<double*>(f.type.optional ? f.type.emplace(member) : member) = 0.25;
    }
    EXPECT_EQ(density_of(material), 0.25);
    EXPECT_TRUE(rows.count("density"));
    EXPECT_TRUE((rows.count("young") && rows.count("poisson")) || rows.count("bulk_modulus")) << a.table->name;
  }
}

TEST(MaterialList, poisson_ratio_is_in_an_open_interval) {
  for (const Alternative& a : Material::alternatives().alternatives)
    for (const Field& f : a.table->fields)
      if (f.name == "poisson") {
        EXPECT_EQ(f.range.low, -1);
        EXPECT_EQ(f.range.high, 0.5);
        EXPECT_TRUE(f.range.low_open && f.range.high_open);
      }
}

TEST(MaterialList, snow_remembers_its_plastic_volume) {
  Material material{std::variant_alternative_t<3, Materials>{}};
  ASSERT_EQ(history_columns_of(material).size(), 1u);
  EXPECT_STREQ(history_columns_of(material)[0].name, "J_p");
  EXPECT_EQ(history_columns_of(material)[0].initial, 1);
  EXPECT_TRUE(history_columns_of(Material{}).empty());
}

}  // namespace
}  // namespace knead
