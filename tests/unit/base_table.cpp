// Tables reach the members they name.
#include "base/table.h"

#include <gtest/gtest.h>

namespace knead {
namespace {

enum class Colour { red, green };
std::span<const char* const> enum_names(Colour) {
  static const char* const names[] = {"red", "green"};
  return names;
}

struct Part {
  double size = 2;
  static const Table& table() {
    static const Table t{"part", "A part.", {field<&Part::size>("size", "m", "Its size.").above(0, "it needs one")}};
    return t;
  }
};

struct Whole {
  std::string name = "x";
  Part part;
  std::optional<double> maybe;
  std::vector<Vec3d> points;
  Colour colour = Colour::green;
  std::int64_t count = 3;
  static const Table& table() {
    static const Table t = [] {
      Table made{"whole", "A whole.", {field<&Whole::name>("name", "", "Its name.").need()}};
      for (Field& f : fields_of_part<&Whole::part>()) made.fields.push_back(std::move(f));
      made.fields.push_back(field<&Whole::maybe>("maybe", "s", "Perhaps."));
      made.fields.push_back(field<&Whole::points>("points", "m", "Some."));
      made.fields.push_back(field<&Whole::colour>("colour", "", "One of two."));
      made.fields.push_back(field<&Whole::count>("count", "", "How many."));
      return made;
    }();
    return t;
  }
};

struct Either {
  std::variant<Part, Whole> value;
  static const OneOf& alternatives() {
    static const OneOf list = one_of<Either>("either", "kind", "This or that.");
    return list;
  }
};

const Field& find(const char* name) {
  for (const Field& f : Whole::table().fields)
    if (f.name == name) return f;
  throw std::runtime_error(name);
}

TEST(Table, rows_reach_members_and_members_of_parts) {
  Whole whole;
  static_cast<std::string*>(find("name").at(&whole))->push_back('y');
  *static_cast<double*>(find("size").at(&whole)) = 7;
  EXPECT_EQ(whole.name, "xy");
  EXPECT_EQ(whole.part.size, 7);
}

TEST(Table, keeps_ranges_with_their_reason) {
  const Field& size = find("size");
  EXPECT_EQ(size.range.low, 0);
  EXPECT_TRUE(size.range.low_open);
  EXPECT_EQ(size.range.why, "it needs one");
  EXPECT_FALSE(size.required);
  EXPECT_TRUE(find("name").required);
}

TEST(Table, optionals_are_empty_until_made) {
  Whole whole;
  const Field& maybe = find("maybe");
  void* member = maybe.at(&whole);
  EXPECT_EQ(maybe.type.value(member), nullptr);
  *static_cast<double*>(maybe.type.emplace(member)) = 4;
  EXPECT_EQ(whole.maybe, 4);
  EXPECT_EQ(*static_cast<double*>(maybe.type.value(member)), 4);
}

TEST(Table, lists_grow_item_by_item) {
  Whole whole;
  const Field& points = find("points");
  void* list = points.at(&whole);
  *static_cast<Vec3d*>(points.type.append(list)) = {1, 2, 3};
  EXPECT_EQ(points.type.count(list), 1u);
  EXPECT_EQ(*static_cast<Vec3d*>(points.type.item(list, 0)), (Vec3d{1, 2, 3}));
  points.type.clear(list);
  EXPECT_TRUE(whole.points.empty());
}

TEST(Table, choices_are_set_by_number) {
  Whole whole;
  const Field& colour = find("colour");
  EXPECT_STREQ(colour.type.choices[0], "red");
  EXPECT_EQ(colour.type.get_choice(colour.at(&whole)), 1);
  colour.type.set_choice(colour.at(&whole), 0);
  EXPECT_EQ(whole.colour, Colour::red);
}

TEST(Table, wide_integers_are_told_from_narrow_ones) { EXPECT_TRUE(find("count").type.wide); }

TEST(OneOf, makes_and_finds_the_current_alternative) {
  Either either;
  const OneOf& list = Either::alternatives();
  ASSERT_EQ(list.alternatives.size(), 2u);
  EXPECT_NE(list.alternatives[0].get(&either), nullptr);
  EXPECT_EQ(list.alternatives[1].get(&either), nullptr);
  list.alternatives[1].emplace(&either);
  EXPECT_TRUE(std::holds_alternative<Whole>(either.value));
  EXPECT_EQ(list.alternatives[1].table->name, "whole");
}

}  // namespace
}  // namespace knead
