// The text of an HTTP request, held against what the viewer takes before anything in it is believed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace knead {

struct RequestLimits {
  std::size_t target = 2048;  // bytes
  std::size_t head = 16 << 10;
  std::size_t headers = 64;
  std::size_t body = 256 << 10;
};

struct RequestState {
  int status = 0;          // 0: not whole yet; 200: whole; else that with which it is refused
  std::string why{};       // it is refused
  std::size_t length = 0;  // bytes of the whole
};

// Stricter than the standard asks: lines end with CR LF, no line is folded, a body has its length said once.
RequestState examine_request(std::string_view bytes, const RequestLimits& limits);

// "GET /api/state" of a request, whatever else is wrong with it, cut to what a log can bear.
std::string request_name(std::string_view bytes);

// A whole answer that says why a request is refused, after which the connection is closed.
std::string refusal_text(int status, std::string_view why);

}  // namespace knead
