#include "base/error.h"
#include "output/expect.h"
#include "output/stats_csv.h"
#include "support/output_support.h"

#include <cmath>

namespace knead {
namespace {

using test::TempFolder;

const std::vector<std::string> columns = {"frame", "time", "kinetic", "bound"};

void append(StatsCsv& stats, int frame) {
  const StatsCell row[] = {double(frame), (frame - 1) / 24.0, std::exp(-frame / 3.0),
                           std::string(frame % 2 ? "cfl" : "elastic, \"wave\"")};
  stats.append(row);
}

TEST(StatsCsv, reads_back_to_the_same_bits) {
  const TempFolder folder;
  StatsCsv stats = StatsCsv::create(folder / "stats.csv", columns);
  for (int frame = 1; frame <= 50; ++frame) append(stats, frame);
  const StatsTable table = read_stats(folder / "stats.csv");
  EXPECT_EQ(table.names, columns);
  ASSERT_EQ(table.rows(), 50u);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(table.column("time")[static_cast<std::size_t>(i)], i / 24.0);
    EXPECT_EQ(table.column("kinetic")[static_cast<std::size_t>(i)], std::exp(-(i + 1) / 3.0));
  }
  EXPECT_EQ(table.words[3][1], "elastic, \"wave\"");
  EXPECT_TRUE(std::isnan(table.column("bound")[0]));
}

TEST(StatsCsv, only_the_rows_asked_for_are_read) {
  const TempFolder folder;
  StatsCsv stats = StatsCsv::create(folder / "stats.csv", columns);
  for (int frame = 1; frame <= 5; ++frame) append(stats, frame);
  const StatsTable late = read_stats(folder / "stats.csv", 3);
  EXPECT_EQ(late.first, 3u);
  EXPECT_EQ(late.column("frame"), (std::vector<double>{4, 5}));
  const StatsTable none = read_stats(folder / "stats.csv", 9);
  EXPECT_EQ(none.first, 5u);
  EXPECT_EQ(none.rows(), 0u);
}

TEST(StatsCsv, a_resumed_file_equals_one_never_interrupted) {
  const TempFolder folder;
  StatsCsv whole = StatsCsv::create(folder / "whole.csv", columns);
  for (int frame = 1; frame <= 20; ++frame) append(whole, frame);
  StatsCsv first = StatsCsv::create(folder / "stats.csv", columns);
  for (int frame = 1; frame <= 13; ++frame) append(first, frame);
  std::ofstream(folder / "stats.csv", std::ios::app) << "14,0.54";  // cut in the middle of a row
  StatsCsv again = StatsCsv::resume(folder / "stats.csv", columns, 10);
  for (int frame = 11; frame <= 20; ++frame) append(again, frame);
  EXPECT_EQ(test::bytes_of(folder / "stats.csv"), test::bytes_of(folder / "whole.csv"));
}

TEST(StatsCsv, other_columns_are_refused) {
  const TempFolder folder;
  (void)StatsCsv::create(folder / "stats.csv", columns);
  try {
    StatsCsv::resume(folder / "stats.csv", {"frame", "time"}, 1);
    FAIL();
  } catch (const Failure& f) {
    EXPECT_EQ(f.code, Exit::bad_input);
    EXPECT_EQ(std::string(f.what()),
              "'" + (folder / "stats.csv").string() +
                  "' has other columns than this run:\n  it has  frame,time,kinetic,bound\n  the run frame,time");
  }
}

TEST(StatsCsv, a_damaged_table_is_refused_with_its_line) {
  const TempFolder folder;
  test::put_bytes(folder / "a.csv", "frame,time\n1,0\n2\n");
  try {
    read_stats(folder / "a.csv");
    FAIL();
  } catch (const Failure& f) {
    EXPECT_EQ(std::string(f.what()), (folder / "a.csv").string() + ":3: 1 values, but the header names 2 columns");
  }
  test::put_bytes(folder / "a.csv", "");
  EXPECT_THROW(read_stats(folder / "a.csv"), Failure);
  EXPECT_THROW(read_stats(folder / "none.csv"), Failure);
  test::put_bytes(folder / "a.csv", "frame,time\n1,0\n2,0.5");  // a run still writing
  EXPECT_EQ(read_stats(folder / "a.csv").rows(), 1u);
}

StatsTable small_table() {
  StatsTable t;
  t.names = {"frame", "time", "kinetic", "mass"};
  t.values = {{1, 2, 3}, {0, 0.5, 1}, {8, 2, 4}, {1, 1.25, 0.5}};
  t.words.resize(4);
  return t;
}

TEST(Expect, aggregates_make_one_number_of_the_rows) {
  const StatsTable t = small_table();
  auto value = [&](const char* text) { return evaluate_on_stats(text, t); };
  EXPECT_EQ(value("first(kinetic)"), 8);
  EXPECT_EQ(value("last(kinetic)/first(kinetic)"), 0.5);
  EXPECT_EQ(value("min(kinetic) + max(kinetic)"), 10);
  EXPECT_EQ(value("range(kinetic)"), 6);
  EXPECT_EQ(value("mean(frame)"), 2);
  EXPECT_EQ(value("drift(mass)"), 0.5);
  EXPECT_EQ(value("drift(mass)"), value("max(abs(mass - first(mass)))"));
  EXPECT_EQ(value("max(kinetic * mass)"), 8);
  EXPECT_EQ(value("max(min(kinetic, 3))"), 3);
  EXPECT_EQ(value("max(last(kinetic), 3)"), 4);
  EXPECT_EQ(value("at(kinetic, 0.5)"), 2);
  EXPECT_EQ(value("at(kinetic, 0.25)"), 5);
  EXPECT_EQ(value("at(kinetic, last(time))"), 4);
  EXPECT_EQ(value("at(kinetic, 0)"), 8);
}

TEST(Expect, mistakes_are_explained) {
  const StatsTable t = small_table();
  auto message = [&](const char* text) -> std::string {
    try {
      evaluate_on_stats(text, t);
    } catch (const Failure& f) {
      EXPECT_EQ(f.code, Exit::bad_input);
      return f.what();
    }
    return "no failure";
  };
  EXPECT_EQ(message("last(kinetc)"),
            "in the expression 'last(kinetc)', column 6: unknown name 'kinetc' (did you mean 'kinetic'?)");
  EXPECT_EQ(message("1 - kinetic"),
            "in the expression '1 - kinetic', column 5: 'kinetic' has one value per frame; choose one: last(kinetic), "
            "max(kinetic), …");
  EXPECT_EQ(message("at(kinetic, 3)"), "in the expression 'at(kinetic, 3)': the time 3 lies outside the run, 0 to 1 s");
  EXPECT_EQ(message("lst(kinetic)"),
            "in the expression 'lst(kinetic)', column 1: unknown function 'lst' (did you mean 'last'?)");
  StatsTable empty;
  empty.names = {"time"};
  empty.values.resize(1);
  EXPECT_THROW(evaluate_on_stats("last(time)", empty), Failure);
}

TEST(Expect, texts_show_on_which_side_of_its_bounds_a_number_is) {
  const auto texts = [](double measured, std::optional<double> min, std::optional<double> max) {
    const Judgement j{"a", "e", measured, min, max, false, ""};
    return measured_text(j) + ", " + bounds_text(j);
  };
  EXPECT_EQ(texts(1, 0.9999, 1.0001), "1, 0.9999 to 1.0001");
  EXPECT_EQ(texts(1.00012, {}, 1.0001), "1.00012, at most 1.0001");
  EXPECT_EQ(texts(0.99995, 1, {}), "0.99995, at least 1");
  EXPECT_EQ(texts(1.0 / 3, 0.3, {}), "0.3333, at least 0.3");
  EXPECT_EQ(texts(0.1 + 0.2, {}, 0.3), "0.30000000000000004, at most 0.3");
  EXPECT_EQ(texts(std::nan(""), 7 * 0.01, {}), "nan, at least 0.07");  // "7 cm"
}

TEST(Expect, passes_within_its_bounds_and_never_on_nan) {
  const StatsTable t = small_table();
  const Expect inside{"a", "last(kinetic)", 4, 4, "by hand"};
  EXPECT_TRUE(judge(inside, t).pass);
  EXPECT_EQ(judge(inside, t).measured, 4);
  EXPECT_EQ(judge(inside, t).source, "by hand");
  EXPECT_FALSE(judge({"b", "last(kinetic)", 5, {}, ""}, t).pass);
  EXPECT_FALSE(judge({"c", "last(kinetic)", {}, 3, ""}, t).pass);
  EXPECT_TRUE(judge({"d", "last(kinetic)", {}, {}, ""}, t).pass);
  EXPECT_FALSE(judge({"e", "sqrt(0 - last(kinetic))", {}, {}, ""}, t).pass);
  EXPECT_FALSE(judge({"f", "max(sqrt(kinetic - 3))", {}, {}, ""}, t).pass);
  EXPECT_EQ(judge_all({inside, inside}, t).size(), 2u);
}

}  // namespace
}  // namespace knead
