// Text that is not our own, as it is printed.
#include "base/error.h"
#include "base/json_words.h"
#include "base/printable.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace knead {
namespace {

TEST(Printable, leaves_letters_of_all_languages_alone) {
  for (const char* text : {"", "plain", "a\ttab", "ünï cödé — 雪 ❄ עברית", "\U0001F600", "a ' \" \\ %"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, shows_what_steers_a_terminal) {
  EXPECT_EQ(printable("\x1b[31m"), "\\x1b[31m");
  EXPECT_EQ(printable("a\rb\bc\x7f"), "a\\x0db\\x08c\\x7f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("\u009b5n"), "\\u009b5n");
  EXPECT_EQ(printable("a\u202eb\u2066c\u2069\u200f\u061c"), "a\\u202eb\\u2066c\\u2069\\u200f\\u061c");
  EXPECT_EQ(printable("a\u2028b"), "a\\u2028b");
}

TEST(Printable, shows_line_ends_but_in_texts_of_several_lines) {
  EXPECT_EQ(printable("two\nlines"), "two\\nlines");
  EXPECT_EQ(printable_lines("two\nlines\x1b"), "two\nlines\\x1b");
  EXPECT_EQ(printable_message("two\nlines"), "two\nlines");
}

TEST(Printable, values_stay_in_their_line_of_a_message) {
  const auto said = [](auto&& raise) -> std::string {
    try {
      raise();
    } catch (const Failure& failure) {
      return failure.what();
    }
    return "nothing";
  };
  const std::string forged = "m\nknead: warning: forged";
  const std::vector<std::string> names{"a", forged};
  EXPECT_EQ(said([&] { fail(Exit::bad_input, "no '{}'\n  try {}", forged, 1); }),
            "no 'm\\nknead: warning: forged'\n  try 1");
  EXPECT_EQ(said([&] { fail(Exit::bad_input, "{:.3}", std::string_view(forged)); }), "m\\n");
  EXPECT_EQ(said([&] { fail(Exit::bad_input, "it has {}", fmt::join(names, ", ")); }),
            "it has a, m\\nknead: warning: forged");
  // What another failure says is ready.
  EXPECT_EQ(said([&] { fail(Exit::bad_input, "{}\n  and more", said([] { fail(Exit::file, "a\n  b"); }).c_str()); }),
            "a\n  b\n  and more");
}

TEST(Printable, shows_bytes_that_are_no_text) {
  EXPECT_EQ(printable("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(printable("\xc0\xaf\xed\xa0\x80"), "\\xc0\\xaf\\xed\\xa0\\x80");
}

TEST(Printable, leaves_the_middle_of_endless_words_out) {
  const std::string word(1'000'000, 'x'), path = "/" + std::string(1'000'000, 'x');
  const std::string said = printable_message("a.toml:3:1: unknown key '" + word + "' in body (did you mean 'dx'?)");
  EXPECT_LT(said.size(), 400u);
  EXPECT_TRUE(said.starts_with("a.toml:3:1: unknown key 'xxx"));
  EXPECT_TRUE(said.ends_with("xxx' in body (did you mean 'dx'?)"));
  EXPECT_LT(printable_message(path).size(), 5000u);
  // Whole letters of it
  std::string snow;
  for (int i = 0; i < 1000; ++i) snow += "雪";
  EXPECT_EQ(printable_message(snow).find("\\x"), std::string::npos);
  // And of lines with very many words
  std::string words;
  for (int i = 0; i < 100'000; ++i) words += "ab ";
  EXPECT_LT(printable_message(words).size(), 6000u);
  EXPECT_EQ(printable_message("short\n\nlines\n"), "short\n\nlines\n");
}

TEST(JsonWords, are_plain) {
  EXPECT_EQ(json_words("[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while parsing "
                       "object key - unexpected end of input; expected string literal"),
            "line 1, column 2: unexpected end of the text");
  const auto at = [](const std::string& reason) {
    return json_words("[json.exception.parse_error.101] parse error at line 1, column 4: syntax error while parsing " +
                      reason)
        .substr(18);
  };
  EXPECT_EQ(at("value - invalid literal; last read: 'nul<U+000A>'"), "not a JSON value: 'nul'");
  EXPECT_EQ(at("value - invalid literal; last read: 'nul'"), "not a JSON value: 'nul'");
  EXPECT_EQ(at("object key - invalid literal; last read: '{b'; expected string literal"), "not a JSON value: 'b'");
  EXPECT_EQ(at("array - invalid literal; last read: '[1<U+000A>, no'; expected ']'"), "not a JSON value: 'no'");
  EXPECT_EQ(at("value - unexpected ']'; expected '[', '{', or a literal"), "expected a value, found ']'");
  EXPECT_EQ(at("value - unexpected number literal; expected end of input"),
            "expected the end of the text, found a number");
  EXPECT_EQ(at("object key - unexpected '}'; expected string literal"), "expected a text in quotes, found '}'");
  EXPECT_EQ(at("object separator - unexpected ','; expected ':'"), "expected ':', found ','");
  EXPECT_EQ(at("value - invalid number; expected digit after '-'; last read: '-x'"), "not a number: '-x'");
  EXPECT_EQ(at("value - invalid string: missing closing quote; last read: '\"abc'"), "this text is not closed");
  EXPECT_EQ(at("value - invalid string: control character U+000A (LF) must be escaped to \\u000A or \\n; last read: "
               "'\"a<U+000A>'"),
            "a control character in a text must be an escape such as \\u000a");
  EXPECT_EQ(json_words("[json.exception.parse_error.101] parse error at line 3, column 0: syntax error while parsing "
                       "value - invalid literal; last read: 'nul<U+000A>'"),
            "line 2: not a JSON value: 'nul'");
  EXPECT_EQ(json_words("[json.exception.out_of_range.403] key 'do' not found"), "'do' is missing");
  EXPECT_EQ(json_words("[json.exception.type_error.302] type must be string, but is number"),
            "type must be string, but is number");
  EXPECT_EQ(json_words("[json.exception.out_of_range.406] number overflow parsing '1e999'"),
            "the number '1e999' is out of range");
}

}  // namespace
}  // namespace knead
