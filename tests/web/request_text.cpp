#include "view/request_text.h"

#include "view/access.h"

#include <gtest/gtest.h>

namespace knead {
namespace {

const std::string request =
    "POST /api/command HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n\r\n{\"do\": \"pause\"}";

TEST(RequestText, is_whole_with_its_last_byte_and_not_before) {
  for (std::size_t n = 1; n < request.size(); ++n) EXPECT_EQ(examine_request(request.substr(0, n), {}).status, 0) << n;
  const RequestState whole = examine_request(request + "GET / HTTP/1.1\r\n", {});
  EXPECT_EQ(whole.status, 200);
  EXPECT_EQ(whole.length, request.size());
}

TEST(RequestText, is_refused_as_soon_as_it_is_too_much) {
  EXPECT_EQ(examine_request("GET /" + std::string(5000, 'a'), {}).status, 414);
  std::string many = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 65; ++i) many += "A: b\r\n";
  EXPECT_EQ(examine_request(many, {}).status, 431);
  EXPECT_EQ(examine_request("GET / HTTP/1.1\r\nA: " + std::string(20000, 'a'), {}).status, 431);
  EXPECT_EQ(examine_request("POST / HTTP/1.1\r\nContent-Length: 300000\r\n", {}).status, 413);
}

TEST(RequestText, has_a_name_that_a_log_can_bear) {
  EXPECT_EQ(request_name("GET /api/state?secret=1 HTTP/1.1\r\nHost: x"), "GET /api/state");
  EXPECT_EQ(request_name("\x1b[31m\x07" + std::string(1000, 'a')).size(), 80u);
  EXPECT_EQ(request_name("\x1b[31m").find('\x1b'), std::string::npos);
}

TEST(Access, is_for_this_machine_unless_it_listens_to_others) {
  const Access here("127.0.0.1"), all("0.0.0.0");
  for (const char* host : {"127.0.0.1:80", "localhost", "localhost:9000", "[::1]:80"}) {
    EXPECT_EQ(here.refuse(host, ""), "") << host;
    EXPECT_EQ(here.refuse(host, std::string("http://") + host), "") << host;
    EXPECT_NE(here.refuse(host, "http://evil.example"), "") << host;
  }
  for (const char* host :
       {"evil.example", "127.0.0.1.evil.example", "10.0.0.7", "", ":80", "localhost:80x", "[::1", "[::1]x"})
    EXPECT_NE(here.refuse(host, ""), "") << host;
  EXPECT_EQ(all.refuse("10.0.0.7:80", ""), "");
  EXPECT_NE(all.refuse("evil.example", ""), "");
}

TEST(Access, has_another_token_each_time_and_knows_only_its_own) {
  const Access a("127.0.0.1"), b("127.0.0.1");
  EXPECT_EQ(a.token().size(), 32u);
  EXPECT_TRUE(a.knows(a.token()));
  EXPECT_FALSE(a.knows(b.token()));
  EXPECT_FALSE(a.knows(""));
  EXPECT_FALSE(a.knows(a.token() + "0"));
  EXPECT_FALSE(a.knows(a.token().substr(1)));
}

}  // namespace
}  // namespace knead
