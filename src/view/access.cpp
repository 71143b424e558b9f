#include "view/access.h"

#include "base/error.h"

#include <arpa/inet.h>
#include <sys/random.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace knead {

namespace {

std::string random_token() {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != ssize_t(sizeof bytes))
    fail(Exit::file, "cannot get random bytes for the viewer's token: {}", std::strerror(errno));
  std::string text;
  for (const unsigned char b : bytes) text += fmt::format("{:02x}", b);
  return text;
}

std::string machine_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

bool is_number_address(const std::string& text) {
  unsigned char bytes[16];
  return inet_pton(AF_INET, text.c_str(), bytes) == 1 || inet_pton(AF_INET6, text.c_str(), bytes) == 1;
}

// "localhost" of "localhost:8737", "::1" of "[::1]:8737"; empty where it is neither.
std::string without_port(std::string_view host) {
  std::string_view name = host, port;
  if (host.starts_with('[')) {
    const std::size_t end = host.find(']');
    if (end == std::string_view::npos) return "";
    name = host.substr(1, end - 1), port = host.substr(end + 1);
  } else if (const std::size_t colon = host.find(':'); colon != std::string_view::npos) {
    name = host.substr(0, colon), port = host.substr(colon);
  }
  if (!port.empty() && (port[0] != ':' || port.find_first_not_of("0123456789", 1) != std::string_view::npos)) return "";
  return std::string(name);
}

}  // namespace

bool is_loopback(std::string_view address) {
  return address == "localhost" || address == "::1" || address == "127.0.0.1";
}

Access::Access(const std::string& address)
    : token_(random_token()), own_name_(machine_name()), only_here_(is_loopback(address)) {}

// The port may be another one: a tunnel of ssh gives the page a port of its own.
std::string Access::refuse(std::string_view host, std::string_view origin) const {
  const std::string name = without_port(host);
  const bool ours =
      is_loopback(name) || (!only_here_ && (is_number_address(name) || (!own_name_.empty() && name == own_name_)));
  if (!ours) return "a Host other than this viewer";
  if (!origin.empty() && origin != "http://" + std::string(host)) return "a foreign Origin";
  return "";
}

bool Access::knows(std::string_view token) const {
  unsigned difference = token.size() == token_.size() ? 0 : 1;
  for (std::size_t i = 0; i < token_.size(); ++i)
    difference |= static_cast<unsigned char>(token_[i]) ^ static_cast<unsigned char>(i < token.size() ? token[i] : 0);
  return difference == 0;
}

}  // namespace knead
