#include "view/request_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace knead {

namespace {

RequestState refuse(int status, std::string why) { return {status, std::move(why), 0}; }

bool is_token(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}
bool is_visible(char c) { return c > 32 && c < 127; }
bool is_value(char c) { return c == '\t' || (static_cast<unsigned char>(c) >= 32 && c != 127); }

bool equal_names(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// "GET /path HTTP/1.1"
RequestState examine_line(std::string_view line, const RequestLimits& limits) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return refuse(400, "a malformed request line");
  const std::string_view method = line.substr(0, first), target = line.substr(first + 1, last - first - 1);
  if (method.empty() || !std::all_of(method.begin(), method.end(), is_token)) return refuse(400, "a strange method");
  constexpr std::string_view methods[] = {"GET", "HEAD", "POST", "OPTIONS"};
  if (std::find(std::begin(methods), std::end(methods), method) == std::end(methods))
    return refuse(405, "a method other than GET and POST");
  if (target.size() > limits.target) return refuse(414, "an address too long");
  if (target.empty() || target[0] != '/' || !std::all_of(target.begin(), target.end(), is_visible))
    return refuse(400, "a malformed address");
  const std::string_view version = line.substr(last + 1);
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return refuse(505, "an unsupported version of HTTP");
  return {};
}

}  // namespace

RequestState examine_request(std::string_view bytes, const RequestLimits& limits) {
  // The first line may be too long, or the lines too many, long before the last one is there.
  const std::size_t end = bytes.substr(0, limits.head).find("\r\n\r\n");
  const bool whole_head = end != std::string_view::npos;
  std::string_view head = bytes.substr(0, whole_head ? end + 2 : std::min(bytes.size(), limits.head));
  std::size_t lines = 0, length = 0;
  bool has_length = false;
  while (!head.empty()) {
    const std::size_t stop = head.find('\n');
    const std::string_view part = head.substr(0, stop);
    if (lines == 0 && part.size() > limits.target + 64) return refuse(414, "an address too long");
    if (stop == std::string_view::npos) break;  // the rest of the line has not come yet
    if (part.empty() || part.back() != '\r') return refuse(400, "a line that does not end with CR LF");
    const std::string_view line = part.substr(0, part.size() - 1);
    if (!std::all_of(line.begin(), line.end(), is_value)) return refuse(400, "a control character");
    head.remove_prefix(stop + 1);
    if (lines++ == 0) {
      if (RequestState state = examine_line(line, limits); state.status) return state;
      continue;
    }
    if (lines > limits.headers + 1) return refuse(431, "too many headers");
    const std::size_t colon = line.find(':');
    const std::string_view name = line.substr(0, colon);
    if (colon == std::string_view::npos || name.empty() || !std::all_of(name.begin(), name.end(), is_token))
      return refuse(400, "a header without a name");
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (equal_names(name, "Transfer-Encoding")) return refuse(411, "a body without its length");
    if (equal_names(name, "Content-Length")) {
      const auto [stopped, error] = std::from_chars(value.data(), value.data() + value.size(), length);
      if (has_length || value.empty() || error != std::errc() || stopped != value.data() + value.size())
        return refuse(400, "a length that is none");
      has_length = true;
      if (length > limits.body) return refuse(413, "a body too large");
    }
  }
  if (!whole_head) return bytes.size() >= limits.head ? refuse(431, "headers too long") : RequestState{};
  const std::size_t all = end + 4 + length;
  return bytes.size() < all ? RequestState{} : RequestState{200, "", all};
}

std::string request_name(std::string_view bytes) {
  std::string name(bytes.substr(0, std::min<std::size_t>(bytes.find_first_of("\r\n"), 80)));
  if (const std::size_t version = name.rfind(" HTTP/"); version != std::string::npos) name.resize(version);
  if (const std::size_t query = name.find('?'); query != std::string::npos) name.resize(query);
  for (char& c : name)
    if (!is_visible(c) && c != ' ') c = '?';
  return name.empty() ? "nothing" : name;
}

std::string refusal_text(int status, std::string_view why) {
  const std::string body = fmt::format("refused: {}\n", why);
  return fmt::format(
      "HTTP/1.1 {} Refused\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\nConnection: "
      "close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\r\n{}",
      status, body.size(), body);
}

}  // namespace knead
